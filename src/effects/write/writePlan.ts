import type { Revision } from '../../db/version.ts'
import type { Composed } from '../../model/events/fields.ts'
import { type EventLookup, idBeforeSplit, instanceNamed } from '../../model/events/series.ts'
import type { OwnReminders } from '../../model/reminders.ts'
import type { WorldData } from '../../model/worldData.ts'
import type { Event } from '../../schema/event.ts'

/** An event on a calendar: a meeting on its organizer's, a copy on a guest's. */
export type PlacedEvent = { readonly calendarId: string; readonly event: Composed }

export type MovedRequests = { readonly eventIds: readonly string[]; readonly from: string; readonly to: string }

/** `updated` is an RFC 3339 time, by default that of the write. */
export type PlannedWrite = PlacedEvent & {
  readonly updated: string | undefined
  /** The latest revision before the plan that cancelled the event, which all events have that it cancels; else 0. */
  readonly cancelledAt: Revision
}

/**
 * The event writes of one request. A plan is made first and stored once, by `commitWrites`, so that no collection is
 * read while it is written: `find` and `record` return the planned event, else the stored one. An event that is planned
 * twice is written once, at its last place.
 */
export class WritePlan {
  readonly world: WorldData
  /** True if the service makes these writes by itself: etags that clients have read still match. */
  readonly isAutomatic: boolean
  readonly reminders: OwnReminders[] = []
  readonly movedRequests: MovedRequests[] = []
  /** The writes in the order in which they are stored. */
  readonly writes = new Set<PlannedWrite>()
  readonly #byCalendar = new Map<string, Map<string, PlannedWrite>>()
  /** Planned series that were split from another one, of all calendars. */
  readonly #splitSeries = new Set<string>()
  readonly #present: Revision

  constructor(world: WorldData, { isAutomatic = false } = {}) {
    this.world = world
    this.isAutomatic = isAutomatic
    this.#present = world.changes.latest
  }

  record(calendarId: string, id: string): Composed | undefined {
    return this.planned(calendarId, id)?.event ?? this.world.events.of(calendarId).get(id)
  }

  /** Returns an event as planned, else as stored, else the unchanged instance that the id names. */
  find(calendarId: string, id: string): Composed | undefined {
    const known = this.record(calendarId, id)
    if (known) return known
    const { records } = this.world.events.of(calendarId)
    const events: EventLookup = {
      get: (id) => this.record(calendarId, id) as Event | undefined,
      idsWithPrefix: (prefix) => [
        ...records.idsWithPrefix(prefix),
        ...[...this.#splitSeries].filter((id) => id.startsWith(prefix)),
      ],
    }
    return instanceNamed(id, events, calendarId)
  }

  exceptionsOf(calendarId: string, masterId: string): readonly string[] {
    const ids = new Set(this.world.events.of(calendarId).exceptionsOf(masterId))
    for (const { event } of this.#byCalendar.get(calendarId)?.values() ?? []) {
      if (event.recurringEventId === masterId) ids.add(event.id)
    }
    return [...ids]
  }

  cancelledAt(calendarId: string, id: string): Revision {
    const stored = this.world.events.of(calendarId).records.version(id)
    return this.planned(calendarId, id)?.cancelledAt ?? stored?.cancelledRevision ?? 0
  }

  /** Adds a write alone, without what follows from it. Call `planEvent` for both. */
  add({ calendarId, event, updated }: Pick<PlannedWrite, 'calendarId' | 'event' | 'updated'>): void {
    const byId = this.#byCalendar.get(calendarId) ?? new Map<string, PlannedWrite>()
    const earlier = byId.get(event.id)
    if (earlier) this.writes.delete(earlier)
    const known = this.cancelledAt(calendarId, event.id) || this.cancelledAt(calendarId, event.recurringEventId ?? '')
    const cancelledAt = event.status === 'cancelled' ? known || this.#present : 0
    const write = { calendarId, event, updated, cancelledAt }
    this.writes.add(write)
    byId.set(event.id, write)
    this.#byCalendar.set(calendarId, byId)
    if (idBeforeSplit(event.id) !== event.id) this.#splitSeries.add(event.id)
  }

  planned(calendarId: string, id: string): PlannedWrite | undefined {
    return this.#byCalendar.get(calendarId)?.get(id)
  }
}
