import { boundsIn, isDatedBucket, maxLengthIn } from '../../db/byInterval.ts'
import type { Version } from '../../db/version.ts'
import { isMaster, type Master, type Slot } from '../../model/events/series.ts'
import { toInstant } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import type { Event } from '../../schema/event.ts'
import { compareSortKeys, mergeSorted, type SortKey } from '../../sync/mergeSorted.ts'
import type { Cursor, ListEntry } from '../../sync/paging.ts'
import { liesWithin, type Show, type Source, shownInstancesOf, withUid } from './source.ts'
import type { ShownEvent } from './view.ts'

/** An entry, or a series that its instances replace. */
type StartEntry = ListEntry<ShownEvent> & { opens?: () => Iterable<StartEntry> }

/**
 * Yields single events and instances by their start (behaviour 5.4). Of equal starts, all-day events come first, then
 * the events that were created first.
 */
export function listByStart(source: Source, { after }: Cursor, show: Show): Iterable<ListEntry<ShownEvent>> {
  const { records, window, query } = source
  const resumed = after ? Number(after[0]) : Number.NEGATIVE_INFINITY
  const options = { includeCancelled: source.includeCancelled }
  if (query.iCalUID !== undefined) return mergeSorted(named(query.iCalUID))
  return mergeSorted([...records.buckets(options)].map(single).concat(records.recurringBuckets(options).map(series)))

  /**
   * Returns the start from which a bucket is read for this page. In any zone, a date begins within a day of its UTC
   * midnight.
   */
  function resumedIn(bucket: number): number {
    return resumed - (isDatedBucket(bucket) ? DAY_MS : 0)
  }

  function* single(bucket: number): Generator<StartEntry> {
    for (const version of records.inBucket(bucket, window, { from: resumedIn(bucket) })) yield entry(version)
  }

  /** Yields each series at the earliest start that its next instance can have. */
  function* series(bucket: number): Generator<StartEntry> {
    const [from, to] = boundsIn(window, bucket)
    for (const { version, end } of records.recurringInBucket(bucket, Math.max(from, resumedIn(bucket)))) {
      const earliest = end - maxLengthIn(bucket)
      if (earliest >= to) return
      yield {
        sortKey: [earliest - (isDatedBucket(bucket) ? DAY_MS : 0)],
        show: nothing,
        opens: () => instances(version),
      }
    }
  }

  function named(iCalUID: string): Iterable<StartEntry>[] {
    const versions = [...withUid(records, iCalUID)].filter((version) => liesWithin(version, window))
    const singles = versions.filter(({ value }) => !isMaster(value)).map(entry)
    const opened = versions.filter(({ value }) => isMaster(value)).map(instances)
    return [singles.sort((a, b) => compareSortKeys(a.sortKey, b.sortKey)), ...opened]
  }

  function instances(version: Version<Event>): Iterable<StartEntry> {
    const master = version.value as Master
    const dated = master.start.date !== undefined
    const turnOf = (slot: Slot) => turn(version, dated, slot, slot)
    return shownInstancesOf(source, master, show, { from: resumed - DAY_MS, sortKeyOfSlot: turnOf })
  }

  function entry(version: Version<Event>): StartEntry {
    const { value, bucket, start } = version
    return { sortKey: turn(version, isDatedBucket(bucket), start), show: () => show(value) }
  }

  function turn({ ordinal }: Version<Event>, dated: boolean, start: number, slot: Slot = 0): SortKey {
    return [toInstant({ dated, start }, source.zone), dated ? 0 : 1, ordinal, slot]
  }
}

/** Returns the start by which an event is sorted; for a cancelled instance, the original one (behaviour 4.10). */
export const startOf = ({ status, start, originalStartTime }: Event): Event['start'] =>
  status === 'cancelled' ? (originalStartTime ?? start) : start

const nothing = () => undefined
