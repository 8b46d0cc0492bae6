import type { Endpoint } from '../api/endpoint.ts'
import type { InjectedReply } from '../control/faults/effectTable.ts'
import type { FaultMatch } from '../control/faults/faults.ts'
import type { BodyFields, HintedRequest } from '../control/hints/hints.ts'
import { Journal, readRealTime } from '../control/journal/journal.ts'
import type { Hint } from '../control/journal/recordedCall.ts'
import type { TestControls } from '../control/testControls.ts'
import type { World } from '../control/worlds/world.ts'
import type { BodyFault, FaultySocketResponse } from '../http/bodyFault.ts'
import { findReason, toApiError } from '../http/errors.ts'
import type { ApiResponse } from '../http/reply.ts'
import { DEFAULT_WORLD, decodePart, isWorldName, rootUrlOf, splitPath, splitUrl } from '../http/urls.ts'
import type { Caller } from '../model/worldData.ts'
import { type AuthMode, findAccount, findBearerToken, splitToken } from '../oauth/credentials.ts'
import type { ApiError } from '../schema/apiErrors.ts'
import type { HostedWorld, WorldRegistry } from './worldRegistry.ts'

export type Transport = {
  readonly named?: string | undefined
  readonly peer?: string | undefined
  readonly Response?: typeof Response | undefined
  readonly socket?: FaultySocketResponse | undefined
  /** The tool call of MCP that makes the request. */
  readonly toolCall?: RequestContext
  /** The scopes that its tool accepts beyond those of the endpoint. */
  readonly extraScopes?: readonly string[] | undefined
}

export type Batch = { readonly context: RequestContext; readonly stalls: BodyFault[] }

/**
 * The header of the inspector's requests. A read with it changes nothing, is in no journal, and needs the same trust as
 * `/_control`. A write with it is only marked in the journal.
 */
const INSPECTOR = 'X-Fake-Calendar-Inspector'
/** The header of a read of the inspector: the revision after which it reads. */
const UNTIL = 'X-Fake-Calendar-Until'
/**
 * `/_control/as/<email>/calendar/v3/…` calls the service as an account without a token, in every mode of `auth`. It needs the
 * same trust as `/_control`, and creates the account as open mode does.
 */
const AS_ACCOUNT = /^\/_control\/as\/([^/]+)(\/calendar\/v3\/.*)$/

/** The results of the stages of a request, for the journal, faults, quota and hints. */
export class RequestRecord implements HintedRequest {
  readonly startedAt = readRealTime()
  readonly verb: string
  readonly path: string
  readonly query: URLSearchParams
  readonly toolCall: number | undefined
  readonly isFromInspector: boolean
  readonly until: string | null

  /** Empty for a request that is not in the journal: of a control, a page or a file. */
  method = ''
  pathParams: Readonly<Record<string, string>> = {}
  endpoint: Endpoint | undefined = undefined
  hosted: HostedWorld | undefined = undefined
  controls: TestControls | undefined = undefined
  /** False if the request never creates a world. */
  createsWorld = true
  /** The number of the batch that the request is, or that contains it. */
  batch: number | undefined = undefined
  /** The journal of a batch that entered no world: that of its first part. */
  batchJournal: Journal | undefined = undefined
  account: string | undefined = undefined
  client: string | undefined = undefined
  caller: Caller | undefined = undefined
  isGuessed = false
  isNewAccount = false
  text = ''
  bodyFields: BodyFields | undefined = undefined
  fault: FaultMatch | undefined = undefined
  /** The reply of a fault in place of the response of the service. */
  injected: InjectedReply | undefined = undefined
  n: number | undefined = undefined
  error: ApiError | undefined = undefined
  reason: string | undefined = undefined
  hints: readonly Hint[] | undefined = undefined
  response: ApiResponse | undefined = undefined

  constructor({ method, headers }: Request, path: string, query: URLSearchParams, toolCall: number | undefined) {
    this.verb = method
    this.path = path
    this.query = query
    this.toolCall = toolCall
    this.isFromInspector = headers.has(INSPECTOR)
    this.until = this.isFromInspector ? headers.get(UNTIL) : null
  }

  set(fields: Partial<RequestRecord>): void {
    Object.assign(this, fields)
  }
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
  /** The account in a path of `/_control/as`. */
  readonly actsAs: string | undefined
  readonly token: string | undefined
  readonly rootUrl: string
  readonly route: string
  readonly record: RequestRecord

