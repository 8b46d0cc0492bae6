import { patchMethod } from './patchMethod.ts'
import { createStoppedError, type Router } from './sockets.ts'

/**
 * Patches global fetch. A refused request rejects with the error itself, which fetch would hide in `cause`. Others go on to the
 * original fetch, over intercepted sockets; in a runtime without these, the route answers. Returns a function that ends this and
 * rejects the requests that are in flight.
 */
export function interceptFetch(router: Router): () => void {
  if (typeof globalThis.fetch !== 'function') return () => {}
  const pending = new Set<AbortController>()
  const restore = patchMethod(
    globalThis,
    'fetch',
    (original) =>
      async function fetch(input: unknown, init?: RequestInit, ...more: unknown[]): Promise<Response> {
        const url = parseFetchUrl(input)
        const route = url && router(url.hostname)
        if (route && 'refused' in route) throw await route.refused(Number(url.port) || 443)
        const answer = hasOwnNetworkStack() ? route?.answer : undefined
        if (!route || (hasOwnNetworkStack() && !answer)) return original.call(globalThis, input, init, ...more)
        const given = init?.signal ?? (input instanceof Request ? input.signal : undefined)
        const controller = new AbortController()
        const signal = given ? AbortSignal.any([given, controller.signal]) : controller.signal
        pending.add(controller)
        try {
          const options = { ...init, signal }
          if (answer) return await answer(new Request(input as Request, options))
          return await original.call(globalThis, input, options, ...more)
        } finally {
          pending.delete(controller)
        }
      },
  )
  return () => {
    restore()
    for (const controller of pending) controller.abort(createStoppedError())
  }
}

function parseFetchUrl(input: unknown): URL | undefined {
  const text = typeof input === 'object' && input !== null && 'url' in input ? String(input.url) : String(input)
  return URL.canParse(text) ? new URL(text) : undefined
}

/** Bun and Deno open the connections of fetch outside of the patched functions of Node. */
const hasOwnNetworkStack = (): boolean => 'Bun' in globalThis || 'Deno' in globalThis
