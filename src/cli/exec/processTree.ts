import { readdirSync, readFileSync } from 'node:fs'

/** By which variable a child of ours is known, and all that it starts, wherever they end up. */
export const MARK = 'FAKE_CALENDAR_EXEC'

/** How long, in milliseconds, those that are asked to end may take, and how often it is seen whether they have. */
const GRACE = 2000
const EVERY = 20

/** Ends whatever a child has started and left running: those of its group, and on Linux those that have left it too. */
export async function endDescendants(mark: string, group: number | undefined): Promise<void> {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    for (let waited = 0; waited < GRACE; waited += EVERY) {
      const left = leftOf(mark, group)
      if (left.length === 0) return
      if (waited === 0) for (const pid of left) send(pid, signal)
      await new Promise((resolve) => setTimeout(resolve, EVERY))
    }
  }
}

/** Kills them, with nothing waited for. */
export function killDescendants(mark: string, group: number | undefined): void {
  for (const pid of leftOf(mark, group)) send(pid, 'SIGKILL')
}

function leftOf(mark: string, group: number | undefined): number[] {
  const ofGroup = group !== undefined && send(-group, 0) ? [-group] : []
  return process.platform === 'linux' ? marked(mark) : ofGroup
}

/** Linux shows what a process was started with. What has ended and only waits to be taken note of shows nothing. */
function marked(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => environmentOf(pid).includes(`\0${MARK}=${mark}\0`))
    .map(Number)
}

function environmentOf(pid: string): string {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`
  } catch {
    // It has ended meanwhile, or is somebody else's.
    return ''
  }
}

/** Whether there was somebody to send it to. */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}
