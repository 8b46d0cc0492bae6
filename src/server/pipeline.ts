import type { Call, Endpoint, OnCalendar } from '../api/endpoint.ts'
import { settleNextRequestConferences } from '../effects/conferences.ts'
import { ensureAccount } from '../oauth/credentials.ts'
import { durationOf } from '../time/clock.ts'
import type { World } from '../world/world.ts'
import { authenticate } from './checks/authenticate.ts'
import { checkRole } from './checks/checkRole.ts'
import { checkScopes } from './checks/checkScopes.ts'
import { checkSurface } from './checks/checkSurface.ts'
import { enterWorld } from './checks/enterWorld.ts'
import { parseBody } from './checks/parseBody.ts'
import { parseFieldMask, parseParameters } from './checks/parseParameters.ts'
import { mayHaveBody, readBody } from './checks/readBody.ts'
import { resolveCalendar } from './checks/resolveCalendar.ts'
import { respond } from './checks/respond.ts'
import { spendQuota } from './checks/spendQuota.ts'
import { trustInspector } from './checks/trustInspector.ts'
import { applyRequestFault, hasFaults } from './faults.ts'
import { isFromInspector, isInspectorRead } from './inspectorRead.ts'
import type { ApiResponse } from './reply.ts'
import type { RequestContext } from './requestContext.ts'
import { worldAgo } from './worldAgo.ts'

/**
 * Answers a call of a method of the service. The order of the checks is the order of these lines (behaviour 2.4). Each throws
 * the error of its status. Steps that wait are conditional, so that a GET without faults does not wait.
 */
export async function callMethod(context: RequestContext, endpoint: Endpoint): Promise<ApiResponse> {
  if (isInspectorRead(context)) await trustInspector(context) // 403
  enterWorld(context) // 404
  context.endpoint = endpoint
  context.method = endpoint.id.slice('calendar.'.length)
  context.isFromInspector = isFromInspector(context)
  if (mayHaveBody(context)) await readBody(context)
  authenticate(context) // 401
  checkScopes(context) // 403
  const injected = hasFaults(context) ? await applyRequestFault(context) : undefined
  if (injected) return injected
  spendQuota(context) // 403, 429
  const needsMask = parseParameters(context) // 400
  if (needsMask) await parseFieldMask(context) // 400
  if (endpoint.request) await parseBody(context) // 400
  checkSurface(context) // 400 with `strictSurface`
  if (endpoint.prepare) await endpoint.prepare()
  return inTransaction(context, (world) => {
    resolveCalendar(context, world) // 404
    checkRole(context) // 403
    return respond(context, endpoint.handle(toCall(context, world)))
  })
}

/**
 * Handles a request in one transaction, including its response: an error rolls back everything, even the account of a new
 * caller. Conference requests that are due are answered before, in a transaction of their own.
 */
function inTransaction(context: RequestContext, handle: (world: World) => ApiResponse): ApiResponse {
  const { caller, controls, fault, credentials } = context
  context.n = controls?.journal.nextNumber()
  const stale = fault?.effect?.stale
  const world =
    stale === undefined || !controls ? context.world : worldAgo(context.world, controls.pastStates, durationOf(stale))
  const { store } = world
  const act = () => {
    if (credentials) ensureAccount(world, credentials)
    return handle(world)
  }
  if (context.isInspectorRead) return store.dryRun(act)
  store.withAuthor({ by: 'clock' }, () => settleNextRequestConferences(world))
  return store.withAuthor({ by: caller?.email, call: context.n }, () => store.transaction(act))
}

/** Returns the input of a handler. */
function toCall({ caller, params, body, rootUrl, request, calendar }: RequestContext, world: World): Call & OnCalendar {
  const ifMatch = request.headers.get('If-Match') ?? undefined
  return { world, caller, params, body, rootUrl, ifMatch, ...calendar } as Call & OnCalendar
}
