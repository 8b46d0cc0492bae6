import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Callable } from './patchMethod.ts'

type Fetch = typeof fetch
type Interception = { fetch: Fetch; isRouted: (input: unknown) => boolean }

const interceptions: Interception[] = []
/** True once the modules are patched, which is never undone. */
let isPatched = false

/**
 * Intercepts `node-fetch` and `undici` in Bun, whose own modules of these names bypass global fetch. `fetch` answers the
 * inputs for which `isRouted` returns true. Returns a function that ends this. In other runtimes it does nothing.
 *
 * Clients keep the functions that they loaded, so the functions stay replaced and look up the interception at each call.
 */
export function interceptBunModules(fetch: Fetch, isRouted: Interception['isRouted']): () => void {
  if (process.versions.bun === undefined) return () => {}
  const interception = { fetch, isRouted }
  interceptions.push(interception)
  if (!isPatched) patchBunModules()
  isPatched = true
  return () => void interceptions.splice(interceptions.indexOf(interception), 1)
}

function patchBunModules(): void {
  const require = createRequire(join(process.cwd(), 'package.json'))
  const nodeFetch = require('node-fetch')
  replaceFetchExports(nodeFetch, ['default', 'fetch'], (reply) =>
    Object.setPrototypeOf(reply, nodeFetch.Response.prototype),
  )
  const undici = require('undici')
  replaceFetchExports(undici, ['fetch'], (reply) => reply)
  const { request } = undici
  undici.request = (input: unknown, ...more: unknown[]) =>
    interceptions.at(-1)?.isRouted(input)
      ? Promise.reject(new Error('fake-calendar: request of undici cannot be redirected in Bun: use fetch'))
      : request(input, ...more)
}

/**
 * Replaces the functions of a module that have these names. They answer routed inputs through the last interception, with
 * the response that `convert` returns for it; other inputs go to the original function.
 */
function replaceFetchExports(
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
