import { isOrganizers, withNamed } from '../model/attendees.ts'
import { instanceId, instanceOf, isMaster, slotsIn } from '../model/series.ts'
import { instantIn, isMoved, windowOf } from '../model/times.ts'
import type { Window } from '../store/records/timeline.ts'
import type { Event, EventBody } from '../wire/event.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { guestsOf, meetingBehind } from './guests.ts'
import { wantedWindow } from './roomConflicts.ts'

type ZonedCalendar = Pick<StoredCalendar, 'id' | 'timeZone'>
/** An event, or one instance of a series, that is declined for its calendar's owner, with the message that they have set. */
export type Declined = { eventId: string; comment?: string }

/** The properties of an event that declines invitations at its time, where it does: its guests do not (behaviour 8.13). */
function keepingOf(event: Event, { id }: ZonedCalendar) {
  const { status, eventType, focusTimeProperties, outOfOfficeProperties } = event
  const keeping = eventType === 'focusTime' ? focusTimeProperties : outOfOfficeProperties
  const keeps = status !== 'cancelled' && isOrganizers(event, id) && keeping?.autoDeclineMode !== 'declineNone'
  return keeps ? keeping : undefined
}

/**
 * What of a new invitation its calendar's owner declines because they keep that time free: the event itself, or those
 * instances of a series that are in the way (behaviour 8.13).
 */
export function autoDeclined(world: World, calendar: ZonedCalendar, invitation: Event): Declined[] {
  if (!takesTime(invitation, calendar)) return []
  return occurrences(world, calendar, invitation).flatMap((one) => {
    const keeper = keeperAt(world, calendar, windowAround(one, calendar))
    const comment = keeper && keepingOf(keeper, calendar)?.declineMessage
    return keeper ? [{ eventId: one.id, ...(comment && { comment }) }] : []
  })
}

/** An invitation takes its owner's time unless it is cancelled, transparent, or their own. */
const takesTime = ({ status, transparency, organizer }: Event, { id }: ZonedCalendar): boolean =>
  status !== 'cancelled' && transparency !== 'transparent' && organizer?.email !== id

/** A single event as it is, a series as the instances that nobody changed: where it wants time, or in a window that it lies in. */
function occurrences(world: World, { id, timeZone }: ZonedCalendar, event: Event, window?: Window): Event[] {
  if (!isMaster(event)) return [event]
  const events = world.events.of(id)
  return slotsIn(event, window ?? wantedWindow(event, timeZone, world.clock.now()))
    .filter((slot) => !events.get(instanceId(event, slot)))
    .map((slot) => instanceOf(event, slot, id))
}

const windowAround = ({ start, end }: Event, { timeZone }: ZonedCalendar): Window =>
  windowOf(instantIn(start, timeZone), instantIn(end, timeZone), timeZone)

/** The first event of a calendar that keeps a window free. */
function keeperAt(world: World, calendar: ZonedCalendar, window: Window): Event | undefined {
  for (const { value } of world.events.of(calendar.id).records.inWindow(window)) {
    if (keepingOf(value, calendar) && occurrences(world, calendar, value, window).length > 0) return value
  }
  return undefined
}

/** An answer to an invitation, as its guest would write it to their copy. */
export type Answering = { calendarId: string; eventId: string; body: Pick<EventBody, 'attendees'> }

/** A write to a calendar: what it left there, and the meeting behind that before. */
export type Write = { calendar: ZonedCalendar; before: Event | undefined; saved: Event }

/** The answers that follow from a write: its guests', and its own where it keeps time free (behaviour 8.13). */
export const answersOf = (world: World, write: Write): Answering[] => [
  ...guestsAnswers(world, write),
  ...keepersAnswers(world, write.calendar, write.saved),
]

/** Those of guests who are asked for the first time, or again, and keep that time free. */
function guestsAnswers(world: World, { calendar, before, saved }: Write): Answering[] {
  const { calendarId, event } = meetingBehind(world, calendar.id, saved)
  if (!isOrganizers(event, calendarId)) return []
  const guests = guestsOf(world, event)
  if (guests.length === 0) return []
  const asked = before && !isMoved(before, event) ? guestsOf(world, before) : []
  return guests.flatMap((email) => {
    const place = world.calendars.get(email)
    const copy = world.events.of(email).get(event.id)
    const again = isOpen(event, email) && !isOpen(before, email)
    if (!place || !copy || email === calendar.id || (asked.includes(email) && !again)) return []
    return autoDeclined(world, place, copy).map((one) => declining(email, copy, one))
  })
}

const isOpen = (event: Event | undefined, guest: string): boolean =>
  event?.attendees?.some(({ email, responseStatus }) => email === guest && responseStatus === 'needsAction') ?? false

/** Those of a new keeper of time to invitations that were there before, where it declines all. */
function keepersAnswers(world: World, calendar: ZonedCalendar, keeper: Event): Answering[] {
  const keeping = keepingOf(keeper, calendar)
  if (keeping?.autoDeclineMode !== 'declineAllConflictingInvitations') return []
  const comment = keeping.declineMessage && { comment: keeping.declineMessage }
  const answers = new Map<string, Answering>()
  for (const kept of occurrences(world, calendar, keeper)) {
    const window = windowAround(kept, calendar)
    for (const { value: invitation } of world.events.of(calendar.id).records.inWindow(window)) {
      const own = invitation.attendees?.find(({ self }) => self)
      if (!takesTime(invitation, calendar) || own?.responseStatus === 'declined') continue
      for (const { id } of occurrences(world, calendar, invitation, window))
        answers.set(id, declining(calendar.id, invitation, { eventId: id, ...comment }))
    }
  }
  return [...answers.values()]
}

/** A guest's word in their own entry, which a member of a group gets with it. */
function declining(email: string, { attendees = [] }: Event, { eventId, comment }: Declined): Answering {
  const said = { email, responseStatus: 'declined' as const, ...(comment && { comment }) }
  return { calendarId: email, eventId, body: { attendees: withNamed(attendees, [said]) } }
}
