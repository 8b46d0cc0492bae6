import { readAttendees } from '../events/attendees.ts'
import { type Composed, copyPart, eventInOrder, meetingPart } from '../events/fields.ts'
import { isOrganizers, withSelf } from '../events/organizer.ts'
import { linkOf } from '../events/series.ts'
import { isStub, stubOf, unstamped } from '../events/stamps.ts'
import type { Event } from '../wire/event.ts'
import { same } from '../wire/values/merge.ts'
import { isPrimary } from '../world/access.ts'
import type { World } from '../world/world.ts'

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
