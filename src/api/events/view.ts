import { cachedJson } from '../../http/reply.ts'
import { type Access, atLeast } from '../../model/access.ts'
import { busyPart, eventInOrder, isPrivate } from '../../model/events/fields.ts'
import { labelOfColor } from '../../model/events/fieldValues.ts'
import { toShownTime } from '../../model/events/times.ts'
import { remindersOf } from '../../model/reminders.ts'
import type { Caller } from '../../model/worldData.ts'
import { isZone } from '../../recurrence/zone.ts'
import { throwApiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'
import { isSameAddress } from '../../schema/values/address.ts'

export type ViewOptions = { timeZone?: string | undefined; maxAttendees?: number | undefined }

/** An event as a reply shows it. Cancelled and private events may have few fields. */
export type ShownEvent = Pick<Event, 'kind' | 'etag' | 'id' | 'status'> & Partial<Event>

/** Returns the zone in which times are shown: of the request, or of the calendar. Throws `invalidQuery`. */
export const requireViewZone = ({ calendar }: Access, { timeZone }: ViewOptions): string =>
  timeZone === undefined || isZone(timeZone)
    ? (timeZone ?? calendar.timeZone)
    : throwApiError('invalidQuery', { location: 'timeZone' })

/**
 * Returns a cancelled event as a list shows it without its content: kind, etag, id and status (behaviour 4.1.5, 5.10).
 * With `leavesHole`, an instance also has its series and its original start, because the series is live (behaviour
 * 5.11.1).
 */
export function showTombstone(
  { kind, etag, id, status, recurringEventId, originalStartTime }: Event,
  leavesHole = true,
): ShownEvent {
  return { kind, etag, id, status, ...(leavesHole && originalStartTime && { recurringEventId, originalStartTime }) }
}

/** Shows an event whose times are formatted in the requested zone already (behaviour 13.5). */
export type EventView = (timed: Event) => ShownEvent

/**
 * Returns a function that chooses the view of an event for the caller: times only, unchanged with cached JSON, or with
 * own reminders, at most `maxAttendees`, and hidden fields removed (behaviour 7.6). The view applies to all unchanged
 * instances of a series, because it reads times and reminders from its argument, which it does not change.
 */
export function createView(access: Access, viewing: ViewOptions): (event: Event) => EventView {
  const { timeZone, maxAttendees: most = Number.POSITIVE_INFINITY } = viewing
  const { caller, role, calendar } = access
  const [seesNone, seesAll] = [!atLeast(role, 'reader'), atLeast(role, 'writer')]
  const viewOf = (event: Event): EventView => {
    if (seesNone) return busy
    if (!seesAll && isPrivate(event) && !event.attendees?.some(({ email }) => isSameAddress(email, caller.email)))
      return busy
    const isKeeper = !event.reminders || remindersOf(access, event) === event.reminders
    const hidesSource = event.source !== undefined && event.creator?.email !== caller.email
    // The owner of a private copy sees its guests (behaviour 7.8).
    const isOwner = event.organizer?.email === calendar.id || event.privateCopy
    const isStranger = event.guestsCanSeeOtherGuests === false && !isOwner
    const isCrowded = (event.attendees?.length ?? 0) > most
    const eventLabelId = event.colorId && !event.eventLabelId ? labelOfColor(calendar, event.colorId) : undefined
    if (isKeeper && !hidesSource && !isStranger && !isCrowded && !eventLabelId) return cachedJson
    return (timed) => {
      const own = eventLabelId ? eventInOrder({ ...timed, eventLabelId }) : { ...timed }
      if (!isKeeper) own.reminders = remindersOf(access, timed)
      if (!own.reminders) delete own.reminders
      if (hidesSource) delete own.source
      return withAttendees(isStranger ? withoutOtherGuests(own) : own, most, caller)
    }
  }
  if (timeZone === undefined || caller.email !== undefined) return viewOf
  // An API key gets links that open in the zone that it names (behaviour 3.2.17).
  const suffix = `&ctz=${encodeURIComponent(timeZone).replaceAll('%2F', '/')}`
  return (event) => {
    const view = viewOf(event)
    return (timed) => {
      const shown = view(timed)
      return shown.htmlLink === undefined ? shown : { ...shown, htmlLink: shown.htmlLink + suffix }
    }
  }
}

export const showEvent = (access: Access, event: Event, viewing: ViewOptions): ShownEvent =>
  createView(access, viewing)(event)(inTimeZone(event, requireViewZone(access, viewing)))

const timed = new WeakMap<Event, { zone: string; event: Event }>()

/**
 * Returns an event with its times formatted in a known IANA zone; dates stay. The result is shared, and equals the
 * argument if nothing changes, so it must not be changed.
 */
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
 * Returns a predicate for invitations without a response on a calendar whose account hides those (`hideInvitations`,
 * behaviour 7.1.1).
 */
export function createInvitationFilter({ world, calendar }: Access): (event: Event) => boolean {
  if (world.settings.get(calendar.id)?.get('hideInvitations')?.value !== 'true') return () => false
  return ({ attendees, organizer }) =>
    !organizer?.self && attendees?.find(({ self }) => self)?.responseStatus === 'needsAction'
}

/** Returns an event with hidden details: times and recurrence only (behaviour 7.6). */
const busy = (event: Event): ShownEvent => eventInOrder<Event>({ ...busyPart(event), visibility: 'private' })

/**
 * Returns an event with only the organizer and the calendar's owner as attendees (behaviour 7.18). `attendeesOmitted`
 * says if others were removed.
 */
function withoutOtherGuests(event: Event): Event {
  const attendees = event.attendees?.filter(({ self, organizer }) => self || organizer)
  return eventInOrder({ ...event, attendees, attendeesOmitted: attendees?.length !== event.attendees?.length })
}

/** Shows only the caller's own attendee if there are more than `maxAttendees` (behaviour 7.19). */
function withAttendees(event: Event, most: number, { email }: Caller): Event {
  if ((event.attendees?.length ?? 0) <= most) return event
  const own = event.attendees?.filter((attendee) => attendee.self || isSameAddress(attendee.email, email)).slice(0, 1)
  return eventInOrder({ ...event, attendees: own, attendeesOmitted: true })
}
