import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CommandError } from '../commandError.ts'
import { endDescendants, killDescendants, MARK, send } from './processTree.ts'

const PASSED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

type Env = Readonly<Record<string, string | undefined>>

/**
 * Runs a command to its end, with our input, output and signals, and ends what it leaves running. Returns its exit code, or
 * 128 and the number of the signal that ended it. It has the time that it takes to end by a signal; a second SIGINT ends it.
 */
export async function runChild(command: string, args: readonly string[], env: Env): Promise<number> {
  // At a terminal it stays in the terminal's foreground, which sends it what is typed. Elsewhere it leads a group of its own.
  const apart = !process.stdin.isTTY && process.platform !== 'win32'
  const mark = `${process.pid}.${new URL(env.FAKE_CALENDAR_URL ?? '').port}`
  const child = spawn(command, [...args], {
    stdio: 'inherit',
    detached: apart,
    env: Object.fromEntries(Object.entries({ ...env, [MARK]: mark }).filter(([, value]) => value !== undefined)),
  })
  const { pid } = child
  const group = apart ? pid : undefined
  let interrupted = 0
  const onSignal = (signal: NodeJS.Signals) => {
    if (pid === undefined) return
    if (signal === 'SIGINT') interrupted += 1
    if (interrupted > 1) {
      send(apart ? -pid : pid, 'SIGKILL')
      killDescendants(mark, group)
    } else if (signal !== 'SIGINT') send(pid, signal)
    else if (apart) send(-pid, signal)
  }
  for (const signal of PASSED_ON) process.on(signal, onSignal)
  try {
    const code = await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)))
    })
    await endDescendants(mark, group)
    return code
  } catch (error) {
    throw notStarted(command, error)
  } finally {
    for (const signal of PASSED_ON) process.off(signal, onSignal)
  }
}

/** The codes that a shell ends with where a command is not there, or cannot be run. */
const UNSTARTED: Record<string, { code: number; because: string }> = {
  ENOENT: { code: 127, because: 'there is no such command' },
  EACCES: { code: 126, because: 'running it is not permitted' },
}

function notStarted(command: string, error: unknown): unknown {
  const { code, because } = UNSTARTED[(error as NodeJS.ErrnoException).code ?? ''] ?? {}
  return because === undefined ? error : new CommandError(`exec: ${command}: ${because}`, code)
}
