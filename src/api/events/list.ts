import { boundsIn, isDatedBucket, maxLengthIn, type Window } from '../../db/indexes.ts'
import type { Records } from '../../db/records.ts'
import type { Version } from '../../db/version.ts'
import { type Access, isPurged } from '../../model/access.ts'
import { type EventCollection, updatedAt } from '../../model/collections.ts'
import { hasProperties } from '../../model/events/compose.ts'
import { createMatcher } from '../../model/events/search.ts'
import { isMaster, type Master, type Slot, seriesOf } from '../../model/events/series.ts'
import { instantOfTime, toInstant } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import type { Event } from '../../schema/event.ts'
import { preciseInstant } from '../../schema/params.ts'
import {
  collectionEtag,
  compareSortKeys,
  type ListEntry,
  listPage,
  mergeSorted,
  type PageSource,
  type SortKey,
} from '../../sync/paging.ts'
import { listByUpdated } from './listByUpdated.ts'
import { checkQuery, type EventQuery, isSyncable, REMEMBERED, refuseBesideSyncToken, requestedWindow } from './query.ts'
import { isWithin, type ListView, liesWithin, type Source, shownInstancesOf, withUid } from './source.ts'
import {
  createInvitationFilter,
  createView,
  type EventView,
  inTimeZone,
  requireViewZone,
  type ShownEvent,
  showTombstone,
} from './view.ts'

const DEFAULT_PAGE = 250
const MAX_PAGE_SIZE = 2500

/** Returns one page of a calendar's events: all, or those changed since a sync token (behaviour 1, 3.3, 4.3, 5). */
export function listEvents(access: Access, params: EventQuery) {
  const { world, calendar, caller } = access
  const list = ['events', calendar.id, caller.email ?? '']
  return listPage(world, {
    ...describeList(access, params),
    list,
    orders: ['changed', 'startTime', 'updated'],
    orderOf: ({ orderBy = 'changed' }) => orderBy,
    entries(page) {
      const source = createSource(access, page, requestedWindow(access, page.query))
      return page.cursor.order === 'startTime' ? listByStart(source) : listByUpdated(source)
    },
  })
}

/** Returns what the lists of a calendar's events and of a series' instances have in common. */
export function describeList(access: Access, params: EventQuery) {
  const { world, calendar, caller, role } = access
  const events = world.events.of(calendar.id)
  return {
    params,
    collection: events,
    sizes: { initial: DEFAULT_PAGE, max: MAX_PAGE_SIZE },
    sync: {
      list: ['events', calendar.id, caller.email ?? ''],
      account: caller.email,
      form: 'base64' as const,
      role,
      remembered: REMEMBERED,
      checkParams: refuseBesideSyncToken,
      isSyncable,
    },
    check: (query: EventQuery) => checkQuery(access, query),
    envelope: (query: EventQuery) => createEnvelope(access, events, query),
  }
}

export function createSource(access: Access, page: PageSource<Event, EventQuery>, window: Window): Source {
  const { query, cursor } = page
  if (query.singleEvents && cursor.order !== 'startTime') access.world.changes.keepHistoryFrom(cursor.asOf)
  const source = {
    ...page,
    access,
    calendarId: access.calendar.id,
    window,
    zone: requireViewZone(access, query),
    includeCancelled: query.showDeleted === true || query.updatedMin !== undefined || cursor.since >= 0,
  }
  return { ...source, view: createListView(source) }
}

function createEnvelope(access: Access, events: EventCollection, query: EventQuery) {
  const { world, calendar, caller, role } = access
  const entries = caller.email ? world.lists.get(caller.email) : undefined
  return {
    kind: 'calendar#events',
    etag: collectionEtag(events.latest, world.calendars.latest, entries?.latest ?? 0),
    summary: calendar.summary,
    description: calendar.description ?? '',
    updated: updatedAt(events.latest),
    timeZone: requireViewZone(access, query),
    accessRole: role,
    defaultReminders: entries?.get(calendar.id)?.defaultReminders ?? [],
  }
}

