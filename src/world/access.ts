import type { Collection } from '../db/collection.ts'
import type { Event } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { ROLES, type Role, type ScopeType } from '../wire/roles.ts'
import { addressOf } from '../wire/values/address.ts'
import type { Caller, Sight, StoredCalendar, World } from './world.ts'

/** Somebody at a calendar, with the role that they have on it. */
export type Access = { world: World; calendar: StoredCalendar; caller: Caller; role: Role }

export const atLeast = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)

export const ruleId = (type: ScopeType, value?: string): string => (type === 'default' ? type : `${type}:${value}`)

/** Whether the caller is a service account acting for itself, and not for a user. */
export const isServiceAccount = ({ email }: Caller): boolean => email?.endsWith('.gserviceaccount.com') ?? false

/** An account's primary calendar bears its address. */
export const isPrimary = (world: World, calendarId: string): boolean => world.accounts.get(calendarId) !== undefined

/** The groups that an address is a member of. */
export const groupsOf = ({ groups }: World, email: string): string[] => groups.records.keyed([email])

/** A caller's role on a calendar, as far as the scopes of their token let them see it (behaviour 1.5.1). */
export function roleOf(world: World, calendarId: string, caller: Caller): Role {
  const role = ownRoleOf(world, calendarId, caller)
  if (!caller.sight || role === 'none') return role
  return highest(caller.sight.map((sight) => SEEN[sight](world, calendarId, role, caller)))
}

/** The role that is left of an account's own through each kind of sight: the widest counts. */
const SEEN: Record<Sight, (world: World, calendarId: string, role: Role, caller: Caller) => Role> = {
  owned: (_, __, role) => (role === 'owner' ? role : 'none'),
  times: () => 'freeBusyReader',
  public: ({ acl }, calendarId) => acl.get(calendarId)?.get('default')?.role ?? 'none',
  made: ({ makers }, calendarId, role, { client }) =>
    client !== undefined && makers.get(calendarId) === client ? role : 'none',
}

const highest = (roles: readonly Role[]): Role =>
  roles.reduce((most, role) => (atLeast(role, most) ? role : most), 'none')

/** The highest of the roles that rules give an account, its groups, its domain and the public. */
function ownRoleOf(world: World, calendarId: string, { email }: Caller): Role {
  const rules = world.acl.of(calendarId)
  const roleBy = (scope: string): Role => rules.get(scope)?.role ?? 'none'
  if (!email) return roleBy('default')
  const own = roleBy(ruleId('user', email))
  if (own === ROLES.at(-1)) return own
  const groups = groupsOf(world, email).map((group) => roleBy(ruleId('group', group)))
  return highest([own, roleBy('default'), roleBy(ruleId('domain', email.split('@')[1])), ...groups])
}

/**
 * The calendar that an id names to a caller, and their role on it: `primary` is their own. One that they have no role on is
 * not found.
 */
export function roleFor(world: World, calendarId: string, caller: Caller): { calendar: StoredCalendar; role: Role } {
  const id = calendarId === 'primary' ? caller.email : addressOf(calendarId)
  const calendar = id === undefined ? undefined : world.calendars.get(id)
  if (!calendar || calendar.deleted) return refuse('notFound')
  const role = roleOf(world, calendar.id, caller)
  return role === 'none' ? refuse('notFound') : { calendar, role }
}

/** The event, or the instance of a series, that an id names on a calendar. */
export function requireEvent({ world, calendar }: Pick<Access, 'world' | 'calendar'>, eventId: string): Event {
  const events = world.events.of(calendar.id)
  const event = events.named(eventId)
  return event && !isPurged(events, event, world.clock.now()) ? event : refuse('notFound')
}

/** How long a deleted event can still be read (behaviour 14.51). */
const MEMORY = 30 * 86_400_000

/** Whether an event was deleted so long ago that nothing tells of it any more, but that its id stays taken. */
export function isPurged(
  records: Pick<Collection<Event>, 'get' | 'writtenAt'>,
  { id, status, recurringEventId }: Event,
  now: number,
): boolean {
  if (status !== 'cancelled') return false
  const master = recurringEventId === undefined ? undefined : records.get(recurringEventId)
  if (master && master.status !== 'cancelled') return false // an instance that its series lacks
  const written = Math.max(records.writtenAt(id), records.writtenAt(recurringEventId ?? id))
  return now * 1000 - written > MEMORY * 1000
}

/** The role that a caller has on a calendar must be at least the one needed (behaviour 1.2). */
export function requireRole(role: Role, needed: Role): void {
  const least = needed === 'writer' ? 'writerWithoutPrivateAccess' : needed // the role that may write all but private events
  if (!atLeast(role, least)) refuse('needsRole', { role: needed })
}

/** `*` stands for any version; a version that is no longer the current one refuses the write. */
export function requireMatch(etag: string, ifMatch: string | undefined): void {
  if (ifMatch === undefined || ifMatch === '*') return
  if (!ifMatch.split(',').some((wanted) => wanted.trim().replace(/^W\//, '') === etag)) refuse('staleEtag')
}
