import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** The environment variable that marks all descendants of a command, including those in other sessions. */
export const MARK = 'FAKE_CALENDAR_EXEC'

/** The limit of file locks, which Linux ignores since version 2.4. Its value for a process that has none. */
const LIMIT = /^Max file locks +(\S+)/m
const MAX_LIMIT = 2n ** 62n
/** More than a process id has. */
const PID_BITS = 24n

/** The time that processes get to end after a signal, and the interval of checks. */
const GRACE_MS = 2000
const CHECK_INTERVAL_MS = 20

/** The processes of a command: those of its session and process group, and those with one of its marks. */
export type ProcessTree = { mark: string; limit: string | undefined; session: number | undefined }

/**
 * Sets a limit of this process that marks all processes that it starts from now on. They inherit it even if they clear
 * their environment and open sessions of their own. Returns undefined if the machine is not Linux or has no `prlimit`.
 */
export function markByLimit(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const pid = BigInt(process.pid)
  const current = limitOf('self')
  // A limit can only be lowered, so a command inside of another has a lower one.
  const limit = String(/^\d+$/.test(current) ? BigInt(current) - pid : MAX_LIMIT - (pid << PID_BITS))
  try {
    execFileSync('prlimit', ['--pid', String(pid), `--locks=${limit}`], { stdio: 'ignore' })
    return limit
  } catch {
    return undefined
  }
}

const limitOf = (pid: string): string => LIMIT.exec(readProc(pid, 'limits'))?.[1] ?? ''

/** Ends the processes that a command left running: with SIGTERM first, then with SIGKILL. */
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

/** Returns all processes on Linux; elsewhere the process group as a negative id. */
function findProcesses({ mark, limit, session }: ProcessTree): number[] {
  if (process.platform !== 'linux') return session !== undefined && sendSignal(-session, 0) ? [-session] : []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => {
      // Fields after the name in parentheses: state, parent, process group, session.
      const [, state, group, id] = /\) (\S) \d+ (\d+) (\d+)/.exec(readProc(pid, 'stat')) ?? []
      if (state === undefined || state === 'Z') return false
      if (session !== undefined && (Number(group) === session || Number(id) === session)) return true
      if (readProc(pid, 'environ').includes(`\0${MARK}=${mark}\0`)) return true
      // Limits of other users' processes can be read, but those cannot be ended.
      return limit !== undefined && limitOf(pid) === limit && sendSignal(Number(pid), 0)
    })
    .map(Number)
}

/** A file of /proc, between zero bytes; empty if the process has ended or is another user's. */
function readProc(pid: string, file: 'environ' | 'limits' | 'stat'): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/${file}`, 'latin1')}\0`
  } catch {
    return ''
  }
}

/**
 * Sends a signal. Returns false if there is no such process, or it belongs to another user. A negative id is a process
 * group.
 */
export function sendSignal(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
