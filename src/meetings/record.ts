import type { Composed } from '../events/fields.ts'
import { isOrganizers } from '../events/organizer.ts'
import { isMaster } from '../events/series.ts'
import type { Event } from '../wire/event.ts'
import { updatedAt } from '../world/eventCollection.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { changedInstances } from './exceptions.ts'
import { changedCopies } from './sharing.ts'

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
  const before = world.events.of(calendar.id).named(event.id)
  const after = putEvent(world, calendar.id, event, updated)
  if (before && isMaster(before)) {
    for (const instance of changedInstances(world, calendar.id, before, after)) saveEvent(world, calendar, instance)
  }
  if (isOrganizers(after, calendar.id)) {
    for (const { calendarId, copy } of changedCopies(world, before, after)) saveEvent(world, { id: calendarId }, copy)
  }
  return after
}

/** An event's etag is twice the microsecond of its write (behaviour 00), which `updated` shows unless given. */
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
