import { isOrganizers } from '../events/organizer.ts'
import { instanceId, instanceOf, isMaster, reachOf, seriesOf, slotsIn, spanOf } from '../events/series.ts'
import { instantIn, isMoved, windowOf } from '../events/times.ts'
import { DAY } from '../recurrence/days.ts'
import { overlaps, type Window } from '../store/timeline.ts'
import type { Event, EventBody } from '../wire/event.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { guestsOf } from './sharing.ts'

type ZonedCalendar = Pick<StoredCalendar, 'id' | 'timeZone'>
/** An event, or one instance of a series, that is declined for its calendar's owner, with the message that they have set. */
export type Declined = { eventId: string; comment?: string }

/** The properties of an event that declines invitations at its time, where it does (behaviour 8.13). */
const keepingOf = ({ status, eventType, focusTimeProperties, outOfOfficeProperties }: Event) => {
  const keeping = eventType === 'focusTime' ? focusTimeProperties : outOfOfficeProperties
  return status === 'cancelled' || keeping?.autoDeclineMode === 'declineNone' ? undefined : keeping
}

/**
 * What of a new invitation its calendar's owner declines because they keep that time free: the event itself, or those
 * instances of a series that are in the way (behaviour 8.13).
 */
export function autoDeclined(world: World, calendar: ZonedCalendar, invitation: Event): Declined[] {
  const keepers = world.events.of(calendar.id).keepingFree()
  return occurrences(world, calendar, invitation, keepers).flatMap((one) => {
    const keeper = keeperAt(world, calendar, windowAround(one, calendar.timeZone))
    const comment = keeper && keepingOf(keeper)?.declineMessage
    return keeper ? [{ eventId: one.id, ...(comment && { comment }) }] : []
  })
}

/** An invitation takes its owner's time unless it is cancelled, transparent, or their own. */
const takesTime = ({ status, transparency, organizer }: Event, { id }: ZonedCalendar): boolean =>
  status !== 'cancelled' && transparency !== 'transparent' && organizer?.email !== id

/**
 * A single event as it is, a series as the instances that nobody changed, as far as lists reach: those that may be in the
 * way of events which keep time free.
 */
function occurrences(world: World, calendar: ZonedCalendar, invitation: Event, keepers: readonly Event[]): Event[] {
  if (keepers.length === 0 || !takesTime(invitation, calendar)) return []
  if (!isMaster(invitation)) return [invitation]
  const events = world.events.of(calendar.id)
  const reach = reachOf(invitation, windowOf(undefined, undefined, calendar.timeZone), world.clock.now())
  const windows = keepers.map((keeper) => windowKept(keeper, calendar.timeZone))
  const slots = windows.flatMap((window) => slotsIn(invitation, narrower(window, reach)))
  return [...new Set(slots)]
    .sort((a, b) => a - b)
    .filter((slot) => !events.records.has(instanceId(invitation, slot)))
    .map((slot) => instanceOf(invitation, slot, calendar.id))
}

const narrower = (window: Window, { to, wallTo }: Window): Window => ({
  ...window,
  to: Math.min(window.to, to),
  wallTo: Math.min(window.wallTo, wallTo),
})

/** From when to when an event keeps time free: a series from its first instance to its last. */
function windowKept(keeper: Event, zone: string): Window {
  const window = windowAround(keeper, zone)
  if (!isMaster(keeper)) return window
  const { first = window.from, last = first, endless } = seriesOf(keeper)
  const longer = window.to - window.from + DAY // and a day, whatever the zone that dates are read in
  return windowOf(first - DAY, endless ? undefined : last + longer, zone)
}

const windowAround = ({ start, end }: Event, zone: string): Window =>
  windowOf(instantIn(start, zone), instantIn(end, zone), zone)

/** The first event of a calendar that keeps a window free. */
function keeperAt(world: World, { id }: ZonedCalendar, window: Window): Event | undefined {
  const events = world.events.of(id)
  for (const { value } of events.records.inWindow(window)) {
    if (!keepingOf(value)) continue
    if (!isMaster(value) && overlaps(spanOf(value), window)) return value
    if (isMaster(value) && slotsIn(value, window).some((slot) => !events.records.has(instanceId(value, slot))))
      return value
  }
  return undefined
}

/** An answer to an invitation, as its guest would write it to their copy. */
export type Answering = { calendarId: string; eventId: string; body: Pick<EventBody, 'attendees'> }

/** The answers that follow from a write: its guests', and its own where it keeps time free (behaviour 8.13). */
export const answersOf = (
  world: World,
  calendar: ZonedCalendar,
  before: Event | undefined,
  after: Event,
): Answering[] => [...guestsAnswers(world, calendar, before, after), ...keepersAnswers(world, calendar, after)]

/** Those of guests who are asked for the first time, or again for another time, and keep that time free. */
function guestsAnswers(world: World, { id }: ZonedCalendar, before: Event | undefined, after: Event): Answering[] {
  if (!isOrganizers(after, id)) return []
  const asked = before && !isMoved(before, after) ? guestsOf(world, before) : []
  return guestsOf(world, after).flatMap((email) => {
    const place = world.calendars.get(email)
    const copy = world.events.of(email).get(after.id)
    if (!place || !copy || asked.includes(email)) return []
    return autoDeclined(world, place, copy).map((one) => declining(email, copy, one))
  })
}

/** Those of a new keeper of time to invitations that were there before, where it declines all. */
function keepersAnswers(world: World, calendar: ZonedCalendar, keeper: Event): Answering[] {
  const keeping = keepingOf(keeper)
  if (keeping?.autoDeclineMode !== 'declineAllConflictingInvitations') return []
  const comment = keeping.declineMessage && { comment: keeping.declineMessage }
  return [...world.events.of(calendar.id).values()].flatMap((invitation) => {
    if (!invitation.attendees?.some(({ self, responseStatus }) => self && responseStatus !== 'declined')) return []
    const inTheWay = occurrences(world, calendar, invitation, [keeper]).filter((one) =>
      isIn(world, calendar, keeper, one),
    )
    return inTheWay.map(({ id }) => declining(calendar.id, invitation, { eventId: id, ...comment }))
  })
}

function declining(calendarId: string, { attendees }: Event, { eventId, comment }: Declined): Answering {
  const declined = { responseStatus: 'declined' as const, ...(comment && { comment }) }
  const said = attendees?.map((attendee) => (attendee.self ? { ...attendee, ...declined } : attendee))
  return { calendarId, eventId, body: { attendees: said } }
}

function isIn(world: World, { id, timeZone }: ZonedCalendar, keeper: Event, occurrence: Event): boolean {
  const window = windowAround(occurrence, timeZone)
  if (!isMaster(keeper)) return overlaps(spanOf(keeper), window)
  return slotsIn(keeper, window).some((slot) => !world.events.of(id).records.has(instanceId(keeper, slot)))
}
