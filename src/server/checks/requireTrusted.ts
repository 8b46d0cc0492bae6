import { apiError } from '../../schema/apiErrors.ts'
import { isLoopback } from '../../schema/values/loopback.ts'
import type { RequestContext } from '../requestContext.ts'

/**
 * Throws 403 unless the request may control the server: a program on this machine, or one with the control token. A web page
 * never may. The remote address is unknown in process, and in other apps that do not provide it.
 */
export function requireTrusted(context: RequestContext): void {
  const { request, registry } = context
  const { controlToken } = registry.options
  requireOwnOrigin(context)
  requireNoAgent(context)
  if (controlToken !== undefined && !isSameSecret(request.headers.get('X-Fake-Control-Token') ?? '', controlToken))
    throw apiError('wrongControlToken')
}

/** What a harness calls while an agent works. The id of an attempt cannot be guessed. */
const HARNESS_PATHS = /^\/_control\/(?:attempts(?:\/[^/]+\/(?:grade|say))?|functions\/attempts\.(?:open|grade|say))$/

/**
 * Throws 403 for a request with the token of an attempt. Without a control token also for all operations but those of a harness, as
 * long as an agent works, because its requests are like those of its author.
 */
function requireNoAgent({ registry, token, worldName, verb, path, transport: { peer } }: RequestContext): void {
  const { controlToken } = registry.options
  if (token !== undefined && registry.find(worldName)?.controls.acceptsIssuedTokensOnly) throw apiError('attemptIsOpen')
  if (controlToken !== undefined || peer === undefined || !registry.hasOpenAttempts) return
  if (verb !== 'POST' || !HARNESS_PATHS.test(path)) throw apiError('attemptIsOpen')
}

export function requireOwnOrigin({ request, registry, transport: { peer } }: RequestContext): void {
  const { controlToken, publicUrl, controlHosts = [] } = registry.options
  if (controlToken === undefined && peer !== undefined && !isLoopback(peer)) throw apiError('foreignPeer', { peer })
  const url = new URL(request.url)
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  for (const name of [url.host, request.headers.get('Host') ?? url.host]) {
    // Only loopback names are trusted, because the owner of any other name decides what it resolves to.
    const bare = name.replace(/:\d*$/, '').toLowerCase()
    const held = controlToken !== undefined && controlHosts.some((host) => host.toLowerCase() === bare)
    if (!isLoopback(bare) && name !== known?.host && !held) throw apiError('foreignHost', { host: name })
  }
  if (!/^(?:same-origin|none)$/i.test(request.headers.get('Sec-Fetch-Site') ?? 'none')) throw apiError('foreignOrigin')
  const origin = request.headers.get('Origin')
  if (origin !== null && origin !== url.origin && origin !== known?.origin) throw apiError('foreignOrigin')
}

/** Throws 415 for other types, because any page can send a form without a preflight. */
export function requireJson(request: Request): void {
  const type = request.headers.get('Content-Type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) throw apiError('notJson')
}

const isSameSecret = (given: string, expected: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  // Loaded on first use, because importing it would delay every start.
  return a.length === b.length && process.getBuiltinModule('node:crypto').timingSafeEqual(a, b)
}
