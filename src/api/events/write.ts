import { answersOf } from '../../effects/autoDecline.ts'
import { taken } from '../../effects/conferences.ts'
import { type MeetingWrite, meetingBehind, settledAttendees } from '../../effects/guests.ts'
import { leave, saveIfNew, writeAsGuest } from '../../effects/guestWrites.ts'
import { mailing } from '../../effects/mail.ts'
import { saveEvent } from '../../effects/propagate.ts'
import { isOrganizers, unansweredIn, withNamed, withoutIds } from '../../model/attendees.ts'
import { checkLimits, composeEvent, raised } from '../../model/compose.ts'
import {
  type Composed,
  cancelled,
  changedFields,
  clientPart,
  eventInOrder,
  isPrivate,
  isStricter,
  isStub,
  type Origin,
  originOf,
  unstamped,
} from '../../model/fields.ts'
import { type Identity, identify } from '../../model/ids.ts'
import { checkBirth, checkDeletion } from '../../model/types.ts'
import { instantText } from '../../recurrence/written.ts'
import { merged, same, without } from '../../store/merge.ts'
import type { Event, EventBody, EventDraft } from '../../wire/event.ts'
import { refuse } from '../../wire/refusals.ts'
import { type Access, atLeast, isPrimary, isServiceAccount, requireMatch, storedEvent } from '../../world/access.ts'
import type { Sending } from '../../world/mail.ts'
import { remindersOf, withRemindersAside } from '../../world/reminders.ts'
import type { StoredCalendar, World } from '../../world/world.ts'
import { carried, type Knowing } from './gatedFields.ts'

/** What a write may say beside its body. */
export type WriteParams = Sending & Knowing

export function insertEvent(access: Access, body: EventBody, params: WriteParams): Event {
  const { world, calendar } = access
  const draft = Object.assign(readBody({}, body), carried(access, { body, params, how: 'insert' }))
  checkBirth(draft)
  requireKind(access, draft)
  if (draft.status === 'cancelled') {
    refuse('invalidValue', { field: 'status', problem: 'an event cannot be born cancelled' })
  }
  const identity = identify(world.ids, draft)
  if (world.events.of(calendar.id).get(identity.id)) refuse('duplicate')
  checkLimits(draft)
  const { composed } = withRemindersAside(access, undefined, composeEvent(calendar, draft, newOrigin(access, identity)))
  requireInviter(access, composed)
  const saved = mailing(access, undefined, params, () =>
    taken(world, calendar, saveEvent(world, calendar, settled(world, byOrganizer(calendar), undefined, composed))),
  )
  return withDeclined(access, undefined, saved)
}

const STATUS_TYPES: readonly (string | undefined)[] = ['focusTime', 'outOfOffice', 'workingLocation']

/** What a consumer's calendar takes of status events is not known: all of them, but none where callers are strict (behaviour 14.37). */
function requireKind({ world, calendar, caller }: Access, { eventType }: EventDraft): void {
  const consumers = isPrimary(world, calendar.id) && world.accounts.get(calendar.id)?.kind !== 'workspace'
  if (caller.strict && consumers && STATUS_TYPES.includes(eventType))
    refuse('eventTypeRestriction', { what: "A consumer's calendar" })
}

/** Where a new event comes from: made by the caller, organized by the calendar (behaviour 3.2.8). */
export function newOrigin({ world, calendar, caller }: Access, { id, iCalUID }: Identity): Origin {
  const email = caller.email ?? refuse('loginRequired')
  const created = instantText(Math.floor(world.clock.now() / 1000) * 1000)
  const organizer = organizerOf(world, calendar)
  if (email === calendar.id && isPrimary(world, email)) return { id, iCalUID, created, creator: organizer, organizer }
  const creator = { email, ...nameOf(world, email), ...(email === calendar.id && { self: true }) }
  return { id, iCalUID, created, creator, organizer }
}

/** The name that an account shows beside its address: none, unless a seed says so (behaviour 3.2.8). */
function nameOf(world: World, email: string): { displayName?: string } {
  const { displayName, showDisplayName } = world.accounts.get(email) ?? {}
  return showDisplayName && displayName ? { displayName } : {}
}

/** A calendar as the organizer of what is on it. */
export const organizerOf = (world: World, calendar: StoredCalendar): Event['organizer'] => ({
  email: calendar.id,
  ...(isPrimary(world, calendar.id) ? nameOf(world, calendar.id) : { displayName: calendar.summary }),
  self: true,
})

const byOrganizer = ({ id }: StoredCalendar, given?: EventDraft['attendees']): MeetingWrite => ({
  calendarId: id,
  by: id,
  unanswered: unansweredIn(given),
})

const settled = (world: World, write: MeetingWrite, before: Event | undefined, after: Composed): Composed =>
  after.attendees ? eventInOrder({ ...after, attendees: settledAttendees(world, write, before, after) }) : after

