import type { Client } from './calendar.ts'

/** Creates a secondary calendar of a client. Returns its id. */
export const newCalendar = async (owner: Client, summary = 'Team'): Promise<string> =>
  (await owner.post('/calendars', { summary })).body.id

/** Grants a role on a calendar to a user, by e-mail address. */
export const share = (owner: Client, calendarId: string, value: string, role: string) =>
  owner.post(`/calendars/${calendarId}/acl`, { role, scope: { type: 'user', value } })

/** The address of the scope `default`, as ACL rules contain it. */
export const PUBLIC = '__public_principal__@public.calendar.google.com'

/** The error for a missing access level. */
export const needsRole = (role: string) => ({
  status: 403,
  domain: 'calendar',
  reason: 'requiredAccessLevel',
  message: `You need to have ${role} access to this calendar.`,
})
export const NOT_FOUND = { status: 404, domain: 'global', reason: 'notFound', message: 'Not Found' }
export const STALE = {
  status: 412,
  domain: 'global',
  reason: 'conditionNotMet',
  message: 'Precondition Failed',
  location: 'If-Match',
}
export const EXPIRED = {
  status: 410,
  domain: 'calendar',
  reason: 'fullSyncRequired',
  message: 'Sync token is no longer valid, a full sync is required.',
  location: 'syncToken',
}
/** Returns the error of a 400, as `errorOf` does. */
export const invalid = (message: string, location?: string, reason = 'invalid') => ({
  status: 400,
  domain: 'global',
  reason,
  message,
  ...(location && { location }),
})
