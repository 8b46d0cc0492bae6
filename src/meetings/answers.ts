import type { Composed } from '../events/fields.ts'
import { isMoved } from '../events/times.ts'
import type { Event, EventAttendee } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { without } from '../wire/values/merge.ts'
import type { World } from '../world/world.ts'
import { isInvited, isRoom } from './sharing.ts'
import { isTaken } from './wanted.ts'

/** The fields of an attendee that are the guest's own to write. */
type Answer = Pick<EventAttendee, 'responseStatus' | 'comment' | 'additionalGuests'>

export const answerOf = ({ responseStatus, comment, additionalGuests }: EventAttendee): Answer => ({
  responseStatus,
  ...(comment && { comment }),
  ...(additionalGuests && { additionalGuests }),
})

/** An attendee with another answer, in the place of the one before. */
export const saying = (attendee: EventAttendee, answer: Answer): EventAttendee => ({
  ...without(attendee, 'responseStatus', 'comment', 'additionalGuests'),
  ...answer,
})

/** A write to a meeting: on which calendar, who writes it, and who of the attendees is named without an answer. */
export type MeetingWrite = { calendarId: string; by: string; unanswered?: ReadonlySet<string> }

/**
 * The attendees of a meeting that somebody writes. Whoever has an account answers for themselves, so what others say of
 * their answer is not taken, unless they leave it out: that asks them again, as a new time does everybody (behaviour 7.2,
 * 7.10, 14.34). Rooms answer at once.
 */
export function settledAttendees(
  world: World,
  { calendarId, by, unanswered }: MeetingWrite,
  before: Event | undefined,
  after: Composed,
): EventAttendee[] {
  const moved = isMoved(before, after)
  const known = new Map(before?.attendees?.map((one) => [one.email, one]))
  return (after.attendees ?? []).map((attendee) => {
    const { email } = attendee
    const there = known.get(email)
    if (email === by || email === calendarId) return attendee
    const asked = !there || moved || unanswered?.has(email)
    if (asked && isRoom(world, email)) return saying(attendee, roomsAnswer(world, email, calendarId, after))
    if (moved) return saying(attendee, { responseStatus: 'needsAction' })
    if (!there || !isInvited(world, email)) return attendee
    return saying(attendee, asked ? { responseStatus: 'needsAction' } : answerOf(there))
  })
}

/** A room accepts when it is free at every instance, and declines otherwise (behaviour 7.17, 14.35). */
export function roomsAnswer(world: World, email: string, calendarId: string, event: Composed): Answer {
  const room = world.calendars.get(email)
  return { responseStatus: room && isTaken(world, room, calendarId, event) ? 'declined' : 'accepted' }
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
