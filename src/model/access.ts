import type { Records } from '../db/records.ts'
import { byText } from '../db/store.ts'
import { apiError, throwApiError } from '../schema/apiErrors.ts'
import type { Event } from '../schema/event.ts'
import { ROLES, type Role, type ScopeType } from '../schema/roles.ts'
import type { ScopeView } from '../schema/scopes.ts'
import { addressOf } from '../schema/values/address.ts'
import { IS_SUBSCRIBED, type Subscription } from './collections.ts'
import type { Caller, StoredCalendar, WorldData } from './worldData.ts'

export type Access = {
  world: WorldData
  calendar: StoredCalendar
  caller: Caller
  /** The role is limited by the scopes of the token. */
  role: Role
  /** The reminders of a former moment, for a later page of a list. */
  reminders?: Pick<WorldData['reminders'], 'get'>
}

export const atLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)

/** `user:a@example.com`; `default` has no value. */
export const ruleId = (type: ScopeType, value?: string): string => (type === 'default' ? type : `${type}:${value}`)

/** A service account that acts for itself and not for a user. */
export const isServiceAccount = ({ email }: Caller): boolean => email?.endsWith('.gserviceaccount.com') ?? false

export const isPrimary = (world: WorldData, calendarId: string): boolean => world.accounts.get(calendarId) !== undefined

/** `email` is in lower case; only direct membership counts. */
export const groupsOf = ({ groups }: WorldData, email: string): string[] => groups.records.idsWithKey([email])

/**
 * The highest role that rules give an account, its groups, its domain and the public. The scopes of the token limit it
 * (behaviour 1.5.1). `none` also on a calendar that does not exist. A deleted calendar
 * keeps its roles.
 */
export function roleOf(world: WorldData, calendarId: string, caller: Caller): Role {
  const { email } = caller
  const rules = world.acl.of(calendarId)
  const roleBy = (scope: string): Role => rules.get(scope)?.role ?? 'none'
  let role = roleBy(email ? ruleId('user', email) : 'default')
  if (email && role !== ROLES.at(-1)) {
    const groups = groupsOf(world, email).map((group) => roleBy(ruleId('group', group)))
    role = highestRole([role, roleBy('default'), roleBy(ruleId('domain', email.split('@')[1])), ...groups])
  }
  if (!caller.scopeView || role === 'none') return role
  return highestRole(caller.scopeView.map((view) => ROLES_IN_VIEW[view](world, calendarId, role, caller)))
}

const ROLES_IN_VIEW: Record<ScopeView, (world: WorldData, calendarId: string, role: Role, caller: Caller) => Role> = {
  owned: (_, __, role) => (role === 'owner' ? role : 'none'),
  times: () => 'freeBusyReader',
  public: ({ acl }, calendarId) => acl.get(calendarId)?.get('default')?.role ?? 'none',
  made: ({ creatorClients }, calendarId, role, { client }) =>
    client !== undefined && creatorClients.get(calendarId) === client ? role : 'none',
}

const highestRole = (roles: readonly Role[]): Role =>
  roles.reduce((most, role) => (atLeast(role, most) ? role : most), 'none')

/**
 * The id is that of a request: in upper or lower case, or `primary` for the caller's own calendar. Throws `notFound` (404) if
 * there is none, if it was deleted, and if the caller has no role.
 */
export function requireCalendar(
  world: WorldData,
  calendarId: string,
  caller: Caller,
): { calendar: StoredCalendar; role: Role } {
  const id = calendarId === 'primary' ? caller.email : addressOf(calendarId)
  const calendar = id === undefined ? undefined : world.calendars.get(id)
  if (!calendar || calendar.deleted) throw apiError('notFound')
  const role = roleOf(world, calendar.id, caller)
  return role === 'none' ? throwApiError('notFound') : { calendar, role }
}

