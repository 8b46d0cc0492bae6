import { createHash } from 'node:crypto'
import { addAccount } from '../api/accounts.ts'
import { stands } from '../sync/expiry.ts'
import { Refusal, type RefusalName, refuse } from '../wire/refusals.ts'
import type { AuthCode } from '../wire/seeds/oauth.ts'
import { assertionGrant, checkAssertion } from './assertion.ts'
import { authenticatedClient } from './clients.ts'
import { type CueAt, takeCue } from './cues.ts'
import { exchangeGrant } from './exchange.ts'
import { type Given, idToken } from './identity.ts'
import { handedOut, known, type OAuthCall, required, scopesIn } from './request.ts'
import { consentOf, holderOf, mint, recordConsent } from './tokens.ts'

const DEVICE = 'urn:ietf:params:oauth:grant-type:device_code'

/**
 * How a token is given: `give` does all that is written, at one go; what has to be waited for before it is a `check`, which
 * writes nothing.
 */
type Grant = { check?(call: OAuthCall): Promise<void>; give(call: OAuthCall): Given }

/** What a token is given for. */
const GRANTS: ReadonlyMap<string, Grant> = new Map<string, Grant>([
  ['authorization_code', { give: codeGrant }],
  ['refresh_token', { give: refreshGrant }],
  ['urn:ietf:params:oauth:grant-type:jwt-bearer', { check: checkAssertion, give: assertionGrant }],
  ['urn:ietf:params:oauth:grant-type:token-exchange', { give: exchangeGrant }],
  [DEVICE, { give: deviceGrant }],
  ['http://oauth.net/grant_type/device/1.0', { give: deviceGrant }],
])

const CUED: Record<CueAt<'token'>, RefusalName> = {
  authorizationPending: 'oauthPending',
  slowDown: 'oauthSlowDown',
  invalidGrant: 'oauthBadGrant',
  invalidClient: 'oauthWrongSecret',
  revoked: 'oauthRevoked',
  unavailable: 'oauthUnavailable',
}

/** Gives a token. A failure that is cued comes before what a check found wrong, and is used up. */
export async function token(call: OAuthCall): Promise<() => object> {
  const { world } = call
  const asked = required(call, 'grant_type')
  const grant = GRANTS.get(asked) ?? refuse('oauthUnsupportedGrant', { grant: asked })
  const wrong = await refusalIn(() => grant.check?.(call))
  return () => {
    const cue = takeCue(world, 'token')
    if (cue) return new Refusal([{ named: CUED[cue], details: {} }])
    if (wrong) throw wrong
    const { reply, identity } = grant.give(call)
    return { ...reply, ...(identity && { id_token: idToken(world, identity) }) }
  }
}

async function refusalIn(act: () => unknown): Promise<Refusal | undefined> {
  try {
    await act()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  return undefined
}

function codeGrant(call: OAuthCall): Given {
  const { world } = call
  const client = authenticatedClient(call)
  const code = world.oauth.codes.get(known(required(call, 'code')))
  if (!code || code.used || !stands(code, world.clock.now()) || code.client !== client.id)
    return refuse('oauthBadGrant')
  if (code.redirectUri !== call.given('redirect_uri')) refuse('oauthRedirectMismatch')
  requireVerified(code, call.given('code_verifier'))
  world.oauth.codes.put(code.code, () => ({ ...code, used: true }))
  const minted = mint(call, { account: code.account, scopes: code.scopes, client: client.id })
  return withIdentity(call, code, {
    ...minted,
    ...(code.refreshToken && { refresh_token: handedOut(call, code.refreshToken) }),
  })
}

/** PKCE: whoever redeems a code must be who asked for it (RFC 7636). */
function requireVerified({ challenge }: AuthCode, verifier = ''): void {
  if (!challenge) return
  if (verifier === '') refuse('oauthMissingVerifier')
  const shown = challenge.method === 'plain' ? verifier : createHash('sha256').update(verifier).digest('base64url')
  if (shown !== challenge.value) refuse('oauthWrongVerifier')
}

/** In open mode a refresh token that nobody gave out is as good as an access token would be. */
function refreshGrant(call: OAuthCall): Given {
  const { world, auth } = call
  const client = authenticatedClient(call)
  const given = required(call, 'refresh_token')
  const consent = consentOf(world, known(given))
  const asked = scopesIn(call.given('scope') ?? '')
  if (!consent) {
    if (auth.mode === 'strict') return refuse('oauthBadGrant')
    const { email } = holderOf(call, given, 'oauthBadGrant')
    return { reply: mint(call, { account: email, scopes: asked.length > 0 ? asked : undefined, client: client.id }) }
  }
  if (consent.revoked) refuse('oauthRevoked')
  if (consent.client !== client.id) refuse('oauthBadGrant')
  const beyond = asked.filter((scope) => !consent.scopes.includes(scope))
  if (beyond.length > 0) refuse('oauthInvalidScope', { scopes: beyond.join(' ') })
  const { account, scopes } = consent
  const granted = { account, scopes: asked.length > 0 ? asked : scopes, client: client.id }
  return withIdentity(call, granted, mint(call, granted))
}

function deviceGrant(call: OAuthCall): Given {
  const { world } = call
  const client = authenticatedClient(call)
  const device = world.oauth.devices.get(known(call.given('device_code') ?? required(call, 'code')))
  if (!device || device.used || device.client !== client.id) return refuse('oauthBadGrant')
  if (device.denied) refuse('oauthDenied')
  if (!stands(device, world.clock.now())) refuse('oauthExpired')
  if (device.account === undefined) return refuse('oauthPending')
  const { account, scopes } = device
  world.oauth.devices.put(device.deviceCode, () => ({ ...device, used: true }))
  const refreshToken = `1//${world.ids.token(60)}`
  const granted = { account, scopes, client: client.id }
  recordConsent(world, { ...granted, refreshToken })
  return withIdentity(call, granted, { ...mint(call, granted), refresh_token: handedOut(call, refreshToken) })
}

type Granted = { account: string; scopes: string[]; client: string; nonce?: string | undefined }

/** Whoever asked for `openid` is told who it is, signed. */
function withIdentity(
  { world }: OAuthCall,
  { account, scopes, client, nonce }: Granted,
  reply: { access_token: string; refresh_token?: string },
): Given {
  if (!scopes.includes('openid')) return { reply }
  const whose = addAccount(world, { email: account })
  return { reply, identity: { account: whose, audience: client, accessToken: reply.access_token, nonce } }
}
