import type { Window } from '../../db/indexes.ts'
import { type Access, requireEvent } from '../../model/access.ts'
import { isMaster, type Master, type Slot } from '../../model/events/series.ts'
import { instantIn, instantOfTime, toInstant } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import type { Event } from '../../schema/event.ts'
import { instantOfTimestamp, isDate } from '../../schema/params.ts'
import { type Cursor, cursorOf, type ListEntry, mergeSorted, type SortKey } from '../../sync/paging.ts'
import { createListView, pageOf, startOf } from './list.ts'
import { type EventQuery, requestedWindow } from './query.ts'
import { type Source, shownInstancesOf } from './source.ts'
import type { ShownEvent } from './view.ts'

export type InstanceQuery = EventQuery & { originalStart?: string | undefined }

/**
 * Returns one page of a series' instances, by their start (behaviour 4.4). For a single event, the list contains the event
 * itself (behaviour 14.3).
 */
export function listInstances(access: Access, eventId: string, params: InstanceQuery) {
  const event = requireEvent(access, eventId)
  const caller = access.caller.email ?? ''
  const list = ['instances', access.calendar.id, eventId, caller]
  const cursor = cursorOf(access.world, list, ['instances'], params)
  const query: InstanceQuery = { ...params, ...cursor?.query, singleEvents: true }
  const slot = query.originalStart === undefined ? undefined : parseSlot(query.originalStart)
  const syncList = ['events', access.calendar.id, caller]
  const window = withEndAtTimeMin(requestedWindow(access, query))
  return pageOf(access, query, { list, syncList, order: 'instances', since: -1, cursor, window }, (source, cursor) =>
    selectSlot(mergeInstances(source, cursor, event, slot), slot),
  )
}

/** Widens a window so that it includes an instance that ends at `timeMin`, unlike in events.list (behaviour 4.4.1). */
const withEndAtTimeMin = (window: Window): Window => ({
  ...window,
  from: window.from - 1,
  wallFrom: window.wallFrom - 1,
})

/** Parses `originalStart`: a timestamp, or a date for an all-day instance. */
const parseSlot = (originalStart: string): Slot =>
  isDate(originalStart) ? Date.parse(`${originalStart}T00:00:00Z`) : instantOfTimestamp(originalStart)

/** Yields the entries of one slot, or all entries without a slot. */
function* selectSlot(entries: Iterable<InstanceEntry>, slot: Slot | undefined): Generator<InstanceEntry> {
  for (const entry of entries) if (slot === undefined || entry.slot === slot) yield entry
}

type InstanceEntry = ListEntry<ShownEvent> & { slot: Slot }

/** Merges the unchanged instances of a series with the changed ones. Ends after `requestedSlot`. */
function mergeInstances(
  source: Source,
  cursor: Cursor,
  event: Event,
  requestedSlot: Slot | undefined,
): Iterable<InstanceEntry> {
  const { records, window, zone, includeCancelled } = source
  const show = createListView(source, cursor)
  const entry = (one: Event): InstanceEntry => {
    const slot = instantOfTime(one.originalStartTime ?? one.start)
    return { slot, sortKey: [instantIn(startOf(one), zone), slot], show: () => show(one) }
  }
  const master = records.get(event.id)
  if (!master || !isMaster(master)) return [entry(master ?? event)]
  const resumed = cursor.after ? Number(cursor.after[0]) - DAY_MS : Number.NEGATIVE_INFINITY
  const buckets = [...records.buckets({ includeCancelled, of: event.id })]
  return mergeSorted([...buckets.map(changed), unchanged()])

  function* changed(bucket: number): Generator<InstanceEntry> {
    for (const { value } of records.inBucket(bucket, window, { from: resumed, of: event.id })) yield entry(value)
  }

  function* unchanged(): Generator<InstanceEntry> {
    const from = Math.max(resumed, requestedSlot ?? resumed)
    const dated = event.start.date !== undefined
    const turnOf = (slot: Slot): SortKey => [toInstant({ dated, start: slot }, zone), slot]
    for (const instance of shownInstancesOf(source, master as Master, show, { from, sortKeyOfSlot: turnOf })) {
      if (requestedSlot !== undefined && instance.slot > requestedSlot) return
      yield instance
    }
  }
}
