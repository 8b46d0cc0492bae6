import type { Event } from '../wire/event.ts'
import type { Composed } from './eventFields.ts'
import { type StoredCalendar, updatedAt, type World } from './world.ts'

/** An event without what each write stamps anew. */
export function unstamped({ kind: _, etag: __, updated: ___, ...event }: Event): Composed {
  return event
}

/** Writes an event. Its etag is twice the microsecond of the write (behaviour 00), which `updated` shows unless given. */
export function saveEvent(
  world: World,
  calendar: StoredCalendar,
  { id, status, htmlLink, created, ...event }: Composed,
  updated?: string,
): Event {
  return world.events.of(calendar.id).put(id, (revision) => ({
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

/** A deletion is a record: the event stays, cancelled, and its id stays taken (behaviour 2.3). */
export const cancelEvent = (world: World, calendar: StoredCalendar, event: Event): Event =>
  saveEvent(world, calendar, { ...unstamped(event), status: 'cancelled' })

/** The revision that wrote an event. */
export const revisionOf = ({ etag }: Event): number => Number(etag.replaceAll('"', '')) / 2