/** Finds instances and cancelled events too. Throws `notFound` (404) if there is none or it was purged. */
export function requireEvent({ world, calendar }: Pick<Access, 'world' | 'calendar'>, eventId: string): Event {
  const events = world.events.of(calendar.id)
  const event = events.named(eventId)
  const isGone = event?.status === 'cancelled' && isPurged(events.records, event, world.clock.now())
  return event && !isGone ? event : throwApiError('notFound')
}

/** A deleted event can be read for this long (behaviour 14.51). */
export const DELETED_EVENT_LIFETIME_MS = 30 * 86_400_000

/**
 * A cancelled event was deleted so long ago that no method returns it. Its id stays taken. A cancelled instance counts from the deletion
 * of its series. `now` is milliseconds since the epoch.
 */
export function isPurged(records: Records<Event>, { id, recurringEventId }: Event, now: number): boolean {
  const master = recurringEventId === undefined ? undefined : records.get(recurringEventId)
  if (master && master.status !== 'cancelled') return false // a cancelled instance of a live series
  const deletedAt = Math.max(records.ownRevision(id), records.ownRevision(recurringEventId ?? id))
  return now * 1000 - deletedAt > DELETED_EVENT_LIFETIME_MS * 1000
}

/** Throws `needsRole` (403) if a caller's role is below the one that a method needs (behaviour 1.2). */
export function requireRole(role: Role, needed: Role): void {
  const least = needed === 'writer' ? 'writerWithoutPrivateAccess' : needed // this role writes all but private events
  if (!atLeast(role, least)) throw apiError('needsRole', { role: needed })
}

/** `*` and weak etags match too. */
export const matchesEtag = (etag: string, header: string): boolean =>
  etagsIn(header).some((one) => one === '*' || one === etag)

/** Throws `staleEtag` (412) unless `If-Match` is missing or matches the current etag. */
export function requireMatch(etag: string, ifMatch: string | undefined): void {
  if (ifMatch !== undefined && !matchesEtag(etag, ifMatch)) throw apiError('staleEtag')
}

/**
 * Throws `staleEtag` (412) unless `If-Match` is `*`, or contains an etag since which only the service has written the
 * event or its series (behaviour 11.8).
 */
export function requireEventMatch({ world, calendar }: Access, event: Event, ifMatch: string): void {
  const { id, etag, recurringEventId = id } = event
  const { records } = world.events.of(calendar.id)
  const version = records.version(id) ?? records.version(recurringEventId)
  const matchedSince = version?.matchedSince ?? version?.revision ?? Number.POSITIVE_INFINITY
  const isMatch = (one: string): boolean =>
    one === '*' || one === etag || (revisionIn(one) >= matchedSince && revisionIn(one) <= revisionIn(etag))
  if (!etagsIn(ifMatch).some(isMatch)) throw apiError('staleEtag')
}

const etagsIn = (ifMatch: string): string[] => ifMatch.split(',').map((etag) => etag.trim().replace(/^W\//, ''))
/** Half of the number in an event's etag: microseconds since 1970. NaN for another etag. */
const revisionIn = (etag: string): number => (/^"\d+"$/.test(etag) ? Number(etag.slice(1, -1)) / 2 : Number.NaN)

/** Sorted. Not all of them may read the calendar. */
export function subscribersOf(world: WorldData, calendarId: string, subscription: Subscription): string[] {
  const others = world.subscribers
    .range([subscription, calendarId], ([use, id]) => use === subscription && id === calendarId)
    .map(([, , email]) => String(email))
  const own = world.lists.get(calendarId)?.get(calendarId)
  if (!own || own.deleted || !IS_SUBSCRIBED[subscription](own)) return others
  return [...others, calendarId].sort(byText)
}

export function hasReadableEntry(world: WorldData, email: string, calendarId: string): boolean {
  const entry = world.lists.get(email)?.get(calendarId)
  return entry !== undefined && !entry.deleted && atLeast(roleOf(world, calendarId, { email }), 'reader')
}
