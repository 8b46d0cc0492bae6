import { addAccount } from '../api/accounts.ts'
import { isWorldName } from '../http/urls.ts'
import type { Caller, WorldData } from '../model/worldData.ts'
import { ApiError, apiError, throwApiError } from '../schema/apiErrors.ts'
import { addressOf } from '../schema/values/address.ts'
import { parseObject } from '../schema/values/json.ts'

/**
 * `open` accepts any bearer token, `strict` only tokens that the world issued. `anonymous` is the account of requests without a
 * token.
 */
export type AuthMode = { mode: 'open' | 'strict'; anonymous?: string | undefined }
/** An account, or none for a request with only an API key. */
export type CallerCredentials = {
  caller: Caller
  scopes?: readonly string[] | undefined
  client?: string | undefined
  /** The token names no account, so the first account of the world is used. */
  isGuessed?: true
}

/** `isPublic` is true if an API key is sufficient, because the method reads public data. */
type Presented = { token: string | undefined; apiKey: string | null; isPublic: boolean }

/** `expires` is an ISO date-time; undefined for a credential that does not expire. */
type Expirable = { expires?: string | undefined; revoked?: boolean | undefined }

export const isActive = ({ expires, revoked }: Expirable, now: number): boolean =>
  !revoked && (expires === undefined || Date.parse(expires) > now)

const EMAIL = /^[^\s@~]+@[^\s@]+\.[^\s@]+$/
/** An address has no `~`, which separates a world in tokens. */
export const isEmail = (text: string): boolean => EMAIL.test(text)

/**
 * Finds it in the header, or else in `access_token` or `oauth_token` of the query, with the name of its world
 * (behaviour 11.12).
 */
export function findBearerToken(request: Request, query: URLSearchParams): string | undefined {
  const [, header] = /^Bearer +(.+)$/i.exec(request.headers.get('Authorization') ?? '') ?? []
  return header ?? query.get('access_token') ?? query.get('oauth_token') ?? undefined
}

/** Splits `<world>~<subject>`. Without a valid world name, the whole text is the subject. */
export function splitToken(token: string): { world?: string; subject: string } {
  const at = token.indexOf('~')
  const world = token.slice(0, Math.max(at, 0))
  return isWorldName(world) ? { world, subject: token.slice(at + 1) } : { subject: token }
}

/**
 * Writes nothing. In open mode a token that is an email address selects that account, a self-signed token (a JWT of a service
 * account) the account in it, and any other token the first account of the world. The account may not exist yet.
 * Throws `invalidKey` (400) for an unknown API key if the world has some, and `invalidCredentials` (401) for an empty, unknown,
 * expired or revoked token and for any token of a world without accounts. Without a token throws `loginRequired` (401) or
 * `missingKey` (403).
 */
export function identifyCaller(
  world: WorldData,
  { token, apiKey, isPublic }: Presented,
  { mode, anonymous }: AuthMode,
): CallerCredentials {
  if (apiKey && world.apiKeys.size > 0 && !world.apiKeys.has(apiKey)) throw apiError('invalidKey')
  if (token === undefined) return identifyWithoutToken(apiKey, isPublic, anonymous)
  const { subject } = splitToken(token)
  if (subject === '') throw apiError('invalidCredentials', { cause: 'empty' })
  const grant = world.grants.get(subject)
  if (grant) {
    if (!isActive(grant, world.clock.now()))
      throw apiError('invalidCredentials', { cause: grant.revoked ? 'revoked' : 'expired' })
    const caller = { email: addressOf(grant.account), client: grant.client ?? subject, strict: mode === 'strict' }
    return { caller, scopes: grant.scopes, client: grant.client }
  }
  if (mode === 'strict') throw apiError('invalidCredentials', { cause: 'unknown' })
  const isAddress = isEmail(subject)
  const signer = isAddress ? undefined : identifySigner(world, subject)
  if (signer) return signer
  const [first] = isAddress ? [] : world.accounts.values()
  const email = isAddress ? addressOf(subject) : first?.email
  if (email === undefined) throw apiError('invalidCredentials')
  if (isRevoked(world, email)) throw apiError('invalidCredentials', { cause: 'revoked' })
  return { caller: { email }, ...(!isAddress && { isGuessed: true }) }
}

/** Identifies the account of a control, which needs no token. Throws `invalidCredentials` (401) for a text that is no address. */
export function identifyAccount(address: string): CallerCredentials {
  if (!isEmail(address)) throw apiError('invalidCredentials', { cause: 'unknown' })
  return { caller: { email: addressOf(address) } }
}

/** Decides on tokens that the world did not issue. The latest revocation of the account and client decides. */
export function isRevoked({ oauth }: WorldData, account: string, client?: string): boolean {
  const latest = oauth.revocations.value.findLast(
    (one) =>
      (one.account === undefined || addressOf(one.account) === account) &&
      (one.client === undefined || (client === undefined ? one.lifted : one.client === client)),
  )
  return latest !== undefined && !latest.lifted
}

/** Undefined if the credentials are missing, wrong, or only an API key. Writes nothing. */
export function findAccount(world: WorldData, presented: Presented, auth: AuthMode): string | undefined {
  try {
    return identifyCaller(world, presented, auth).caller.email
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}

/** Identifies the caller, with the errors of `identifyCaller`, and stores the account on its first use. */
export function authenticateCaller(world: WorldData, token: string | undefined, auth: AuthMode): CallerCredentials {
  const credentials = identifyCaller(world, { token, apiKey: null, isPublic: false }, auth)
  ensureAccount(world, credentials)
  return credentials
}

export function ensureAccount(world: WorldData, { caller: { email } }: CallerCredentials): void {
  if (email !== undefined && !world.accounts.records.has(email)) addAccount(world, { email })
}

/**
 * The account `anonymous` without an API key; with one no account, for public data alone (behaviour 1.1). Throws `loginRequired` (401), and
 * `missingKey` (403) for an empty key.
 */
function identifyWithoutToken(key: string | null, isPublic: boolean, anonymous: string | undefined): CallerCredentials {
  if (anonymous && key === null) return { caller: { email: addressOf(anonymous) } }
  if (!isPublic || key === null) throw apiError('loginRequired')
  return key === '' ? throwApiError('missingKey') : { caller: { email: undefined } }
}

/** A part of a JWT, 0 for its header and 1 for its claims, whose signature is not verified. Undefined for another text. */
export const parseJwtPart = (token: string, part: 0 | 1): Readonly<Record<string, unknown>> | undefined =>
  parseObject(Buffer.from(token.split('.')[part] ?? '', 'base64url').toString())

/**
 * Undefined unless the token is a JWT that names an address. Throws `invalidCredentials` (401) for an expired token,
 * but only if the world's clock is real, because the machine's clock set the token's lifetime.
 */
function identifySigner({ clock }: WorldData, token: string): CallerCredentials | undefined {
  const { iss, sub, scope, exp } = (token.split('.').length > 2 && parseJwtPart(token, 1)) || {}
  const email = [sub, iss].find((name): name is string => typeof name === 'string' && isEmail(name))
  if (email === undefined) return undefined
  if (clock.mode === 'real' && typeof exp === 'number' && exp * 1000 <= clock.now())
    throw apiError('invalidCredentials', { cause: 'expired' })
  return {
    caller: { email: addressOf(email), client: email },
    client: email,
    ...(typeof scope === 'string' && scope && { scopes: scope.split(' ') }),
  }
}
