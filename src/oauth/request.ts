import type { AuthMode } from './credentials.ts'
import { splitToken } from './credentials.ts'
import { DEFAULT_WORLD } from '../server/place.ts'
import { refuse } from '../wire/refusals.ts'
import type { World } from '../world/world.ts'

/** What an endpoint of OAuth is called with. */
export type OAuthCall = {
  request: Request
  world: World
  /** The world's name, which the tokens that are handed out carry: none for the default world. */
  name: string
  rootUrl: string
  auth: AuthMode
  /** Whether a person is asked before a client may act for them. */
  consent: boolean
  /** What the form says, or else the query. */
  given(name: string): string | undefined
}

/** A token as it is handed out: it names its world, so that it is known wherever it comes back. */
export const handedOut = ({ name }: Pick<OAuthCall, 'name'>, token: string): string =>
  name === DEFAULT_WORLD ? token : `${name}~${token}`

/** A token as the world knows it. */
export const known = (token: string): string => splitToken(token).subject

/** A client's id, without the name of its world where it bears one. */
export function clientIdOf({ name }: OAuthCall, id: string): string {
  const { world, subject } = splitToken(id)
  return world === name ? subject : id
}

/** A parameter that has to be there. */
export const required = (call: OAuthCall, name: string): string =>
  call.given(name) ?? refuse('oauthInvalidRequest', { problem: `Missing required parameter: ${name}` })

const LONG_NAMES: ReadonlyMap<string, string> = new Map(
  ['email', 'profile'].map((name) => [name, `https://www.googleapis.com/auth/userinfo.${name}`]),
)

/** Scopes by their whole names, each once. */
export const scopesIn = (text: string): string[] => [
  ...new Set(
    text
      .split(/[\s,]/)
      .filter(Boolean)
      .map((scope) => LONG_NAMES.get(scope) ?? scope),
  ),
]

/** A moment so many seconds from now, on the world's clock. */
export const inSeconds = (world: World, seconds: number): string =>
  new Date(world.clock.now() + seconds * 1000).toISOString()
