import { type ApiError, errorRowOf } from '../schema/apiErrors.ts'
import type { AuthCode, OAuthClient } from '../schema/oauth.ts'
import { addressOf } from '../schema/values/address.ts'
import { isDesktop, POSTED, parseRelay, requireClient, requireRedirectUri } from './clients.ts'
import { askForConsent, type ConsentForm, consumeScriptedFailure, readDecision, resolveAccount } from './consent.ts'
import { errorPage, relayPage } from './pages.ts'
import {
  formatExpiry,
  type OAuthCall,
  parseScopes,
  requireParam,
  stripClientWorld,
  withWorldPrefix,
} from './request.ts'
import { addConsent, createTokenResponse, findConsents } from './tokens.ts'

const CODE_LIFETIME_S = 600

/**
 * Answers with a page that asks for consent, or with a redirect that contains a code, a token or an error. In a popup
 * (a redirect URI of the scheme `storagerelay:`), the result is a message to the page that opened it. Throws
 * `oauthInvalidRequest` (400), `oauthUnknownClient` (401) or `oauthRedirectMismatch` (400) if there is no valid
 * redirect URI.
 */
export function handleAuthorization(call: OAuthCall): Response {
  const client = requireClient(call, stripClientWorld(call, requireParam(call, 'client_id')))
  const redirect = requireRedirectUri(client, requireParam(call, 'redirect_uri'))
  return redirectToClient(redirect, call, authorizeClient(call, client, redirect))
}

/** The page for requests without a valid redirect URI. */
export function toErrorPage(error: ApiError): Response {
  const [fault] = error.items
  if (!fault) throw error
  const { code, oauth = 'invalid_request' } = errorRowOf(fault)
  return errorPage(code, oauth, error.message)
}

type AuthorizationResult = Record<string, string> | Response

/**
 * Sends the result in the query of the redirect URI, for a token in the fragment, or as a message to the page that
 * opened a popup.
 */
function redirectToClient(redirect: string, call: OAuthCall, result: AuthorizationResult): Response {
  if (result instanceof Response) return result
  const state = call.given('state')
  const params = { ...(state !== undefined && { state }), ...result }
  const relay = parseRelay(redirect)
  if (relay) return relayPage(relay, params)
  const url = new URL(redirect)
  if (call.given('response_type') === 'token') url.hash = String(new URLSearchParams(params))
  else for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value)
  return new Response(null, {
    status: 302,
    headers: {
      Location: url.href,
      'Cache-Control': 'no-store',
      'Content-Length': '0',
      'Referrer-Policy': 'no-referrer',
    },
  })
}

const RESPONSE_TYPES: readonly (string | undefined)[] = ['code', 'token']

/**
 * Grants the request at once if there is no option `consent`, which stores a consent and a code or token. An error that the
 * client gets is returned in `error` (RFC 6749, 4.1.2.1), not thrown. A failure `denied` that a test scripted is consumed and
 * returned.
 */
function authorizeClient(call: OAuthCall, client: OAuthClient, redirectUri: string): AuthorizationResult {
  const { world, consent, request } = call
  if (!RESPONSE_TYPES.includes(call.given('response_type'))) return { error: 'unsupported_response_type' }
  const scopes = parseScopes(call.given('scope') ?? '')
  if (scopes.length === 0) return { error: 'invalid_request', error_description: 'Missing required parameter: scope' }
  const challenge = parseCodeChallenge(call)
  if (challenge === null) return { error: 'invalid_request', error_description: 'Invalid code_challenge_method' }
  const form = { client: client.id, scopes, subject: [client.id, redirectUri, ...scopes].join(' ') }
  if (request.method === 'HEAD') return askUnlessSilent(call, form, '')
  if (consumeScriptedFailure(world, 'denied')) return { error: 'access_denied' }

  const decision = consent ? readDecision(call, form) : undefined
  if (decision instanceof Response) return decision
  if (decision === 'denied') return { error: 'access_denied' }
  const account = decision ? decision.account : suggestAccount(call, client)
  if (account === undefined) return { error: 'access_denied' }
  const authorization = {
    client: client.id,
    account,
    scopes,
    redirectUri: parseRelay(redirectUri) ? POSTED : redirectUri,
  }
  if (consent && !decision && !hasConsent(call, authorization)) return askUnlessSilent(call, form, account)

  const about = { authuser: '0', prompt: consent ? 'consent' : 'none' }
  if (call.given('response_type') === 'token') return { ...grantToken(call, authorization), ...about }
  const code = grantCode(call, client, { ...authorization, ...(challenge && { challenge }) })
  return { code: withWorldPrefix(call, code), scope: scopes.join(' '), ...about }
}

