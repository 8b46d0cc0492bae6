import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The environment variable that marks all descendants of a command, including those in other sessions. */
export const MARK_VARIABLE = 'FAKE_CALENDAR_EXEC'

/** The limit of file locks in `/proc/PID/limits`. It is free for use as a mark, because Linux ignores it since version 2.4. */
const LOCK_LIMIT = /^Max file locks +(\S+)/m
const MAX_LIMIT = 2n ** 62n
/** More bits than a process id has, so that the marks of two commands differ. */
const PID_BITS = 24n

const GRACE_MS = 2000
const CHECK_INTERVAL_MS = 20

/** The processes of a command: those of its session and process group, and those with one of its marks. */
export type ProcessTree = {
  mark: string
  limit: string | undefined
  session: number | undefined
}

/**
 * Sets the limit of file locks of this process, which marks all processes that it starts from now on. They inherit it even if
 * they clear their environment and open sessions of their own. Returns the limit; undefined if the machine is not Linux or has
 * no `prlimit`.
 */
export function markChildrenByLimit(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const pid = BigInt(process.pid)
  const current = readLockLimit('self')
  const limit = String(/^\d+$/.test(current) ? BigInt(current) - pid : MAX_LIMIT - (pid << PID_BITS))
  try {
    execFileSync('prlimit', ['--pid', String(pid), `--locks=${limit}`], { stdio: 'ignore' })
    return limit
  } catch {
    return undefined
  }
}

const readLockLimit = (pid: string): string => LOCK_LIMIT.exec(readProc(pid, 'limits'))?.[1] ?? ''

/**
 * Ends the processes that a command left running: with SIGTERM, and those that still run after 2 s with SIGKILL. Resolves when
 * none is left, at the latest 4 s after the call.
 */
export async function endProcesses(tree: ProcessTree): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (let waited = 0; waited < GRACE_MS; waited += CHECK_INTERVAL_MS) {
      const left = findProcesses(tree)
      if (left.length === 0) return
      if (waited === 0) for (const pid of left) sendSignal(pid, signal)
      await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS))
    }
  }
}

export function killProcesses(tree: ProcessTree): void {
  for (const pid of findProcesses(tree)) sendSignal(pid, 'SIGKILL')
}

/**
 * Returns the ids of the running processes of a command on Linux, without this process; elsewhere only its process group, as a
 * negative id, if it exists.
 */
function findProcesses({ mark, limit, session }: ProcessTree): number[] {
  if (process.platform !== 'linux') return session !== undefined && sendSignal(-session, 0) ? [-session] : []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      const [, state, group, id] = /\) (\S) \d+ (\d+) (\d+)/.exec(readProc(pid, 'stat')) ?? []
      if (state === undefined || state === 'Z') return false
      if (session !== undefined && (Number(group) === session || Number(id) === session)) return true
      if (readProc(pid, 'environ').includes(`\0${MARK_VARIABLE}=${mark}\0`)) return true
      return limit !== undefined && readLockLimit(pid) === limit && sendSignal(Number(pid), 0)
    })
    .map(Number)
}

function readProc(pid: string, file: 'environ' | 'limits' | 'stat'): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/${file}`, 'latin1')}\0`
  } catch {
    return ''
  }
}

/**
 * Sends a signal to a process, or for a negative id to a process group. The signal 0 is not sent: it only checks. Returns false
 * if there is no such process, or it belongs to another user.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
