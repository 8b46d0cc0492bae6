import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CommandError } from '../commandError.ts'
import type { Env } from './env.ts'
import {
  endProcesses,
  killProcesses,
  MARK_VARIABLE,
  markChildrenByLimit,
  type ProcessTree,
  sendSignal,
} from './processTree.ts'
import type { SignalForwarder } from './signals.ts'

/**
 * Has the input, output and signals of this process, and ends the processes that the command leaves running. Resolves to its exit
 * code, or to 128 plus the number of the signal that ended it. A second SIGINT, and each signal after it, kills the command and
 * its processes. After an earlier signal the command is not started.
 */
export async function runChild(
  command: string,
  args: readonly string[],
  env: Env,
  signals: SignalForwarder,
): Promise<number> {
  if (signals.earlyExitCode !== undefined) return signals.earlyExitCode
  // At a terminal the command stays in the foreground process group, to which the terminal sends signals for typed
  // keys. Elsewhere it leads a session of its own, so that its processes can be found after it has ended.
  const isLeader = !process.stdin.isTTY && process.platform !== 'win32'
  const mark = `${process.pid}.${new URL(env.FAKE_CALENDAR_URL ?? '').port}`
  const limit = markChildrenByLimit()
  const child = spawn(command, [...args], {
    stdio: 'inherit',
    detached: isLeader,
    env: Object.fromEntries(
      Object.entries({ ...env, [MARK_VARIABLE]: mark }).filter(([, value]) => value !== undefined),
    ),
  })
  const ended = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
  })
  const { pid } = child
  const tree: ProcessTree = { mark, limit, session: isLeader ? pid : undefined }
  let interrupts = 0
  signals.forwardTo((signal) => {
    if (pid === undefined) return
    if (signal === 'SIGINT') interrupts += 1
    if (interrupts > 1) {
      sendSignal(isLeader ? -pid : pid, 'SIGKILL')
      killProcesses(tree)
    } else if (signal !== 'SIGINT') sendSignal(pid, signal)
    else if (isLeader) sendSignal(-pid, signal)
  })
  try {
    const code = await ended
    await endProcesses(tree)
    return code
  } catch (error) {
    throw toStartError(command, error)
  }
}

const START_ERRORS: Record<string, { code: number; reason: string }> = {
  ENOENT: { code: 127, reason: 'there is no such command' },
  EACCES: { code: 126, reason: 'running it is not permitted' },
}

function toStartError(command: string, error: unknown): unknown {
  const known = START_ERRORS[(error as NodeJS.ErrnoException).code ?? '']
  return known ? new CommandError(`exec: ${command}: ${known.reason}`, known.code) : error
}
