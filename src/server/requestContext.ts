import type { Journal } from '../control/journal/journal.ts'
import type { BodyFault, FaultySocketResponse } from '../http/bodyFault.ts'
import { DEFAULT_WORLD, findBearerToken, isWorldName, splitToken } from '../oauth/credentials.ts'
import { RequestRecord } from './requestRecord.ts'
import type { WorldRegistry } from './worldRegistry.ts'

export type Transport = {
  readonly named?: string | undefined
  readonly prefix: string
  readonly publicUrl: string | undefined
  readonly peer?: string | undefined
  readonly Response?: typeof Response | undefined
  readonly socket?: FaultySocketResponse | undefined
  /** The number of the tool call of MCP that makes the request. */
  readonly toolCall?: number | undefined
  /** The scopes that its tool accepts beyond those of the endpoint. */
  readonly extraScopes?: readonly string[] | undefined
}

export type Batch = {
  readonly context: RequestContext
  readonly stalls: BodyFault[]
  number?: number
  journal?: Journal
}

const NO_ROUTE = '/'

export class RequestContext {
  readonly request: Request
  readonly registry: WorldRegistry
  readonly transport: Transport
  readonly partOf: Batch | undefined

  readonly worldName: string
  readonly verb: string
  readonly path: string
  readonly query: URLSearchParams
  readonly token: string | undefined
  readonly rootUrl: string
  readonly route: string
  readonly record: RequestRecord

  constructor(registry: WorldRegistry, request: Request, transport: Transport, partOf?: Batch) {
    const { named, prefix, publicUrl, toolCall } = transport
    const { origin, pathname, search } = splitUrl(request.url)
    const [, prefixed, path = '/'] = /^(?:\/w\/([^/]+))?(\/.*)?$/.exec(pathname.slice(prefix.length)) ?? []
    this.request = request
    this.registry = registry
    this.transport = transport
    this.partOf = partOf
    this.verb = request.method
    this.query = new URLSearchParams(search)
    this.path = path.replace(/(?<=[^/])\/$/, '')
    this.token = findBearerToken(request, this.query)
    const tokenWorld = this.token === undefined ? undefined : splitToken(this.token).world
    this.worldName = named ?? tokenWorld ?? (request.headers.get('X-Fake-World') || prefixed || DEFAULT_WORLD)
    // A proxy that terminates TLS says so in this header. URLs in responses must be reachable by its client.
    const isHttps = request.headers.get('X-Forwarded-Proto') === 'https'
    const base = publicUrl?.replace(/\/$/, '') ?? (isHttps ? origin.replace(/^http:/, 'https:') : origin) + prefix
    this.rootUrl = rootOf(base, this.worldName)
    // A part of a batch can only call the service, and only worlds with a valid name exist.
    const hasRoute = isWorldName(this.worldName) && (!partOf || isServicePath(this.path))
    this.route = hasRoute ? routeOf(request, this.path) : NO_ROUTE
    this.record = new RequestRecord(this.verb, this.path, this.query, toolCall)
  }

  get now(): number {
    return this.record.visit?.world.clock.now() ?? this.registry.now(this.worldName)
  }

  get signal(): AbortSignal {
    return (this.partOf?.context ?? this).request.signal
  }
}

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

export const SERVICE_PATH = '/calendar/v3'
/** Clients whose endpoint setting replaces the whole base path call the service at `/v3` or without a prefix. */
const SERVICE_PREFIX = /^(?:\/calendar)?\/v3(?=\/)/
const SERVICE_RESOURCE = /^\/(?:calendars|users|channels|colors|freeBusy)(?=\/|$)/
const DISCOVERY = /^\/(?:discovery|\$discovery)\//

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

/** A POST may name another in a header (behaviour 11.13). HEAD is handled as GET. */
export function overriddenVerb({ method, headers }: Request): string {
  const override = method === 'POST' ? headers.get('X-HTTP-Method-Override')?.trim().toUpperCase() : undefined
  if (override && /^[A-Z]+$/.test(override)) return override
  return method === 'HEAD' ? 'GET' : method
}
