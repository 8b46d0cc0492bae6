import type { Event } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { type Access, calendarFor, requireRole } from './access.ts'
import { readAttendees } from './attendees.ts'
import { followMove } from './conferenceRequests.ts'
import { inOrder } from './eventFields.ts'
import { htmlLink } from './eventIds.ts'
import { isOrganizers, saveEvent } from './eventRecord.ts'
import { organizerOf, storedEvent } from './events.ts'
import { mailGuests, type Sending } from './mail.ts'
import { isMaster, seriesLink } from './series.ts'
import { guestsOf } from './sharing.ts'
import { unstamped } from './stamps.ts'
import type { StoredCalendar, World } from './world.ts'

/**
 * Moves an event to another calendar, which organizes it from then on (behaviour 7.7). The reply is the source's copy,
 * with the version that it had (behaviour 00).
 */
export function moveEvent(access: Access, eventId: string, destinationId: string, sending: Sending): Event {
  const { world, calendar: source, caller } = access
  const event = storedEvent(access, eventId)
  const destination = calendarFor(world, destinationId, caller)
  requireRole(world, destination, caller, 'writer')
  if (event.recurringEventId) refuse('cannotChangeOrganizerOfInstance')
  if (event.status === 'cancelled') refuse('notFound')
  if ((event.eventType ?? 'default') !== 'default') refuse('eventTypeRestriction', { what: 'Moving an event' })
  if (!isOrganizers(event, source.id)) refuse('forbiddenForNonOrganizer')
  if (destination.id === source.id) return event
  const taken = world.events.of(destination.id).get(event.id)
  if (taken && (taken.iCalUID !== event.iCalUID || isOrganizers(taken, destination.id))) {
    if (taken.status !== 'cancelled') refuse('duplicate')
  }
  const moved = [event, ...changedInstancesOf(world, source, event)]
  for (const one of moved) leaveStub(world, source, one)
  for (const one of moved) arrive(world, destination, one)
  followMove(world, source.id, destination.id, moved)
  const { self: _, ...organizer } = organizerOf(world, destination) ?? {}
  mailGuests(
    { ...access, calendar: destination },
    event,
    storedEvent({ world, calendar: destination }, event.id),
    sending,
  )
  return inOrder({ ...event, status: 'cancelled', organizer })
}

const changedInstancesOf = (world: World, calendar: StoredCalendar, { id }: Event): Event[] => {
  const events = world.events.of(calendar.id)
  return [...events.exceptionsOf(id)].flatMap((exception) => events.get(exception) ?? [])
}

/** The event as the destination's own. Guests' copies follow from there. */
function arrive(world: World, destination: StoredCalendar, event: Event): void {
  const organizer = organizerOf(world, destination)
  const { creator } = event
  saveEvent(
    world,
    destination,
    inOrder({
      ...unstamped(event),
      htmlLink: isMaster(event) ? seriesLink(event, destination.id) : htmlLink(event.id, destination.id),
      creator: creator && { ...withoutSelf(creator), ...(creator.email === destination.id && { self: true }) },
      organizer,
      attendees: readAttendees(event.attendees, destination.id, destination.id),
    }),
  )
}

const withoutSelf = ({ self: _, ...person }: NonNullable<Event['creator']>) => person

const LONG_AGO = { dateTime: '2000-01-01T00:00:00Z', timeZone: 'UTC' }
const A_DAY_LATER = { dateTime: '2000-01-02T00:00:00Z', timeZone: 'UTC' }

/** What stays on a calendar that an event has left, unless its owner is a guest and keeps a copy (behaviour 00). */
function leaveStub(world: World, source: StoredCalendar, event: Event): void {
  const { id, htmlLink: link, created, iCalUID } = event
  const invited = guestsOf(world, { ...event, organizer: {} }).includes(source.id)
  if (invited) return void world.events.of(source.id).put(id, (revision) => asGuests(event, revision))
  world.events.of(source.id).put(id, (revision) => ({
    kind: 'calendar#event',
    etag: `"${2 * revision}"`,
    id,
    status: 'cancelled',
    htmlLink: link,
    created,
    updated: new Date(Math.floor(revision / 1000)).toISOString(),
    start: LONG_AGO,
    end: A_DAY_LATER,
    transparency: 'transparent',
    iCalUID,
  }))
}

/** A copy that waits for its new organizer's word. */
const asGuests = (event: Event, revision: number): Event => ({
  ...event,
  etag: `"${2 * revision}"`,
  organizer: {},
})
