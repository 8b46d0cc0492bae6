import { refuse } from '../wire/refusals.ts'
import { addAccount } from '../world/accounts.ts'
import { addressOf, type Caller, type World } from '../world/world.ts'

/** Who may come in: `open` takes any bearer token, `strict` only those that were seeded. */
export type AuthMode = { mode: 'open' | 'strict'; anonymous?: string | undefined }
/** What a request proves: an account with its scopes (all, where none are named), or an API key alone. */
export type Credentials = { caller: Caller; scopes?: readonly string[] | undefined }

const WORLD_NAME = /^[A-Za-z0-9_.-]{1,64}$/
export const isWorldName = (name: string): boolean => WORLD_NAME.test(name)

const EMAIL = /^[^\s@~]+@[^\s@]+\.[^\s@]+$/
export const isEmail = (text: string): boolean => EMAIL.test(text)

/** A bearer token, from the header or as a query parameter (behaviour 11). */
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
 * Who a request comes from. In open mode a token that is an address is that account, which comes into being with its
 * first use, and any other token is the world's first account.
 */
export function authenticate(
  world: World,
  { token, apiKey, isPublic }: { token: string | undefined; apiKey: string | null; isPublic: boolean },
  { mode, anonymous }: AuthMode,
): Credentials {
  if (token === undefined) {
    if (anonymous) return { caller: { email: addAccount(world, { email: anonymous }).email } }
    return apiKey && isPublic ? { caller: { email: undefined } } : refuse('loginRequired')
  }
  const { subject } = splitToken(token)
  const grant = world.grants.get(subject)
  if (grant) return { caller: { email: addressOf(grant.account) }, scopes: grant.scopes }
  if (mode === 'strict') return refuse('invalidCredentials')
  if (isEmail(subject)) return { caller: { email: addAccount(world, { email: subject }).email } }
  const [first] = world.accounts.values()
  return first ? { caller: { email: first.email } } : refuse('invalidCredentials')
}
