import { readdirSync, readFileSync } from 'node:fs'

/** The environment variable that marks all descendants of a command, including those in other sessions. */
export const MARK = 'FAKE_CALENDAR_EXEC'

/** The time that processes get to end after a signal, and the interval of checks. */
const GRACE_MS = 2000
const CHECK_INTERVAL_MS = 20

/** The processes of a command: those of its session and process group, and those with its mark. */
export type ProcessTree = { mark: string; session: number | undefined }

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
function findProcesses({ mark, session }: ProcessTree): number[] {
  if (process.platform !== 'linux') return session !== undefined && sendSignal(-session, 0) ? [-session] : []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => isInSession(pid, session) || readProc(pid, 'environ').includes(`\0${MARK}=${mark}\0`))
    .map(Number)
}

/** Returns true for a process in the session or in the process group of its leader. Zombies are in neither. */
function isInSession(pid: string, session: number | undefined): boolean {
  // Fields after the name in parentheses: state, parent, process group, session.
  const [, state, group, id] = /\) (\S) \d+ (\d+) (\d+)/.exec(readProc(pid, 'stat')) ?? []
  return session !== undefined && state !== 'Z' && (Number(group) === session || Number(id) === session)
}

/** A file of /proc, between zero bytes; empty if the process has ended or is another user's. */
function readProc(pid: string, file: 'environ' | 'stat'): string {
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
