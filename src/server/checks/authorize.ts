import { ensureHolidays } from '../../api/calendars/publicCalendars.ts'
import type { Endpoint, OnCalendar } from '../../api/endpoint.ts'
import { requireCalendar, requireRole } from '../../model/access.ts'
import type { Caller, WorldData } from '../../model/worldData.ts'
import { type CallerCredentials, identifyCaller } from '../../oauth/credentials.ts'
import { apiError } from '../../schema/apiErrors.ts'
import { scopeViewsOf } from '../../schema/scopes.ts'
import type { RequestContext } from '../requestContext.ts'
import type { WorldEntry } from '../requestRecord.ts'

/** Throws 401 for missing, unknown, expired and revoked tokens. */
export function authenticate(
  { token, query, registry, record }: RequestContext,
  endpoint: Endpoint,
  { visit }: WorldEntry,
): CallerCredentials {
  const presented = { token, apiKey: query.get('key'), isPublic: endpoint.public === true }
  const credentials = identifyCaller(visit.world.data, presented, registry.options.auth)
  const { caller, client } = credentials
  record.identity = { credentials, caller, account: caller.email, client }
  return credentials
}

/** Throws 403 if the token has none of the scopes of the endpoint. A narrow scope limits what the caller sees. */
export function checkScopes(context: RequestContext, endpoint: Endpoint, credentials: CallerCredentials): Caller {
  const { transport, record } = context
  const { caller, scopes } = credentials
  const accepted = [...endpoint.scopes, ...(transport.extraScopes ?? [])]
  if (scopes && !accepted.some((scope) => scopes.includes(scope))) throw apiError('insufficientScope')
  const view = scopes && scopeViewsOf(accepted, scopes)
  if (!view) return caller
  const limited = { ...caller, scopeView: view }
  if (record.identity) record.identity = { ...record.identity, caller: limited }
  return limited
}

/** Throws 404 if there is no calendar for the caller. */
export function resolveCalendar(
  world: WorldData,
  endpoint: Endpoint,
  { calendarId }: { calendarId?: unknown },
  caller: Caller,
): OnCalendar | undefined {
  if (!endpoint.role) return undefined
  const id = String(calendarId)
  ensureHolidays(world, id)
  return requireCalendar(world, id, caller)
}

/** Throws 403 if the role of the caller is lower than the endpoint needs. */
export function checkRole(endpoint: Endpoint, calendar: OnCalendar | undefined): void {
  if (endpoint.role && calendar) requireRole(calendar.role, endpoint.role)
}
