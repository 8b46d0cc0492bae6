import type { ChangePosition, OrderBy, Positioned } from '../../db/indexes.ts'
import type { Version } from '../../db/version.ts'
import { boundSeriesWindow, hasSlot, instanceId, isMaster, type Slot } from '../../model/events/series.ts'
import type { Event } from '../../schema/event.ts'
import { type Cursor, type ListEntry, positionOf, type SortKey, sortKeyOf } from '../../sync/paging.ts'
import {
  cancelledInstance,
  EVENT_PAGE,
  liesWithin,
  lostInstancesOf,
  reachableSlots,
  type Source,
  shownInstancesOf,
  withUid,
} from './source.ts'
import type { ShownEvent } from './view.ts'

const orderOf = ({ order }: Cursor): OrderBy => (order === 'updated' ? 'updatedRevision' : 'revision')

/**
 * Yields records, or with `singleEvents` instances, in the order of last change or of `updated` (behaviour 5.3). Begins at or
 * before the cursor's position; the caller skips entries up to it.
 */
export function* listByUpdated(source: Source): Generator<ListEntry<ShownEvent>> {
  const { cursor, view } = source
  for (const placed of findCandidates(source)) {
    const { version, position } = placed
    if (version.revision > cursor.asOf) {
      if (cursor.order === 'updated') continue
      return
    }
    if (!source.query.singleEvents) yield { sortKey: sortKeyOf(position), show: () => view.show(version.value) }
    else if (cursor.since < 0) yield* withLostInstances(source, placed)
    else yield* changedInstances(source, placed)
  }
}

/**
 * Returns the records that a list may contain, after the cursor's position, in the order of the list. Filters by iCalUID, and by
 * window unless it is a sync; all other filters are applied when an entry is shown.
 */
function findCandidates(source: Source): Iterable<Positioned<Event>> {
  const { records, cursor, window, query, includeCancelled } = source
  const after = cursor.after ? { ...positionOf(cursor), member: beforeMember(cursor.after) } : positionOf(cursor)
  if (query.iCalUID !== undefined) {
    const found = [...withUid(records, query.iCalUID)].filter(
      (version) => liesWithin(version, window) || hasLostInstances(source, version),
    )
    return records.positionedAfter(found, after, orderOf(cursor))
  }
  const bounded = cursor.since < 0 && (query.timeMin !== undefined || query.timeMax !== undefined)
  return bounded
    ? inWindow(source, after, orderOf(cursor))
    : records.listChanges(after, { includeCancelled, by: orderOf(cursor) })
}

const beforeMember = ([, , member, ...slot]: SortKey): string => {
  const id = String(member)
  return slot.length === 0 ? id : id.slice(0, -1)
}

/** Returns true if a list of instances contains some that an event no longer has (behaviour 4.11). */
const hasLostInstances = (source: Source, { value }: Version<Event>): boolean =>
  source.query.singleEvents === true && source.cursor.since < 0 && lostInstancesOf(source, value).length > 0

/** The search by time reads at most so many records for each entry of a page before the order of last change is read. */
const MAX_EARLY_LOOKUPS_PER_ENTRY = 4

/**
 * Yields the records in a window, or with lost instances in it, in order. It finds some records by time, which are all of a small
 * window. Otherwise it reads the order of last change and skips records outside of the window; for each of these it also finds
 * one more record by time. If the window has few records, the second search ends first; if it has many, a page is soon full.
 */
function* inWindow(source: Source, after: ChangePosition, by: OrderBy): Generator<Positioned<Event>> {
  const { records, window, query, includeCancelled } = source
  const outside = [...records.history.ids()]
    .flatMap((id) => records.version(id) ?? [])
    .filter((version) => !liesWithin(version, window) && hasLostInstances(source, version))
  const lookedUp = records.inWindow(window, { includeCancelled })
  const found = [...outside]
  for (let left = MAX_EARLY_LOOKUPS_PER_ENTRY * (query.maxResults ?? EVENT_PAGE.initial); left > 0; left--) {
    const { done, value } = lookedUp.next()
    if (done) return yield* records.positionedAfter(found, after, by)
    found.push(value)
  }
  for (const placed of records.listChanges(after, { includeCancelled, by })) {
    if (liesWithin(placed.version, window) || outside.some(({ id }) => id === placed.version.id)) {
      yield placed
      continue
    }
    const { done, value } = lookedUp.next()
    if (done) return yield* records.positionedAfter(found, placed.position, by)
    found.push(value)
  }
}

function asInstances(source: Source, { version, position }: Positioned<Event>): Iterable<ListEntry<ShownEvent>> {
  const { value } = version
  const sortKey = sortKeyOf(position)
  if (!isMaster(value)) return [{ sortKey: [...sortKey, 0], show: () => source.view.show(value) }]
  return shownInstancesOf(source, value, {
    from: resumedAt(sortKey, source.cursor.after),
    sortKeyOfSlot: (slot) => [...sortKey, 1, slot],
  })
}

/** Yields the instances of a series, then those that it lost by a trim or a new start (behaviour 4.11). */
function* withLostInstances(source: Source, placed: Positioned<Event>): Generator<ListEntry<ShownEvent>> {
  if (liesWithin(placed.version, source.window)) yield* asInstances(source, placed)
  const sortKey = sortKeyOf(placed.position)
  const lost = lostInstancesOf(source, placed.version.value)
  for (const { slot, id, event } of lost.sort((a, b) => a.slot - b.slot || (a.id < b.id ? -1 : 1)))
    yield { sortKey: [...sortKey, 2, slot, id], show: () => source.view.show(event) }
}

const resumedAt = (sortKey: SortKey, after: SortKey | undefined): Slot | undefined =>
  after && after[4] !== undefined && sortKey.every((part, at) => part === after[at]) ? Number(after[4]) : undefined

/**
 * Yields the entries of a change with `singleEvents`: a changed series yields its instances in the window, two years without
 * one, and a cancelled entry for each instance that it no longer has (behaviour 5.11). A single event that became a series is
 * first yielded as cancelled.
 */
function* changedInstances(source: Source, placed: Positioned<Event>): Generator<ListEntry<ShownEvent>> {
  const { records, cursor, window, calendarId, view } = source
  const { version, position } = placed
  const { value, id } = version
  const sortKey = sortKeyOf(position)
  const before = records.history.at(id, cursor.since)?.value ?? value
  if (isMaster(value) && !isMaster(before)) {
    const cancelled = { ...value, recurrence: undefined, status: 'cancelled' } as Event
    yield { sortKey: [...sortKey, 0], show: () => view.show(cancelled) }
  }
  yield* asInstances(source, placed)
  if (!isMaster(before) || before === value) return
  const isStillInstance = (slot: Slot) =>
    isMaster(value) &&
    instanceId(value, slot) === instanceId(before, slot) &&
    hasSlot(value, slot, boundSeriesWindow(value, window, source.access.world.clock.now()))
  for (const slot of reachableSlots(source, before)) {
    const instance = instanceId(before, slot)
    if (isStillInstance(slot) || records.has(instance)) continue
    yield { sortKey: [...sortKey, 2, slot], show: () => view.show(cancelledInstance(before, slot, calendarId, value)) }
  }
}
