import { composeEvent } from '../events/draft.ts'
import { type Composed, clientPart, eventInOrder, type Origin, originOf } from '../events/fields.ts'
import { type Identity, identify } from '../events/ids.ts'
import { isOrganizers } from '../events/organizer.ts'
import { cancelled, isStub, unstamped } from '../events/stamps.ts'
import { checkBirth, checkDeletion } from '../events/types.ts'
import { isPrivate, isStricter } from '../events/visibility.ts'
import { merged, same, without } from '../store/merge.ts'
import type { Event, EventBody, EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { type Access, atLeast, isPrimary, isServiceAccount, requireMatch, storedEvent } from '../world/access.ts'
import type { Sending } from '../world/mail.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { settledAttendees } from './answers.ts'
import { answersOf } from './autoDecline.ts'
import { carried, type Knowing } from './carried.ts'
import { taken } from './conferenceRequests.ts'
import { leave, saveIfNew, writeAsGuest } from './guests.ts'
import { mailing } from './mailing.ts'
import { saveEvent } from './record.ts'

/** What a write may say beside its body. */
export type WriteParams = Sending & Knowing

export function insertEvent(access: Access, body: EventBody, params: WriteParams): Event {
  const { world, calendar } = access
  const draft = { ...readBody({}, body), ...carried(access, { body, params, how: 'insert' }) }
  checkBirth(draft)
  if (draft.status === 'cancelled') {
    refuse('invalidValue', { field: 'status', problem: 'an event cannot be born cancelled' })
  }
  const identity = identify(world.ids, draft)
  if (world.events.of(calendar.id).get(identity.id)) refuse('duplicate')
  const composed = composeEvent(calendar, draft, newOrigin(access, identity))
  requireInviter(access, composed)
  const saved = mailing(access, undefined, params, () =>
    taken(world, calendar, saveEvent(world, calendar, settled(world, calendar, undefined, composed))),
  )
  return withDeclined(access, undefined, saved)
}

/** Where a new event comes from: made by the caller, organized by the calendar (behaviour 3.2.8). */
export function newOrigin({ world, calendar, caller }: Access, { id, iCalUID }: Identity): Origin {
  const email = caller.email ?? refuse('loginRequired')
  return {
    id,
    iCalUID,
    created: `${new Date(world.clock.now()).toISOString().slice(0, 19)}.000Z`,
    creator: { email, ...(email === calendar.id && { self: true }) },
    organizer: organizerOf(world, calendar),
  }
}

/** A calendar as the organizer of what is on it. */
export const organizerOf = (world: World, calendar: StoredCalendar): Event['organizer'] => ({
  email: calendar.id,
  ...(!isPrimary(world, calendar.id) && { displayName: calendar.summary }),
  self: true,
})

const settled = (world: World, calendar: StoredCalendar, before: Event | undefined, after: Composed): Composed =>
  eventInOrder({ ...after, attendees: settledAttendees(world, calendar.id, before, after) })

/** Service accounts invite nobody, unless they act for somebody (behaviour 7.21). */
function requireInviter({ caller }: Access, { attendees }: Composed): void {
  if (attendees?.length && isServiceAccount(caller)) refuse('forbiddenForServiceAccounts')
}

/** A private event is not for those who write without private access. */
export function writableEvent(access: Access, eventId: string): Event {
  const event = storedEvent(access, eventId)
  if (isPrivate(event) && !atLeast(access.role, 'writer')) refuse('needsRole', { role: 'writer' })
  return event
}

export type EventWrite = { body: EventBody; params: WriteParams; ifMatch: string | undefined; how: 'patch' | 'update' }

/**
 * PUT replaces what clients write, PATCH merges into it (behaviour 3.9.1, 3.9.2). The first write to an instance stores
 * it, as an exception to its series.
 */
export function writeEvent(access: Access, eventId: string, { body, params, ifMatch, how }: EventWrite): Event {
  const { calendar } = access
  const current = writableEvent(access, eventId)
  requireMatch(current.etag, ifMatch)
  const reviving = body.status && body.status !== 'cancelled'
  if (how === 'update' && current.status === 'cancelled' && !reviving) refuse('forbidden')
  if (isStub(current)) refuse('invalidTime', { which: 'start' }) // behaviour 2.2.2: the event has moved to another calendar
  const base = how === 'patch' ? clientPart(current) : {}
  const draft = { ...readBody(base, body), ...carried(access, { current, body, params, how }) }
  if (how === 'patch' && body.reminders?.useDefault && !body.reminders.overrides) draft.reminders = { useDefault: true }
  if (how === 'update') draft.reminders ??= { useDefault: true } // behaviour 14.8
  if (how === 'update') draft.eventType ??= 'default' // behaviour 8.2.1
  if (body.attendeesOmitted) draft.attendees = withOmitted(current, draft)
  const composed = composeEvent(calendar, { ...draft, attendeesOmitted: undefined }, originOf(current), current)
  if (!same([current.attendees], [composed.attendees])) requireInviter(access, composed)
  const write = isOrganizers(current, calendar.id) ? writeAsOrganizer : writeAsGuest
  const saved = mailing(access, current, params, () => taken(access.world, calendar, write(access, current, composed)))
  return saved === current ? saved : withDeclined(access, current, saved)
}

/** Writes the answers that events with auto-decline give to this write (behaviour 8.13). */
function withDeclined(access: Access, before: Event | undefined, saved: Event): Event {
  const { world } = access
  const answers = answersOf(world, access.calendar, before, saved)
  for (const { calendarId, eventId, body } of answers) {
    const calendar = world.calendars.get(calendarId) ?? refuse('notFound')
    const guest: Access = { world, calendar, caller: { email: calendarId }, role: 'owner' }
    writeEvent(guest, eventId, { body, params: {}, ifMatch: undefined, how: 'patch' })
  }
  return answers.length > 0 ? storedEvent(access, saved.id) : saved
}

/** Visibility is the series': a stricter one of an instance is written to the series, a laxer one is not taken (behaviour 4.5.2). */
function writeAsOrganizer({ world, calendar }: Access, current: Event, composed: Composed): Event {
  const after = settled(world, calendar, current, composed)
  const master = current.recurringEventId && world.events.of(calendar.id).get(current.recurringEventId)
  if (!master) return saveIfNew(world, calendar.id, current, after)
  const stricter = isStricter(after, master)
  const { visibility } = stricter ? after : master
  if (stricter) saveEvent(world, calendar, eventInOrder({ ...unstamped(master), visibility }))
  return saveIfNew(
    world,
    calendar.id,
    storedEvent({ world, calendar }, current.id),
    eventInOrder({ ...after, visibility }),
  )
}

/** With `attendeesOmitted` the attendees named are written and the others left as they are (behaviour 7.19). */
function withOmitted({ attendees = [] }: Event, { attendees: named = [] }: EventDraft): EventDraft['attendees'] {
  const others = attendees.filter(({ email }) => !named.some((one) => one.email?.toLowerCase() === email))
  const known = attendees.filter((one) => !others.includes(one))
  return [...others, ...known, ...named]
}

/** A body merged into what was there, without the fields that `carried` decides on. */
export const readBody = (base: object, body: EventBody): EventDraft =>
  merged(base, without(body, 'attachments', 'conferenceData', 'eventLabelId'))

export function deleteEvent(access: Access, eventId: string, ifMatch: string | undefined, sending: Sending): void {
  const current = writableEvent(access, eventId)
  if (current.status === 'cancelled') refuse('deleted')
  requireMatch(current.etag, ifMatch)
  checkDeletion(current)
  mailing(access, current, sending, () => removeEvent(access.world, access.calendar, current))
}

/** The organizer deletes the event for all guests, a guest their own copy (behaviour 7.4). */
const removeEvent = (world: World, calendar: StoredCalendar, event: Event): Event =>
  isOrganizers(event, calendar.id) ? saveEvent(world, calendar, cancelled(event)) : leave(world, calendar.id, event)

export function cancelAll(world: World, calendar: StoredCalendar): void {
  for (const event of world.events.of(calendar.id).values()) {
    if (event.status !== 'cancelled') removeEvent(world, calendar, event)
  }
}
