import { type Context, Hono } from 'hono'
import { RegExpRouter } from 'hono/router/reg-exp-router'
import type { Endpoint } from '../api/endpoint.ts'
import { api } from '../api/index.ts'
import { listHints } from '../control/hints/hints.ts'
import { formatHintHeader, HINT_HEADER } from '../control/hints/table.ts'
import { ConnectionLost } from '../http/bodyFault.ts'
import { errorResponse, findReason, notFoundPage, toApiError } from '../http/errors.ts'
import { type ApiResponse, type Awaitable, settle, toResponse, whenReady } from '../http/reply.ts'
import { TOOL_NAMES } from '../mcp/definitions/toolNames.ts'
import { isWorldName } from '../oauth/credentials.ts'
import { ApiError } from '../schema/apiErrors.ts'
import { type EndpointName, isOAuthPage, OAUTH_PATHS, OAUTH_VERBS } from '../schema/oauthPaths.ts'
import { SCRIPT_PATHS, type ScriptPath } from '../schema/scriptPaths.ts'
import { enterWorld } from './checks/enterWorld.ts'
import { FAULT, toErrorContext } from './faults.ts'
import { answerIndex } from './pages/index.ts'
import { answerRequest, callMethod } from './pipeline.ts'
import { RequestContext, SERVICE_PATH, type Transport } from './requestContext.ts'
import type { WorldRegistry } from './worldRegistry.ts'

export function dispatch(registry: WorldRegistry, request: Request, transport: Transport): Awaitable<Response> {
  if (!/^https?:/.test(request.url)) return notFoundPage()
  const context = new RequestContext(registry, request, transport)
  return withCors(context, () => answer(context))
}

const answer = (context: RequestContext): Awaitable<Response> =>
  answerRequest(context, () => app.fetch(context.request, context))

type RouteContext = Context<{ Bindings: RequestContext }>
type Handler = (context: RequestContext, c: RouteContext) => Awaitable<ApiResponse | Response>

/** The router is named, because Hono's own choice can be a slower one. */
export const app = new Hono<{ Bindings: RequestContext }>({
  router: new RegExpRouter(),
  getPath: (_, { env } = {}) => (env as RequestContext).route,
})

function route(verbs: readonly string[], path: string, handle: Handler): void {
  for (const verb of verbs) {
    app.all(`/${verb}${path}`, (c) =>
      settle(
        () => handle(c.env, c),
        (response) => (isApiResponse(response) ? finish(c.env, response) : response),
        (error) => {
          throw error instanceof Error ? error : new Error(String(error)) // Hono passes only errors to `onError`
        },
      ),
    )
  }
}

const recordAs =
  (method: string, handle: Handler): Handler =>
  (context, c) => {
    context.isRecorded = true
    context.method = method
    context.pathParams = c.req.param()
    return handle(context, c)
  }

const isApiResponse = (response: ApiResponse | Response): response is ApiResponse =>
  'text' in response && typeof response.text !== 'function'

function finish(context: RequestContext, response: ApiResponse): Response {
  context.hints = context.toolHints ?? listHints(context)
  context.response =
    context.hints.length > 0
      ? { ...response, headers: { ...response.headers, [HINT_HEADER]: formatHintHeader(context.hints) } }
      : response
  return toResponse(context.response, context.transport)
}

app.onError((error, { env: context }) => {
  if (error instanceof ConnectionLost) throw error
  const apiError = toApiError(error, context.source)
  context.error = apiError
  context.reason = findReason(apiError)
  if (context.errorPage && error instanceof ApiError) return context.errorPage(apiError)
  return finish(context, errorResponse(apiError, toErrorContext(context)))
})

app.notFound(({ env: context }) => notFound(context))

function notFound(context: RequestContext): Response {
  context.isRecorded = true
  if (isWorldName(context.worldName)) enterWorld(context)
  context.createsWorld = false
  return notFoundPage()
}

// The methods of the service.

type FindEndpoint = (eventId: string) => Endpoint | undefined

/**
 * Hono's fast router cannot match `POST events/import` beside `POST events/:eventId/move`. Such names share the route
 * `events/:eventId`, and the last segment selects the endpoint.
 */
