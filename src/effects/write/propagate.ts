import { isPrimary } from '../../model/access.ts'
import { isOrganizerCopy, readAttendees, withSelf } from '../../model/events/compose.ts'
import {
  type CalendarField,
  type Composed,
  changedFields,
  eventInOrder,
  FIELD_RULES,
  fieldsOf,
  isTombstone,
  meetingPart,
  toCancelled,
  toTombstone,
  withCopyPart,
  withoutStamps,
} from '../../model/events/fields.ts'
import { isMaster, linkOf } from '../../model/events/series.ts'
import { formatUtc, instantOfTime, isMoved, spanOfTimes } from '../../model/events/times.ts'
import type { WorldData } from '../../model/worldData.ts'
import { formatDate } from '../../recurrence/format.ts'
import type { Event, EventAttendee } from '../../schema/event.ts'
import { addressOf, isSameAddress } from '../../schema/values/address.ts'
import { isEqual, without } from '../../schema/values/json.ts'
import { hasConflict } from '../roomConflicts.ts'
import type { PlacedEvent, WritePlan } from './writePlan.ts'

/** A write to the master of a series. `cancelledAt` is that of the series before this write. */
export type SeriesChange = { before: Composed; cancelledAt: number; after: Composed }

type Inheritance = SeriesChange & {
  fields: readonly (keyof Event)[]
  isEnd: boolean
}

/**
 * Returns the exceptions of a series that a write to its master changes. An exception keeps the fields that differ from
 * the master, and takes all other fields from the master (behaviour 4.6.1). The cost is linear in the number of
 * exceptions, if any field that they inherit changes.
 */
export function findChangedExceptions(plan: WritePlan, calendarId: string, change: SeriesChange): Composed[] {
  const { before, after } = change
  const fields = changedFields(before, after).filter((field) => FIELD_RULES[field].inherited !== false)
  const isGuestCopy = after.organizer?.email !== calendarId && !after.privateCopy
  const inheritance: Inheritance = { ...change, fields, isEnd: endsSeries(change) }
  if (fields.length === 0 && !affectsInstances(change)) return []
  return plan.exceptionsOf(calendarId, after.id).flatMap((id) => {
    const exception = plan.record(calendarId, id)
    if (!exception) return []
    const isCancelledTogether = plan.cancelledAt(calendarId, id) === change.cancelledAt
    const isHeld = isGuestCopy && findOrganizerEvent(plan.world, exception, plan)?.event.status === 'cancelled'
    return afterSeries(exception, inheritance, isCancelledTogether && !isHeld) ?? []
  })
}

const endsSeries = ({ before, after }: SeriesChange): boolean =>
  after.status === 'cancelled' ||
  !isMaster(after) ||
  (before.start.date === undefined) !== (after.start.date === undefined)

const affectsInstances = (change: SeriesChange): boolean =>
  endsSeries(change) ||
  change.before.status !== change.after.status ||
  durationOf(change.before) !== durationOf(change.after) ||
  !isEqual([change.before.attendees], [change.after.attendees])

/**
 * Returns an exception after a write to its series, or undefined if it does not change. It is cancelled if the series is
 * deleted, stops recurring, or changes between dates and times. If a deleted series is restored, so are the exceptions
 * that its deletion cancelled (`isCancelledTogether`).
 */
function afterSeries(
  exception: Composed,
  inheritance: Inheritance,
  isCancelledTogether: boolean,
): Composed | undefined {
  const { before, after, isEnd } = inheritance
  const isCancelled = exception.status === 'cancelled'
  if (isTombstone(exception)) return undefined // it has no content to inherit (behaviour 7.16)
  if (isTombstone(after)) return toTombstone(exception)
  if (isEnd) return isCancelled ? undefined : toCancelled(exception)
  const returns = isCancelled && before.status === 'cancelled' && isCancelledTogether
  return inheritFields(exception, inheritance, returns ? after.status : exception.status)
}