/** Asks the user; with `prompt=none` returns the error `interaction_required`. */
const askUnlessSilent = (call: OAuthCall, form: ConsentForm, chosen: string): AuthorizationResult =>
  call.given('prompt') === 'none' ? { error: 'interaction_required' } : askForConsent(call, form, chosen)

/** The account of `login_hint`, in a popup the first with a consent, or the first of the world. Open mode creates a new one. */
function suggestAccount(call: OAuthCall, client: OAuthClient): string | undefined {
  const [before] = parseRelay(call.given('redirect_uri') ?? '') ? findConsentingAccounts(call, client.id) : []
  return resolveAccount(call, call.given('login_hint') ?? before)
}

const findConsentingAccounts = ({ world }: OAuthCall, client: string): string[] =>
  [...world.oauth.consents.values()]
    .filter((one) => one.client === client && !one.revoked)
    .map(({ account }) => account)

/** A popup needs no form if the account consented before and the page does not request a prompt. */
function hasConsent(call: OAuthCall, { client, account, scopes, redirectUri }: AuthorizationRequest): boolean {
  if (redirectUri !== POSTED || !['none', undefined].includes(call.given('prompt'))) return false
  const agreed = findConsents(call.world, client, addressOf(account)).flatMap((consent) => consent.scopes)
  return scopes.every((scope) => agreed.includes(scope))
}

function grantToken(call: OAuthCall, { client, account, scopes }: AuthorizationRequest): Record<string, string> {
  const granted = { client, account, scopes: addEarlierScopes(call, { client, account, scopes }) }
  addConsent(call.world, granted)
  const { access_token, expires_in, scope, token_type } = createTokenResponse(call, granted)
  return { access_token, token_type, expires_in: String(expires_in), scope }
}

function addEarlierScopes(
  call: OAuthCall,
  { client, account, scopes }: Omit<AuthorizationRequest, 'redirectUri'>,
): string[] {
  const earlier = call.given('include_granted_scopes') === 'true' ? findConsents(call.world, client, account) : []
  return [...new Set([...scopes, ...earlier.flatMap((consent) => consent.scopes)])]
}

function parseCodeChallenge(call: OAuthCall): AuthCode['challenge'] | null {
  const value = call.given('code_challenge')
  const method = call.given('code_challenge_method') ?? 'plain'
  if (value === undefined) return undefined
  return method === 'plain' || method === 'S256' ? { value, method } : null
}

type AuthorizationRequest = Pick<AuthCode, 'client' | 'account' | 'scopes' | 'redirectUri' | 'challenge'>

/**
 * Returns the code without the name of its world. The code gives a refresh token for a desktop client, and with
 * `access_type=offline` if the account has none for the client or `prompt` contains `consent`. It gives none if a test scripted
 * the failure `noRefreshToken`, which is consumed.
 */
function grantCode(call: OAuthCall, from: OAuthClient, authorization: AuthorizationRequest): string {
  const { world } = call
  const { client, account } = authorization
  const before = findConsents(world, client, account)
  const scopes = addEarlierScopes(call, authorization)
  const isFirst = before.every(({ refreshToken }) => refreshToken === undefined)
  const isPrompted = call.given('prompt')?.split(' ').includes('consent') === true
  const isOffline =
    isDesktop(from, authorization.redirectUri) || (call.given('access_type') === 'offline' && (isFirst || isPrompted))
  const hasRefreshToken = isOffline && !consumeScriptedFailure(world, 'noRefreshToken')
  const refreshToken = hasRefreshToken ? `1//${world.ids.token(60)}` : undefined
  addConsent(world, { client, account, scopes, ...(refreshToken && { refreshToken }) })
  const nonce = call.given('nonce')
  const code = `4/0A${world.ids.token(60)}`
  world.oauth.codes.put(code, () => ({
    ...authorization,
    code,
    scopes,
    expires: formatExpiry(world, CODE_LIFETIME_S),
    ...(refreshToken && { refreshToken }),
    ...(nonce !== undefined && { nonce }),
  }))
  return code
}
