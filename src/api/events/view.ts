import { eventInOrder, isPrivate } from '../../model/fields.ts'
import { toShownTime } from '../../model/times.ts'
import { isZone } from '../../recurrence/zone.ts'
import type { Event } from '../../wire/event.ts'
import { refuse } from '../../wire/refusals.ts'
import type { Role } from '../../wire/roles.ts'
import { lasts } from '../../wire/texts.ts'
import { type Access, atLeast, requireEvent } from '../../world/access.ts'
import { remindersOf } from '../../world/reminders.ts'
import type { Caller } from '../../world/world.ts'

/** What a request says of how it wants to see events. */
export type Viewing = { timeZone?: string | undefined; maxAttendees?: number | undefined }

/** An event as a reply shows it: of one that is gone, or that the caller may not look into, little is left. */
export type ShownEvent = Pick<Event, 'kind' | 'etag' | 'id' | 'status'> & Partial<Event>

/** The zone by whose clock times are shown: the one asked for, or the calendar's. */
export const requireViewZone = ({ calendar }: Access, { timeZone }: Viewing): string =>
  timeZone === undefined || isZone(timeZone)
    ? (timeZone ?? calendar.timeZone)
    : refuse('invalidQuery', { location: 'timeZone' })

/**
 * A cancelled event in a list that was not asked for deleted ones: its id and status alone (behaviour 4.1.5, 5.10), and of
 * an instance that its series would still have, whose place it leaves empty (behaviour 5.11.1).
 */
export function toTombstone(
  { kind, etag, id, status, recurringEventId, originalStartTime }: Event,
  leavesHole = true,
): ShownEvent {
  return { kind, etag, id, status, ...(leavesHole && originalStartTime && { recurringEventId, originalStartTime }) }
}

/** How an event is shown whose times are said by the clock of the zone asked for (behaviour 13.5). */
export type View = (timed: Event) => ShownEvent

/**
 * How a caller sees an event (behaviour 7.6), and with it all instances of the same series that nobody changed: what may
 * differ between these, their times and reminders, is asked of each; all else is decided by any of them.
 */
export function createView(access: Access, { maxAttendees: most = Number.POSITIVE_INFINITY }: Viewing) {
  const { caller, role, calendar } = access
  const hides = createHider(caller, role)
  // The owner of a private copy imported its guests, and sees them (behaviour 7.8).
  const isOrganizers = (event: Event) => event.organizer?.email === calendar.id || event.privateCopy
  return (event: Event): View => {
    if (hides(event)) return busy
    const isKeeper = !event.reminders || remindersOf(access, event) === event.reminders
    const sourceGone = event.source !== undefined && event.creator?.email !== caller.email
    const isStranger = event.guestsCanSeeOtherGuests === false && !isOrganizers(event)
    const isCrowded = (event.attendees?.length ?? 0) > most
    if (isKeeper && !sourceGone && !isStranger && !isCrowded) return lasts
    return (timed) => {
      const own = { ...timed }
      if (!isKeeper) setReminders(own, remindersOf(access, timed))
      if (sourceGone) delete own.source
      return withAttendees(isStranger ? withoutOtherGuests(own) : own, most, caller)
    }
  }
}

function setReminders(event: Event, reminders: Event['reminders']): void {
  if (reminders) event.reminders = reminders
  else delete event.reminders
}

/** An event as a caller sees it. */
export const showEvent = (access: Access, event: Event, viewing: Viewing): ShownEvent =>
  createView(access, viewing)(event)(inTimeZone(event, requireViewZone(access, viewing)))

/** Events by the clock of the zone that they were last shown in: what of a view is nobody's in particular. */
const timed = new WeakMap<Event, { zone: string; event: Event }>()

/** The same event, its times by a zone's clock. */
export function inTimeZone(event: Event, zone: string): Event {
  const known = timed.get(event)
  if (known?.zone === zone) return known.event
  const [start, end] = [toShownTime(event.start, zone), toShownTime(event.end, zone)]
  const original = event.originalStartTime && toShownTime(event.originalStartTime, zone)
  const isSame = start === event.start && end === event.end && original === event.originalStartTime
  const shown = isSame ? event : { ...event, start, end, ...(original && { originalStartTime: original }) }
  if (!isSame) timed.set(event, { zone, event: shown })
  return shown
}

/**
 * Whether an event is an invitation that its guest has not answered yet, on a calendar whose account hides those until
 * it does (behaviour 7.1.1).
 */
export function createInvitationFilter({ world, calendar }: Access): (event: Event) => boolean {
  if (world.settings.get(calendar.id)?.get('hideInvitations')?.value !== 'true') return () => false
  return ({ attendees, organizer }) =>
    !organizer?.self && attendees?.find(({ self }) => self)?.responseStatus === 'needsAction'
}

/** Details are kept from those who may only see free and busy, and private ones from readers who do not attend. */
function createHider({ email }: Caller, role: Role): (event: Event) => boolean {
  if (!atLeast(role, 'reader')) return () => true
  if (atLeast(role, 'writer')) return () => false
  return (event) => isPrivate(event) && !event.attendees?.some((attendee) => attendee.email === email)
}

/** An event whose details are hidden: its times and its recurrence alone (behaviour 7.6). */
function busy({
  kind,
  etag,
  id,
  status,
  htmlLink,
  updated,
  start,
  end,
  recurrence,
  recurringEventId,
  originalStartTime,
  iCalUID,
}: Event): ShownEvent {
  const when = { start, end, recurrence, recurringEventId, originalStartTime }
  return eventInOrder({ kind, etag, id, status, htmlLink, updated, ...when, visibility: 'private', iCalUID })
}

/** A guest who may not see the others sees the organizer and themselves (behaviour 7.18). */
function withoutOtherGuests(event: Event): Event {
  const attendees = event.attendees?.filter(({ self, organizer }) => self || organizer)
  return eventInOrder({ ...event, attendees, attendeesOmitted: attendees?.length !== event.attendees?.length })
}

/** Where there are more attendees than asked for, only the participant is shown (behaviour 7.19). */
function withAttendees(event: Event, most: number, { email }: Caller): Event {
  if ((event.attendees?.length ?? 0) <= most) return event
  const own = event.attendees?.filter((attendee) => attendee.self || attendee.email === email).slice(0, 1)
  return eventInOrder({ ...event, attendees: own, attendeesOmitted: true })
}

/** Shows one event. */
export const readEvent = (access: Access, eventId: string, viewing: Viewing): ShownEvent =>
  showEvent(access, requireEvent(access, eventId), viewing)
