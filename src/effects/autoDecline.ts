import { overlaps, type Window } from '../db/indexes.ts'
import { requireEvent } from '../model/access.ts'
import { isOrganizerCopy } from '../model/events/compose.ts'
import type { Composed } from '../model/events/fields.ts'
import { instanceId, instanceOf, isMaster, slotsIn, spanOf } from '../model/events/series.ts'
import { instantIn, isMoved, windowOf } from '../model/events/times.ts'
import type { StoredCalendar, WorldData } from '../model/worldData.ts'
import type { Event } from '../schema/event.ts'
import { isSameAddress } from '../schema/values/address.ts'
import { type EventChange, mailSubscribers } from './mail.ts'
import { conflictWindow } from './roomConflicts.ts'
import { commitWrites } from './write/commit.ts'
import { planGuestResponse } from './write/plan.ts'
import { guestsOf } from './write/propagate.ts'
import { type PlacedEvent, WritePlan } from './write/writePlan.ts'

type ZonedCalendar = Pick<StoredCalendar, 'id' | 'timeZone'>
type Conflict = { eventId: string; comment?: string }
type Decline = Conflict & { calendarId: string }

/**
 * Declines the invitations that collide with focus time or out-of-office events after a write (behaviour 8.13): for
 * guests who are asked, and for the written event itself if it declines all conflicting invitations. A response changes no time, so it causes no further conflicts.
 */
export function autoDecline(
  world: WorldData,
  calendar: ZonedCalendar,
  { after, meetingBefore, meeting }: EventChange,
): void {
  const declines = [
    ...declinesOfGuests(world, calendar, meetingBefore, meeting),
    ...declinesOfBlocker(world, calendar, after),
  ]
  if (declines.length === 0) return
  const plan = new WritePlan(world, { isAutomatic: true })
  const planned = declines.flatMap(({ calendarId, eventId, comment }) => {
    const guest = world.calendars.get(calendarId)
    if (!guest) return []
    const access = { world, calendar: guest, caller: { email: guest.id }, role: 'owner' as const }
    const invitation = requireEvent(access, eventId)
    const current = plan.find(calendarId, eventId) ?? invitation
    planGuestResponse(plan, calendarId, current, { responseStatus: 'declined', ...(comment && { comment }) })
    return [{ access, invitation }]
  })
  commitWrites(plan)
  for (const { access, invitation } of planned) {
    const declined = requireEvent(access, invitation.id)
    mailSubscribers(access, { before: invitation, after: declined }, [])
  }
}

/** A guest's copy declines none. */
function autoDeclineSettings(event: Composed, { id }: ZonedCalendar) {
  const { status, eventType, focusTimeProperties, outOfOfficeProperties } = event
  const settings = eventType === 'focusTime' ? focusTimeProperties : outOfOfficeProperties
  const isActive = status !== 'cancelled' && isOrganizerCopy(event, id) && settings?.autoDeclineMode !== 'declineNone'
  return isActive ? settings : undefined
}

/**
 * Returns the parts of a new invitation that a calendar declines: the event itself, or the colliding instances of a
 * series. Returns none for an invitation that takes no time.
 */
export function findConflicts(world: WorldData, calendar: ZonedCalendar, invitation: Event): Conflict[] {
  if (!isBusyInvitation(invitation, calendar)) return []
  return occurrences(world, calendar, invitation).flatMap((one) => {
    const blocker = conflictingBlocker(world, calendar, windowAround(one, calendar))
    const comment = blocker && autoDeclineSettings(blocker, calendar)?.declineMessage
    return blocker ? [{ eventId: one.id, ...(comment && { comment }) }] : []
  })
}

const isBusyInvitation = ({ status, transparency, organizer }: Event, { id }: ZonedCalendar): boolean =>
  status !== 'cancelled' && transparency !== 'transparent' && organizer?.email !== id

function occurrences(world: WorldData, { id, timeZone }: ZonedCalendar, event: Event, window?: Window): Event[] {
  if (!isMaster(event)) return [event]
  const events = world.events.of(id)
  return slotsIn(event, window ?? conflictWindow(event, timeZone, world.clock.now()))
    .filter((slot) => !events.get(instanceId(event, slot)))
    .map((slot) => instanceOf(event, slot, id))
}

const windowAround = ({ start, end }: Event, { timeZone }: ZonedCalendar): Window =>
  windowOf(instantIn(start, timeZone), instantIn(end, timeZone), timeZone)

const occursIn = (world: WorldData, calendar: ZonedCalendar, event: Event, window: Window): boolean =>
  isMaster(event) ? occurrences(world, calendar, event, window).length > 0 : overlaps(spanOf(event), window)

function conflictingBlocker(world: WorldData, calendar: ZonedCalendar, window: Window): Event | undefined {
  return world.events
    .of(calendar.id)
    .autoDeclining()
    .find((event) => autoDeclineSettings(event, calendar) && occursIn(world, calendar, event, window))
}

/** Only new guests and guests with a reset response decline. */
function declinesOfGuests(
  world: WorldData,
  calendar: ZonedCalendar,
  before: Composed | undefined,
  { calendarId, event }: PlacedEvent,
): Decline[] {
  if (!isOrganizerCopy(event, calendarId)) return []
  const guests = guestsOf(world, event)
  if (guests.length === 0) return []
  const invitedBefore = before && !isMoved(before, event) ? guestsOf(world, before) : []
  const declines: Decline[] = []
  for (const email of guests) {
    const guestCalendar = world.calendars.get(email)
    const copy = world.events.of(email).get(event.id)
    if (!guestCalendar || !copy || email === calendar.id) continue
    const isAskedAgain = isUnanswered(event, email) && !isUnanswered(before, email)
    if (invitedBefore.includes(email) && !isAskedAgain) continue
    for (const conflict of findConflicts(world, guestCalendar, copy)) declines.push({ calendarId: email, ...conflict })
  }
  return declines
}

const isUnanswered = (event: Composed | undefined, guest: string): boolean =>
  event?.attendees?.some(
    ({ email, responseStatus }) => isSameAddress(email, guest) && responseStatus === 'needsAction',
  ) ?? false

function declinesOfBlocker(world: WorldData, calendar: ZonedCalendar, blocker: Event): Decline[] {
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
        declines.set(id, { calendarId: calendar.id, eventId: id, ...comment })
    }
  }
  return [...declines.values()]
}
