/** Rejects like fetch with the reason of an aborted signal. The service completes the request all the same. */
export async function unlessAborted({ signal }: Request, answer: () => Promise<Response>): Promise<Response> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    answer()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
