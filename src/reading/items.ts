import { instanceId, instanceOf, isMaster, type Master, reachOf, type Slot, slotsIn, spanOf } from '../events/series.ts'
import { instantIn } from '../events/times.ts'
import type { Snapshot, Version } from '../store/changes.ts'
import { without } from '../store/merge.ts'
import { type Cursor, changesBetween, type Entry, inOrder, type Place } from '../store/paging.ts'
import { overlaps, type Window } from '../store/timeline.ts'
import type { Event } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import type { Access } from '../world/access.ts'
import type { EventCollection } from '../world/eventCollection.ts'
import { type EventQuery, windowAsked } from './query.ts'
import { type ShownEvent, zoneShown } from './view.ts'

export type Order = 'created' | 'startTime' | 'updated' | 'changed'

/** One event that may belong to a list: a record, or the instance of a series at a slot. */
type Item = { version: Version<Event>; instance?: Instance }
type Instance = { master: Master; slot: Slot }
/** What a list is drawn from: the events as they stood at the moment that all of its pages show. */
export type Source = { access: Access; events: EventCollection; snapshot: Snapshot<Event>; query: EventQuery }

/** Shows an event that belongs to a list, or says that it does not. */
export type Show = (event: Event) => ShownEvent | undefined

/** Every event that may belong to a list, in its order. An entry is worked out when its turn comes, so that a page costs what it shows. */
export function entriesOf(source: Source, cursor: Cursor, show: Show): Iterable<Entry<ShownEvent>> {
  const { access, events, snapshot, query } = source
  const order = cursor.order as Order
  const entries = (items: Iterable<Item>) => entriesIn(items, PLACES[order](zoneShown(access, query)), access, show)
  if (order === 'changed')
    return query.singleEvents ? changedInstances(source, cursor, show) : changedRecords(source, cursor, show)
  const window = windowAsked(access, query)
  const bounded = query.timeMin !== undefined || query.timeMax !== undefined
  if (order === 'created' && !bounded) return entries(itemsIn(snapshot.from(cursor.after?.[0] ?? 0), source, window))
  const versions = bounded
    ? snapshot.restated(events.timeline.overlapping(window), ({ value }) => overlaps(spanOf(value), window))
    : snapshot.from(0)
  return inOrder(entries(itemsIn(versions, source, window)))
}

function* entriesIn(
  items: Iterable<Item>,
  placeOf: (item: Item) => Place,
  { calendar }: Access,
  show: Show,
): Generator<Entry<ShownEvent>> {
  for (const item of items) {
    const { version, instance } = item
    const event = () => (instance ? instanceOf(instance.master, instance.slot, calendar.id) : version.value)
    yield { at: placeOf(item), show: () => show(event()) }
  }
}

/** Records as they are, or with `singleEvents` the instances of each series in its place. */
function* itemsIn(versions: Iterable<Version<Event>>, source: Source, window: Window): Generator<Item> {
  for (const version of versions) {
    if (!isMaster(version.value)) yield { version }
    else if (source.query.singleEvents) {
      for (const instance of instancesOf(version.value, source, window)) yield { version, instance }
    } else if (isWithin(version.value, window)) yield { version }
  }
}

/** The instances that nobody changed. A changed one is a record of its own. */
export function* instancesOf(master: Master, { access, snapshot }: Source, window: Window): Generator<Instance> {
  for (const slot of reachableSlots(master, window, access)) {
    if (!snapshot.get(instanceId(master, slot))) yield { master, slot }
  }
}

function reachableSlots(master: Master, window: Window, { world }: Access): Slot[] {
  const reach = reachOf(master, window, world.clock.now())
  return slotsIn(master, reach.window, reach.limit)
}

/** A series lies in a window with any of its instances (behaviour 4.10). */
export const isWithin = (event: Event, window: Window): boolean =>
  isMaster(event) ? slotsIn(event, window, 1).length > 0 : overlaps(spanOf(event), window)

/**
 * Where an item stands in each order. At the same instant all-day events come before timed ones (behaviour 5.3, 5.4).
 */
const PLACES: Record<Order, (zone: string) => (item: Item) => Place> = {
  created: () => ({ version: { place }, instance }) => [place, instance?.slot ?? 0],
  startTime: (zone) => ({ version: { value, place }, instance }) => {
    const start = instance ? { ...value.start, ...slotTime(value.start, instance.slot) } : value.start
    return [instantIn(start, zone), start.date === undefined ? 1 : 0, place, instance?.slot ?? 0]
  },
  updated: () => ({ version: { value, revision, place }, instance }) =>
    [Date.parse(value.updated), revision, place, instance?.slot ?? 0],
  changed: () => ({ version: { revision }, instance }) => [revision, instance?.slot ?? 0],
} // biome-ignore format: a table

const slotTime = ({ date }: Event['start'], slot: Slot): Event['start'] => {
  const iso = new Date(slot).toISOString()
  return date === undefined ? { dateTime: iso } : { date: iso.slice(0, 10) }
}

const changedRecords = ({ events, snapshot }: Source, { since }: Cursor, show: Show) =>
  inOrder(
    [...changesBetween(events, snapshot, since)].map(({ value, revision }) => ({
      at: [revision],
      show: () => show(value),
    })),
  )

/**
 * Changes since a sync token with `singleEvents`: a series that changed yields all of its instances, and those that it had
 * at the token and has no longer as cancelled.
 */
function changedInstances(source: Source, cursor: Cursor, show: Show): Entry<ShownEvent>[] {
  const { access, events, snapshot, query } = source
  const former = events.asOf(cursor.since) ?? refuse('fullSyncRequired')
  const window = windowAsked(access, query)
  const entries: Entry<ShownEvent>[] = []
  for (const version of changesBetween(events, snapshot, cursor.since)) {
    const { value, revision } = version
    const before = former.get(version.id)?.value
    const add = (event: () => Event) => {
      const at = [revision, entries.length]
      entries.push({ at, show: () => show(event()) })
    }
    if (!isMaster(value)) add(() => value)
    else if (before && !isMaster(before)) add(() => ({ ...without(value, 'recurrence'), status: 'cancelled' }))
    const now = isMaster(value) ? [...instancesOf(value, source, window)] : []
    for (const { master, slot } of now) add(() => instanceOf(master, slot, access.calendar.id))
    if (before && isMaster(before)) {
      const kept = new Set(now.map(({ master, slot }) => instanceId(master, slot)))
      for (const slot of reachableSlots(before, window, access)) {
        const id = instanceId(before, slot)
        if (!kept.has(id) && !snapshot.get(id)) add(() => goneInstance(before, slot, access, value))
      }
    }
  }
  return inOrder(entries)
}

/** An instance that its series no longer has, with the etag and the time of the write that removed it. */
const goneInstance = (before: Master, slot: Slot, { calendar }: Access, { etag, updated }: Event): Event => ({
  ...instanceOf(before, slot, calendar.id),
  etag,
  updated,
  status: 'cancelled',
})
