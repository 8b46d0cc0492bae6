import { createHash } from 'node:crypto'
import { addAccount } from '../api/accounts.ts'
import { authenticate } from '../http/auth.ts'
import { stands } from '../sync/expiry.ts'
import { Refusal, type RefusalName } from '../wire/refusals.ts'
import type { Consent } from '../wire/seeds/oauth.ts'
import { addressOf } from '../wire/values/address.ts'
import { consentId } from '../world/credentials.ts'
import type { Account, World } from '../world/world.ts'
import { handedOut, inSeconds, type OAuthCall } from './request.ts'

/** How long an access token is good for, in seconds. */
export const LIFETIME = 3599

export type Minting = { account: string; scopes?: string[] | undefined; client?: string | undefined }

/** Makes an access token that is good for so many seconds. Without scopes it is good for everything. */
export function minted(world: World, { account, scopes, client }: Minting, seconds = LIFETIME): string {
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

/** A new access token in the words of RFC 6749. */
export function mint(call: OAuthCall, minting: Minting) {
  return {
    access_token: handedOut(call, minted(call.world, minting)),
    expires_in: LIFETIME,
    scope: (minting.scopes ?? [EVERYTHING]).join(' '),
    token_type: 'Bearer' as const,
  }
}

const EVERYTHING = 'https://www.googleapis.com/auth/calendar'

/** Who holds a token, or a refusal in OAuth's own words: that of the API is no answer to a client's library. */
export function holderOf({ world, auth }: OAuthCall, token: string, otherwise: RefusalName) {
  try {
    const { caller, scopes } = world.store.transaction(() =>
      authenticate(world, { token, apiKey: null, isPublic: false }, auth),
    )
    return { email: caller.email ?? '', scopes }
  } catch (error) {
    throw error instanceof Refusal ? new Refusal([{ named: otherwise, details: {} }]) : error
  }
}

/** What an account has let a client do, and has not taken back. */
export const consentsOf = (world: World, client: string, account: string): Consent[] =>
  [...world.oauth.consents.values()].filter(
    (consent) => consent.client === client && addressOf(consent.account) === account && !consent.revoked,
  )

export const consentOf = (world: World, refreshToken: string): Consent | undefined =>
  [...world.oauth.consents.values()].find((consent) => consent.refreshToken === refreshToken)

export const recordConsent = (world: World, consent: Consent): Consent =>
  world.oauth.consents.put(consentId(consent), () => consent)

/** Records what an account lets a client do, beside what it has let it do before. */
export function agree(world: World, consent: Consent): void {
  const before = world.oauth.consents.get(consentId(consent))
  const earlier = before && !before.revoked ? before.scopes : []
  recordConsent(world, { ...consent, scopes: [...new Set([...earlier, ...consent.scopes])] })
}

/** Takes back what a token stands for: with it go all that the account let the same client do. */
export function revoke(world: World, token: string): boolean {
  const grant = world.grants.get(token)
  const consent = consentOf(world, token)
  if (!consent && !(grant && stands(grant, world.clock.now()))) return false
  if (grant) world.grants.put(token, () => ({ ...grant, revoked: true }))
  const client = grant?.client ?? consent?.client
  const account = grant?.account ?? consent?.account
  if (client !== undefined && account !== undefined) revokeClient(world, client, addressOf(account))
  return true
}

function revokeClient(world: World, client: string, account: string): void {
  for (const consent of consentsOf(world, client, account)) recordConsent(world, { ...consent, revoked: true })
  for (const grant of [...world.grants.values()]) {
    if (grant.client === client && grant.account === account) {
      world.grants.put(grant.token, () => ({ ...grant, revoked: true }))
    }
  }
}

/** Lets access tokens expire that are still good: all, those of an account, or one. */
export function expireAll(
  world: World,
  { account, token }: { account?: string | undefined; token?: string | undefined },
) {
  const now = world.clock.now()
  const concerns = (grant: { token: string; account: string }) =>
    (token === undefined || grant.token === token) &&
    (account === undefined || addressOf(grant.account) === addressOf(account))
  const good = [...world.grants.values()].filter((grant) => stands(grant, now) && concerns(grant))
  const expires = new Date(now).toISOString()
  for (const grant of good) world.grants.put(grant.token, () => ({ ...grant, expires }))
  return good.length
}

/** Takes back all that was ever granted for an account, or for anybody. */
export function revokeAll(world: World, account?: string): number {
  const concerns = (email: string) => account === undefined || addressOf(email) === addressOf(account)
  const grants = [...world.grants.values()].filter((grant) => !grant.revoked && concerns(grant.account))
  const consents = [...world.oauth.consents.values()].filter((consent) => !consent.revoked && concerns(consent.account))
  for (const grant of grants) world.grants.put(grant.token, () => ({ ...grant, revoked: true }))
  for (const consent of consents) recordConsent(world, { ...consent, revoked: true })
  return grants.length + consents.length
}

/** The number by which the service knows an account: always the same 21 digits for the same address. */
export const subjectOf = (email: string): string =>
  `1${BigInt(`0x${createHash('sha256').update(email).digest('hex')}`)
    .toString()
    .slice(0, 20)}`

/** What an id_token and the user's information say of a person. */
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
