import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Callable } from './patchMethod.ts'

type Fetch = typeof fetch
type Interception = { fetch: Fetch; isRouted: (input: unknown) => boolean }

/** Interceptions in force. The last one applies. */
const interceptions: Interception[] = []
let isPatched = false

/**
 * Intercepts `node-fetch` and `undici` in Bun. Bun has its own modules of these names, and they bypass global fetch. Clients
 * keep the functions that they loaded, so the functions stay replaced and look up the interception at each call. Returns a
 * function that ends this.
 */
export function interceptBunModules(fetch: Fetch, isRouted: Interception['isRouted']): () => void {
  if (process.versions.bun === undefined) return () => {}
  const interception = { fetch, isRouted }
  interceptions.push(interception)
  if (!isPatched) patchModules()
  isPatched = true
  return () => void interceptions.splice(interceptions.indexOf(interception), 1)
}

function patchModules(): void {
  const require = createRequire(join(process.cwd(), 'package.json'))
  const nodeFetch = require('node-fetch')
  replaceFetch(nodeFetch, ['default', 'fetch'], (reply) => Object.setPrototypeOf(reply, nodeFetch.Response.prototype))
  const undici = require('undici')
  replaceFetch(undici, ['fetch'], (reply) => reply)
  const { request } = undici
  undici.request = (input: unknown, ...more: unknown[]) =>
    interceptions.at(-1)?.isRouted(input)
      ? Promise.reject(new Error('fake-calendar: request of undici cannot be redirected in Bun: use fetch'))
      : request(input, ...more)
}

function replaceFetch(
  module: Record<string, Callable>,
  names: readonly string[],
  convert: (reply: Response) => Response,
) {
  for (const name of names) {
    const { [name]: original } = module
    if (original === undefined) continue
    module[name] = async (input: Request, ...more: [RequestInit?]) => {
      const interception = interceptions.at(-1)
      return interception?.isRouted(input)
        ? convert(await interception.fetch(input, ...more))
        : original(input, ...more)
    }
  }
}
