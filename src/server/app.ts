import type { Context } from 'hono'
import { HonoBase } from 'hono/hono-base'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import type { Endpoint } from '../api/endpoint.ts'
import { api } from '../api/index.ts'
import { listHints } from '../control/hints/hints.ts'
import { formatHintHeader, HINT_HEADER } from '../control/hints/table.ts'
import { listPathHints } from '../control/hints/unknownPath.ts'
import { ConnectionLost } from '../http/bodyFault.ts'
import { errorResponse, notFoundPage } from '../http/errors.ts'
import { type ApiResponse, type Awaitable, toResponse } from '../http/reply.ts'
import { isWorldName, MAX_URL_LENGTH } from '../http/urls.ts'
import { TOOL_NAMES } from '../mcp/definitions/toolNames.ts'
import { type EndpointName, isOAuthPage, OAUTH_PATHS, OAUTH_VERBS } from '../schema/oauthPaths.ts'
import { SCRIPT_PATHS } from '../schema/scriptPaths.ts'
import { applyResponseFault, FAULT, toErrorContext } from './faults.ts'
import { answerIndex } from './pages/index.ts'
import { callMethod } from './pipeline.ts'
import { enterWorld, RequestContext, recordCall, recordError, SERVICE_PATH, type Transport } from './requestContext.ts'
import type { WorldRegistry } from './worldRegistry.ts'

/** Rejects with ConnectionLost if a fault ends the request without a response. */
export async function dispatch(registry: WorldRegistry, request: Request, transport: Transport): Promise<Response> {
  // As Node's server answers on a socket.
  if (request.url.length > MAX_URL_LENGTH) return new Response(null, { status: 431, headers: { Connection: 'close' } })
  if (!/^https?:/.test(request.url)) return notFoundPage()
  const context = new RequestContext(registry, request, transport)
  const origin = request.headers.get('Origin')
  if (context.verb === 'OPTIONS' && !isSameOriginOnly(context)) return preflight(origin, request)
  const response = await answer(context)
  return origin === null || isSameOriginOnly(context) ? response : allowPage(response, origin)
}

/** Answers also a part of a batch and a request of a tool. A new world is kept if the status is below 400. */
async function answer(context: RequestContext): Promise<Response> {
  const { record, request, registry } = context
  try {
    const routed = await app.fetch(request, context)
    const response = record.fault ? await applyResponseFault(context, record.fault, routed) : routed
    recordCall(context, response)
    if (record.hosted) registry.leave(record.hosted, response.status < 400 && record.createsWorld)
    return response
  } catch (error) {
    if (error instanceof ConnectionLost) recordCall(context)
    if (record.hosted) registry.leave(record.hosted, false)
    throw error
  }
}

type RouteContext = Context<{ Bindings: RequestContext }>
type Handler = (context: RequestContext, c: RouteContext) => Awaitable<ApiResponse | Response>

/** The router is named, because Hono's own choice would be a slower one, silently, for paths that this one cannot match. */
export const app = new HonoBase<{ Bindings: RequestContext }>({
  router: new RegExpRouter(),
  getPath: (_, { env } = {}) => (env as RequestContext).route,
})

function addRoute(verbs: readonly string[], path: string, handle: Handler, method?: string): void {
  const answerRoute = async (c: RouteContext): Promise<Response> => {
    const context = c.env
    if (method !== undefined) context.record.set({ method, pathParams: c.req.param() })
    try {
      const response = await handle(context, c)
      return isApiResponse(response) ? finish(context, response) : response
    } catch (error) {
      throw error instanceof Error ? error : new Error(String(error)) // Hono passes only errors to `onError`
    }
  }
  for (const verb of verbs) app.all(`/${verb}${path}`, answerRoute)
}

const isApiResponse = (response: ApiResponse | Response): response is ApiResponse =>
  'text' in response && typeof response.text !== 'function'

/** Requests that a tool makes have no hints, because the caller cannot change them. */
function finish({ record, transport }: RequestContext, response: ApiResponse): Response {
  const hints = record.hints ?? (record.toolCall === undefined ? listHints(record, response.text) : [])
  const header = hints.length > 0 && { headers: { ...response.headers, [HINT_HEADER]: formatHintHeader(hints) } }
  const hinted = header ? { ...response, ...header } : response
  record.set({ hints, response: hinted })
  return toResponse(hinted, transport)
}

app.onError((error, { env: context }) => {
  if (error instanceof ConnectionLost) throw error
  const apiError = recordError(context, error)
  return finish(context, errorResponse(apiError, toErrorContext(context)))
})

app.notFound(({ env: context }) => notFound(context))

