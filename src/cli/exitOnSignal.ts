/** Milliseconds that a server has to close before its process exits anyway. The docs promise less than 2 seconds. */
export const EXIT_GRACE_MS = 1500

type ExitingProcess = Pick<NodeJS.Process, 'once' | 'exit'>

/**
 * At the first of the signals, calls `close`, and exits with code 0 when it has settled or the grace is over. A second signal
 * ends the process at once. Returns the function that does the same without a signal.
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
