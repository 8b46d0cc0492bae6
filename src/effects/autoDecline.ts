import type { Window } from '../db/byInterval.ts'
import { isOrganizerCopy, mergeAttendees } from '../model/attendees.ts'
import { composeEvent } from '../model/compose.ts'
import { type Composed, clientPart, originOf } from '../model/fields.ts'
import { instanceId, instanceOf, isMaster, slotsIn } from '../model/series.ts'
import { instantIn, isMoved, windowOf } from '../model/times.ts'
import type { Event, EventDraft } from '../wire/event.ts'
import { requireEvent } from '../world/access.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { commitWrites } from './commit.ts'
import { storedEvents } from './eventReader.ts'
import { findMeeting, guestsOf } from './guests.ts'
import { planGuestWrite } from './guestWrite.ts'
import { mailSubscribers } from './mail.ts'
import { WritePlan } from './propagate.ts'
import { conflictWindow } from './roomConflicts.ts'

type ZonedCalendar = Pick<StoredCalendar, 'id' | 'timeZone'>
/** An invitation, or one instance of a series, that its calendar declines, and the message that the owner has set. */
type Conflict = { eventId: string; comment?: string }
/** A response that a guest would write to their copy. */
type Decline = { calendarId: string; eventId: string; attendees: EventDraft['attendees'] }

/**
 * Declines the invitations that collide with focus time or out-of-office events after a write (behaviour 8.13): for guests
 * who are asked, and for the written event itself if it declines all conflicting invitations. `before` is the organizer's
 * event before the write. Returns true if anything was declined.
 */
export function autoDecline(
  world: World,
  calendar: ZonedCalendar,
  { before, after }: { before: Composed | undefined; after: Event },
): boolean {
  const declines = [...declinesOfGuests(world, calendar, before, after), ...declinesOfBlocker(world, calendar, after)]
  for (const decline of declines) writeDecline(world, decline)
  return declines.length > 0
}

/** Writes a response as the guest would. It cannot collide with anything itself: it changes no time and is no blocker. */
function writeDecline(world: World, { calendarId, eventId, attendees }: Decline): void {
  const calendar = world.calendars.get(calendarId)
  if (!calendar) return
  const before = requireEvent({ world, calendar }, eventId)
  const draft: EventDraft = { ...clientPart(before), attendees }
  const plan = new WritePlan(world)
  planGuestWrite(plan, calendarId, before, composeEvent(calendar, draft, originOf(before), before))
  commitWrites(plan)
  const after = requireEvent({ world, calendar }, eventId)
  const access = { world, calendar, caller: { email: calendarId }, role: 'owner' as const }
  mailSubscribers(access, { before, after, meetingBefore: undefined }, [])
}

/** Returns the auto-decline properties of an event that declines invitations at its time; a guest's copy declines none. */
function autoDeclineSettings(event: Composed, { id }: ZonedCalendar) {
  const { status, eventType, focusTimeProperties, outOfOfficeProperties } = event
  const settings = eventType === 'focusTime' ? focusTimeProperties : outOfOfficeProperties
  const isActive = status !== 'cancelled' && isOrganizerCopy(event, id) && settings?.autoDeclineMode !== 'declineNone'
  return isActive ? settings : undefined
}

/** Returns what a calendar declines of a new invitation: the event itself, or the colliding instances of a series. */
export function findConflicts(world: World, calendar: ZonedCalendar, invitation: Event): Conflict[] {
  if (!isBusyInvitation(invitation, calendar)) return []
  return occurrences(world, calendar, invitation).flatMap((one) => {
    const blocker = conflictingBlocker(world, calendar, windowAround(one, calendar))
    const comment = blocker && autoDeclineSettings(blocker, calendar)?.declineMessage
    return blocker ? [{ eventId: one.id, ...(comment && { comment }) }] : []
  })
}

/** Returns true if an invitation takes the time of its calendar's owner: not cancelled, not transparent, not their own. */
const isBusyInvitation = ({ status, transparency, organizer }: Event, { id }: ZonedCalendar): boolean =>
  status !== 'cancelled' && transparency !== 'transparent' && organizer?.email !== id

/** Returns a single event itself, or the unchanged instances of a series in a window. */
function occurrences(world: World, { id, timeZone }: ZonedCalendar, event: Event, window?: Window): Event[] {
  if (!isMaster(event)) return [event]
  const events = world.events.of(id)
  return slotsIn(event, window ?? conflictWindow(event, timeZone, world.clock.now()))
    .filter((slot) => !events.get(instanceId(event, slot)))
    .map((slot) => instanceOf(event, slot, id))
}

const windowAround = ({ start, end }: Event, { timeZone }: ZonedCalendar): Window =>
  windowOf(instantIn(start, timeZone), instantIn(end, timeZone), timeZone)

/** Returns the first event of a calendar that declines invitations in a window. */
function conflictingBlocker(world: World, calendar: ZonedCalendar, window: Window): Event | undefined {
  for (const { value } of world.events.of(calendar.id).records.inWindow(window)) {
    if (autoDeclineSettings(value, calendar) && occurrences(world, calendar, value, window).length > 0) return value
  }
  return undefined
}

/** Returns the responses of guests who are asked for the first time, or again, and block that time. */
function declinesOfGuests(
  world: World,
  calendar: ZonedCalendar,
  before: Composed | undefined,
  after: Event,
): Decline[] {
  const { calendarId, event } = findMeeting(storedEvents(world), calendar.id, after)
  if (!isOrganizerCopy(event, calendarId)) return []
  const guests = guestsOf(world, event)
  if (guests.length === 0) return []
  const asked = before && !isMoved(before, event) ? guestsOf(world, before) : []
  return guests.flatMap((email) => {
    const place = world.calendars.get(email)
    const copy = world.events.of(email).get(event.id)
    const isAskedAgain = isUnanswered(event, email) && !isUnanswered(before, email)
    if (!place || !copy || email === calendar.id || (asked.includes(email) && !isAskedAgain)) return []
    return findConflicts(world, place, copy).map((conflict) => toDecline(email, copy, conflict))
  })
}

const isUnanswered = (event: Composed | undefined, guest: string): boolean =>
  event?.attendees?.some(({ email, responseStatus }) => email === guest && responseStatus === 'needsAction') ?? false

/** Returns the responses to earlier invitations that a new blocker collides with, if it declines all of them. */
function declinesOfBlocker(world: World, calendar: ZonedCalendar, blocker: Event): Decline[] {
  const settings = autoDeclineSettings(blocker, calendar)
  if (settings?.autoDeclineMode !== 'declineAllConflictingInvitations') return []
  const comment = settings.declineMessage && { comment: settings.declineMessage }
  const declines = new Map<string, Decline>()
  for (const blocked of occurrences(world, calendar, blocker)) {
    const window = windowAround(blocked, calendar)
    for (const { value: invitation } of world.events.of(calendar.id).records.inWindow(window)) {
      const own = invitation.attendees?.find(({ self }) => self)
      if (!isBusyInvitation(invitation, calendar) || own?.responseStatus === 'declined') continue
      for (const { id } of occurrences(world, calendar, invitation, window))
        declines.set(id, toDecline(calendar.id, invitation, { eventId: id, ...comment }))
    }
  }
  return [...declines.values()]
}

/** Returns a guest's response in their own entry, which a member of an invited group gets with it. */
function toDecline(email: string, { attendees = [] }: Event, { eventId, comment }: Conflict): Decline {
  const response = { email, responseStatus: 'declined' as const, ...(comment && { comment }) }
  return { calendarId: email, eventId, attendees: mergeAttendees(attendees, [response]) }
}
