import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CommandError } from '../commandError.ts'
import { describeStartError } from '../output.ts'
import type { Env } from './env.ts'
import type { SignalForwarder } from './signals.ts'

/** The environment variable that marks the processes of a command: an inner `exec` opens no process group of its own. */
const NESTED_VARIABLE = 'FAKE_CALENDAR_EXEC'

const GRACE_MS = 2000
const CHECK_INTERVAL_MS = 20

/**
 * Has the input, output and signals of this process, and ends what the command leaves running in its process group. Resolves to
 * its exit code, or to 128 plus the number of the signal that ended it. A second SIGINT, and each signal after it, kills the
 * command and its group. After an earlier signal the command is not started.
 *
 * At a terminal the command stays in the foreground group, to which the terminal sends signals for typed keys. The command of
 * an inner `exec` stays in the group of the outer one, which ends it.
 */
export async function runChild(
  command: string,
  args: readonly string[],
  env: Env,
  signals: SignalForwarder,
): Promise<number> {
  if (signals.earlyExitCode !== undefined) return signals.earlyExitCode
  const isLeader = !process.stdin.isTTY && process.platform !== 'win32' && env[NESTED_VARIABLE] === undefined
  const child = startChild(command, args, { ...env, [NESTED_VARIABLE]: '1' }, isLeader)
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', (error) => reject(toStartError(command, error)))
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
  const { pid } = child
  let interrupts = 0
  signals.forwardTo((signal) => {
    if (pid === undefined) return
    if (signal === 'SIGINT') interrupts += 1
    if (interrupts > 1) sendSignal(isLeader ? -pid : pid, 'SIGKILL')
    else if (signal !== 'SIGINT') sendSignal(pid, signal)
    else if (isLeader) sendSignal(-pid, signal)
  })
  const code = await ended
  if (isLeader && pid !== undefined) await endGroup(pid)
  return code
}

function startChild(command: string, args: readonly string[], env: Env, isLeader: boolean): ChildProcess {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined))
  try {
    return spawn(command, [...args], { stdio: 'inherit', detached: isLeader, env: given })
  } catch (error) {
    throw toStartError(command, error)
  }
}

/** Ends a process group: with SIGTERM, and what still runs after 2 s with SIGKILL. Resolves when none of it is left. */
export async function endGroup(group: number): Promise<void> {
  sendSignal(-group, 'SIGTERM')
  for (let waited = 0; sendSignal(-group, 0); waited += CHECK_INTERVAL_MS) {
    if (waited >= GRACE_MS) return void sendSignal(-group, 'SIGKILL')
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS))
  }
}

/**
 * Sends a signal to a process, or for a negative id to a process group. The signal 0 is not sent: it only checks. Returns false
 * if there is no such process, or it belongs to another user.
 */
function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

function toStartError(command: string, error: unknown): CommandError {
  const code = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 127 : 126
  return new CommandError(`exec: ${command}: ${describeStartError(error)}`, code)
}
