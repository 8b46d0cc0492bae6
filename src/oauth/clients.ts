import { decodePart } from '../http/urls.ts'
import { apiError } from '../schema/apiErrors.ts'
import type { OAuthClient } from '../schema/oauth.ts'
import { shorten } from '../schema/values/shownText.ts'
import { type OAuthCall, stripClientWorld } from './request.ts'

/**
 * Finds a client. If the seed does not contain the id, open mode returns a client without settings, and strict mode throws
 * `oauthUnknownClient` (401).
 */
export function requireClient(call: OAuthCall, id: string): OAuthClient {
  const seeded = call.world.oauth.clients.get(id)
  if (!seeded && call.auth.mode === 'strict') throw apiError('oauthUnknownClient')
  return seeded ?? { id }
}

/**
 * Id and secret are in the Authorization header (`Basic`), or else in the parameters. Throws `oauthInvalidRequest`
 * (400) without an id, `oauthUnknownClient` (401) for an unknown id in strict mode, and `oauthWrongSecret` (401) if
 * the client has a secret and the request another or none.
 */
export function requireAuthenticatedClient(call: OAuthCall): OAuthClient {
  const [basicId, basicSecret] = parseBasicAuth(call.request)
  const id = basicId ?? call.given('client_id')
  if (!id) throw apiError('oauthInvalidRequest', { problem: 'Could not determine client ID from request.' })
  const client = requireClient(call, stripClientWorld(call, id))
  const secret = basicSecret ?? call.given('client_secret')
  if (client.secret !== undefined && client.secret !== secret) throw apiError('oauthWrongSecret')
  return client
}

/** Both are percent-encoded (RFC 6749, 2.3.1). */
function parseBasicAuth(request: Request): [id?: string, secret?: string] {
  const encoded = /^Basic +(\S+)$/i.exec(request.headers.get('Authorization') ?? '')?.[1]
  if (!encoded) return []
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString().split(':')
  return [decodePart(id), decodePart(secret.join(':'))]
}

/** A browser runs or opens these itself. `storagerelay:` is rejected here, because valid relay URIs are accepted earlier. */
const REJECTED_SCHEMES = ['javascript:', 'data:', 'vbscript:', 'file:', 'blob:', 'about:', 'storagerelay:']
/** Browsers remove these from a URL, so that they could disguise a scheme. */
const IGNORED_CHARACTERS = /[\s\p{Cc}]/u

/**
 * Programs without a browser once showed the code on a page, to be copied. The service blocks it since 2023
 * (behaviour 11.20).
 */
const OUT_OF_BAND = /^urn:ietf:wg:oauth:2\.0:oob(:auto)?$/
const OUT_OF_BAND_PROBLEM =
  'The out-of-band (OOB) flow has been blocked in order to keep users secure. Use a loopback address as redirect_uri.'

/**
 * If the client has redirect URIs, it must equal one of them; the port of a loopback URI may differ. For a popup,
 * only the origin must match. Throws `oauthInvalidRequest` (400) for a URI that no client may have, and
 * `oauthRedirectMismatch` (400) for one that is not the client's.
 */
export function requireRedirectUri({ redirectUris }: OAuthClient, redirectUri: string): string {
  const problem = `Invalid parameter value for redirect_uri: ${shorten(redirectUri)}`
  if (!URL.canParse(redirectUri) || IGNORED_CHARACTERS.test(redirectUri))
    throw apiError('oauthInvalidRequest', { problem })
  if (OUT_OF_BAND.test(redirectUri)) throw apiError('oauthInvalidRequest', { problem: OUT_OF_BAND_PROBLEM })
  const relay = parseRelay(redirectUri)
  if (relay) {
    const hasSameOrigin = (uri: string) =>
      URL.canParse(uri) && removeLoopbackPort(new URL(uri).origin) === removeLoopbackPort(relay.origin)
    if (redirectUris && !redirectUris.some(hasSameOrigin)) throw apiError('oauthRedirectMismatch')
    return redirectUri
  }
  const { protocol, hash } = new URL(redirectUri)
  if (REJECTED_SCHEMES.includes(protocol) || hash !== '') throw apiError('oauthInvalidRequest', { problem })
  if (redirectUris && !redirectUris.some((uri) => removeLoopbackPort(uri) === removeLoopbackPort(redirectUri)))
    throw apiError('oauthRedirectMismatch')
  return redirectUri
}

/**
 * The page that opened a popup gets the result as a message, which it recognizes by the id. Google's script for pages
 * names both in a redirect URI: `storagerelay://https/app.example.com?id=auth1`.
 */
export type Relay = { origin: string; id: string }

const RELAY = /^storagerelay:\/\/(https?)\/([^/?#]+)\/?(?:\?id=([\w-]{1,64}))?$/

export const POSTED = 'postmessage'

/** Undefined for other URIs. Without an id in the URI, the id is empty. */
export function parseRelay(redirect: string): Relay | undefined {
  const [, scheme, host, id = ''] = RELAY.exec(redirect) ?? []
  const origin = `${scheme}://${host}`
  return scheme && URL.canParse(origin) ? { origin: new URL(origin).origin, id } : undefined
}

const LOOPBACK_ORIGIN = /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d*)?(?=[/?]|$)/

/**
 * A client without a type in the seed is a desktop client if the redirect URI of the request has a loopback address or a scheme
 * other than http and https, and is not `POSTED`, that of a popup (behaviour 11.25).
 */
export const isDesktop = ({ type }: OAuthClient, redirect: string): boolean =>
  type === undefined
    ? LOOPBACK_ORIGIN.test(redirect) || !(/^https?:/i.test(redirect) || redirect === POSTED)
    : type === 'desktop'

const removeLoopbackPort = (uri: string): string => uri.replace(LOOPBACK_ORIGIN, '$1')
