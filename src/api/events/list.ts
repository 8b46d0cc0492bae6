import { isDatedBucket, startIn } from '../../db/indexes.ts'
import { byTuple } from '../../db/store.ts'
import type { Version } from '../../db/version.ts'
import type { Access } from '../../model/access.ts'
import { updatedAt } from '../../model/collections.ts'
import { isMaster, type Master, type Slot } from '../../model/events/series.ts'
import { instantInZone } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import type { Event } from '../../schema/event.ts'
import { closePage, collectionEtag, type ListEntry, mergeSorted, openPage, type SortKey } from '../../sync/paging.ts'
import { listByUpdated } from './listByUpdated.ts'
import {
  createSource,
  EVENT_PAGE,
  type EventQuery,
  eventTokens,
  liesWithin,
  lostInstancesOf,
  type Source,
  shownInstancesOf,
  withUid,
} from './source.ts'
import type { ShownEvent } from './view.ts'

/** Returns one page of a calendar's events: all, or those changed since a sync token (behaviour 1, 3.3, 4.3, 5). */
export function listEvents(access: Access, params: EventQuery) {
  const { orderBy: order = 'changed' } = params
  const tokens = { ...eventTokens(access), order, orders: ['changed', 'startTime', 'updated'] }
  const page = openPage(access.world, tokens, params)
  const source = createSource(access, page)
  const entries = page.cursor.order === 'startTime' ? listByStart(source) : listByUpdated(source)
  const { items, ...next } = closePage(access.world, tokens, page, entries, EVENT_PAGE)
  return { ...createEnvelope(access, source.zone), ...next, items }
}

export function createEnvelope(access: Access, timeZone: string) {
  const { world, calendar, caller, role } = access
  const events = world.events.of(calendar.id)
  const entries = caller.email ? world.lists.get(caller.email) : undefined
  return {
    kind: 'calendar#events',
    etag: collectionEtag(events.latest, world.calendars.latest, entries?.latest ?? 0),
    summary: calendar.summary,
    description: calendar.description ?? '',
    updated: updatedAt(events.latest),
    timeZone,
    accessRole: role,
    defaultReminders: entries?.get(calendar.id)?.defaultReminders ?? [],
  }
}

type StartEntry = ListEntry<ShownEvent> & { opens?: () => Iterable<StartEntry> }

/**
 * Yields single events and instances by their start (behaviour 5.4). Of equal starts, all-day events come first, then
 * the events that were created first.
 */
function listByStart(source: Source): Iterable<ListEntry<ShownEvent>> {
  const { records, window, query, view, cursor } = source
  const { after } = cursor
  const resumed = after ? Number(after[0]) : Number.NEGATIVE_INFINITY
  const options = { includeCancelled: source.includeCancelled }
  if (query.iCalUID !== undefined) return mergeSorted(named(query.iCalUID))
  return mergeSorted([
    ...[...records.buckets(options)].map(single),
    ...records.recurringBuckets(options).map(series),
    lostInstances([...records.history.ids()].flatMap((id) => records.version(id) ?? [])),
  ])

  function* single(bucket: number): Generator<StartEntry> {
    for (const version of records.inBucket(bucket, window, { from: startIn(bucket, resumed) })) yield entry(version)
  }

  function* series(bucket: number): Generator<StartEntry> {
    for (const { version, earliest } of records.recurringInBucket(bucket, window, startIn(bucket, resumed)))
      yield { sortKey: [startIn(bucket, earliest)], show: () => undefined, opens: () => instances(version) }
  }

  function named(iCalUID: string): Iterable<StartEntry>[] {
    const found = [...withUid(records, iCalUID)]
    const versions = found.filter((version) => liesWithin(version, window))
    const singles = versions.filter(({ value }) => !isMaster(value)).map(entry)
    const opened = versions.filter(({ value }) => isMaster(value)).map(instances)
    return [singles.sort((a, b) => byTuple(a.sortKey, b.sortKey)), ...opened, lostInstances(found)]
  }

  function instances(version: Version<Event>): Iterable<StartEntry> {
    const master = version.value as Master
    const dated = master.start.date !== undefined
    const keyOfSlot = (slot: Slot) => sortKeyOfEvent(version, dated, slot, slot)
    return shownInstancesOf(source, master, { from: resumed - DAY_MS, sortKeyOfSlot: keyOfSlot })
  }

  function lostInstances(versions: Version<Event>[]): StartEntry[] {
    const entries = versions.flatMap((version) =>
      lostInstancesOf(source, version.value).map(({ slot, id, dated, event }) => ({
        sortKey: [...sortKeyOfEvent(version, dated, slot, slot), id],
        show: () => view.show(event),
      })),
    )
    return entries.sort((a, b) => byTuple(a.sortKey, b.sortKey))
  }

  function entry(version: Version<Event>): StartEntry {
    const { value, bucket, start } = version
    return { sortKey: sortKeyOfEvent(version, isDatedBucket(bucket), start), show: () => view.show(value) }
  }

  function sortKeyOfEvent({ ordinal }: Version<Event>, dated: boolean, start: number, slot: Slot = 0): SortKey {
    return [instantInZone({ dated, start }, source.zone), dated ? 0 : 1, ordinal, slot]
  }
}

/** A cancelled instance is sorted by its original start (behaviour 4.10). */
export const listedStart = ({ status, start, originalStartTime }: Event): Event['start'] =>
  status === 'cancelled' ? (originalStartTime ?? start) : start
