import { readAttendees } from '../events/attendees.ts'
import { type Composed, inOrder } from '../events/fields.ts'
import { htmlLink } from '../events/ids.ts'
import { isOrganizers, withSelf } from '../events/organizer.ts'
import { isMaster, seriesLink } from '../events/series.ts'
import { isStub, stubOf, unstamped } from '../events/stamps.ts'
import type { Event } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { type Access, calendarFor, requireRole, storedEvent } from '../world/access.ts'
import type { Sending } from '../world/mail.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { followMove } from './conferenceRequests.ts'
import { organizerOf, writableEvent } from './events.ts'
import { mailing } from './mailing.ts'
import { saveEvent } from './record.ts'
import { guestsOf } from './sharing.ts'

/**
 * Moves an event to another calendar, which organizes it from then on (behaviour 7.7). The reply is the source's copy,
 * with the version that it had (behaviour 00).
 */
export function moveEvent(access: Access, eventId: string, destinationId: string, sending: Sending): Event {
  const { world, calendar: source, caller } = access
  const event = writableEvent(access, eventId)
  const destination = calendarFor(world, destinationId, caller)
  requireRole(world, destination, caller, 'writer')
  if (event.recurringEventId) refuse('cannotChangeOrganizerOfInstance')
  if (event.status === 'cancelled') refuse('notFound')
  if ((event.eventType ?? 'default') !== 'default') refuse('eventTypeRestriction', { what: 'Moving an event' })
  if (!isOrganizers(event, source.id)) refuse('forbiddenForNonOrganizer')
  if (destination.id === source.id) return event
  if (isTaken(world, destination, event)) refuse('duplicate')
  mailing(access, event, sending, () => {
    relocate(world, { event, source, destination })
    return storedEvent({ world, calendar: destination }, event.id)
  })
  const organizer = withSelf(organizerOf(world, destination), source.id)
  return inOrder({ ...event, status: 'cancelled', organizer })
}

/** An id is free for an event that was there before or that its owner is a guest of. */
function isTaken(world: World, destination: StoredCalendar, { id, iCalUID, organizer }: Event): boolean {
  const there = world.events.of(destination.id).get(id)
  if (!there) return false
  return there.iCalUID !== iCalUID || !(isStub(there) || there.organizer?.email === organizer?.email)
}

type Relocation = { event: Event; source: StoredCalendar; destination: StoredCalendar }

/**
 * The source lets go first: only then do the guests' copies take another organizer. Changed instances go before their
 * series, because what becomes of a series reaches those of its instances that are still there.
 */
function relocate(world: World, { event, source, destination }: Relocation): void {
  const moved = [...changedInstancesOf(world, source.id, event), event]
  const invited = guestsOf(world, { ...event, organizer: undefined }).includes(source.id)
  const left = (one: Event) => (invited ? following(world, destination, source.id, one) : stubOf(one))
  for (const one of moved) saveEvent(world, source, left(one))
  for (const one of moved) saveEvent(world, destination, arriving(world, destination, one))
  followMove(world, source.id, destination.id, moved)
  for (const id of [destination.id, ...guestsOf(world, event)]) {
    const own = changedInstancesOf(world, id, event).filter(({ organizer }) => organizer?.email === source.id)
    for (const one of own) saveEvent(world, { id }, following(world, destination, id, one))
  }
}

const changedInstancesOf = (world: World, calendarId: string, { id }: Event): Event[] => {
  const events = world.events.of(calendarId)
  return [...events.exceptionsOf(id)].flatMap((exception) => events.get(exception) ?? [])
}

/** The event as the destination's own. */
function arriving(world: World, destination: StoredCalendar, event: Event): Composed {
  return inOrder<Composed>({
    ...unstamped(event),
    htmlLink: isMaster(event) ? seriesLink(event, destination.id) : htmlLink(event.id, destination.id),
    creator: withSelf(event.creator, destination.id),
    organizer: organizerOf(world, destination),
    attendees: readAttendees(event.attendees, destination.id, destination.id),
  })
}

/** What stays with a calendar, under the new organizer; gone where its owner is not invited. */
function following(world: World, destination: StoredCalendar, calendarId: string, own: Event): Composed {
  const invited =
    calendarId === destination.id || guestsOf(world, { ...own, organizer: undefined }).includes(calendarId)
  return inOrder<Composed>({
    ...unstamped(own),
    status: invited ? own.status : 'cancelled',
    organizer: withSelf(organizerOf(world, destination), calendarId),
    attendees: readAttendees(own.attendees, destination.id, calendarId),
  })
}
