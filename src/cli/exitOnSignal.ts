import { readFileSync } from 'node:fs'

/** The docs promise that a server closes in less than 2 seconds. */
export const EXIT_GRACE_MS = 1500

type ExitingProcess = Pick<NodeJS.Process, 'once' | 'exit'>

/**
 * Exits when `close` has settled or the grace is over, with code 0, or 1 if `finish` returns false, which is called last. A second
 * signal ends the process at once. Returns the function that does the same without a signal.
 */
export function exitOnSignal(
  signals: readonly NodeJS.Signals[],
  close: () => Promise<unknown>,
  finish: () => boolean = () => true,
  ending: ExitingProcess = process,
): () => void {
  const exit = () => ending.exit(finish() ? 0 : 1)
  const end = () => {
    setTimeout(exit, EXIT_GRACE_MS)
    close().then(exit, exit)
  }
  for (const signal of signals) ending.once(signal, end)
  return end
}

const NPM_CHECK_MS = 250

/**
 * Calls `end` when the npm process that runs only this command has ended: npx, `npm exec`, or a `script` that consists of the
 * command. A signal that ends npm may not reach this process, and the port would stay taken. A server that another process
 * started in the background continues.
 */
export function exitWithNpm(script: string | undefined, end: () => void): void {
  if (!/^['"]?(node bin\/)?fake-calendar(\.js)?['"]?(\s[^&|;]*)?$/.test(script ?? '')) return
  const npm = findNpm()
  const timer = setInterval(() => {
    if (findNpm() === npm) return
    clearInterval(timer)
    end()
  }, NPM_CHECK_MS)
  timer.unref()
}

/** Returns the id of the parent process; on Linux, if that is the shell by which npm runs commands, the id of its parent. */
function findNpm(): number {
  const [, name = '', parent] = /\((.*)\) \S (\d+)/.exec(readStat(process.ppid)) ?? []
  return /^\w*sh$/.test(name) ? Number(parent) : process.ppid
}

function readStat(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return ''
  }
}
