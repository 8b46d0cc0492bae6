import { refuse } from '../wire/refusals.ts'
import type { OAuthClient } from '../wire/seeds/oauth.ts'
import { POSTED, relayOf } from './relay.ts'
import { clientIdOf, type OAuthCall } from './request.ts'

/** The application that calls. In open mode any may; what a seed says of one holds in any mode. */
export function clientNamed(call: OAuthCall, id: string): OAuthClient {
  const seeded = call.world.oauth.clients.get(id)
  if (!seeded && call.auth.mode === 'strict') return refuse('oauthUnknownClient')
  return seeded ?? { id }
}

/** The application that calls, once it has shown its secret: in the form, or as its password. */
export function authenticatedClient(call: OAuthCall): OAuthClient {
  const [basicId, basicSecret] = basicOf(call.request)
  const id = basicId ?? call.given('client_id')
  if (!id) return refuse('oauthInvalidRequest', { problem: 'Could not determine client ID from request.' })
  const client = clientNamed(call, clientIdOf(call, id))
  const secret = basicSecret ?? call.given('client_secret')
  if (client.secret !== undefined && client.secret !== secret) refuse('oauthWrongSecret')
  return client
}

function basicOf(request: Request): (string | undefined)[] {
  const encoded = /^Basic +(\S+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1]
  if (!encoded) return []
  const [id, ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return [id, secret.join(':')].map((text) => decoded(text ?? ''))
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Schemes that a browser would run or open instead of calling an application back, and one that has to be well formed. */
const NO_CALLBACK = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'storagerelay:']
/** What browsers drop from an address before they read it: with it a scheme can be made to look like another. */
const DROPPED = /[\s\p{Cc}]/u

/**
 * Where the answer goes, which must be one of the client's own URIs if it has any. The port of a loopback one is free. A page
 * that waits for it in a popup is one of the client's, where one of these URIs is of its origin.
 */
export function redirectOf({ redirectUris }: OAuthClient, asked: string): string {
  const problem = `Invalid parameter value for redirect_uri: ${asked}`
  if (!URL.canParse(asked) || DROPPED.test(asked)) refuse('oauthInvalidRequest', { problem })
  const relay = relayOf(asked)
  if (relay) {
    const isOwn = (uri: string) => URL.canParse(uri) && portless(new URL(uri).origin) === portless(relay.origin)
    if (redirectUris && !redirectUris.some(isOwn)) refuse('oauthRedirectMismatch')
    return asked
  }
  const { protocol, hash } = new URL(asked)
  if (NO_CALLBACK.includes(protocol) || hash !== '') refuse('oauthInvalidRequest', { problem })
  if (redirectUris && !redirectUris.some((uri) => portless(uri) === portless(asked))) refuse('oauthRedirectMismatch')
  return asked
}

const LOOPBACK = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/

/**
 * Whether a client runs on a person's own machine: what its seed says, or else that it is called back there, at a loopback
 * address or by a scheme of its own (behaviour 11.25). What a popup is told goes to a page.
 */
export const isDesktop = ({ type }: OAuthClient, redirect: string): boolean =>
  type === undefined
    ? LOOPBACK.test(redirect) || !(/^https?:/i.test(redirect) || redirect === POSTED)
    : type === 'desktop'

const portless = (uri: string): string => uri.replace(/^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+/, '$1')
