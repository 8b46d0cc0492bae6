import { isOrganizers } from '../model/attendees.ts'
import type { Composed } from '../model/fields.ts'
import { isMaster } from '../model/series.ts'
import type { Event } from '../wire/event.ts'
import { etagOf, updatedAt } from '../world/eventCollection.ts'
import type { StoredCalendar, World } from '../world/world.ts'
import { changedInstances } from './exceptions.ts'
import { changedCopies, meetingBehind } from './guests.ts'
import { scheduleReminders } from './reminders.ts'

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
  const events = world.events.of(calendar.id)
  const before = events.named(event.id)
  const written = before ? events.writtenAt(event.id) : 0
  const follow = before !== undefined && isMaster(before) && events.isFollowedInReading({ before, after: event })
  const after = putEvent(world, calendar.id, event, { updated, follow })
  if (after.status === 'cancelled') closeRequests(world, after)
  if (before && isMaster(before) && !follow) {
    for (const instance of changedInstances(events, { before, written, after })) saveEvent(world, calendar, instance)
  }
  if (isOrganizers(after, calendar.id)) {
    for (const { calendarId, copy } of changedCopies(world, before, after)) saveEvent(world, { id: calendarId }, copy)
  }
  return events.get(after.id) ?? after // the instances that went along have stamped their series anew
}

/** Nobody waits for the conference of a meeting that is cancelled. */
function closeRequests(world: World, { id }: Event): void {
  for (const [number, { calendarId, eventId }] of world.conferences.open()) {
    const asking = eventId === id ? world.events.of(calendarId).get(id) : undefined
    if (asking && meetingBehind(world, calendarId, asking).event.status === 'cancelled') world.conferences.close(number)
  }
}

/** An event's etag is twice the microsecond of its write (behaviour 3.2.6), which `updated` shows unless given. */
function putEvent(
  world: World,
  calendarId: string,
  event: Composed,
  { updated, follow }: { updated: string | undefined; follow: boolean },
): Event {
  const touched = updated === undefined ? undefined : Date.parse(updated) * 1000
  const { id, status, htmlLink, created } = event
  const stamp = (revision: number): Event => {
    const [kind, etag] = ['calendar#event' as const, etagOf(revision)]
    const stamped = { kind, etag, id, status, htmlLink, created, updated: updated ?? updatedAt(revision) }
    return Object.assign(stamped, event)
  }
  const saved = world.events.of(calendarId).put(id, stamp, { touched, follow })
  scheduleReminders(world, calendarId, saved)
  return saved
}
