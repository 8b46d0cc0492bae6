import { DEFAULT_WORLD } from '../oauth/credentials.ts'

/** Returns the root URL of a world, with a slash at the end. */
export const rootOf = (base: string, name: string): string =>
  name === DEFAULT_WORLD ? `${base}/` : `${base}/w/${name}/`

/** Returns the inspector's URL of a world. The control token is in the fragment, which browsers do not send. */
export const uiOf = (rootUrl: string, controlToken: string | undefined): string =>
  `${rootUrl}_ui/${controlToken === undefined ? '' : `#${new URLSearchParams({ token: controlToken })}`}`

type UrlParts = Pick<URL, 'origin' | 'pathname' | 'search'>

/** Splits the URL of a Request. It slices the text, because a Request normalises its URL; only URLs with a user are parsed. */
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

/** The base path of the service. */
export const SERVICE_PATH = '/calendar/v3'
/** Clients whose endpoint setting replaces the whole base path call the service at `/v3` or without a prefix. */
const SERVICE_PREFIX = /^(?:\/calendar)?\/v3(?=\/)/
const SERVICE_RESOURCE = /^\/(?:calendars|users|channels|colors|freeBusy)(?=\/|$)/
const DISCOVERY = /^\/(?:discovery|\$discovery)\//

/** Returns true if the path is one of the service. */
export const isServicePath = (path: string): boolean => SERVICE_PREFIX.test(path) || SERVICE_RESOURCE.test(path)

/**
 * Returns the path by which the app routes a request: `/GET/calendar/v3/colors`. It begins with the verb, because
 * X-HTTP-Method-Override may replace the verb of a POST and Hono routes by the verb of the request alone.
 */
export function routeOf(request: Request, path: string): string {
  if (isServicePath(path)) return `/${overriddenVerb(request)}${SERVICE_PATH}${path.replace(SERVICE_PREFIX, '')}`
  const verb = DISCOVERY.test(path) ? overriddenVerb(request) : request.method
  return `/${verb === 'HEAD' ? 'GET' : verb}${path}`
}

/** Returns the verb of a request: a POST may name another in a header (behaviour 11.13). HEAD is handled as GET. */
export function overriddenVerb({ method, headers }: Request): string {
  const override = method === 'POST' ? headers.get('X-HTTP-Method-Override')?.trim().toUpperCase() : undefined
  if (override && /^[A-Z]+$/.test(override)) return override
  return method === 'HEAD' ? 'GET' : method
}
