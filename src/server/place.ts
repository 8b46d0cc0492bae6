import { Hono } from 'hono'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import { bearerOf, splitToken } from '../oauth/credentials.ts'

export const DEFAULT_WORLD = 'default'

/** Where a request goes: to which world, and to what there. */
export type Place = {
  name: string
  /** What is left of the path without what it says of the world, and without a slash at its end. */
  path: string
  query: URLSearchParams
  /** The bearer token that it brings. */
  token: string | undefined
  /** Where the client finds the world: at the address that it came by, unless there is a public one. */
  rootUrl: string
}

/** How requests reach a server. */
export type Way = {
  /** The world that they are for, whatever they say themselves. */
  named?: string | undefined
  /** Where in another app this one stands, such as `/google`. */
  prefix: string
  publicUrl: string | undefined
  /** The address that they come from, where it is known: in process it is not, nor where the app of others does not say. */
  peer?: string | undefined
}

/** A request names its world by its token, a header or a path prefix, in this order. */
export function placeOf(request: Request, { named, prefix, publicUrl }: Way): Place {
  const { origin, pathname, search } = partsOf(request.url)
  const query = new URLSearchParams(search)
  const [, prefixed, path = '/'] = /^(?:\/w\/([^/]+))?(\/.*)?$/.exec(pathname.slice(prefix.length)) ?? []
  const token = bearerOf(request, query)
  const held = token === undefined ? undefined : splitToken(token).world
  const name = named ?? held ?? (request.headers.get('X-Fake-World') || prefixed || DEFAULT_WORLD)
  // Who hands requests on for a client that came by TLS says so: what it is told to call is to be that again.
  const shown = request.headers.get('X-Forwarded-Proto') === 'https' ? origin.replace(/^http:/, 'https:') : origin
  const base = publicUrl?.replace(/\/$/, '') ?? shown + prefix
  return { name, path: path.replace(/(?<=[^/])\/$/, ''), query, token, rootUrl: rootOf(base, name) }
}

type Parts = Pick<URL, 'origin' | 'pathname' | 'search'>

/** The parts of an address as a Request has it: written as it is to be, so that it is only cut, unless it names a user. */
function partsOf(url: string): Parts {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const hash = url.indexOf('#')
  const end = hash < 0 ? url.length : hash
  const origin = url.slice(0, start)
  if (start < 0 || start > end || origin.includes('@')) return new URL(url)
  const asked = url.indexOf('?')
  const mark = asked < 0 || asked > end ? end : asked
  return { origin, pathname: url.slice(start, mark), search: url.slice(mark, end) }
}

/** What a client of a world calls its root URL. */
export const rootOf = (base: string, name: string): string =>
  name === DEFAULT_WORLD ? `${base}/` : `${base}/w/${name}/`

/** Where the inspector shows the world of a root URL. The fragment, which holds the control token, is sent to nobody. */
export const uiOf = (rootUrl: string, controlToken: string | undefined): string =>
  `${rootUrl}_ui/${controlToken === undefined ? '' : `#${new URLSearchParams({ token: controlToken })}`}`

/** An app whose routes are matched against the path of a place. Its router is named: Hono's own choice may be a slower one. */
export const routed = <B extends { path: string }>(): Hono<{ Bindings: B }> =>
  new Hono<{ Bindings: B }>({
    router: new RegExpRouter(),
    getPath: (_, { env } = {}) => (env as B).path,
  })
