import type { Composed } from '../events/fields.ts'
import { instanceNamed, isMaster } from '../events/series.ts'
import type { Event } from '../wire/event.ts'
import { type StoredCalendar, updatedAt, type World } from '../world/world.ts'
import { changedInstances } from './exceptions.ts'
import { changedCopies } from './sharing.ts'

/** The event, or the instance of a series, that an id names on a calendar. */
export function eventNamed(world: World, calendarId: string, eventId: string): Event | undefined {
  const events = world.events.of(calendarId)
  return events.get(eventId) ?? instanceNamed(eventId, (id) => events.get(id), calendarId)
}

/**
 * Writes an event, and all that follows from it: the changed instances of a series go along, and what the organizer
 * writes reaches the copy of every guest.
 */
export function saveEvent(
  world: World,
  calendar: Pick<StoredCalendar, 'id'>,
  event: Composed,
  updated?: string,
): Event {
  const before = eventNamed(world, calendar.id, event.id)
  const after = putEvent(world, calendar.id, event, updated)
  if (before && isMaster(before)) {
    for (const instance of changedInstances(world, calendar.id, before, after)) saveEvent(world, calendar, instance)
  }
  if (isOrganizers(after, calendar.id)) {
    for (const { calendarId, copy } of changedCopies(world, before, after)) saveEvent(world, { id: calendarId }, copy)
  }
  return after
}

/** Whether this is the organizer's own, from which all copies follow; a private copy follows nobody (behaviour 7.3). */
export const isOrganizers = (
  { organizer, privateCopy }: Pick<Event, 'organizer' | 'privateCopy'>,
  calendarId: string,
): boolean => organizer?.email === calendarId && !privateCopy

/** An event's etag is twice the microsecond of its write (behaviour 3.2.6), which `updated` shows unless given. */
function putEvent(
  world: World,
  calendarId: string,
  { id, status, htmlLink, created, ...event }: Composed,
  updated?: string,
): Event {
  return world.events.of(calendarId).put(id, (revision) => ({
    kind: 'calendar#event',
    etag: `"${2 * revision}"`,
    id,
    status,
    htmlLink,
    created,
    updated: updated ?? updatedAt(revision),
    ...event,
  }))
}
