/** Milliseconds that a server has to end before its process exits anyway: with its last line, less than 2 seconds. */
export const EXIT_GRACE_MS = 1500

type ExitingProcess = Pick<NodeJS.Process, 'once' | 'exit'>

/**
 * Ends a server at the first of the signals, and exits with code 0 when it has ended or the grace is over. A second signal
 * ends the process at once. Returns the function that a signal calls.
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
