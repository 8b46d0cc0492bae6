import { HINT_HEADER } from '../control/hints/table.ts'
import { type Awaitable, whenReady } from '../http/reply.ts'
import { isOAuthPage } from '../schema/oauthPaths.ts'
import { FAULT } from './faults.ts'
import type { RequestContext } from './requestContext.ts'

/** The verbs and headers that a preflight allows, and the headers that a page can read (behaviour 11.16). */
const VERBS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT'
const DEFAULT_HEADERS =
  'authorization, content-type, if-match, if-none-match, x-fake-world, x-goog-api-client, x-goog-encode-response-if-executable, x-http-method-override, x-javascript-user-agent, x-origin, x-referer, x-requested-with'
const EXPOSED = [
  'Cache-Control',
  'Content-Encoding',
  'Content-Length',
  'Content-Type',
  'Date',
  'ETag',
  'Expires',
  'Location',
  'Pragma',
  'Server',
  'Vary',
  'WWW-Authenticate',
]

/** Answers preflights, and lets a page of any origin read the response. Control, inspector and consent pages are excluded. */
export function withCors(context: RequestContext, act: () => Awaitable<Response>): Awaitable<Response> {
  const { verb, request } = context
  const origin = request.headers.get('Origin')
  if (verb === 'OPTIONS') return isSameOriginOnly(context) ? act() : preflight(origin, request)
  if (origin === null || isSameOriginOnly(context)) return act()
  return whenReady(act(), (reply) => allowPage(reply, origin))
}

/** Returns a response that pages of an origin may read. Headers that cannot be changed are copied. */
function allowPage(reply: Response, origin: string): Response {
  const { headers } = reply
  allowOrigin(headers, origin)
  const exposed = [...EXPOSED, ...[HINT_HEADER, FAULT].filter((name) => headers.has(name))]
  headers.set('Access-Control-Expose-Headers', exposed.join(','))
  headers.set('Vary', [...new Set([...(headers.get('Vary')?.split(', ') ?? []), 'Origin'])].join(', '))
  return reply
}

/** Returns true for routes that pages of other origins must not call: controls, inspector and OAuth pages. */
const isSameOriginOnly = ({ path, verb }: RequestContext): boolean =>
  /^\/_(?:control|ui)(?:\/|$)/.test(path) || (isOAuthPage(path) && verb !== 'OPTIONS')

/** Sets the headers that let pages of an origin read a response. */
function allowOrigin(headers: Headers, origin: string): void {
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Allow-Credentials', 'true')
}

/** Returns the response to OPTIONS at any path. It allows every requested header. The service answers 200 with a length. */
function preflight(origin: string | null, request: Request): Response {
  const requested = request.headers.get('Access-Control-Request-Headers')
  const headers = new Headers({
    Allow: VERBS,
    'Access-Control-Allow-Methods': VERBS.replaceAll(' ', ''),
    'Access-Control-Allow-Headers': requested?.replace(/\s*,\s*/g, ',') ?? DEFAULT_HEADERS,
    'Access-Control-Expose-Headers': EXPOSED.join(','),
    'Access-Control-Max-Age': '3600',
    'Content-Length': '0',
    Vary: requested === null ? 'Origin' : 'Origin, Access-Control-Request-Headers',
  })
  if (origin) allowOrigin(headers, origin)
  return new Response(null, { headers })
}
