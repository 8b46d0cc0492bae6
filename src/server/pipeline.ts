import type { Call, Endpoint, OnCalendar } from '../api/endpoint.ts'
import { settleNextRequestConferences } from '../effects/conferences.ts'
import { type ApiResponse, type Awaitable, whenReady } from '../http/reply.ts'
import type { WorldData } from '../model/worldData.ts'
import { ensureAccount } from '../oauth/credentials.ts'
import { authenticate, checkRole, checkScopes, resolveCalendar } from './checks/authorize.ts'
import { enterWorld } from './checks/enterWorld.ts'
import {
  checkSurface,
  loadBodySchemas,
  loadFieldMask,
  mayHaveBody,
  parseBody,
  parseFieldMask,
  parseParameters,
  readBody,
} from './checks/input.ts'
import { isFromInspector, isInspectorRead, trustInspector } from './checks/requireTrusted.ts'
import { respond } from './checks/respond.ts'
import { applyToWorld, withRequestFault, withResponseFault } from './faults.ts'
import { withJournal } from './journal.ts'
import type { RequestContext } from './requestContext.ts'

/** Answers a request of any route or part of a batch: the service, OAuth, discovery, batches, controls, pages and files. */
export const answerRequest = (context: RequestContext, answer: () => Awaitable<Response>): Awaitable<Response> =>
  withJournal(context, () => withResponseFault(context, answer))

/**
 * Answers a call of a method of the service. The order of the checks is the order of these lines (behaviour 2.4). Each throws
 * the error of its status. Only `prepare` and faults may wait.
 */
export function callMethod(context: RequestContext, endpoint: Endpoint): Awaitable<ApiResponse | Response> {
  if (isInspectorRead(context)) trustInspector(context) // 403
  enterWorld(context) // 404
  context.endpoint = endpoint
  context.method = endpoint.id.slice('calendar.'.length)
  context.isFromInspector = isFromInspector(context)
  return whenReady(prepare(context, endpoint), () => {
    authenticate(context) // 401
    checkScopes(context) // 403
    return withRequestFault(context, () => {
      context.controls?.quota.spend(context) // 403, 429
      parseParameters(context) // 400
      parseFieldMask(context) // 400
      parseBody(context) // 400
      checkSurface(context) // 400 with `strictSurface`
      return inTransaction(context, (world) => {
        resolveCalendar(context, world) // 404
        checkRole(context) // 403
        return respond(context, endpoint.handle(toCall(context, world)))
      })
    })
  })
}

function prepare(context: RequestContext, endpoint: Endpoint): Promise<unknown> | undefined {
  const steps = [
    mayHaveBody(context) ? readBody(context).then(() => loadFieldMask(context)) : loadFieldMask(context),
    endpoint.request ? loadBodySchemas() : undefined,
    endpoint.prepare?.(),
  ].filter((step) => step !== undefined)
  return steps.length === 0 ? undefined : steps.length === 1 ? steps[0] : Promise.all(steps)
}

/**
 * Handles a request in one transaction, including its response: an error rolls back everything, even the account of a new
 * caller. Conference requests that are due are answered before, in a transaction of their own.
 */
function inTransaction(context: RequestContext, handle: (world: WorldData) => ApiResponse): ApiResponse {
  const { data, caller, controls, credentials } = context
  const { store } = data
  context.n = controls?.journal.nextNumber()
  const act = () =>
    applyToWorld(context, (world) => {
      if (credentials) ensureAccount(world, credentials)
      return handle(world)
    })
  if (context.isInspectorRead) return store.dryRun(act)
  store.withAuthor({ by: 'clock' }, () => settleNextRequestConferences(data))
  return store.withAuthor({ by: caller?.email, call: context.n }, () => store.transaction(act))
}

function toCall({ caller, params, body, rootUrl, request, calendar }: RequestContext, world: WorldData) {
  const ifMatch = request.headers.get('If-Match') ?? undefined
  return { world, caller, params, body, rootUrl, ifMatch, ...calendar } as Call & OnCalendar
}
