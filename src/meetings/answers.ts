import { busyTimes } from '../events/busy.ts'
import type { Composed } from '../events/fields.ts'
import { isMoved } from '../events/times.ts'
import { without } from '../store/merge.ts'
import type { Event, EventAttendee } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { isPrimary } from '../world/access.ts'
import type { World } from '../world/world.ts'

/** The fields of an attendee that are the guest's own to write. */
type Answer = Pick<EventAttendee, 'responseStatus' | 'comment' | 'additionalGuests'>

export const answerOf = ({ responseStatus, comment, additionalGuests }: EventAttendee): Answer => ({
  responseStatus,
  ...(comment && { comment }),
  ...(additionalGuests && { additionalGuests }),
})

/** An attendee with another answer, in the place of the one before. */
const saying = (attendee: EventAttendee, answer: Answer): EventAttendee => ({
  ...without(attendee, 'responseStatus', 'comment', 'additionalGuests'),
  ...answer,
})

/**
 * The attendees of what an organizer writes. Whoever has an account answers for themselves, so what the organizer says
 * of their answer is not taken; a new time asks everybody again; rooms answer at once (behaviour 7.2, 14.34).
 */
export function settledAttendees(
  world: World,
  calendarId: string,
  before: Event | undefined,
  after: Composed,
): EventAttendee[] {
  const moved = isMoved(before, after)
  return (after.attendees ?? []).map((attendee) => {
    const own = attendee.email === calendarId
    const known = before?.attendees?.find(({ email }) => email === attendee.email)
    if (isRoom(world, attendee) && (!known || moved))
      return saying(attendee, { responseStatus: roomAnswer(world, attendee.email, after) })
    if (own) return attendee
    if (moved) return saying(attendee, { responseStatus: 'needsAction' })
    return known && isPrimary(world, attendee.email) ? saying(attendee, answerOf(known)) : attendee
  })
}

/** A room that takes invitations by itself. */
const isRoom = (world: World, { email }: EventAttendee): boolean =>
  isPrimary(world, email) && world.calendars.get(email)?.autoAcceptInvitations === true

/** A room accepts when it is free at every instance, and declines otherwise. */
function roomAnswer(world: World, email: string, event: Composed): 'accepted' | 'declined' {
  const zone = world.calendars.get(email)?.timeZone ?? 'UTC'
  const wanted = busyTimes([event], { email: undefined, zone, now: world.clock.now() })
  const taken = [...world.events.of(email).values()].filter(
    ({ id, recurringEventId }) => id !== event.id && recurringEventId !== event.id,
  )
  const busy = busyTimes(taken, { email, zone, now: world.clock.now() })
  return wanted.some((want) => busy.some(({ start, end }) => start < want.end && want.start < end))
    ? 'declined'
    : 'accepted'
}

/** An organizer's attendees with what one guest now says, and whom that guest brings along. */
export function withAnswer(
  attendees: readonly EventAttendee[] = [],
  guest: EventAttendee | undefined,
  brought: readonly EventAttendee[],
): EventAttendee[] {
  if (!guest) return [...attendees, ...brought]
  const others = attendees.map((one) => (one.email === guest.email ? saying(one, answerOf(guest)) : one))
  // Who was invited as a member of a group becomes an attendee with their first answer.
  const joined = others.some(({ email }) => email === guest.email) ? [] : [guest]
  return [...others, ...joined, ...brought]
}

/** The attendees that a guest adds. A guest's write cannot remove others or answer for them: that is ignored (behaviour 7.3). */
export function broughtAlong(
  { attendees: before = [], guestsCanInviteOthers }: Event,
  { attendees: after = [] }: Composed,
): EventAttendee[] {
  const brought = after.filter(({ email, self }) => !self && !before.some((one) => one.email === email))
  if (brought.length > 0 && guestsCanInviteOthers === false) refuse('forbiddenForNonOrganizer')
  return brought
}
