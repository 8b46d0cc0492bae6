/** The docs promise that a server closes in less than 2 seconds. */
export const EXIT_GRACE_MS = 1500

type ExitingProcess = Pick<NodeJS.Process, 'once' | 'exit'>

/**
 * Exits with code 0 when `close` has settled or the grace is over. A second signal ends the process at once. Returns the function
 * that does the same without a signal.
 */
export function exitOnSignal(
  signals: readonly NodeJS.Signals[],
  close: () => Promise<unknown>,
  ending: ExitingProcess = process,
): () => void {
  const exit = () => ending.exit(0)
  const end = () => {
    setTimeout(exit, EXIT_GRACE_MS)
    close().then(exit, exit)
  }
  for (const signal of signals) ending.once(signal, end)
  return end
}