/** Service accounts invite nobody, unless they act for somebody (behaviour 7.21). */
function requireInviter({ caller }: Access, { attendees }: Composed): void {
  if (attendees?.length && isServiceAccount(caller)) refuse('forbiddenForServiceAccounts')
}

export function writableEvent(access: Access, eventId: string): Event {
  const event = storedEvent(access, eventId)
  requirePrivateAccess(access, event)
  return event
}

/** A private event is not for those who write without private access (behaviour 7.6). */
export function requirePrivateAccess({ role }: Access, event: Event): void {
  if (isPrivate(event) && !atLeast(role, 'writer')) refuse('needsRole', { role: 'writer' })
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
  if (isStub(current)) refuse('invalidTime', { which: 'start' }) // behaviour 2.2.2: the event has moved to another calendar
  const base = how === 'patch' ? clientPart({ ...current, reminders: remindersOf(access, current) }) : {}
  const draft = Object.assign(readBody(base, body), carried(access, { current, body, params, how }))
  if (how === 'patch' && body.reminders?.useDefault && !body.reminders.overrides) draft.reminders = { useDefault: true }
  if (how === 'update') draft.reminders ??= { useDefault: true } // behaviour 14.8
  if (how === 'update') draft.eventType ??= 'default' // behaviour 8.2.1
  if (body.attendeesOmitted) draft.attendees = withNamed(current.attendees ?? [], draft.attendees) // behaviour 7.19
  checkLimits(draft, current)
  const asked = composeEvent(calendar, draft, originOf(current), current)
  const { composed, aside } = withRemindersAside(access, current, asked)
  const reviving = body.status && body.status !== 'cancelled'
  if (how === 'update' && current.status === 'cancelled' && !reviving) {
    return same(unstamped(current), composed) ? current : refuse('forbidden') // behaviour 2.3.1
  }
  if (current.locked && changedFields(current, composed).some((field) => LOCKED.includes(field))) refuse('forbidden')
  if (!same([current.attendees], [composed.attendees])) requireInviter(access, composed)
  const meeting = meetingBehind(access.world, calendar.id, current)
  const write = () =>
    isOrganizers(current, calendar.id)
      ? writeAsOrganizer(access, current, composed, byOrganizer(calendar, draft.attendees))
      : writeAsGuest(access, current, composed)
  const saved = mailing(access, current, params, () => taken(access.world, calendar, write()))
  if (saved !== current) return withDeclined(access, meeting.event, saved)
  // Of reminders that stand beside the event its etag tells, as of those in it (behaviour 5.1).
  return aside ? saveEvent(access.world, calendar, unstamped(current), current.updated) : saved
}

/** What nobody changes of a locked copy (behaviour 7.13.1). */
const LOCKED: readonly (keyof Event)[] = ['summary', 'description', 'location', 'start', 'end', 'recurrence']

/** Writes the answers that events with auto-decline give to this write of a meeting (behaviour 8.13). */
function withDeclined(access: Access, before: Event | undefined, saved: Event): Event {
  const { world } = access
  const answers = answersOf(world, { calendar: access.calendar, before, saved })
  for (const { calendarId, eventId, body } of answers) {
    const calendar = world.calendars.get(calendarId) ?? refuse('notFound')
    const guest: Access = { world, calendar, caller: { email: calendarId }, role: 'owner' }
    writeEvent(guest, eventId, { body, params: {}, ifMatch: undefined, how: 'patch' })
  }
  return answers.length > 0 ? storedEvent(access, saved.id) : saved
}

/** Visibility is the series': a stricter one of an instance is written to the series, a laxer one is not taken (behaviour 4.5.2). */
function writeAsOrganizer({ world, calendar }: Access, current: Event, composed: Composed, write: MeetingWrite): Event {
  const after = settled(world, write, current, composed)
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

/** A body merged into what was there, without the fields that `carried` decides on and what no body brings. */
export function readBody(base: object, body: EventBody): EventDraft {
  const said = without(
    body,
    ...(['attachments', 'conferenceData', 'eventLabelId', 'source', 'endTimeUnspecified', 'attendeesOmitted'] as const),
  )
  return merged(base, said.attendees ? { ...said, attendees: withoutIds(said.attendees) } : said)
}

export function deleteEvent(access: Access, eventId: string, ifMatch: string | undefined, sending: Sending): void {
  const current = writableEvent(access, eventId)
  if (current.status === 'cancelled') refuse('deleted')
  requireMatch(current.etag, ifMatch)
  checkDeletion(current)
  mailing(access, current, sending, () => removeEvent(access.world, access.calendar, current))
}

/** The organizer deletes the event for all guests, a guest their own copy (behaviour 7.4). */
const removeEvent = (world: World, calendar: StoredCalendar, event: Event): Event =>
  isOrganizers(event, calendar.id)
    ? saveEvent(world, calendar, raised(cancelled(event)))
    : leave(world, calendar.id, event)

export function cancelAll(world: World, calendar: StoredCalendar): void {
  for (const event of world.events.of(calendar.id).values()) {
    if (event.status !== 'cancelled') removeEvent(world, calendar, event)
  }
}
