import { DEFAULT_WORLD } from '../http/urls.ts'
import type { WorldData } from '../model/worldData.ts'
import { apiError, throwApiError } from '../schema/apiErrors.ts'
import type { AuthMode } from './credentials.ts'
import { splitToken } from './credentials.ts'

export type OAuthCall = {
  request: Request
  world: WorldData
  worldName: string
  rootUrl: string
  /** The `iss` of id tokens. */
  issuer: string
  auth: AuthMode
  consent: boolean
  /** The account that consents if the request names none; by default the first. */
  signInAs?: string | undefined
  given(name: string): string | undefined
}

/** `<world>~<token>`, so that requests with the token reach the world. A token of the default world is unchanged. */
export const withWorldPrefix = ({ worldName }: Pick<OAuthCall, 'worldName'>, token: string): string =>
  worldName === DEFAULT_WORLD ? token : `${worldName}~${token}`

export const stripWorldPrefix = (token: string): string => splitToken(token).subject

export function stripClientWorld({ worldName }: OAuthCall, id: string): string {
  const { world, subject } = splitToken(id)
  return world === worldName ? subject : id
}

export const requireParam = (call: OAuthCall, name: string): string =>
  call.given(name) ?? throwApiError('oauthInvalidRequest', { problem: `Missing required parameter: ${name}` })

const LONG_NAMES: ReadonlyMap<string, string> = new Map(
  ['email', 'profile'].map((name) => [name, `https://www.googleapis.com/auth/userinfo.${name}`]),
)

/** Separated by white space or commas. Short names become full names; other names are not checked. */
export const parseScopes = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]/)
      .filter(Boolean)
      .map((scope) => LONG_NAMES.get(scope) ?? scope),
  ),
]

/** The requested scopes, or without any the allowed ones. Undefined allows all. Throws `oauthInvalidScope` (400) for others. */
export function limitScopes<S extends string[] | undefined>(call: OAuthCall, allowed: S): string[] | S {
  const requested = parseScopes(call.given('scope') ?? '')
  const excess = requested.filter((scope) => allowed && !allowed.includes(scope))
  if (excess.length > 0) throw apiError('oauthInvalidScope', { scopes: excess.join(' ') })
  return requested.length > 0 ? requested : allowed
}

/** The instant by the world's clock, as RFC 3339 text in UTC. */
export const formatExpiry = (world: WorldData, seconds: number): string =>
  new Date(world.clock.now() + seconds * 1000).toISOString()
