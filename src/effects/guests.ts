import { isOrganizers, readAttendees, withSelf } from '../model/attendees.ts'
import type { Composed } from '../model/fields.ts'
import { copyPart, eventInOrder, isStub, meetingPart, stubOf, unstamped } from '../model/fields.ts'
import { linkOf } from '../model/series.ts'
import { isMoved } from '../model/times.ts'
import { same, without } from '../store/merge.ts'
import type { Event, EventAttendee } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { isPrimary } from '../world/access.ts'
import type { World } from '../world/world.ts'
import { isTaken } from './roomConflicts.ts'

export type Copy = { calendarId: string; copy: Composed }

/** What becomes of the guests' copies when the organizer's event changes (behaviour 7.1, 7.4). */
export function changedCopies(world: World, before: Event | undefined, after: Event): Copy[] {
  const guests = guestsOf(world, after)
  const dropped = before ? guestsOf(world, before).filter((email) => !guests.includes(email)) : []
  if (guests.length + dropped.length === 0) return []
  return [
    ...guests.flatMap((email) => copyFor(world, email, after)),
    ...dropped.flatMap((email) => droppedCopy(world, email, after)),
  ]
}

/**
 * The accounts that an event is sent to: its attendees and the members of groups among them, but for its organizer. Rooms
 * are invited like people.
 */
export function guestsOf(world: World, { attendees = [], organizer }: Event): string[] {
  if (attendees.length === 0) return []
  const invited = attendees.flatMap(({ email }) => [email, ...(world.groups.get(email)?.members ?? [])])
  return [...new Set(invited)].filter((email) => email !== organizer?.email && isInvited(world, email))
}

/** Whether an address has a calendar that invitations go to: an account's own, or a room's. */
export const isInvited = (world: World, email: string): boolean => isPrimary(world, email) || isRoom(world, email)

/** A room that takes invitations by itself (behaviour 15.14). */
export function isRoom(world: World, email: string): boolean {
  const calendar = world.calendars.get(email)
  return calendar?.autoAcceptInvitations === true && !calendar.deleted
}

/** The copy to write for a guest; none where theirs says the same already. */
export function copyFor(world: World, email: string, event: Event): Copy[] {
  const current = world.events.of(email).named(event.id)
  if (!current && event.status === 'cancelled') return []
  if (current && !isCopyOf(world, email, current, event)) return [] // another event has the id on their calendar
  const copy = composeCopy(email, event, current)
  if (current && same(unstamped(current), copy)) return []
  return [{ calendarId: email, copy }, ...(current && isStub(current) ? instancesBack(world, email, event) : [])]
}

/** Instances that their guest had changed and lost with the series, where the series comes back to them. */
const instancesBack = (world: World, email: string, { id, organizer }: Event): Copy[] =>
  world.events
    .of(email)
    .exceptionsOf(id)
    .flatMap((exception) => {
      const lost = world.events.of(email).get(exception)
      const instance = world.events.of(organizer?.email ?? '').named(exception)
      return lost && isStub(lost) && instance && guestsOf(world, instance).includes(email)
        ? [{ calendarId: email, copy: composeCopy(email, instance, undefined) }]
        : []
    })

/** Who was removed keeps a stub (behaviour 7.16). */
const droppedCopy = (world: World, email: string, event: Event): Copy[] => {
  const current = world.events.of(email).named(event.id)
  return current && !isStub(current) && isCopyOf(world, email, current, event)
    ? [{ calendarId: email, copy: stubOf(current) }]
    : []
}

/**
 * Whether the event with this id on a guest's calendar is a copy of this one: it has the same organizer, or its organizer
 * has moved it to this one's.
 */
function isCopyOf(world: World, email: string, current: Event, event: Event): boolean {
  const organizer = current.organizer?.email
  if (current.iCalUID !== event.iCalUID || current.privateCopy || organizer === email) return false
  if (organizer === undefined || organizer === event.organizer?.email) return true
  return world.events.get(organizer)?.get(current.recurringEventId ?? current.id)?.organizer?.email !== organizer
}

function composeCopy(email: string, event: Event, there: Event | undefined): Composed {
  const current = there && !isStub(there) ? there : undefined // of an event that moved away nothing is left to keep
  const { id, iCalUID, created, creator, organizer, recurringEventId, originalStartTime, hangoutLink } = event
  const { private: own } = current?.extendedProperties ?? {}
  const shared = event.extendedProperties?.shared
  const attendees = readAttendees(event.attendees, organizer?.email ?? '', email)
  const answer = attendees.find(({ self }) => self)?.responseStatus
  // A guest who deleted their copy has declined; it comes back only when a new time asks them again.
  const away = current?.status === 'cancelled' && answer === 'declined'
  return eventInOrder<Composed>({
    ...meetingPart(event),
    ...(current ? copyPart(current) : firstCopyPart(event)),
    ...{ id, iCalUID, created: current?.created ?? created, recurringEventId, originalStartTime, hangoutLink },
    start: event.start,
    end: event.end,
    status: away ? 'cancelled' : event.status,
    htmlLink: linkOf(event, email),
    creator: withSelf(creator, email),
    organizer: withSelf(organizer, email),
    locked: current?.locked,
    attendees,
    extendedProperties: { ...(own && { private: own }), ...(shared && { shared }) },
  })
}

/** The first values of the fields that each copy has for itself. Visibility is the organizer's at first. */
const firstCopyPart = ({ start, visibility, transparency }: Event) => ({
  visibility,
  transparency,
  reminders: { useDefault: start.date === undefined },
})

/** An event on the calendar that organizes it. */
export type Meeting = { calendarId: string; event: Event }

/** The organizer's event of a copy, where the organizer has a calendar in this world. */
export function organizersOf(world: World, { id, iCalUID, organizer, privateCopy }: Event): Meeting | undefined {
  if (!organizer?.email || privateCopy || world.calendars.get(organizer.email) === undefined) return undefined
  const event = world.events.of(organizer.email).named(id)
  return event && event.iCalUID === iCalUID && !isStub(event) ? { calendarId: organizer.email, event } : undefined
}

/** The organizer's event behind what is on a calendar; that itself, where there is none in this world. */
export const meetingBehind = (world: World, calendarId: string, event: Event): Meeting =>
  (isOrganizers(event, calendarId) ? undefined : organizersOf(world, event)) ?? { calendarId, event }

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
