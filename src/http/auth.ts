import { addAccount } from '../api/accounts.ts'
import { stands } from '../sync/expiry.ts'
import { Refusal, refuse } from '../wire/refusals.ts'
import { addressOf } from '../wire/values/address.ts'
import type { Caller, World } from '../world/world.ts'

/** Who may come in: `open` takes any bearer token, `strict` only those that were seeded. */
export type AuthMode = { mode: 'open' | 'strict'; anonymous?: string | undefined }
/** What a request proves: an account with its scopes (all, where none are named), or an API key alone. */
export type Credentials = {
  caller: Caller
  scopes?: readonly string[] | undefined
  /** The client that the token was made for; of a caller it is the token itself where there was none. */
  client?: string | undefined
  /** Whether the token stands for no account, and the first was taken. */
  guessed?: true
}

/** What a request brings to say who it comes from. */
type Given = { token: string | undefined; apiKey: string | null; isPublic: boolean }

const WORLD_NAME = /^[A-Za-z0-9_.-]{1,64}$/
export const isWorldName = (name: string): boolean => WORLD_NAME.test(name)

const EMAIL = /^[^\s@~]+@[^\s@]+\.[^\s@]+$/
export const isEmail = (text: string): boolean => EMAIL.test(text)

/** A bearer token, from the header or as a query parameter (behaviour 11.12). */
export function bearerOf(request: Request, query: URLSearchParams): string | undefined {
  const [, header] = /^Bearer +(.+)$/i.exec(request.headers.get('Authorization') ?? '') ?? []
  return header ?? query.get('access_token') ?? query.get('oauth_token') ?? undefined
}

/** `<world>~<subject>` names a world before its subject. */
export function splitToken(token: string): { world?: string; subject: string } {
  const at = token.indexOf('~')
  const world = token.slice(0, Math.max(at, 0))
  return isWorldName(world) ? { world, subject: token.slice(at + 1) } : { subject: token }
}

/**
 * Who a request comes from, by what it brings. In open mode a token that is an address is that account; so is one that a
 * service account signed itself; and any other token is the world's first account.
 */
export function identify(world: World, { token, apiKey, isPublic }: Given, { mode, anonymous }: AuthMode): Credentials {
  if (apiKey && world.apiKeys.size > 0 && !world.apiKeys.has(apiKey)) refuse('invalidKey')
  if (token === undefined) return withoutToken(apiKey, isPublic, anonymous)
  const { subject } = splitToken(token)
  if (subject === '') refuse('invalidCredentials', { cause: 'empty' })
  const grant = world.grants.get(subject)
  if (grant) {
    if (!stands(grant, world.clock.now()))
      refuse('invalidCredentials', { cause: grant.revoked ? 'revoked' : 'expired' })
    const caller = { email: addressOf(grant.account), client: grant.client ?? subject, strict: mode === 'strict' }
    return { caller, scopes: grant.scopes, client: grant.client }
  }
  if (mode === 'strict') return refuse('invalidCredentials', { cause: 'unknown' })
  if (isEmail(subject)) return asAccount(subject)
  const signer = signerOf(claimsOf(subject))
  if (signer) return asSigner(world, signer)
  const [first] = world.accounts.values()
  return first ? { caller: { email: first.email }, guessed: true } : refuse('invalidCredentials')
}

/** Whose a request seems to be, of those where it need not be known. */
export function accountOf(world: World, request: Request, { query, auth }: Asking): string | undefined {
  try {
    const given = { token: bearerOf(request, query), apiKey: query.get('key'), isPublic: true }
    return identify(world, given, auth).caller.email
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
type Asking = { query: URLSearchParams; auth: AuthMode }

/** An account comes into being with its first use. */
export function authenticate(world: World, given: Given, auth: AuthMode): Credentials {
  const credentials = identify(world, given, auth)
  arrive(world, credentials)
  return credentials
}

/** Opens the account of whoever comes for the first time. */
export function arrive(world: World, { caller: { email } }: Credentials): void {
  if (email !== undefined) addAccount(world, { email })
}

const asAccount = (address: string): Credentials => ({ caller: { email: addressOf(address) } })

/** Public data needs no more than a key (behaviour 1.1); an empty one is none. */
function withoutToken(key: string | null, isPublic: boolean, anonymous: string | undefined): Credentials {
  if (anonymous) return asAccount(anonymous)
  if (!isPublic || key === null) return refuse('loginRequired')
  return key === '' ? refuse('missingKey') : { caller: { email: undefined } }
}

type Claims = { iss?: unknown; sub?: unknown; scope?: unknown; exp?: unknown }

/** What a service account says in a token that it signed itself; the signature is its own affair in open mode. */
function claimsOf(token: string): Claims | undefined {
  const [, payload, signature] = token.split('.')
  if (!payload || signature === undefined) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return typeof claims === 'object' && claims !== null ? claims : undefined
  } catch {
    return undefined
  }
}

type Signer = { email: string; scope: unknown; exp: unknown }

function signerOf({ iss, sub, scope, exp }: Claims = {}): Signer | undefined {
  const email = [sub, iss].find((name): name is string => typeof name === 'string' && isEmail(name))
  return email === undefined ? undefined : { email, scope, exp }
}

/** Its lifetime was set by the machine's clock, so only a clock that follows the machine can tell that it is over. */
function asSigner(world: World, { email, scope, exp }: Signer): Credentials {
  if (world.clock.mode === 'real' && typeof exp === 'number' && exp * 1000 <= world.clock.now())
    refuse('invalidCredentials')
  const { caller } = asAccount(email)
  return {
    caller: { ...caller, client: email },
    client: email,
    ...(typeof scope === 'string' && scope && { scopes: scope.split(' ') }),
  }
}
