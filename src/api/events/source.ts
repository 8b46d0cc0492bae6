import { isDatedBucket, NO_INTERVAL, overlaps, type Window } from '../../db/indexes.ts'
import type { Records } from '../../db/records.ts'
import type { Version } from '../../db/version.ts'
import type { Access } from '../../model/access.ts'
import { idsWithUid } from '../../model/collections.ts'
import {
  boundSeriesWindow,
  idFromDefaultUid,
  instanceId,
  instancesAt,
  isMaster,
  type Master,
  type Slot,
  slotsFrom,
  spanOf,
} from '../../model/events/series.ts'
import type { Event } from '../../schema/event.ts'
import type { ListEntry, PageSource, SortKey } from '../../sync/paging.ts'
import type { EventQuery } from './query.ts'
import type { EventView, ShownEvent } from './view.ts'

export type ListView = {
  show(event: Event): ShownEvent | undefined
  createInstanceView(instance: Event): EventView | undefined
}

export type Source = PageSource<Event, EventQuery> & {
  access: Access
  calendarId: string
  window: Window
  zone: string
  includeCancelled: boolean
  view: ListView
}

/** Returns true if an event, or any instance of a series, is in a window (behaviour 4.10). */
export const isWithin = (event: Event, window: Window): boolean =>
  isMaster(event) ? !isEmpty(slotsFrom(event, window)) : overlaps(spanOf(event), window)

function isEmpty(items: Iterable<unknown>): boolean {
  for (const _ of items) return false
  return true
}

/** Returns true if a record is in a window, like `isWithin`. It uses the indexed interval if there is one. */
export const liesWithin = ({ value, bucket, start, end }: Version<Event>, window: Window): boolean =>
  bucket === NO_INTERVAL ? isWithin(value, window) : overlaps({ dated: isDatedBucket(bucket), start, end }, window)

/** Returns the slots of a series in the window of a list, in order. With `from`, it starts at that slot. */
export const reachableSlots = ({ access, window }: Source, master: Master, from?: Slot): Iterable<Slot> =>
  slotsFrom(master, boundSeriesWindow(master, window, access.world.clock.now()), from)

const hasChanged = (records: Records<Event>, { id }: Pick<Event, 'id'>): boolean => records.hasIdPrefix(`${id}_`)

export const isChanged = (records: Records<Event>, master: Pick<Event, 'id' | 'start'>, slot: Slot): boolean =>
  hasChanged(records, master) && records.has(instanceId(master, slot))

/** Returns the slots of the unchanged instances in the window of a list, in order, optionally from one slot on. */
export function unchangedSlotsOf(source: Source, master: Master, from?: Slot): Iterable<Slot> {
  const slots = reachableSlots(source, master, from)
  return hasChanged(source.records, master) ? skipChanged(slots, source.records, master) : slots
}

function* skipChanged(slots: Iterable<Slot>, records: Records<Event>, master: Master): Generator<Slot> {
  for (const slot of slots) if (!records.has(instanceId(master, slot))) yield slot
}

/**
 * Yields the unchanged instances of a series that a list shows. Filters depend only on fields that all of them share,
 * so the first one decides for all.
 */
export function* shownInstancesOf(
  source: Source,
  master: Master,
  { from, sortKeyOfSlot }: { from?: Slot | undefined; sortKeyOfSlot: (slot: Slot) => SortKey },
): Generator<Instance> {
  const instanceAt = instancesAt(master, source.calendarId, source.zone)
  let view: EventView | undefined
  for (const slot of unchangedSlotsOf(source, master, from)) {
    view ??= source.view.createInstanceView(instanceAt(slot))
    if (!view) return
    yield new Instance(slot, sortKeyOfSlot, instanceAt, view)
  }
}

class Instance implements ListEntry<ShownEvent> {
  readonly slot: Slot
  readonly #sortKeyOfSlot: (slot: Slot) => SortKey
  readonly #instanceAt: (slot: Slot) => Event
  readonly #view: EventView
  #at: SortKey | undefined

  constructor(slot: Slot, sortKeyOfSlot: (slot: Slot) => SortKey, instanceAt: (slot: Slot) => Event, view: EventView) {
    this.slot = slot
    this.#sortKeyOfSlot = sortKeyOfSlot
    this.#instanceAt = instanceAt
    this.#view = view
  }

  get sortKey(): SortKey {
    this.#at ??= this.#sortKeyOfSlot(this.slot)
    return this.#at
  }

  show(): ShownEvent {
    return this.#view(this.#instanceAt(this.slot))
  }
}

/** Yields the records with an iCalendar UID: events, and the changed instances of series. It uses the index. */
export function* withUid(records: Records<Event>, iCalUID: string): Generator<Version<Event>> {
  const defaultId = idFromDefaultUid(iCalUID)
  const ids = [...(defaultId === undefined ? [] : [defaultId]), ...idsWithUid(records, iCalUID)]
  for (const id of new Set(ids.flatMap((one) => [one, ...records.membersOf(one)]))) {
    const version = records.version(id)
    if (version) yield version
  }
}
