import type { Call, Endpoint, OnCalendar } from '../api/endpoint.ts'
import { settleNextRequestConferences } from '../effects/conferences.ts'
import type { ApiResponse } from '../http/reply.ts'
import type { Caller, WorldData } from '../model/worldData.ts'
import { type CallerCredentials, ensureAccount } from '../oauth/credentials.ts'
import { authenticate, checkRole, checkScopes, resolveCalendar } from './checks/authorize.ts'
import { enterWorld } from './checks/enterWorld.ts'
import {
  checkSurface,
  loadSchemas,
  mayHaveBody,
  NO_BODY,
  type ParsedParameters,
  parseBody,
  parseFieldMask,
  parseParameters,
  readBody,
} from './checks/input.ts'
import { isFromInspector, isInspectorRead, requireTrusted } from './checks/requireTrusted.ts'
import { type Mask, respond } from './checks/respond.ts'
import { applyRequestFault, applyToWorld } from './faults.ts'
import type { RequestContext } from './requestContext.ts'
import type { RequestRecord, WorldEntry } from './requestRecord.ts'

type ParsedCall = {
  credentials: CallerCredentials
  caller: Caller
  parameters: ParsedParameters
  body: unknown
  mask: Mask | undefined
}

/**
 * Answers a call of a method of the service. The order of the checks is the order of these lines (behaviour 2.4). Each
 * throws the error of its status. Without a body, a fault and a module to load it waits for nothing, so that requests are
 * handled in the order in which they arrive.
 */
export async function callMethod(
  context: RequestContext,
  endpoint: Endpoint,
  pathParams: RequestRecord['pathParams'],
): Promise<ApiResponse> {
  const isInspected = isInspectorRead(context)
  if (isInspected) requireTrusted(context) // 403
  const entry = enterWorld(context, { isInspected }) // 404
  const { record } = context
  record.route = {
    method: endpoint.id.slice('calendar.'.length),
    pathParams,
    endpoint,
    isFromInspector: isFromInspector(context),
  }
  const raw = mayHaveBody(context) ? await readBody(context, endpoint) : NO_BODY
  const loading = loadSchemas(context, endpoint)
  if (loading) await loading
  const credentials = authenticate(context, endpoint, entry) // 401
  const caller = checkScopes(context, endpoint, credentials) // 403
  const { faults, quota } = entry.controls
  const injected = faults.isEmpty ? undefined : await applyRequestFault(context)
  if (injected) return injected
  quota.spend(record) // 403, 429
  const parameters = parseParameters(context, endpoint, entry, raw) // 400
  const mask = parseFieldMask(endpoint, parameters.fields) // 400
  const body = parseBody(context, endpoint, raw) // 400
  checkSurface(context, endpoint) // 400 with `strictSurface`
  return handle(context, endpoint, entry, { credentials, caller, parameters, body, mask })
}

/** An error rolls back even the account of a new caller. Due conferences are answered in a transaction before. */
function handle(context: RequestContext, endpoint: Endpoint, entry: WorldEntry, call: ParsedCall): ApiResponse {
  const { record, rootUrl, request } = context
  const { credentials, caller, parameters, body, mask } = call
  const { data } = entry.visit.world
  record.n = entry.controls.journal.nextNumber()
  const handleIn = (world: WorldData): ApiResponse => {
    ensureAccount(world, credentials)
    const { params, listQuery } = parameters
    const calendar = resolveCalendar(world, endpoint, params, caller) // 404
    checkRole(endpoint, calendar) // 403
    const ifMatch = request.headers.get('If-Match') ?? undefined
    const given = { world, caller, params, body, rootUrl, ifMatch, ...calendar }
    const result = endpoint.handle(given as Call & OnCalendar)
    return respond(context, endpoint, { result, mask, listQuery })
  }
  const act = () => (record.fault ? applyToWorld(context, entry, handleIn) : handleIn(data))
  if (entry.isInspected) return data.store.dryRun(act)
  settleNextRequestConferences(data)
  return data.store.transaction(act, { by: caller.email, call: record.n })
}
