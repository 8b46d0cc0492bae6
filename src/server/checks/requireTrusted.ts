import { timingSafeEqual } from 'node:crypto'
import { refuse } from '../../wire/refusals.ts'

/** Who may control the fake: programs on this machine, never a page that somebody happens to have open in a browser. */
export type Guard = {
  controlToken?: string | undefined
  publicUrl?: string | undefined
  /** Other names of this machine, as in a network of containers: good together with the token. */
  controlHosts?: readonly string[] | undefined
}

/** The addresses of this machine alone; one of IPv4 may come written as one of IPv6. */
const OWN_ADDRESS = /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/i
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i

/**
 * What a request says of itself, anybody can say: from another machine it takes the token. Where it came from is not known
 * in process, and in the app of others that does not tell.
 */
export function requireTrusted(request: Request, guard: Guard, peer: string | undefined): void {
  const { controlToken } = guard
  requireOwn(request, guard, peer)
  if (controlToken !== undefined && !same(request.headers.get('X-Fake-Control-Token') ?? '', controlToken))
    refuse('wrongControlToken')
}

/** The same without the token, for what shows nothing of a world: a page that asks for the rest with the token. */
export function requireOwn(
  request: Request,
  { controlToken, publicUrl, controlHosts = [] }: Guard,
  peer: string | undefined,
): void {
  if (controlToken === undefined && peer !== undefined && !OWN_ADDRESS.test(peer)) refuse('foreignPeer', { peer })
  const url = new URL(request.url)
  const known = publicUrl === undefined ? undefined : new URL(publicUrl)
  for (const name of [url.host, request.headers.get('Host') ?? url.host]) {
    // A name that resolves to this machine is not enough: whoever owns it may let it resolve to anything.
    const bare = name.replace(/:\d*$/, '').toLowerCase()
    const held = controlToken !== undefined && controlHosts.some((host) => host.toLowerCase() === bare)
    if (!LOOPBACK.test(bare) && name !== known?.host && !held) refuse('foreignHost', { host: name })
  }
  const origin = request.headers.get('Origin')
  if (origin !== null && origin !== url.origin && origin !== known?.origin) refuse('foreignOrigin')
}

/** A form can be sent from any page without asking; JSON cannot. */
export function requireJson(request: Request): void {
  const type = request.headers.get('Content-Type') ?? ''
  if (!/^application\/json\s*(;|$)/i.test(type)) refuse('notJson')
}

const same = (given: string, wanted: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)]
  return a.length === b.length && timingSafeEqual(a, b)
}
