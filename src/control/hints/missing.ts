import { atLeast, roleOf } from '../../model/access.ts'
import type { Caller, StoredCalendar, WorldData } from '../../model/worldData.ts'
import { isEmail } from '../../oauth/credentials.ts'
import type { Role } from '../../schema/roles.ts'
import { scopeViewsOf } from '../../schema/scopes.ts'
import { addressOf } from '../../schema/values/address.ts'
import { findMisspelled } from '../../schema/values/nearest.ts'
import { shorten } from '../../schema/values/shownText.ts'
import type { Hint } from '../journal/recordedCall.ts'
import { type RejectedRequest, resolveCalendarId } from './rejectedRequest.ts'
import { createHint } from './table.ts'

type CallerInWorld = Pick<RejectedRequest, 'world' | 'caller' | 'scopes'>

export function explainNotFound(request: RejectedRequest): Hint | undefined {
  const { caller, params } = request
  const id = resolveCalendarId(params, caller)
  const destination = resolveCalendarId({ calendarId: params.destination ?? '' }, caller)
  return (
    explainMissingCalendar(request, id) ??
    explainMissingEvent(request, id) ??
    (params.destination === undefined ? undefined : explainMissingCalendar(request, destination))
  )
}

/** Returns a hint if the caller cannot see the calendar. */
export function explainMissingCalendar(request: CallerInWorld, id: string | undefined): Hint | undefined {
  const { world, caller } = request
  if (id === undefined) return undefined
  const calendar = world.calendars.get(id)
  if (!calendar && id === caller?.email) return undefined // a refused request does not make the account
  if (!calendar || calendar.deleted) return explainUnknownCalendar(world, id)
  if (caller && roleOf(world, id, caller) !== 'none') return undefined
  return (
    explainScopeView(request, id, 'freeBusyReader') ??
    createHint(
      'FC301',
      `${shorten(id)} exists, but ${nameOf(caller)} has no role on it`,
      'Share the calendar with acl.insert, or send the request as its owner',
    )
  )
}

export function explainNeededRole(request: RejectedRequest): Hint {
  const { world, caller, params, details } = request
  const role = details.role as Role
  const roleOn = (id: string | undefined): Role => (id === undefined || !caller ? 'none' : roleOf(world, id, caller))
  const source = resolveCalendarId(params, caller)
  const destination = resolveCalendarId({ calendarId: params.destination ?? '' }, caller)
  const id = (destination && atLeast(roleOn(source), role) ? destination : source) ?? ''
  return (
    explainScopeView(request, id, role) ??
    createHint(
      'FC305',
      `The role of ${nameOf(caller)} on ${shorten(id)} is ${roleOn(id)}`,
      `Grant the role ${role} with acl.insert, or send the request as the owner`,
    )
  )
}

/** Returns a hint if the account has the role `needed`, but a scope of its token limits it (behaviour 1.5.1). */
function explainScopeView({ world, caller, scopes }: CallerInWorld, id: string, needed: Role): Hint | undefined {
  if (!caller?.scopeView) return undefined
  const role = roleOf(world, id, { ...caller, scopeView: undefined })
  if (!atLeast(role, needed)) return undefined
  return createHint(
    'FC306',
    `${nameOf(caller)} has the role ${role} on ${shorten(id)}, but ${roleOf(world, id, caller)} with the scopes of the token`,
    'Request one of the scopes without this limit',
    scopes.filter((scope) => scopeViewsOf(scopes, [scope]) === undefined),
  )
}

const nameOf = (caller: Caller | undefined): string => caller?.email ?? 'an anonymous caller'

const MAX_SEARCHED_CALENDARS = 200

const listStoredCalendars = ({ calendars }: WorldData): StoredCalendar[] =>
  listFirst(calendars.values(), MAX_SEARCHED_CALENDARS).filter(({ deleted }) => !deleted)

/** Returns the hint on the first calendar of a query of free/busy that was not found. `reply` is the response. */
export function explainFreeBusy(request: CallerInWorld, reply: string): Hint | undefined {
  if (!reply.includes('"notFound"')) return undefined
  const { calendars = {} }: { calendars?: Record<string, { errors?: unknown }> } = JSON.parse(reply)
  const [id] = Object.keys(calendars).filter((one) => calendars[one]?.errors)
  return id === undefined
    ? undefined
    : explainMissingCalendar(request, id === 'primary' ? request.caller?.email : addressOf(id))
}

