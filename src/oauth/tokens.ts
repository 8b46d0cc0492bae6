import { createHash } from 'node:crypto'
import { addAccount } from '../api/accounts.ts'
import { consentId, type Grant } from '../model/credentials.ts'
import type { Account, WorldData } from '../model/worldData.ts'
import { ApiError, apiError, type PlainErrorName } from '../schema/apiErrors.ts'
import type { Consent, Revocation } from '../schema/oauth.ts'
import { addressOf } from '../schema/values/address.ts'
import { authenticateCaller, type CallerCredentials, isActive, isRevoked } from './credentials.ts'
import { formatExpiry, type OAuthCall, withWorldPrefix } from './request.ts'

export const ACCESS_TOKEN_LIFETIME_S = 3599

/** Undefined scopes grant all. `client` is an id. */
export type TokenRequest = { account: string; scopes?: string[] | undefined; client?: string | undefined }

/** The token does not name its world. Creates the account on its first use. */
export function createAccessToken(
  world: WorldData,
  { account, scopes, client }: TokenRequest,
  seconds = ACCESS_TOKEN_LIFETIME_S,
): string {
  const { email } = addAccount(world, { email: account })
  const token = `ya29.a0${world.ids.token(80)}`
  const expires = formatExpiry(world, seconds)
  world.grants.put(token, () => ({
    token,
    account: email,
    ...(scopes && { scopes }),
    ...(client && { client }),
    expires,
  }))
  return token
}

/** RFC 6749, 5.1. The lifetime is in seconds. */
export function createTokenResponse(call: OAuthCall, request: TokenRequest) {
  return {
    access_token: withWorldPrefix(call, createAccessToken(call.world, request)),
    expires_in: ACCESS_TOKEN_LIFETIME_S,
    scope: (request.scopes ?? [DEFAULT_SCOPE]).join(' '),
    token_type: 'Bearer',
  }
}

export const DEFAULT_SCOPE = 'https://www.googleapis.com/auth/calendar'

export type TokenHolder = { email: string; scopes: readonly string[] | undefined }

export const toTokenHolder = ({ caller, scopes }: CallerCredentials): TokenHolder => ({
  email: caller.email ?? '',
  scopes,
})

/**
 * Undefined scopes grant all. Creates the account on its first use. If the token is not valid, throws the ApiError named
 * `otherwise`, because OAuth libraries do not parse API errors.
 */
export function requireTokenHolder({ world, auth }: OAuthCall, token: string, otherwise: PlainErrorName): TokenHolder {
  try {
    return toTokenHolder(authenticateCaller(world, token, auth))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const isRevokedGrant = error.items[0]?.details.cause === 'revoked' && otherwise === 'oauthBadGrant'
    throw apiError(isRevokedGrant ? 'oauthRevoked' : otherwise)
  }
}

/** Consents that are not revoked. `client` is an id, `account` an address in lower case. */
export const findConsents = (world: WorldData, client: string, account: string): Consent[] =>
  [...world.oauth.consents.values()].filter(
    (consent) => consent.client === client && addressOf(consent.account) === account && !consent.revoked,
  )

/** Revoked or not. The refresh token is without the name of its world. */
export const findConsent = (world: WorldData, refreshToken: string): Consent | undefined =>
  [...world.oauth.consents.values()].find((consent) => consent.refreshToken === refreshToken)

/** Also an expired or revoked token, without the name of its world. */
export const isIssued = (world: WorldData, token: string): boolean =>
  world.grants.get(token) !== undefined || findConsent(world, token) !== undefined

/** Replaces the consent with the same client, account and refresh token (`consentId`). */
export const recordConsent = (world: WorldData, consent: Consent): Consent =>
  world.oauth.consents.put(consentId(consent), () => consent)

/** Adds the scopes of the consent that it replaces, unless that is revoked. */
export function addConsent(world: WorldData, consent: Consent): void {
  endRevocation(world, consent)
  const before = world.oauth.consents.get(consentId(consent))
  const earlier = before && !before.revoked ? before.scopes : []
  recordConsent(world, { ...consent, scopes: [...new Set([...earlier, ...consent.scopes])] })
}

/** A missing account means all of them, and a missing client all clients. */
export function liftRevocation({ oauth }: WorldData, revocation: Revocation): void {
  oauth.revocations.value = [...oauth.revocations.value, { ...toRevocation(revocation), lifted: true }]
}

