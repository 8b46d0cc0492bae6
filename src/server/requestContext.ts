import type { Call, Endpoint, OnCalendar } from '../api/endpoint.ts'
import type { InjectedReply } from '../control/faults/effectTable.ts'
import type { FaultMatch } from '../control/faults/faults.ts'
import type { BodyFields } from '../control/hints/hints.ts'
import { type Journal, readRealTime } from '../control/journal/journal.ts'
import type { Hint } from '../control/journal/recordedCall.ts'
import type { ObservedRequest } from '../control/request.ts'
import type { TestControls } from '../control/testControls.ts'
import type { BodyFault, FaultySocketResponse } from '../http/bodyFault.ts'
import type { ApiResponse } from '../http/reply.ts'
import type { Caller, WorldData } from '../model/worldData.ts'
import {
  type CallerCredentials,
  DEFAULT_WORLD,
  findBearerToken,
  isWorldName,
  splitToken,
} from '../oauth/credentials.ts'
import type { ApiError } from '../schema/apiErrors.ts'
import type { Visit, WorldRegistry } from './worldRegistry.ts'

export type Transport = {
  readonly named?: string | undefined
  readonly prefix: string
  readonly publicUrl: string | undefined
  readonly peer?: string | undefined
  readonly Response?: typeof Response | undefined
  readonly socket?: FaultySocketResponse | undefined
}

/** A body before it is parsed. `error` is thrown when a check needs the body. */
export type RawBody = { readonly text: string; readonly isForm: boolean; readonly error?: unknown }

export type Batch = {
  readonly context: RequestContext
  readonly stalls: BodyFault[]
  number?: number
  journal?: Journal
}

const NO_ROUTE = '/'
const NO_PARAMS: Readonly<Record<string, string>> = {}

/** One request and what its checks find out. Every route, wrapper and check takes it. */
export class RequestContext implements ObservedRequest {
  readonly request: Request
  readonly registry: WorldRegistry
  readonly transport: Transport
  readonly partOf: Batch | undefined
  readonly startedAt = readRealTime()

  readonly worldName: string
  readonly verb: string
  readonly path: string
  readonly query: URLSearchParams
  readonly token: string | undefined
  readonly rootUrl: string
  readonly route: string

  method = 'unknown'
  pathParams: Readonly<Record<string, string>> = NO_PARAMS
  endpoint: Endpoint | undefined = undefined
  isRecorded = false
  /** False if the request never creates a world. */
  createsWorld = true
  isFromInspector = false
  isInspectorRead = false
  toolCall: number | undefined = undefined
  /** The hints on a tool call. Its requests of REST have none, because the caller cannot change them. */
  toolHints: readonly Hint[] | undefined = undefined
  ownBatch: Batch | undefined = undefined
  errorPage: ((error: ApiError) => Response) | undefined = undefined

  visit: Visit | undefined = undefined
  controls: TestControls | undefined = undefined
  batch: number | undefined = undefined
  rawBody: RawBody | undefined = undefined
  text = ''
  credentials: CallerCredentials | undefined = undefined
  caller: Caller | undefined = undefined
  account: string | undefined = undefined
  client: string | undefined = undefined
  fault: FaultMatch | undefined = undefined
  /** The reply of a fault in place of the response of the service. */
  injected: InjectedReply | undefined = undefined
  listQuery: URLSearchParams
  params: Call['params'] = {}
  fields = ''
  mask: ((response: object) => object) | undefined = undefined
  body: unknown = undefined
  bodyFields: BodyFields | undefined = undefined
  n: number | undefined = undefined
  calendar: OnCalendar | undefined = undefined

  error: ApiError | undefined = undefined
  reason: string | undefined = undefined
  response: ApiResponse | undefined = undefined
  hints: readonly Hint[] = NO_HINTS

  constructor(registry: WorldRegistry, request: Request, transport: Transport, partOf?: Batch) {
    const { named, prefix, publicUrl } = transport
    const { origin, pathname, search } = splitUrl(request.url)
    const [, prefixed, path = '/'] = /^(?:\/w\/([^/]+))?(\/.*)?$/.exec(pathname.slice(prefix.length)) ?? []
    this.request = request
    this.registry = registry
    this.transport = transport
    this.partOf = partOf
    this.verb = request.method
    this.query = new URLSearchParams(search)
    this.listQuery = this.query
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
  }

  /** The world that the request entered. Throws before `enterWorld`. */
  get data(): WorldData {
    if (!this.visit) throw new Error('the request has not entered a world')
    return this.visit.world.data
  }

  get now(): number {
    return this.visit?.world.clock.now() ?? this.registry.now(this.worldName)
  }

  get source(): string {
    return this.endpoint?.id ?? (this.ownBatch ? 'a batch' : `${this.verb} ${this.path}`)
  }

  get journal(): Journal | undefined {
    return this.controls?.journal ?? this.ownBatch?.journal
  }

  get signal(): AbortSignal {
    return (this.partOf?.context ?? this).request.signal
  }
}

const NO_HINTS: readonly Hint[] = []

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
