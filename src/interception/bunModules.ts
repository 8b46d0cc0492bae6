import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Callable } from './patchMethod.ts'

type Fetch = typeof fetch
type Interception = { fetch: Fetch; isRouted: (input: unknown) => boolean }

const interceptions: Interception[] = []
/** Patches are never undone. */
let isPatched = false

/**
 * `node-fetch` and `undici` in Bun are its own modules, which bypass global fetch. Clients keep the functions that they loaded,
 * so the functions stay replaced and look up the interception at each call.
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

/** `convert` makes the response that the function of the module would return. */
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