const toRevocation = ({ account, client }: Revocation): Revocation => ({
  ...(account !== undefined && { account }),
  ...(client !== undefined && { client }),
})

export function endRevocation(world: WorldData, { client, account }: { client: string; account: string }): void {
  if (isRevoked(world, addressOf(account), client)) liftRevocation(world, { client, account })
}

/**
 * Also revokes all consents and tokens of its account for the same client, even those that the world did not issue.
 * Returns their number: 0 for a token that is unknown, revoked or expired. `token` is without the name of its world.
 */
export function revokeToken(world: WorldData, token: string): number {
  const grant = world.grants.get(token)
  const found = grant && isActive(grant, world.clock.now()) ? grant : findConsent(world, token)
  if (!found || found.revoked) return 0
  const { client, account } = found
  if (client !== undefined) return revokeAll(world, { client, account })
  world.grants.put(token, () => ({ ...(found as Grant), revoked: true }))
  return 1
}

/**
 * Revokes the tokens and consents of `account`, or of all accounts, for `client`, or for all clients. Returns their number.
 * Their codes give no token any more. Tokens issued later are valid.
 */
export function revokeAll(world: WorldData, { account: address, client }: Omit<Revocation, 'lifted'>): number {
  const account = address && addressOf(address)
  const { oauth } = world
  const others = oauth.revocations.value.filter(
    (one) => (account !== undefined && one.account !== account) || (client !== undefined && one.client !== client),
  )
  oauth.revocations.value = [...others, toRevocation({ account, client })]
  const isSelected = (one: { account?: string | undefined; client?: string | undefined }) =>
    one.account !== undefined &&
    (account === undefined || addressOf(one.account) === account) &&
    (client === undefined || one.client === client)
  const grants = [...world.grants.values()].filter((one) => !one.revoked && isSelected(one))
  const consents = [...oauth.consents.values()].filter((one) => !one.revoked && isSelected(one))
  for (const grant of grants) world.grants.put(grant.token, () => ({ ...grant, revoked: true }))
  for (const consent of consents) recordConsent(world, { ...consent, revoked: true })
  for (const code of [...oauth.codes.values()].filter(isSelected))
    oauth.codes.put(code.code, () => ({ ...code, used: true }))
  for (const device of [...oauth.devices.values()].filter(isSelected))
    oauth.devices.put(device.deviceCode, () => ({ ...device, used: true }))
  return grants.length + consents.length
}

export function expireAll(
  world: WorldData,
  { account, token }: { account?: string | undefined; token?: string | undefined },
) {
  const now = world.clock.now()
  const selected = [...world.grants.values()].filter(
    (grant) =>
      isActive(grant, now) &&
      (token === undefined || grant.token === token) &&
      (account === undefined || addressOf(grant.account) === addressOf(account)),
  )
  const expires = new Date(now).toISOString()
  for (const grant of selected) world.grants.put(grant.token, () => ({ ...grant, expires }))
  return selected.length
}

/** 21 digits that depend only on the address. */
export const toSubjectId = (email: string): string =>
  `1${BigInt(`0x${createHash('sha256').update(email).digest('hex')}`)
    .toString()
    .slice(0, 20)}`

const PROFILE_SCOPE = 'https://www.googleapis.com/auth/userinfo.profile'
const DEFAULT_PICTURE = 'https://lh3.googleusercontent.com/a/default-user=s96-c'

/** Undefined scopes grant all. */
export const hasProfile = (scopes: readonly string[] | undefined): boolean => scopes?.includes(PROFILE_SCOPE) ?? true

export const pictureOf = ({ picture = DEFAULT_PICTURE }: Account): string => picture

/** An account that has no display name has no names. The scope of the profile adds a picture. */
export function toProfileClaims(account: Account, scopes: readonly string[] | undefined) {
  const { email, displayName } = account
  const [, domain = ''] = email.split('@')
  const [given, ...family] = displayName?.split(' ') ?? []
  return {
    sub: toSubjectId(email),
    ...(displayName && {
      name: displayName,
      given_name: given,
      ...(family.length && { family_name: family.join(' ') }),
    }),
    ...(hasProfile(scopes) && { picture: pictureOf(account) }),
    email,
    email_verified: true,
    ...(domain !== 'gmail.com' && { hd: domain }),
  }
}