function explainUnknownCalendar(world: WorldData, id: string): Hint {
  const known = listStoredCalendars(world).map((one) => one.id)
  const nearest = findMisspelled(id, known)
  const isAccount = isEmail(id) && !id.endsWith('.calendar.google.com')
  if (nearest === undefined && isAccount && !world.calendars.records.has(id))
    return createHint(
      'FC303',
      `The calendar ${shorten(id)} does not exist: no seed has the account, and no request was sent as it`,
      'Seed the account, or send a request as it first',
    )
  return createHint(
    'FC303',
    `The calendar ${shorten(id)} does not exist`,
    nearest === undefined ? 'Send primary, or an id of calendarList.list' : `Did you mean ${nearest}?`,
  )
}

function explainMissingEvent({ world, caller, params }: RejectedRequest, id: string | undefined): Hint | undefined {
  const { eventId } = params
  if (typeof eventId !== 'string' || id === undefined || hasEvent(world, id, eventId)) return undefined
  const calendars = listStoredCalendars(world)
  const found = calendars.filter((one) => hasEvent(world, one.id, eventId))
  const isReadable = ({ id }: StoredCalendar): boolean =>
    caller !== undefined && atLeast(roleOf(world, id, caller), 'reader')
  const other = found.find(isReadable) ?? found[0]
  if (other)
    return createHint(
      'FC304',
      `${shorten(eventId)} is an event of ${other.id}`,
      isReadable(other) ? 'Send that calendarId' : 'Send that calendarId as an account that may read it',
    )
  const upper = eventId.replace(/_(\d{8})t(\d{6})z$/, '_$1T$2Z')
  if (upper !== eventId && hasEvent(world, id, upper))
    return createHint('FC304', `${shorten(eventId)} is in lower case`, `Write ${shorten(upper)}`)
  const owner = calendars.find((one) => world.events.get(one.id)?.named(eventId))
  if (owner)
    return createHint('FC311', `${shorten(eventId)} was deleted from ${owner.id}`, 'Insert a new event without an id')
  return createHint('FC310', `No calendar has an event ${shorten(eventId)}`, proposeEvent(world, id, eventId))
}

function proposeEvent(world: WorldData, calendarId: string, eventId: string): string {
  const ofUid = eventId.replace(/@google\.com$/, '')
  if (ofUid !== eventId && hasEvent(world, calendarId, ofUid)) return `Send its id ${shorten(ofUid)}, not its iCalUID`
  const master = eventId.replace(/_\d{8}(T\d{6}Z)?$/, '')
  if (master !== eventId && hasEvent(world, calendarId, master))
    return `Send an id of events.instances: ${shorten(master)} has no instance at that time`
  const nearest = findMisspelled(
    eventId,
    listFirst(world.events.get(calendarId)?.records.values() ?? [], MAX_SEARCHED_EVENTS).map((one) => one.id),
  )
  return nearest === undefined ? 'Send the id of a reply or of events.list' : `Did you mean ${nearest}?`
}

const MAX_SEARCHED_EVENTS = 200

function listFirst<T>(records: Iterable<T>, limit: number): T[] {
  const first: T[] = []
  for (const record of records) if (first.push(record) === limit) break
  return first
}

function hasEvent(world: WorldData, calendarId: string, eventId: string): boolean {
  const event = world.events.get(calendarId)?.named(eventId)
  return event !== undefined && event.status !== 'cancelled'
}

const MAX_SEARCHED_ACCOUNTS = 200

/** Finds the account that a new one may misspell. Accounts that differ in digits only are a row, such as user1 and user2. */
export function findSeededAccount({ accounts, changes }: WorldData, address: string): string | undefined {
  const isSeeded = (email: string) => {
    const version = accounts.records.version(email)
    return version !== undefined && changes.writes.authorOf(version.createdRevision ?? version.revision) !== email
  }
  const withoutDigits = (email: string) => email.replace(/\d+/g, '')
  const others = listFirst(accounts.values(), MAX_SEARCHED_ACCOUNTS)
    .map(({ email }) => email)
    .filter((email) => withoutDigits(email) !== withoutDigits(address))
  const nearest = findMisspelled(address, others)
  return nearest !== undefined && isSeeded(nearest) ? nearest : undefined
}