function inheritFields(
  exception: Composed,
  { before, after, fields }: Inheritance,
  status: Event['status'],
): Composed | undefined {
  const values: Partial<Event> = exception
  const inherited = fields.filter((field) => isEqual([values[field]], [(before as Partial<Event>)[field]]))
  const end = endOf(exception, before, after)
  const own = attendeesOf(exception, before, after)
  const attendees = isMoved(exception, { start: exception.start, end }) ? resetResponses(own, after) : own
  const isSame = isEqual([status, attendees, end], [exception.status, exception.attendees ?? [], exception.end])
  if (inherited.length === 0 && isSame) return undefined
  return eventInOrder<Composed>({ ...withoutStamps(exception), ...fieldsOf(after, inherited), status, attendees, end })
}

/**
 * Returns the attendees of an exception. Attendees that differ from the series stay, unless the series removes them. All
 * other attendees follow the series.
 */
function attendeesOf(
  { attendees: own = [] }: Composed,
  { attendees: before = [] }: Composed,
  { attendees: after = [] }: Composed,
) {
  const find = (all: EventAttendee[], { email }: EventAttendee) =>
    all.find((other) => isSameAddress(other.email, email))
  const remaining = own.filter((one) => find(after, one) || !find(before, one))
  const added = after.filter((one) => !find(own, one) && !find(before, one))
  return [...remaining.map((one) => (isEqual([one], [find(before, one)]) ? (find(after, one) ?? one) : one)), ...added]
}

/**
 * Returns the attendees of an exception whose time changes with the series: with the responses of the series, or else
 * `needsAction` (behaviour 7.2). The organizer's response stays.
 */
const resetResponses = (attendees: readonly EventAttendee[], { attendees: ofSeries = [] }: Composed): EventAttendee[] =>
  attendees.map((one) => {
    const other = ofSeries.find(({ email }) => isSameAddress(email, one.email))
    return one.organizer ? one : withResponse(one, other ? responseOf(other) : { responseStatus: 'needsAction' })
  })

/** Returns the end of an exception. It follows the length of the series only if it has its original start and length. */
function endOf(exception: Composed, before: Composed, after: Composed): Event['end'] {
  const { dated, start } = spanOfTimes(exception)
  const isRescheduled = start !== instantOfTime(exception.originalStartTime ?? exception.start)
  if (isRescheduled || durationOf(exception) !== durationOf(before) || durationOf(before) === durationOf(after))
    return exception.end
  const end = start + durationOf(after)
  return dated ? { date: formatDate(end) } : { ...exception.end, dateTime: formatUtc(end) }
}

const durationOf = ({ start, end }: Composed): number => instantOfTime(end) - instantOfTime(start)

/** Returns the copies to write when the organizer's event changes (behaviour 7.1, 7.4). */
export function findChangedCopies(plan: WritePlan, before: Composed | undefined, after: Composed): PlacedEvent[] {
  const guests = guestsOf(plan.world, after)
  const copies: PlacedEvent[] = []
  for (const email of guests) copies.push(...copyFor(plan, email, after))
  for (const email of before ? guestsOf(plan.world, before) : [])
    if (!guests.includes(email)) copies.push(...droppedCopy(plan, email, after))
  return copies
}

/** Attendees with a calendar in this world, and the members of groups among them, without the organizer. */
export function guestsOf(
  world: WorldData,
  { attendees = [], organizer }: Pick<Composed, 'attendees' | 'organizer'>,
): string[] {
  if (attendees.length === 0) return []
  const invited = attendees.flatMap(({ email }) => {
    const address = addressOf(email)
    return [address, ...(world.groups.get(address)?.members ?? [])]
  })
  return [...new Set(invited)].filter((email) => email !== organizer?.email && isInvited(world, email))
}

/** Invitations go to the calendar of an account or of a room. */
export const isInvited = (world: WorldData, email: string): boolean => isPrimary(world, email) || isRoom(world, email)

