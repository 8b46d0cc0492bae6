import type { Window } from '../../db/indexes.ts'
import { type Access, requireEvent } from '../../model/access.ts'
import { isMaster, type Master, type Slot } from '../../model/events/series.ts'
import { instantIn, instantInZone, instantOfTime } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import type { Event } from '../../schema/event.ts'
import { instantOfTimestamp } from '../../schema/params.ts'
import { closePage, type ListEntry, mergeSorted, openPage, type SortKey } from '../../sync/paging.ts'
import { createEnvelope, listedStart } from './list.ts'
import { createSource, EVENT_PAGE, type EventQuery, eventTokens, type Source, shownInstancesOf } from './source.ts'
import type { ShownEvent } from './view.ts'

export type InstanceQuery = EventQuery & { originalStart?: string | undefined }

/** Lists instances by their start (behaviour 4.4). The list of a single event contains the event itself (behaviour 14.3). */
export function listInstances(access: Access, eventId: string, params: InstanceQuery) {
  const event = requireEvent(access, eventId)
  const { world, calendar, caller } = access
  const pages = ['instances', calendar.id, eventId, caller.email ?? '']
  const tokens = { ...eventTokens(access), pages, order: 'instances' }
  const page = openPage<InstanceQuery>(world, tokens, { ...params, singleEvents: true })
  const source = createSource(access, page)
  const { originalStart } = page.query
  const slot = originalStart === undefined ? undefined : instantOfTimestamp(originalStart)
  const widened = { ...source, window: withEndAtTimeMin(source.window) }
  const entries = selectSlot(mergeInstances(widened, event, slot), slot)
  const { items, ...next } = closePage(world, tokens, page, entries, EVENT_PAGE)
  return { ...createEnvelope(access, source.zone), ...next, items }
}

/** Widens a window so that it includes an instance that ends at `timeMin`, unlike in events.list (behaviour 4.4.1). */
const withEndAtTimeMin = (window: Window): Window => ({
  ...window,
  from: window.from - 1,
  wallFrom: window.wallFrom - 1,
})

function* selectSlot(entries: Iterable<InstanceEntry>, slot: Slot | undefined): Generator<InstanceEntry> {
  for (const entry of entries) if (slot === undefined || entry.slot === slot) yield entry
}

type InstanceEntry = ListEntry<ShownEvent> & { slot: Slot }

function mergeInstances(source: Source, event: Event, requestedSlot: Slot | undefined): Iterable<InstanceEntry> {
  const { records, window, zone, includeCancelled, cursor, view } = source
  const entry = (one: Event): InstanceEntry => {
    const slot = instantOfTime(one.originalStartTime ?? one.start)
    return { slot, sortKey: [instantIn(listedStart(one), zone), slot], show: () => view.show(one) }
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
    const turnOf = (slot: Slot): SortKey => [instantInZone({ dated, start: slot }, zone), slot]
    for (const instance of shownInstancesOf(source, master as Master, { from, sortKeyOfSlot: turnOf })) {
      if (requestedSlot !== undefined && instance.slot > requestedSlot) return
      yield instance
    }
  }
}
