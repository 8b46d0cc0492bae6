import { followMove } from '../../effects/conferences.ts'
import { guestsOf } from '../../effects/guests.ts'
import { mailing } from '../../effects/mail.ts'
import { saveEvent } from '../../effects/propagate.ts'
import { isOrganizers, readAttendees, withSelf } from '../../model/attendees.ts'
import { type Composed, eventInOrder, isStub, stubOf, unstamped } from '../../model/fields.ts'
import { linkOf } from '../../model/series.ts'
import type { Event } from '../../wire/event.ts'
import { refuse } from '../../wire/refusals.ts'
import { type Access, requireRole, roleFor, storedEvent } from '../../world/access.ts'
import type { Sending } from '../../world/mail.ts'
import { remindersMoved } from '../../world/reminders.ts'
import type { StoredCalendar, World } from '../../world/world.ts'
import { organizerOf, writableEvent } from './write.ts'

/**
 * Moves an event to another calendar, which organizes it from then on (behaviour 7.7). The reply is the source's copy,
 * with the version that it had (behaviour 7.7).
 */
export function moveEvent(access: Access, eventId: string, destinationId: string, sending: Sending): Event {
  const { world, calendar: source, caller } = access
  const event = writableEvent(access, eventId)
  const { calendar: destination, role } = roleFor(world, destinationId, caller)
  requireRole(role, 'writer')
  if (event.recurringEventId) refuse('cannotChangeOrganizerOfInstance')
  if (event.status === 'cancelled') refuse('notFound')
  const { eventType: type = 'default' } = event
  if (type !== 'default') refuse('eventTypeRestriction', { type })
  if (!isOrganizers(event, source.id)) refuse('forbiddenForNonOrganizer')
  if (destination.id === source.id) return event
  if (isTaken(world, destination, event)) refuse('duplicate')
  mailing(access, event, sending, () => {
    relocate(world, { event, source, destination })
    return storedEvent({ world, calendar: destination }, event.id)
  })
  const organizer = withSelf(organizerOf(world, destination), source.id)
  return eventInOrder({ ...event, status: 'cancelled', organizer })
}

/** Whether another event has the id on the destination. A stub of this one, or a guest's copy of it, gives way. */
function isTaken(world: World, destination: StoredCalendar, { id, iCalUID, organizer }: Event): boolean {
  const there = world.events.of(destination.id).get(id)
  if (!there) return false
  return there.iCalUID !== iCalUID || !(isStub(there) || there.organizer?.email === organizer?.email)
}

type Relocation = { event: Event; source: StoredCalendar; destination: StoredCalendar }

/**
 * The source is written first, because guests' copies change their organizer only once the source has let go. Changed
 * instances go before their series, because a write to a series also writes its instances that are still there.
 */
function relocate(world: World, { event, source, destination }: Relocation): void {
  const leaving = [...changedInstancesOf(world, source.id, event), event]
  const invited = guestsOf(world, { ...event, organizer: undefined }).includes(source.id)
  const left = (one: Event) => (invited ? stayingWith(world, destination, source.id, one) : stubOf(one))
  followMove(world, source.id, destination.id, leaving)
  for (const one of leaving) saveEvent(world, source, left(one))
  for (const one of leaving) {
    const reminders = remindersMoved(world, one, source.id, destination.id)
    saveEvent(world, destination, arriving(world, destination, { ...one, ...(reminders && { reminders }) }))
  }
  for (const id of [destination.id, ...guestsOf(world, event)]) {
    const own = changedInstancesOf(world, id, event).filter(({ organizer }) => organizer?.email === source.id)
    for (const one of own) saveEvent(world, { id }, stayingWith(world, destination, id, one))
  }
}

const changedInstancesOf = (world: World, calendarId: string, { id }: Event): Event[] => {
  const events = world.events.of(calendarId)
  return [...events.exceptionsOf(id)].flatMap((exception) => events.get(exception) ?? [])
}

/** The event as the destination's own. */
function arriving(world: World, destination: StoredCalendar, event: Event): Composed {
  return eventInOrder<Composed>({
    ...unstamped(event),
    htmlLink: linkOf(event, destination.id),
    creator: withSelf(event.creator, destination.id),
    organizer: organizerOf(world, destination),
    attendees: readAttendees(event.attendees, destination.id, destination.id),
  })
}

/** What stays on a calendar: a copy under the new organizer, cancelled where the calendar's owner is not invited. */
function stayingWith(world: World, destination: StoredCalendar, calendarId: string, own: Event): Composed {
  const invited =
    calendarId === destination.id || guestsOf(world, { ...own, organizer: undefined }).includes(calendarId)
  return eventInOrder<Composed>({
    ...unstamped(own),
    status: invited ? own.status : 'cancelled',
    organizer: withSelf(organizerOf(world, destination), calendarId),
    attendees: readAttendees(own.attendees, destination.id, calendarId),
  })
}