/** Returns the view that decides what a list contains (behaviour 4.3). */
function createListView({ access, query, records, window, zone, cursor }: Omit<Source, 'view'>): ListView {
  const { since } = cursor
  const { iCalUID, eventTypes, q, privateExtendedProperty, sharedExtendedProperty } = query
  const updatedMin = query.updatedMin === undefined ? undefined : preciseInstant(query.updatedMin)
  const found = q === undefined ? undefined : createMatcher(q)
  const isHidden = query.showHiddenInvitations ? () => false : createInvitationFilter(access)
  const deletedToo = query.showDeleted || updatedMin !== undefined || since >= 0
  const filtered = Boolean(found || privateExtendedProperty || sharedExtendedProperty)
  const viewOf = createView(access, query)
  const byClock = (event: Event): Event => inTimeZone(event, zone)
  const matches = (shown: ShownEvent): boolean =>
    (!found || found(shown)) &&
    hasProperties(shown.extendedProperties?.private, privateExtendedProperty) &&
    hasProperties(shown.extendedProperties?.shared, sharedExtendedProperty)
  const ofMatching = ({ recurringEventId = '' }: Event): boolean => {
    const master = filtered ? records.get(recurringEventId) : undefined
    return !master || matches(viewOf(master)(byClock(master)))
  }
  const viewIn = (event: Event, timed: (event: Event) => Event): EventView | undefined => {
    const isCancelled = event.status === 'cancelled'
    const isGap = isCancelled && !query.singleEvents && isCancelledInstance(event, (id) => records.get(id))
    if (isCancelled && !deletedToo && !isGap) return undefined
    if ((!isCancelled && isHidden(event)) || (isCancelled && isPurged(records, event, access.world.clock.now())))
      return undefined
    if (eventTypes && !eventTypes.includes(event.eventType ?? 'default')) return undefined
    if (iCalUID !== undefined && event.iCalUID !== iCalUID) return undefined
    if (updatedMin !== undefined && Date.parse(event.updated) < updatedMin) return undefined
    if (isCancelled && since >= 0 && !query.singleEvents && isOfDeleted(event, records)) return undefined
    if (isCancelled && !query.showDeleted && (since >= 0 || isGap)) {
      return isGap && !ofMatching(event) ? undefined : (one) => showTombstone(one, query.singleEvents || isGap)
    }
    if (!isCancelled && since >= 0 && !isWithin(event, window)) return undefined
    const view = viewOf(event)
    return !filtered || matches(view(timed(event))) ? view : undefined
  }
  return {
    show: (event) => viewIn(event, byClock)?.(byClock(event)),
    createInstanceView: (instance) => viewIn(instance, (timed) => timed),
  }
}

/**
 * Returns true for an instance of a deleted series, which a list shows once and without its instances (behaviour 5.11).
 */
const isOfDeleted = ({ recurringEventId }: Event, records: Records<Event>): boolean =>
  recurringEventId !== undefined && records.get(recurringEventId)?.status === 'cancelled'

/** Returns true for a cancelled instance of a live series, which clients need to expand the series (behaviour 4.3). */
function isCancelledInstance(
  { recurringEventId, originalStartTime }: Event,
  masterOf: (id: string) => Event | undefined,
): boolean {
  const master = recurringEventId === undefined ? undefined : masterOf(recurringEventId)
  if (!master || !originalStartTime || !isMaster(master) || master.status === 'cancelled') return false
  return seriesOf(master).includes(instantOfTime(originalStartTime))
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
    return shownInstancesOf(source, master, { from: resumed - DAY_MS, sortKeyOfSlot: turnOf })
  }

  function entry(version: Version<Event>): StartEntry {
    const { value, bucket, start } = version
    return { sortKey: turn(version, isDatedBucket(bucket), start), show: () => view.show(value) }
  }

  function turn({ ordinal }: Version<Event>, dated: boolean, start: number, slot: Slot = 0): SortKey {
    return [toInstant({ dated, start }, source.zone), dated ? 0 : 1, ordinal, slot]
  }
}

/** Returns the start by which an event is sorted; for a cancelled instance, the original one (behaviour 4.10). */
export const startOf = ({ status, start, originalStartTime }: Event): Event['start'] =>
  status === 'cancelled' ? (originalStartTime ?? start) : start

const nothing = () => undefined
