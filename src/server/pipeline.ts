import { ensureHolidays } from '../api/calendars/publicCalendars.ts'
import type { Call, Endpoint, OnCalendar } from '../api/endpoint.ts'
import { createPastWorld } from '../control/history/pastWorld.ts'
import type { World } from '../control/worlds/world.ts'
import { settleNextRequestConferences } from '../effects/conferences.ts'
import { type ApiResponse, emptyResponse, jsonResponse } from '../http/reply.ts'
import { matchesEtag, requireCalendar, requireRole } from '../model/access.ts'
import type { Caller, WorldData } from '../model/worldData.ts'
import { type CallerCredentials, ensureAccount, identifyAccount, identifyCaller } from '../oauth/credentials.ts'
import { apiError } from '../schema/apiErrors.ts'
import { scopeViewsOf } from '../schema/scopes.ts'
import {
  checkSurface,
  loadSchemas,
  type Mask,
  NO_BODY,
  type ParsedParameters,
  parseBody,
  parseEndpointParams,
  readBody,
} from './checks/input.ts'
import { requireTrusted } from './checks/requireTrusted.ts'
import { applyRequestFault, applyToResult, applyToWorld } from './faults.ts'
import { enterWorld, isReadOnly, type RequestContext } from './requestContext.ts'

/** Throws 401 for missing, unknown, expired and revoked tokens, and for a path of `/_control/as` without an address. */
function authenticate(context: RequestContext, endpoint: Endpoint, data: WorldData): CallerCredentials {
  const { token, actsAs, query, auth, record } = context
  const presented = { token, apiKey: query.get('key'), isPublic: endpoint.public === true }
  const credentials = actsAs === undefined ? identifyCaller(data, presented, auth) : identifyAccount(actsAs)
  const { caller, client, isGuessed = false } = credentials
  const isNewAccount = caller.email !== undefined && !data.accounts.records.has(caller.email)
  record.set({ caller, account: caller.email, client, isGuessed, isNewAccount })
  return credentials
}

/** Throws 403 if the token has none of the scopes of the endpoint. A narrow scope limits what the caller sees. */
function checkScopes(
  { transport, record }: RequestContext,
  endpoint: Endpoint,
  credentials: CallerCredentials,
): Caller {
  const { caller, scopes } = credentials
  if (!scopes) return caller
  const accepted = [...endpoint.scopes, ...(transport.extraScopes ?? [])]
  if (!accepted.some((scope) => scopes.includes(scope))) throw apiError('insufficientScope')
  const scopeView = scopeViewsOf(accepted, scopes)
  if (!scopeView) return caller
  const limited = { ...caller, scopeView }
  record.caller = limited
  return limited
}

/** Throws 404 if there is no calendar for the caller, and 403 if their role is lower than the endpoint needs. */
function resolveCalendar(
  world: WorldData,
  endpoint: Endpoint,
  { calendarId }: { calendarId?: unknown },
  caller: Caller,
): OnCalendar | undefined {
  if (!endpoint.role) return undefined
  const id = String(calendarId)
  if (id.includes('#')) ensureHolidays(world, id) // Ids of public calendars contain a hash.
  const found = requireCalendar(world, id, caller)
  requireRole(found.role, endpoint.role)
  return found
}

/** Resources whose etag is also a header; lists and colours have none (behaviour 11.5). */
const TAGGED = ['Event', 'Calendar', 'CalendarListEntry', 'AclRule', 'Setting']

type Result = { result: unknown; mask: Mask | undefined; listQuery: URLSearchParams }

