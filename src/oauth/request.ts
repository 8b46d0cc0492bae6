import type { WorldData } from '../model/worldData.ts'
import { throwApiError } from '../schema/apiErrors.ts'
import type { AuthMode } from './credentials.ts'
import { DEFAULT_WORLD, splitToken } from './credentials.ts'

/** The input of an OAuth endpoint. */
export type OAuthCall = {
  request: Request
  world: WorldData
  /** The name of the world, which issued tokens contain, except in the default world. */
  name: string
  rootUrl: string
  auth: AuthMode
  /** True if a person is asked for consent. */
  consent: boolean
  /** Returns a parameter of the form, or else of the query. */
  given(name: string): string | undefined
}

/** Adds the name of the world to a token, so that requests with the token reach it. */
export const withWorldPrefix = ({ name }: Pick<OAuthCall, 'name'>, token: string): string =>
  name === DEFAULT_WORLD ? token : `${name}~${token}`

/** Removes the name of the world from a token. */
export const stripWorldPrefix = (token: string): string => splitToken(token).subject

/** Removes the name of the call's world from a client id. Returns other ids unchanged. */
export function clientIdOf({ name }: OAuthCall, id: string): string {
  const { world, subject } = splitToken(id)
  return world === name ? subject : id
}

/** Returns a parameter. Throws `oauthInvalidRequest` if it is missing. */
export const requireParam = (call: OAuthCall, name: string): string =>
  call.given(name) ?? throwApiError('oauthInvalidRequest', { problem: `Missing required parameter: ${name}` })

const LONG_NAMES: ReadonlyMap<string, string> = new Map(
  ['email', 'profile'].map((name) => [name, `https://www.googleapis.com/auth/userinfo.${name}`]),
)

/** Parses a list of scopes. Replaces short names by full names, and removes duplicates. */
export const scopesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]/)
      .filter(Boolean)
      .map((scope) => LONG_NAMES.get(scope) ?? scope),
  ),
]

/** Returns the time that is `seconds` after now, by the world's clock. */
export const inSeconds = (world: WorldData, seconds: number): string =>
  new Date(world.clock.now() + seconds * 1000).toISOString()
