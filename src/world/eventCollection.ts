import { instanceNamed, spanOf } from '../events/series.ts'
import { windowOf } from '../events/times.ts'
import { type ChangeLog, Collection, type Revision } from '../store/changes.ts'
import { Timeline } from '../store/timeline.ts'
import type { Event } from '../wire/event.ts'

/** The events of one calendar, where they lie in time, and which of them are changed instances of a series. */
export class EventCollection extends Collection<Event> {
  readonly timeline: Timeline<Event>
  readonly #calendarId: string
  readonly #calendarWritten: () => Revision
  readonly #exceptions: Map<string, Set<string>>

  constructor(changes: ChangeLog, calendarId: string, calendarWritten: () => Revision) {
    const timeline = new Timeline<Event>(spanOf)
    const exceptions = new Map<string, Set<string>>()
    super(changes, {
      change(before, after) {
        timeline.change(before, after)
        const { id, recurringEventId } = after.value
        if (recurringEventId === undefined) return
        const ids = exceptions.get(recurringEventId) ?? new Set()
        exceptions.set(recurringEventId, ids.add(id))
      },
    })
    this.timeline = timeline
    this.#calendarId = calendarId
    this.#calendarWritten = calendarWritten
    this.#exceptions = exceptions
  }

  /** The event, or the instance of a series, that an id names. */
  named(id: string): Event | undefined {
    return this.get(id) ?? instanceNamed(id, (masterId) => this.get(masterId), this.#calendarId)
  }

  /** The events that lie in a stretch of time, changed instances beside their series. */
  *inWindow(from: number, to: number, zone: string): Generator<Event> {
    const seen = new Set<string>()
    for (const { value } of this.timeline.overlapping(windowOf(from, to, zone))) {
      for (const id of [value.id, ...this.exceptionsOf(value.id)]) {
        const event = this.get(id)
        if (event && !seen.has(id)) yield event
        seen.add(id)
      }
    }
  }

  /** The revision of the last write of an event; while there was none, of the calendar. */
  override get latest(): Revision {
    return super.latest || this.#calendarWritten()
  }

  /** The ids of the changed instances of a series. */
  exceptionsOf(masterId: string): Iterable<string> {
    return this.#exceptions.get(masterId) ?? []
  }
}

/** What `updated` says of a write. */
export const updatedAt = (revision: Revision): string => new Date(Math.floor(revision / 1000)).toISOString()