/** Returns true if an address is a room that answers invitations by itself (behaviour 15.14). */
export function isRoom(world: WorldData, email: string): boolean {
  const calendar = world.calendars.get(email)
  return calendar?.autoAcceptInvitations === true && !calendar.deleted
}

/**
 * Returns the copy to write for a guest, and the copies of instances that return with their series. Returns none if the
 * copy is up to date, if the guest has no copy of a cancelled event, and if a different event has this id.
 */
export function copyFor(plan: WritePlan, email: string, event: Composed): PlacedEvent[] {
  const current = plan.find(email, event.id)
  if (!current && event.status === 'cancelled') return []
  if (current && !isCopyOf(plan, email, current, event)) return [] // another event has this id on the guest's calendar
  const copy = composeCopy(email, event, current)
  if (current && isEqual(withoutStamps(current), copy)) return []
  const back = current && isTombstone(current) ? returningInstances(plan, email, event) : []
  return [{ calendarId: email, event: copy }, ...back]
}

const returningInstances = (plan: WritePlan, email: string, { id, organizer }: Composed): PlacedEvent[] =>
  plan.exceptionsOf(email, id).flatMap((exceptionId) => {
    const lost = plan.record(email, exceptionId)
    const instance = plan.find(organizer?.email ?? '', exceptionId)
    return lost && isTombstone(lost) && instance && guestsOf(plan.world, instance).includes(email)
      ? [{ calendarId: email, event: composeCopy(email, instance, undefined) }]
      : []
  })

/** Returns the tombstone that a removed guest keeps (behaviour 7.16). Returns none if the guest has no copy. */
function droppedCopy(plan: WritePlan, email: string, event: Composed): PlacedEvent[] {
  const current = plan.find(email, event.id)
  return current && !isTombstone(current) && isCopyOf(plan, email, current, event)
    ? [{ calendarId: email, event: toTombstone(current) }]
    : []
}

/**
 * Returns true if the event with this id on a guest's calendar is a copy of `event`: it has the same organizer, or its
 * organizer has moved it to the organizer of `event`.
 */
function isCopyOf(plan: WritePlan, email: string, current: Composed, event: Composed): boolean {
  const organizer = current.organizer?.email
  if (current.iCalUID !== event.iCalUID || current.privateCopy || organizer === email) return false
  if (organizer === undefined || organizer === event.organizer?.email) return true
  return plan.record(organizer, current.recurringEventId ?? current.id)?.organizer?.email !== organizer
}

function composeCopy(email: string, event: Composed, stored: Composed | undefined): Composed {
  const current = stored && !isTombstone(stored) ? stored : undefined // a tombstone has no content to keep
  const { id, iCalUID, created, creator, organizer, recurringEventId, originalStartTime, hangoutLink } = event
  const copy = toCalendar(email, {
    ...withCopyPart(meetingPart(event), current ?? firstCopyPart(event)),
    ...{ id, iCalUID, created: current?.created ?? created, recurringEventId, originalStartTime, hangoutLink },
    ...{ start: event.start, end: event.end, status: event.status, creator, organizer, locked: current?.locked },
  })
  const response = copy.attendees?.find(({ self }) => self)?.responseStatus
  return current?.status === 'cancelled' && response === 'declined' ? { ...copy, status: 'cancelled' } : copy
}

const firstCopyPart = ({ visibility, transparency }: Composed) => ({
  visibility,
  transparency,
  reminders: { useDefault: true },
})

export function toCalendar(calendarId: string, event: Omit<Composed, 'htmlLink'>): Composed {
  const { creator, organizer, attendees } = event
  const ofCalendar = {
    htmlLink: linkOf(event, calendarId),
    creator: withSelf(creator, calendarId),
    organizer: withSelf(organizer, calendarId),
    attendees: readAttendees(attendees, organizer?.email ?? '', calendarId),
  } satisfies Pick<Event, CalendarField> & { [F in Exclude<keyof Event, CalendarField>]?: never }
  return eventInOrder<Composed>({ ...event, ...ofCalendar })
}

