import { put } from './sockets.ts'

/** Global fetch hides why it failed in the cause of its error: a host that is refused is said at once, and by its name. */
export function leadFetch(refused: (url: URL) => Error | Promise<Error> | undefined): () => void {
  if (typeof globalThis.fetch !== 'function') return () => {}
  return put(
    globalThis,
    'fetch',
    (theirs) =>
      function fetch(input: unknown, ...more: unknown[]): Promise<Response> {
        const url = urlOf(input)
        const error = url && refused(url)
        if (!error) return theirs.call(globalThis, input, ...more)
        return Promise.resolve(error).then((reason) => Promise.reject(reason))
      },
  )
}

function urlOf(input: unknown): URL | undefined {
  const text = typeof input === 'object' && input !== null && 'url' in input ? String(input.url) : String(input)
  return URL.canParse(text) ? new URL(text) : undefined
}
