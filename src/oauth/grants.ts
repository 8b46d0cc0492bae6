import { createHash } from 'node:crypto'
import { addAccount } from '../api/accounts.ts'
import { apiError, throwApiError } from '../schema/apiErrors.ts'
import type { AuthCode } from '../schema/oauth.ts'
import { checkAssertion, redeemAssertion } from './assertion.ts'
import { requireAuthenticatedClient } from './clients.ts'
import { isActive, isRevoked } from './credentials.ts'
import { exchangeToken } from './exchange.ts'
import { type GrantResult, signIdToken } from './identity.ts'
import { limitScopes, type OAuthCall, requireParam, stripWorldPrefix, withWorldPrefix } from './request.ts'
import { createTokenResponse, findConsent, recordConsent, requireTokenHolder } from './tokens.ts'

const DEVICE_CODE = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * `check` may wait and writes nothing; `handle` then writes in one transaction. All errors in this file have the status 400,
 * except `oauthUnknownClient` and `oauthWrongSecret` (401), `oauthDenied` and `oauthSlowDown` (403), `oauthPending` (428) and
 * `oauthUnavailable` (503).
 */
type GrantType = { check?(call: OAuthCall): Promise<void>; handle(call: OAuthCall): GrantResult }

const GRANT_TYPES: ReadonlyMap<string, GrantType> = new Map<string, GrantType>([
  ['authorization_code', { handle: redeemAuthorizationCode }],
  ['refresh_token', { handle: redeemRefreshToken }],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer', { check: checkAssertion, handle: redeemAssertion }],
  ['urn:ietf:params:oauth:grant-type:token-exchange', { handle: exchangeToken }],
  [DEVICE_CODE, { handle: redeemDeviceCode }],
  ['http://oauth.net/grant_type/device/1.0', { handle: redeemDeviceCode }],
])

/**
 * Returns the function that issues the token in a transaction, or throws the error of the grant. Rejects with the error of the
 * check, and with `oauthInvalidRequest` or `oauthUnsupportedGrant` without a known `grant_type`.
 */
export async function prepareTokenRequest(call: OAuthCall): Promise<() => object> {
  const name = requireParam(call, 'grant_type')
  const grant = GRANT_TYPES.get(name) ?? throwApiError('oauthUnsupportedGrant', { grant: name })
  await grant.check?.(call)
  return () => {
    const { reply, identity } = grant.handle(call)
    return { ...reply, ...(identity && { id_token: signIdToken(call, identity) }) }
  }
}

/**
 * Redeems a code once. Throws `oauthBadGrant` for a code that is unknown, used, revoked, expired, or of another client,
 * `oauthRedirectMismatch` unless `redirect_uri` is that of the authorization, `oauthMissingVerifier` or `oauthWrongVerifier`
 * (PKCE), and the errors of the client.
 */
function redeemAuthorizationCode(call: OAuthCall): GrantResult {
  const { world } = call
  const client = requireAuthenticatedClient(call)
  const code = world.oauth.codes.get(stripWorldPrefix(requireParam(call, 'code')))
  if (!code || code.used || !isActive(code, world.clock.now()) || code.client !== client.id)
    throw apiError('oauthBadGrant')
  if (code.redirectUri !== call.given('redirect_uri')) throw apiError('oauthRedirectMismatch')
  verifyCodeChallenge(code, call.given('code_verifier'))
  world.oauth.codes.put(code.code, () => ({ ...code, used: true }))
  const tokens = createTokenResponse(call, { account: code.account, scopes: code.scopes, client: client.id })
  return addIdentity(call, code, {
    ...tokens,
    ...(code.refreshToken && { refresh_token: withWorldPrefix(call, code.refreshToken) }),
  })
}

/** Only the client that requested a code may redeem it (PKCE, RFC 7636). A code without a challenge needs no verifier. */
function verifyCodeChallenge({ challenge }: AuthCode, verifier = ''): void {
  if (!challenge) return
  if (verifier === '') throw apiError('oauthMissingVerifier')
  const computed = challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  if (computed !== challenge.value) throw apiError('oauthWrongVerifier')
}

/**
 * Open mode accepts an unknown refresh token like an unknown access token. Throws `oauthBadGrant` for a refresh token that is
 * unknown or of another client, `oauthRevoked`, `oauthInvalidScope` for scopes without consent, and the errors of the client.
 */
function redeemRefreshToken(call: OAuthCall): GrantResult {
  const { world, auth } = call
  const client = requireAuthenticatedClient(call)
  const refreshToken = requireParam(call, 'refresh_token')
  const consent = findConsent(world, stripWorldPrefix(refreshToken))
  if (!consent) {
    if (auth.mode === 'strict') throw apiError('oauthBadGrant')
    const { email } = requireTokenHolder(call, refreshToken, 'oauthBadGrant')
    if (isRevoked(world, email, client.id)) throw apiError('oauthRevoked')
    const scopes = limitScopes(call, undefined)
    return { reply: createTokenResponse(call, { account: email, scopes, client: client.id }) }
  }
  if (consent.revoked) throw apiError('oauthRevoked')
  if (consent.client !== client.id) throw apiError('oauthBadGrant')
  const scopes = limitScopes(call, consent.scopes)
  const granted = { account: consent.account, scopes, client: client.id }
  return addIdentity(call, granted, createTokenResponse(call, granted))
}

/**
 * Redeems a code once. Throws `oauthPending` before the approval, `oauthDenied` after a denial, `oauthExpired`, `oauthBadGrant`
 * for a code that is unknown, used, revoked, or of another client, and the errors of the client.
 */
function redeemDeviceCode(call: OAuthCall): GrantResult {
  const { world } = call
  const client = requireAuthenticatedClient(call)
  const device = world.oauth.devices.get(stripWorldPrefix(call.given('device_code') ?? requireParam(call, 'code')))
  if (!device || device.used || device.client !== client.id) throw apiError('oauthBadGrant')
  if (device.denied) throw apiError('oauthDenied')
  if (!isActive(device, world.clock.now())) throw apiError('oauthExpired')
  if (device.account === undefined) throw apiError('oauthPending')
  const { account, scopes } = device
  world.oauth.devices.put(device.deviceCode, () => ({ ...device, used: true }))
  const refreshToken = `1//${world.ids.token(60)}`
  const granted = { account, scopes, client: client.id }
  recordConsent(world, { ...granted, refreshToken })
  return addIdentity(call, granted, {
    ...createTokenResponse(call, granted),
    refresh_token: withWorldPrefix(call, refreshToken),
  })
}

type GrantedAccess = { account: string; scopes: string[]; client: string; nonce?: string | undefined }

function addIdentity(
  { world }: OAuthCall,
  { account, scopes, client, nonce }: GrantedAccess,
  reply: { access_token: string; refresh_token?: string },
): GrantResult {
  if (!scopes.includes('openid')) return { reply }
  const owner = addAccount(world, { email: account })
  return { reply, identity: { account: owner, scopes, audience: client, accessToken: reply.access_token, nonce } }
}