function notFound(context: RequestContext): Response {
  const { record, worldName } = context
  record.method ||= 'unknown'
  if (isWorldName(worldName)) enterWorld(context)
  record.createsWorld = false
  const hints = listPathHints(record)
  record.set({ hints })
  const page = notFoundPage()
  if (hints.length > 0) page.headers.set(HINT_HEADER, formatHintHeader(hints))
  return page
}

// The methods of the service.

/** `POST events/import`, `quickAdd` and `watch`, which share a route because the router cannot match them beside `events/:eventId/move`. */
const namedEventMethods = new Map<string, Endpoint>()

for (const endpoint of api) {
  const [, name] = /^\/calendars\/\{calendarId\}\/events\/(\w+)$/.exec(endpoint.path) ?? []
  if (name !== undefined) {
    namedEventMethods.set(name, endpoint)
    continue
  }
  const path = SERVICE_PATH + endpoint.path.replace(/\{(\w+)\}/g, ':$1')
  addRoute([endpoint.verb], path, (context) => callMethod(context, endpoint, context.record.pathParams), 'unknown')
}

addRoute(
  ['POST'],
  `${SERVICE_PATH}/calendars/:calendarId/events/:name`,
  (context) => {
    const { name = '', ...pathParams } = context.record.pathParams
    const endpoint = namedEventMethods.get(name)
    return endpoint ? callMethod(context, endpoint, pathParams) : notFound(context)
  },
  'unknown',
)

// The other routes. Their modules are loaded on first use, because most programs only call the service.

for (const path of [
  '/discovery/v1/apis',
  '/discovery/v1/apis/calendar/v3/rest',
  '/discovery/v1/apis/oauth2/v2/rest',
  '/$discovery/rest',
])
  addRoute(['GET'], path, async (context) => (await import('./discovery.ts')).answerDiscovery(context), 'discovery')

for (const path of ['/batch/calendar/v3', '/batch'])
  addRoute(['POST'], path, async (context) => (await import('./batch/batch.ts')).answerBatch(context, answer), 'batch')

for (const [name, paths] of Object.entries(OAUTH_PATHS) as [EndpointName, readonly string[]][]) {
  const oauth: Handler = async (context) => (await import('./oauth.ts')).answerOAuth(context, name)
  for (const path of paths) addRoute(OAUTH_VERBS[name], path, oauth, `oauth.${name}`)
}

for (const path of ['/_control', '/_control/*'])
  addRoute(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], path, async (context) =>
    (await import('./control.ts')).answerControl(context),
  )

for (const path of ['/_ui', '/_ui/*'])
  addRoute(['GET'], path, async (context) => (await import('./pages/inspector.ts')).answerPage(context))

for (const path of SCRIPT_PATHS)
  addRoute(['GET'], path, async () => (await import('./pages/scripts.ts')).answerScript(path))

for (const path of ['/mcp/v1', '/mcp/v1self']) {
  addRoute(['POST'], path, async (context) => (await import('./mcp.ts')).answerMcp(context, answer), 'mcp')
  const otherVerb: Handler = async (context) => (await import('./mcp.ts')).answerOtherVerb(context)
  addRoute(['GET', 'PUT', 'PATCH', 'DELETE'], path, otherVerb, 'mcp')
}
for (const name of ['mcp/v1', ...TOOL_NAMES])
  addRoute(['GET'], `/.well-known/oauth-protected-resource/${name}`, async (context) =>
    (await import('./mcp.ts')).answerMetadata(context),
  )

addRoute(['GET'], '/calendar/ical/:calendarId/:visibility/basic.ics', async (context, c) =>
  (await import('./pages/calendarFile.ts')).answerCalendarFile(context, c),
)
addRoute(['GET'], '/caldav/v2/:calendarId/events', async (context, c) =>
  (await import('./pages/calendarFile.ts')).answerOwnCalendarFile(context, c),
)
addRoute(['GET'], '/', answerIndex)

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

function allowPage(reply: Response, origin: string): Response {
  const { headers } = reply
  allowOrigin(headers, origin)
  const exposed = [...EXPOSED, ...[HINT_HEADER, FAULT].filter((name) => headers.has(name))]
  headers.set('Access-Control-Expose-Headers', exposed.join(','))
  headers.set('Vary', [...new Set([...(headers.get('Vary')?.split(', ') ?? []), 'Origin'])].join(', '))
  return reply
}

const isSameOriginOnly = ({ path, verb, actsAs }: RequestContext): boolean =>
  actsAs !== undefined || /^\/_(?:control|ui)(?:\/|$)/.test(path) || (isOAuthPage(path) && verb !== 'OPTIONS')

function allowOrigin(headers: Headers, origin: string): void {
  headers.set('Access-Control-Allow-Origin', origin)
  headers.set('Access-Control-Allow-Credentials', 'true')
}

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
