import type { Composed } from '../model/fields.ts'
import type { Event } from '../wire/event.ts'
import { etagOf, updatedAt } from '../world/eventCollection.ts'
import type { World } from '../world/world.ts'
import { storedEvents } from './eventReader.ts'
import { findMeeting } from './guests.ts'
import { type EventWrite, WritePlan } from './propagate.ts'
import { scheduleReminders } from './reminders.ts'

/**
 * Stores the writes of a plan, schedules the reminders of each event, and closes the conference requests of those that are
 * cancelled.
 */
export function commitWrites(plan: WritePlan): void {
  const { world } = plan
  const saved = [...plan.writes()].map((write) => ({ calendarId: write.calendarId, event: store(world, write) }))
  for (const { calendarId, event } of saved) {
    scheduleReminders(world, calendarId, event)
    if (event.status === 'cancelled') closeRequestsOf(world, event)
  }
}

/** Stores one event and everything that follows from it, and returns it. */
export function saveEvent(world: World, calendarId: string, event: Composed, updated?: string): Event {
  const plan = new WritePlan(world)
  plan.put(calendarId, event, updated)
  commitWrites(plan)
  return world.events.of(calendarId).get(event.id) as Event
}

/** Stores one record. Its etag is twice the microsecond of the write (behaviour 3.2.6), which `updated` shows unless given. */
function store(world: World, { calendarId, event, updated }: EventWrite): Event {
  const events = world.events.of(calendarId)
  const isPreserved = updated !== undefined && updated === events.get(event.id)?.updated
  const touched = isPreserved ? events.touchedAt(event.id) : updated && Date.parse(updated) * 1000
  const { id, status, htmlLink, created } = event
  const stamp = (revision: number): Event => {
    const [kind, etag] = ['calendar#event' as const, etagOf(revision)]
    const stamped = { kind, etag, id, status, htmlLink, created, updated: updated ?? updatedAt(revision) }
    return Object.assign(stamped, event)
  }
  return events.put(id, stamp, { touched: touched || undefined })
}

/** Closes the conference requests of a cancelled meeting, because nobody waits for them any more. */
function closeRequestsOf(world: World, { id }: Event): void {
  for (const [number, { calendarId, eventId }] of world.conferences.open()) {
    const own = eventId === id ? world.events.of(calendarId).get(id) : undefined
    if (own && findMeeting(storedEvents(world), calendarId, own).event.status === 'cancelled')
      world.conferences.close(number)
  }
}
