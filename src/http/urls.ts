export const DEFAULT_WORLD = 'default'

const WORLD_NAME = /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,64}$/
/** 1 to 64 letters, digits, dots, dashes and underscores, except `.` and `..`. */
export const isWorldName = (name: string): boolean => WORLD_NAME.test(name)

/** The address of a world, with a slash at its end. `base` has none. */
export const rootUrlOf = (base: string, world: string): string =>
  world === DEFAULT_WORLD ? `${base}/` : `${base}/w/${world}/`

/** The control token is in the fragment, which browsers do not send. Without a panel the page opens at the calendar. */
export const inspectorUrlOf = (rootUrl: string, controlToken: string | undefined, panel?: string): string =>
  `${rootUrl}_ui/${panel === undefined ? '' : `?panel=${panel}`}${controlToken === undefined ? '' : `#${new URLSearchParams({ token: controlToken })}`}`

/** Splits `/w/<world>` off a path. */
export function splitPath(path: string): { world?: string | undefined; path: string } {
  if (!path.startsWith('/w/')) return { path: path.startsWith('/') ? path : '/' }
  const [, world, rest = '/'] = /^\/w\/([^/]+)(\/.*)?$/.exec(path) ?? []
  return { world, path: world === undefined ? path : rest }
}

/** A text with a broken percent code stays as it is. */
export function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** In characters: as much as Node's server reads on a socket. */
export const MAX_URL_LENGTH = 16 * 1024

type UrlParts = Pick<URL, 'origin' | 'pathname' | 'search'>

/** Slices the text, because a Request normalises its URL; only URLs with a user are parsed. */
export function splitUrl(url: string): UrlParts {
  const start = url.indexOf('/', url.indexOf('//') + 2)
  const hash = url.indexOf('#')
  const end = hash < 0 ? url.length : hash
  const origin = url.slice(0, start)
  if (start < 0 || start > end || origin.includes('@')) return new URL(url)
  const question = url.indexOf('?')
  const mark = question < 0 || question > end ? end : question
  return { origin, pathname: url.slice(start, mark), search: url.slice(mark, end) }
}

/** A URL that an OpenID library compares character by character (OpenID Connect Discovery 1.0, 4.3), or `self`. */
export const isIssuer = (text: string): boolean =>
  text === 'self' || (/^https?:\/\/[^?#\s]*[^/?#\s]$/.test(text) && URL.canParse(text))
