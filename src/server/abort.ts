/** As fetch does it: who aborts is told the reason, before or during. What the service has done by then stays done. */
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