function serviceRoutes(): Map<string, { verb: string; path: string; find: FindEndpoint }> {
  const routes = new Map<string, { verb: string; path: string; find: FindEndpoint }>()
  for (const endpoint of api) {
    const { verb } = endpoint
    const path = endpoint.path.replace(/\{(\w+)\}/g, ':$1')
    const [, parent, name] = /^(.*\/events)\/([a-z]\w*)$/i.exec(path) ?? []
    const shared = parent === undefined ? path : `${parent}/:eventId`
    const key = `${verb} ${shared}`
    const others = routes.get(key)?.find
    const find: FindEndpoint = (eventId) => (name === undefined || eventId === name ? endpoint : others?.(eventId))
    routes.set(key, { verb, path: shared, find })
  }
  return routes
}

const withoutEventId = ({ eventId: _, ...others }: RequestContext['pathParams']): RequestContext['pathParams'] => others

for (const { verb, path, find } of serviceRoutes().values()) {
  const handle: Handler = (context) => {
    const endpoint = find(context.pathParams.eventId ?? '')
    if (!endpoint) return notFound(context)
    if (!endpoint.path.includes('{eventId}')) context.pathParams = withoutEventId(context.pathParams)
    return callMethod(context, endpoint)
  }
  route([verb], SERVICE_PATH + path, recordAs('unknown', handle))
}

const loadOnFirstUse =
  (load: () => Promise<Handler>): Handler =>
  async (context, c) =>
    (await load())(context, c)

const discovery = loadOnFirstUse(async () => (await import('./discovery.ts')).answerDiscovery)
for (const path of ['/discovery/v1/apis', '/discovery/v1/apis/calendar/v3/rest', '/$discovery/rest'])
  route(['GET'], path, recordAs('discovery', discovery))

const batch: Handler = async (context) => {
  const { answerBatch } = await import('./batch/batch.ts')
  return answerBatch(context, answer)
}
for (const path of ['/batch/calendar/v3', '/batch']) route(['POST'], path, recordAs('batch', batch))

for (const [name, paths] of Object.entries(OAUTH_PATHS) as [EndpointName, readonly string[]][]) {
  const handle = loadOnFirstUse(async () => {
    const { answerOAuth } = await import('./oauth.ts')
    return (context) => answerOAuth(context, name)
  })
  for (const path of paths) route(OAUTH_VERBS[name], path, recordAs(`oauth.${name}`, handle))
}

const control = loadOnFirstUse(async () => (await import('./control.ts')).answerControl)
for (const path of ['/_control', '/_control/*'])
  route(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'], path, control)

const inspector = loadOnFirstUse(async () => (await import('./pages/inspector.ts')).answerPage)
for (const path of ['/_ui', '/_ui/*']) route(['GET'], path, inspector)

const script = loadOnFirstUse(async () => {
  const { answerScript } = await import('./pages/scripts.ts')
  return ({ path }) => answerScript(path as ScriptPath)
})
for (const path of SCRIPT_PATHS) route(['GET'], path, script)

const mcp: Handler = async (context) => (await import('./mcp.ts')).answerMcp(context, answer)
const otherVerb = loadOnFirstUse(async () => (await import('./mcp.ts')).answerOtherVerb)
const metadata = loadOnFirstUse(async () => (await import('./mcp.ts')).answerMetadata)
for (const path of ['/mcp/v1', '/mcp/v1self']) {
  route(['POST'], path, recordAs('mcp', mcp))
  route(['GET', 'PUT', 'PATCH', 'DELETE'], path, recordAs('mcp', otherVerb))
}
for (const name of ['mcp/v1', ...TOOL_NAMES]) route(['GET'], `/.well-known/oauth-protected-resource/${name}`, metadata)

const calendarFile = loadOnFirstUse(async () => (await import('./pages/calendarFile.ts')).answerCalendarFile)
route(['GET'], '/calendar/ical/:calendarId/:visibility/basic.ics', calendarFile)
route(['GET'], '/', answerIndex)

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
