/** Calls `act` once when the signal aborts, or at once if it has. Returns a function that stops listening. */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act()
  else signal?.addEventListener('abort', act, { once: true })
  return () => signal?.removeEventListener('abort', act)
}
