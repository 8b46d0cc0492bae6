import { ensureHolidays } from '../../api/calendars/publicCalendars.ts'
import { requireCalendar, requireRole } from '../../model/access.ts'
import type { WorldData } from '../../model/worldData.ts'
import { identifyCaller } from '../../oauth/credentials.ts'
import { apiError } from '../../schema/apiErrors.ts'
import { scopeViewsOf } from '../../schema/scopes.ts'
import type { RequestContext } from '../requestContext.ts'

/** Identifies the caller. Throws 401 for missing, unknown, expired and revoked tokens. */
export function authenticate(context: RequestContext): void {
  const { data, token, query, endpoint, registry } = context
  const presented = { token, apiKey: query.get('key'), isPublic: endpoint?.public === true }
  const credentials = identifyCaller(data, presented, registry.options.auth)
  context.credentials = credentials
  context.caller = credentials.caller
}

/** Throws 403 if the token has none of the scopes of the endpoint. A narrow scope limits what the caller sees. */
export function checkScopes(context: RequestContext): void {
  const { credentials, endpoint } = context
  if (!credentials || !endpoint) return
  const { caller, client, scopes } = credentials
  if (scopes && !endpoint.scopes.some((scope) => scopes.includes(scope))) throw apiError('insufficientScope')
  const view = scopes && scopeViewsOf(endpoint.scopes, scopes)
  context.caller = view ? { ...caller, scopeView: view } : caller
  context.account = caller.email
  context.client = client
}

/** Finds the calendar of `calendarId` and the role of the caller on it. Throws 404 if there is none for the caller. */
export function resolveCalendar(context: RequestContext, world: WorldData): void {
  const { endpoint, params, caller } = context
  if (!endpoint?.role || !caller) return
  const calendarId = String(params.calendarId)
  ensureHolidays(world, calendarId)
  context.calendar = requireCalendar(world, calendarId, caller)
}

/** Throws 403 if the role of the caller is lower than the endpoint needs. */
export function checkRole({ endpoint, calendar }: RequestContext): void {
  if (endpoint?.role && calendar) requireRole(calendar.role, endpoint.role)
}
