import { isOrganizerCopy } from '../model/attendees.ts'
import { type Composed, withoutStamps } from '../model/fields.ts'
import { instanceNamed, isMaster } from '../model/series.ts'
import type { Event } from '../wire/event.ts'
import { same, without } from '../wire/values/merge.ts'
import type { World } from '../world/world.ts'
import type { EventHistory } from './eventReader.ts'
import { findChangedExceptions } from './exceptions.ts'
import { findChangedCopies } from './guests.ts'

/** An event as it will stand on a calendar. */
export type EventWrite = {
  readonly calendarId: string
  readonly event: Composed
  /** The value of `updated`, where it is not the time of this write. */
  readonly updated?: string | undefined
}

/** A step of the work list: a write, or the search for the guests' copies that follow from one. */
type Step =
  | ({ readonly kind: 'write' } & EventWrite)
  | { readonly kind: 'copies'; readonly before: Composed | undefined; readonly after: Composed }

/** Planned writes are later than all stored ones: no revision reaches this. */
const FIRST_PLANNED = Number.MAX_SAFE_INTEGER / 2

/**
 * The event writes of one request. A plan is made first and stored once, by `commitWrites`, so that no collection is read
 * while it is written: `find` and `record` return the planned event, else the stored one. An event that is planned twice is
 * written once, at its last place.
 */
export class WritePlan implements EventHistory {
  readonly world: World
  readonly #writes = new Map<string, Map<string, EventWrite & { order: number }>>()
  #size = 0

  constructor(world: World) {
    this.world = world
  }

  get isEmpty(): boolean {
    return this.#size === 0
  }

  record(calendarId: string, id: string): Composed | undefined {
    return this.#planned(calendarId, id)?.event ?? this.world.events.of(calendarId).get(id)
  }

  find(calendarId: string, id: string): Composed | undefined {
    const masterOf = (masterId: string) => this.record(calendarId, masterId) as Event | undefined
    return this.record(calendarId, id) ?? instanceNamed(id, masterOf, calendarId)
  }

  exceptionsOf(calendarId: string, masterId: string): readonly string[] {
    const stored = this.world.events.of(calendarId).exceptionsOf(masterId)
    const added: string[] = []
    for (const { event } of this.#writes.get(calendarId)?.values() ?? []) {
      if (event.recurringEventId === masterId && !stored.includes(event.id)) added.push(event.id)
    }
    return added.length > 0 ? [...stored, ...added] : stored
  }

  writtenAt(calendarId: string, id: string): number {
    return this.#planned(calendarId, id)?.order ?? this.world.events.of(calendarId).writtenAt(id)
  }

  /** The planned writes, in the order in which they are to be stored. */
  *writes(): Generator<EventWrite> {
    const all = [...this.#writes.values()].flatMap((byId) => [...byId.values()])
    yield* all.sort((a, b) => a.order - b.order)
  }

  /**
   * Plans a write and everything that follows from it: the changed instances of a series (behaviour 4.6.1), and the copy of
   * every guest of an event that its organizer writes (behaviour 7.1, 7.4).
   */
  put(calendarId: string, event: Composed, updated?: string): void {
    const steps: Step[] = [{ kind: 'write', calendarId, event, updated }]
    for (let step = steps.pop(); step; step = steps.pop()) {
      if (step.kind === 'copies') steps.push(...toSteps(findChangedCopies(this, step.before, step.after)))
      else steps.push(...this.#write(step))
    }
  }

  /** Plans one write, and returns the steps that follow, the next one last. */
  #write(write: EventWrite): Step[] {
    const { calendarId, event: after } = write
    const before = this.find(calendarId, after.id)
    const written = this.writtenAt(calendarId, after.id)
    this.#set(write)
    const next: Step[] = isOrganizerCopy(after, calendarId) ? [{ kind: 'copies', before, after }] : []
    if (!before || !isMaster(before)) return next
    const instances = findChangedExceptions(this, calendarId, { before, written, after })
    return [...next, ...toSteps(instances.map((event) => ({ calendarId, event })))]
  }

  #set({ calendarId, event, updated }: EventWrite): void {
    const byId = this.#writes.get(calendarId) ?? new Map<string, EventWrite & { order: number }>()
    byId.set(event.id, { calendarId, event, updated, order: FIRST_PLANNED + this.#size++ })
    this.#writes.set(calendarId, byId)
  }

  /**
   * Plans a write unless it changes nothing (behaviour 14.9). A write that changes only reminders keeps `updated` (behaviour
   * 5.1).
   */
  putIfChanged(calendarId: string, current: Composed & { updated?: string }, after: Composed): void {
    const before = withoutStamps(current)
    if (same(before, after)) return
    const isRemindersOnly = same(without(before, 'reminders'), without(after, 'reminders'))
    const planned = this.#planned(calendarId, after.id)
    const updated = planned ? planned.updated : current.updated
    this.put(calendarId, after, isRemindersOnly ? updated : undefined)
  }

  #planned(calendarId: string, id: string): (EventWrite & { order: number }) | undefined {
    return this.#writes.get(calendarId)?.get(id)
  }
}

const toSteps = (writes: readonly EventWrite[]): Step[] =>
  writes.toReversed().map((write) => ({ kind: 'write', ...write }))
