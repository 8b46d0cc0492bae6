import type { WorldData } from '../model/worldData.ts'
import { throwApiError } from '../schema/apiErrors.ts'
import type { AuthMode } from './credentials.ts'
import { DEFAULT_WORLD, splitToken } from './credentials.ts'

/** A call of an OAuth endpoint: the request, its world, and the settings of the server. */
export type OAuthCall = {
  request: Request
  world: WorldData
  worldName: string
  rootUrl: string
  auth: AuthMode
  consent: boolean
  given(name: string): string | undefined
}

/**
 * Returns `<world>~<token>`, so that requests with the token reach the world. A token of the default world is
 * unchanged.
 */
export const withWorldPrefix = ({ worldName }: Pick<OAuthCall, 'worldName'>, token: string): string =>
  worldName === DEFAULT_WORLD ? token : `${worldName}~${token}`

export const stripWorldPrefix = (token: string): string => splitToken(token).subject

/** Removes the name of the call's world from a client id. Returns other ids unchanged. */
export function stripClientWorld({ worldName }: OAuthCall, id: string): string {
  const { world, subject } = splitToken(id)
  return world === worldName ? subject : id
}

/** Returns a parameter. Throws `oauthInvalidRequest` (400) if it is missing or empty. */
export const requireParam = (call: OAuthCall, name: string): string =>
  call.given(name) ?? throwApiError('oauthInvalidRequest', { problem: `Missing required parameter: ${name}` })

const LONG_NAMES: ReadonlyMap<string, string> = new Map(
  ['email', 'profile'].map((name) => [name, `https://www.googleapis.com/auth/userinfo.${name}`]),
)

/**
 * Parses a list of scopes, separated by white space or commas. Replaces short names by full names, and removes
 * duplicates. Other names are not checked.
 */
export const parseScopes = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]/)
      .filter(Boolean)
      .map((scope) => LONG_NAMES.get(scope) ?? scope),
  ),
]

/** Returns the time that is `seconds` after now by the world's clock, as RFC 3339 text in UTC. */
export const formatExpiry = (world: WorldData, seconds: number): string =>
  new Date(world.clock.now() + seconds * 1000).toISOString()
