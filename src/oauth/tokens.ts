import { createHash } from 'node:crypto'
import { addAccount } from '../api/accounts.ts'
import { consentId } from '../model/credentials.ts'
import type { Account, WorldData } from '../model/worldData.ts'
import { ApiError, type ApiErrorName } from '../schema/apiErrors.ts'
import type { Consent } from '../schema/oauth.ts'
import { addressOf } from '../schema/values/address.ts'
import { isActive } from '../sync/expiry.ts'
import { authenticateCaller } from './credentials.ts'
import { inSeconds, type OAuthCall, withWorldPrefix } from './request.ts'

/** The lifetime of an access token in seconds. */
export const ACCESS_TOKEN_LIFETIME_S = 3599

export type TokenRequest = { account: string; scopes?: string[] | undefined; client?: string | undefined }

/** Creates an access token. Creates its account on first use. A token without scopes grants everything. */
export function createAccessToken(
  world: WorldData,
  { account, scopes, client }: TokenRequest,
  seconds = ACCESS_TOKEN_LIFETIME_S,
): string {
  const { email } = addAccount(world, { email: account })
  const token = `ya29.a0${world.ids.token(80)}`
  const expires = inSeconds(world, seconds)
  world.grants.put(token, () => ({
    token,
    account: email,
    ...(scopes && { scopes }),
    ...(client && { client }),
    expires,
  }))
  return token
}

/** Creates an access token and returns the response of RFC 6749. */
export function createTokenResponse(call: OAuthCall, minting: TokenRequest) {
  return {
    access_token: withWorldPrefix(call, createAccessToken(call.world, minting)),
    expires_in: ACCESS_TOKEN_LIFETIME_S,
    scope: (minting.scopes ?? [DEFAULT_SCOPE]).join(' '),
    token_type: 'Bearer' as const,
  }
}

const DEFAULT_SCOPE = 'https://www.googleapis.com/auth/calendar'

/** Returns the account and scopes of a token. Throws the OAuth error `otherwise`, because OAuth libraries do not parse API errors. */
export function requireTokenHolder({ world, auth }: OAuthCall, token: string, otherwise: ApiErrorName) {
  try {
    const { caller, scopes } = world.store.transaction(() =>
      authenticateCaller(world, { token, apiKey: null, isPublic: false }, auth),
    )
    return { email: caller.email ?? '', scopes }
  } catch (error) {
    throw error instanceof ApiError ? new ApiError([{ named: otherwise, details: {} }]) : error
  }
}

/** Returns the consents of an account to a client that are not revoked. */
export const findConsents = (world: WorldData, client: string, account: string): Consent[] =>
  [...world.oauth.consents.values()].filter(
    (consent) => consent.client === client && addressOf(consent.account) === account && !consent.revoked,
  )

/** Returns the consent with a refresh token, revoked or not. */
export const findConsent = (world: WorldData, refreshToken: string): Consent | undefined =>
  [...world.oauth.consents.values()].find((consent) => consent.refreshToken === refreshToken)

export const recordConsent = (world: WorldData, consent: Consent): Consent =>
  world.oauth.consents.put(consentId(consent), () => consent)

/** Adds a consent. Its scopes are added to those of an earlier consent. */
export function addConsent(world: WorldData, consent: Consent): void {
  const before = world.oauth.consents.get(consentId(consent))
  const earlier = before && !before.revoked ? before.scopes : []
  recordConsent(world, { ...consent, scopes: [...new Set([...earlier, ...consent.scopes])] })
}

/** Revokes a token, and all consents and tokens of its account for the same client. Returns false for a token that is not valid. */
export function revoke(world: WorldData, token: string): boolean {
  const grant = world.grants.get(token)
  const consent = findConsent(world, token)
  if (!consent && !(grant && isActive(grant, world.clock.now()))) return false
  if (grant) world.grants.put(token, () => ({ ...grant, revoked: true }))
  const client = grant?.client ?? consent?.client
  const account = grant?.account ?? consent?.account
  if (client !== undefined && account !== undefined) revokeClient(world, client, addressOf(account))
  return true
}

function revokeClient(world: WorldData, client: string, account: string): void {
  for (const consent of findConsents(world, client, account)) recordConsent(world, { ...consent, revoked: true })
  for (const grant of [...world.grants.values()]) {
    if (grant.client === client && grant.account === account) {
      world.grants.put(grant.token, () => ({ ...grant, revoked: true }))
    }
  }
}

/** Expires valid access tokens: all, the tokens of `account`, or `token`. Returns their number. */
export function expireAll(
  world: WorldData,
  { account, token }: { account?: string | undefined; token?: string | undefined },
) {
  const now = world.clock.now()
  const isSelected = (grant: { token: string; account: string }) =>
    (token === undefined || grant.token === token) &&
    (account === undefined || addressOf(grant.account) === addressOf(account))
  const valid = [...world.grants.values()].filter((grant) => isActive(grant, now) && isSelected(grant))
  const expires = new Date(now).toISOString()
  for (const grant of valid) world.grants.put(grant.token, () => ({ ...grant, expires }))
  return valid.length
}

/** Revokes all tokens and consents of an account, or of all accounts. Returns their number. */
export function revokeAll(world: WorldData, account?: string): number {
  const isSelected = (email: string) => account === undefined || addressOf(email) === addressOf(account)
  const grants = [...world.grants.values()].filter((grant) => !grant.revoked && isSelected(grant.account))
  const consents = [...world.oauth.consents.values()].filter(
    (consent) => !consent.revoked && isSelected(consent.account),
  )
  for (const grant of grants) world.grants.put(grant.token, () => ({ ...grant, revoked: true }))
  for (const consent of consents) recordConsent(world, { ...consent, revoked: true })
  return grants.length + consents.length
}

/** Returns the subject id of an account: 21 digits that depend only on its address. */
export const subjectOf = (email: string): string =>
  `1${BigInt(`0x${createHash('sha256').update(email).digest('hex')}`)
    .toString()
    .slice(0, 20)}`

/** Returns the claims about a person in an id_token and in the user info. */
export function profileOf({ email, displayName }: Account) {
  const [, domain = ''] = email.split('@')
  const [given, ...family] = displayName?.split(' ') ?? []
  return {
    sub: subjectOf(email),
    ...(displayName && {
      name: displayName,
      given_name: given,
      ...(family.length && { family_name: family.join(' ') }),
    }),
    email,
    email_verified: true,
    ...(domain !== 'gmail.com' && { hd: domain }),
  }
}