function respond(
  context: RequestContext,
  { verb, response }: Endpoint,
  { result, mask, listQuery }: Result,
): ApiResponse {
  const { request, query, now } = context
  if (!response || typeof result !== 'object' || result === null) return emptyResponse(204, { now })
  const etag = 'etag' in result && typeof result.etag === 'string' ? result.etag : undefined
  const isRead = verb === 'GET'
  const ifNoneMatch = request.headers.get('If-None-Match')
  if (isRead && etag && ifNoneMatch !== null && matchesEtag(etag, ifNoneMatch)) return emptyResponse(304, { now, etag })
  const body = context.record.fault ? applyToResult(context, result, listQuery) : result
  return jsonResponse(mask ? mask(body) : body, {
    now,
    cache: response === 'Colors' ? 'hour' : isRead ? 'private' : 'none',
    indent: query.get('prettyPrint') === 'false' ? 0 : 1,
    etag: TAGGED.includes(response) ? etag : undefined,
  })
}

type ParsedCall = {
  world: World
  isInspected: boolean
  credentials: CallerCredentials
  caller: Caller
  parameters: ParsedParameters
  body: unknown
}

/** Bodies of these are ignored. */
const VERBS_WITHOUT_BODY = ['GET', 'HEAD', 'DELETE']

/**
 * Answers a call of a method of the service. The order of the checks is the order of these lines (behaviour 2.4). Each
 * throws the error of its status. Without a body, a fault and a module to load it waits for nothing, so that requests are
 * handled in the order in which they arrive.
 */
export async function callMethod(
  context: RequestContext,
  endpoint: Endpoint,
  pathParams: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  const { record, verb, registry } = context
  const isInspected = record.isFromInspector && isReadOnly(context)
  if (isInspected || context.actsAs !== undefined) requireTrusted(context) // 403
  const world = enterWorld(context) // 404
  const { data, controls } = world
  const method = isInspected ? '' : endpoint.id.slice('calendar.'.length)
  record.set({ method, pathParams, endpoint, createsWorld: !isInspected })
  const raw = VERBS_WITHOUT_BODY.includes(verb) ? NO_BODY : await readBody(context, endpoint)
  const loading = loadSchemas(context, endpoint)
  if (loading) await loading
  const credentials = authenticate(context, endpoint, data) // 401
  const caller = checkScopes(context, endpoint, credentials) // 403
  if (!isInspected) {
    const injected = controls.hasFaults ? await applyRequestFault(context) : undefined
    if (injected) return injected
    controls.spendQuota(record) // 403, 429
  }
  const parameters = parseEndpointParams(context, endpoint, data, raw) // 400
  const body = endpoint.request && parseBody(context, endpoint.request, raw) // 400
  if (registry.options.strictSurface) checkSurface(context, endpoint) // 400
  return handle(context, endpoint, { world, isInspected, credentials, caller, parameters, body })
}

/** An error rolls back even the account of a new caller. Due conferences are answered in a transaction before. */
function handle(context: RequestContext, endpoint: Endpoint, call: ParsedCall): ApiResponse {
  const { record } = context
  const { world, isInspected, caller } = call
  const { data, controls } = world
  if (record.method !== '') record.n = controls.journal.nextNumber()
  const act = () =>
    record.fault
      ? applyToWorld(context, world, (data) => handleIn(data, context, endpoint, call))
      : handleIn(data, context, endpoint, call)
  if (isInspected) {
    const { until } = record
    const shown = until === null ? data : createPastWorld(world.initialSnapshot, data, Number(until))
    return data.store.dryRun(() => handleIn(shown, context, endpoint, call))
  }
  settleNextRequestConferences(data)
  return data.store.transaction(act, { by: caller.email, call: record.n })
}

function handleIn(world: WorldData, context: RequestContext, endpoint: Endpoint, call: ParsedCall): ApiResponse {
  const { rootUrl, request, registry } = context
  const { credentials, caller, parameters, body } = call
  const { params, listQuery, mask } = parameters
  ensureAccount(world, credentials)
  const calendar = resolveCalendar(world, endpoint, params, caller) // 404, 403
  const ifMatch = request.headers.get('If-Match') ?? undefined
  const { webhooks } = registry.options
  const given = { world, caller, params, body, rootUrl, webhooks, ifMatch, ...calendar }
  const result = endpoint.handle(given as Call & OnCalendar)
  return respond(context, endpoint, { result, mask, listQuery })
}