  constructor(registry: WorldRegistry, request: Request, transport: Transport, partOf?: Batch) {
    const { named, toolCall } = transport
    const { publicUrl } = registry.options
    const { origin, pathname, search } = splitUrl(request.url)
    const { world: prefixed, path } = splitPath(pathname)
    this.request = request
    this.registry = registry
    this.transport = transport
    this.partOf = partOf
    this.verb = request.method
    this.query = new URLSearchParams(search)
    const bare = path.length > 1 && path.endsWith('/') && path.at(-2) !== '/' ? path.slice(0, -1) : path
    // A part of a batch has no headers of its own that show where the batch came from.
    const [, actsAs, servicePath = bare] = (!partOf && AS_ACCOUNT.exec(bare)) || []
    this.path = servicePath
    this.actsAs = actsAs === undefined ? undefined : decodePart(actsAs)
    this.token = actsAs === undefined ? findBearerToken(request, this.query) : undefined
    const tokenWorld = this.token === undefined ? undefined : splitToken(this.token).world
    this.worldName = named ?? tokenWorld ?? (request.headers.get('X-Fake-World') || prefixed || DEFAULT_WORLD)
    // A proxy that terminates TLS says so in this header. URLs in responses must be reachable by its client.
    const isHttps = request.headers.get('X-Forwarded-Proto') === 'https'
    const base = publicUrl?.replace(/\/$/, '') ?? (isHttps ? origin.replace(/^http:/, 'https:') : origin)
    this.rootUrl = rootUrlOf(base, this.worldName)
    // A part of a batch can only call the service, and only worlds with a valid name exist.
    const hasRoute = isWorldName(this.worldName) && (!partOf || isServicePath(this.path))
    this.route = hasRoute ? routeOf(request, this.path) : NO_ROUTE
    this.record = new RequestRecord(request, this.path, this.query, toolCall?.record.n)
  }

  /** The mode of the server, or a stricter one of the entered world. */
  get auth(): AuthMode {
    return this.record.controls?.acceptsIssuedTokensOnly ? { mode: 'strict' } : this.registry.options.auth
  }

  get now(): number {
    return this.record.hosted?.world.clock.now() ?? this.registry.now(this.worldName)
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    return (this.partOf?.context ?? this.transport.toolCall ?? this).request.signal
  }
}

/** Throws an error for names that are not allowed. The world is left with the response. */
export function enterWorld({ registry, record, partOf, worldName }: RequestContext, name = worldName): World {
  const hosted = registry.enter(name)
  const { controls } = hosted.world
  record.set({ hosted, controls })
  if (partOf) record.batch = numberBatch(partOf.context.record, controls)
  return hosted.world
}

function numberBatch(batch: RequestRecord, controls: TestControls): number {
  batch.batchJournal ??= controls.journal
  batch.batch ??= batch.batchJournal.nextBatchNumber()
  return batch.batch
}

/** Enters a world for requests that never create a world and accept any credentials: batch and discovery. */
export function enterExistingWorld(context: RequestContext): void {
  const { registry, worldName, token, query, record } = context
  record.createsWorld = false
  if (!registry.find(worldName)) return
  const { data } = enterWorld(context)
  record.account = findAccount(data, { token, apiKey: query.get('key'), isPublic: true }, context.auth)
}

/** The connection was lost if there is no `reply`. */
export function recordCall({ record, registry, worldName }: RequestContext, reply?: Response): void {
  if (record.method === '') return
  const journal =
    record.controls?.journal ??
    record.batchJournal ??
    new Journal(worldName, { now: () => registry.now(worldName) }, 0, registry.options.log) // only a log
  const { reason, hints, response, startedAt } = record
  const fault = record.fault?.fault
  const outcome = { status: response?.status ?? reply?.status, text: response?.text ?? null, reason, hints, fault }
  journal.record(record, reply ? outcome : { fault }, startedAt)
}

/** Any error but an ApiError is printed as one of the server. */
export function recordError({ record }: RequestContext, error: unknown): ApiError {
  const apiError = toApiError(error, record.endpoint?.id ?? `${record.verb} ${record.path}`)
  record.error = apiError
  record.reason = findReason(apiError)
  return apiError
}

export const isReadOnly = ({ request, path }: RequestContext): boolean =>
  overriddenVerb(request) === 'GET' || path.endsWith('/freeBusy')

export const SERVICE_PATH = '/calendar/v3'
const SERVICE_ROOT = `${SERVICE_PATH}/`
/** Clients whose endpoint setting replaces the whole base path call the service at `/v3` or without a prefix. */
const SERVICE_PREFIX = /^(?:\/calendar)?\/v3(?=\/)/
const SERVICE_RESOURCE = /^\/(?:calendars|users|channels|colors|freeBusy)(?=\/|$)/
const DISCOVERY = /^\/(?:discovery|\$discovery)\//

export const isServicePath = (path: string): boolean =>
  path.startsWith(SERVICE_ROOT) || SERVICE_PREFIX.test(path) || SERVICE_RESOURCE.test(path)

/**
 * `/GET/calendar/v3/colors`. It begins with the verb, because X-HTTP-Method-Override may replace the verb of a POST
 * and Hono routes by the verb of the request alone.
 */
export function routeOf(request: Request, path: string): string {
  if (path.startsWith(SERVICE_ROOT)) return `/${overriddenVerb(request)}${path}`
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