/**
 * Returns the organizer's event of a copy. Returns undefined for a private copy, and if the organizer has no calendar or
 * only a tombstone in this world. Reads the event as planned, else as stored.
 */
export function findOrganizerEvent(
  world: WorldData,
  { id, iCalUID, organizer, privateCopy }: Composed,
  plan?: WritePlan,
): PlacedEvent | undefined {
  const calendarId = organizer?.email
  if (!calendarId || privateCopy || world.calendars.get(calendarId) === undefined) return undefined
  const event = plan ? plan.find(calendarId, id) : world.events.of(calendarId).named(id)
  return event && event.iCalUID === iCalUID && !isTombstone(event) ? { calendarId, event } : undefined
}

/** Returns the organizer's event of an event on a calendar; the event itself if it has none in this world. */
export const findMeeting = (world: WorldData, calendarId: string, event: Composed): PlacedEvent =>
  (isOrganizerCopy(event, calendarId) ? undefined : findOrganizerEvent(world, event)) ?? { calendarId, event }

export type Response = Pick<EventAttendee, 'responseStatus' | 'comment' | 'additionalGuests'>

export const responseOf = ({ responseStatus, comment, additionalGuests }: EventAttendee): Response => ({
  responseStatus,
  ...(comment && { comment }),
  ...(additionalGuests && { additionalGuests }),
})

export const withResponse = (attendee: EventAttendee, response: Response): EventAttendee => ({
  ...without(attendee, 'responseStatus', 'comment', 'additionalGuests'),
  ...response,
})

/** A write to a meeting: on which calendar, by which account, and which attendees it names without a response. */
export type MeetingWrite = { calendarId: string; by: string; withoutResponse?: ReadonlySet<string> }

/**
 * Returns the attendees of a meeting with their responses after a write. Only a guest's own write changes that guest's
 * response. If the write names a guest without a response, that response is reset to `needsAction`; a new time resets all
 * (behaviour 7.2, 7.10, 14.34). Rooms respond at once. Attendees without a calendar in this world keep written responses.
 */
export function resolveResponses(
  world: WorldData,
  { calendarId, by, withoutResponse }: MeetingWrite,
  before: Composed | undefined,
  after: Composed,
): EventAttendee[] {
  const moved = isMoved(before, after)
  const known = new Map(before?.attendees?.map((one) => [addressOf(one.email), one]))
  return (after.attendees ?? []).map((attendee) => {
    const email = addressOf(attendee.email)
    const stored = known.get(email)
    if (email === by || email === calendarId) return attendee
    const isAsked = !stored || moved || withoutResponse?.has(email)
    if (isAsked && isRoom(world, email)) return withResponse(attendee, roomResponse(world, email, calendarId, after))
    if (moved) return withResponse(attendee, { responseStatus: 'needsAction' })
    if (!stored || !isInvited(world, email)) return attendee
    return withResponse(attendee, isAsked ? { responseStatus: 'needsAction' } : responseOf(stored))
  })
}

/** Returns a room's response: accepted if it is free at every instance, else declined (behaviour 7.17, 14.35). */
export function roomResponse(world: WorldData, email: string, calendarId: string, event: Composed): Response {
  const room = world.calendars.get(email)
  return { responseStatus: room && hasConflict(world, room, calendarId, event) ? 'declined' : 'accepted' }
}

export function withGuestResponse(
  attendees: readonly EventAttendee[] = [],
  guest: EventAttendee | undefined,
  added: readonly EventAttendee[],
): EventAttendee[] {
  if (!guest) return [...attendees, ...added]
  const at = attendees.findIndex(({ email }) => isSameAddress(email, guest.email))
  const known = attendees[at]
  const others = known ? attendees.with(at, withResponse(known, responseOf(guest))) : [...attendees, guest]
  return [...others, ...added]
}
