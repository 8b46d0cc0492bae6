import { etagOf, updatedAt } from '../../model/collections.ts'
import type { Composed } from '../../model/events/fields.ts'
import type { WorldData } from '../../model/worldData.ts'
import type { Event } from '../../schema/event.ts'
import { scheduleReminders } from '../reminders.ts'
import { planEvent } from './plan.ts'
import { findMeeting } from './propagate.ts'
import { type MovedRequests, type PlannedWrite, WritePlan } from './writePlan.ts'

/**
 * Stores a plan, once: its events, reminders and moved conference requests. Then schedules the reminders of each
 * event, and closes the conference requests of cancelled ones. Call it in a transaction: an error leaves the rollback
 * of earlier writes to it.
 */
export function commitWrites(plan: WritePlan): void {
  const { world } = plan
  for (const { key, reminders } of plan.reminders) world.reminders.set(key, reminders)
  for (const move of plan.movedRequests) moveConferenceRequests(world, move)
  const saved: { calendarId: string; event: Event }[] = []
  for (const write of plan.writes) saved.push({ calendarId: write.calendarId, event: store(plan, write) })
  for (const { calendarId, event } of saved) {
    scheduleReminders(world, calendarId, event)
    if (event.status === 'cancelled') closeRequestsOf(world, event)
  }
}

type SaveOptions = { isAutomatic?: boolean; updated?: string | undefined }

/** Also the exceptions and guests' copies that change with the event. `updated` is by default the time of the write. */
export function saveEvent(
  world: WorldData,
  calendarId: string,
  event: Composed,
  { isAutomatic = false, updated }: SaveOptions = {},
): Event {
  const plan = new WritePlan(world, { isAutomatic })
  planEvent(plan, calendarId, event, updated)
  commitWrites(plan)
  return world.events.of(calendarId).get(event.id) as Event
}

/**
 * Stores one record. Its etag is twice the microsecond of the write (behaviour 3.2.6), which `updated` shows unless
 * given. An `updated` equal to the stored one keeps its microseconds; another one is read as milliseconds.
 */
function store({ world, isAutomatic }: WritePlan, { calendarId, event, updated, cancelledAt }: PlannedWrite): Event {
  const events = world.events.of(calendarId)
  const isPreserved = updated !== undefined && updated === events.get(event.id)?.updated
  const known = isPreserved ? events.records.version(event.id) : undefined
  const touched = known ? (known.updatedRevision ?? known.revision) : updated && Date.parse(updated) * 1000
  const { id, status, htmlLink, created } = event
  const stamp = (revision: number): Event => {
    const [kind, etag] = ['calendar#event' as const, etagOf(revision)]
    const stamped = { kind, etag, id, status, htmlLink, created, updated: updated ?? updatedAt(revision) }
    return Object.assign(stamped, event)
  }
  return events.put(id, stamp, {
    updatedRevision: touched || undefined,
    cancelledRevision: cancelledAt,
    isAutomatic,
  })
}

function moveConferenceRequests({ conferences }: WorldData, { eventIds, from, to }: MovedRequests): void {
  for (const [number, request] of eventIds.flatMap((id) => conferences.listOpenBy('event', id)))
    if (request.calendarId === from) conferences.put({ ...request, calendarId: to }, number)
}

function closeRequestsOf(world: WorldData, { id }: Event): void {
  for (const [number, { calendarId }] of world.conferences.listOpenBy('event', id)) {
    const own = world.events.of(calendarId).get(id)
    if (own && findMeeting(world, calendarId, own).event.status === 'cancelled') world.conferences.close(number)
  }
}
