import { isDatedBucket, NO_INTERVAL, overlaps, type Window } from '../../db/indexes.ts'
import type { Records } from '../../db/records.ts'
import type { Version } from '../../db/version.ts'
import { type Access, DELETED_EVENT_LIFETIME_MS, isPurged } from '../../model/access.ts'
import { idsWithUid } from '../../model/collections.ts'
import { hasProperties } from '../../model/events/compose.ts'
import { isTombstone } from '../../model/events/fields.ts'
import { createMatcher } from '../../model/events/search.ts'
import {
  boundSeriesWindow,
  idBeforeSplit,
  idFromDefaultUid,
  instanceId,
  instanceOf,
  instancesAt,
  isMaster,
  type Master,
  type Slot,
  seriesOf,
  slotsFrom,
  slotsIn,
  spanOf,
} from '../../model/events/series.ts'
import { instantOfTime, windowOf } from '../../model/events/times.ts'
import { DAY_MS } from '../../recurrence/days.ts'
import { apiError } from '../../schema/apiErrors.ts'
import type { Event } from '../../schema/event.ts'
import { EVENT_TYPE_VALUES } from '../../schema/eventTypeValues.ts'
import {
  COUNT,
  enumParam,
  FLAG,
  instantOfTimestamp,
  PATH,
  type ParamValues,
  preciseInstant,
  repeated,
  SYNC_PAGING,
  TEXT,
  TIMESTAMP,
} from '../../schema/params.ts'
import { type ListEntry, type ListTokens, type Page, type SortKey, snapshotAt } from '../../sync/paging.ts'
import {
  createInvitationFilter,
  createView,
  type EventView,
  inTimeZone,
  requireViewZone,
  type ShownEvent,
  showTombstone,
} from './view.ts'

export const ATTENDEE_VIEW = { alwaysIncludeEmail: FLAG, maxAttendees: COUNT } as const
export const LIST_PARAMS = {
  calendarId: PATH,
  ...ATTENDEE_VIEW,
  ...SYNC_PAGING,
  maxResults: { ...COUNT, default: '250' },
  eventTypes: repeated(enumParam(...EVENT_TYPE_VALUES.toSorted())),
  iCalUID: TEXT,
  orderBy: enumParam('startTime', 'updated'),
  privateExtendedProperty: repeated(TEXT),
  q: TEXT,
  sharedExtendedProperty: repeated(TEXT),
  showDeleted: FLAG,
  showHiddenInvitations: FLAG,
  singleEvents: FLAG,
  timeMax: TIMESTAMP,
  timeMin: TIMESTAMP,
  timeZone: TEXT,
  updatedMin: TIMESTAMP,
} as const

export type EventQuery = Partial<ParamValues<typeof LIST_PARAMS>>

/** The earliest `updatedMin` before now (behaviour 5.16). */
const UPDATED_MIN_REACH = 28 * DAY_MS

/** Parameters that are an error beside a sync token (behaviour 5.8). */
const NOT_WITH_SYNC_TOKEN = [
  'iCalUID',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
] as const satisfies (keyof EventQuery)[]

/** The parameters that a sync token remembers, and true for those that may not differ from it (behaviour 14.7). */
const REMEMBERED = {
  eventTypes: true,
  showDeleted: false,
  singleEvents: true,
  timeMax: false,
  timeMin: false,
  timeZone: true,
} as const satisfies { [Name in keyof EventQuery]: boolean }

function refuseBesideSyncToken(params: EventQuery): void {
  if (params.orderBy !== undefined) throw apiError('syncTokenWithNonDefaultOrdering')
  for (const location of NOT_WITH_SYNC_TOKEN)
    if (params[location] !== undefined) throw apiError('syncTokenWith', { location })
  if (params.showDeleted === false) throw apiError('syncTokenWith', { location: 'showDeleted' })
}

/** Returns false for a list with another order or a filter that cannot be synced (behaviour 5.6). */
const isSyncable = ({ orderBy, q, iCalUID, ...filters }: EventQuery): boolean =>
  !orderBy && !q && !iCalUID && !filters.privateExtendedProperty && !filters.sharedExtendedProperty

export const eventTokens = ({ calendar, caller, role }: Access): ListTokens<EventQuery> => ({
  list: ['events', calendar.id, caller.email ?? ''],
  account: caller.email,
  form: 'base64',
  role,
  remembered: REMEMBERED,
  checkParams: refuseBesideSyncToken,
  isSyncable,
})

export const EVENT_PAGE = { initial: 250, max: 2500 }

export type ListView = {
  show(event: Event): ShownEvent | undefined
  createInstanceView(instance: Event): EventView | undefined
}

/** The records of a page of events as they were at the first page, and which of them the list contains. */
export type Source = Page<EventQuery> & {
  records: Records<Event>
  access: Access
  calendarId: string
  window: Window
  zone: string
  includeCancelled: boolean
  view: ListView
}

/**
 * Throws for an empty time range, an `updatedMin` too long ago, an unknown zone, and `orderBy=startTime` without
 * `singleEvents` (behaviour 1.15). All-day events are compared by dates of the reply's zone (behaviour 13.8).
 */
export function createSource(access: Access, page: Page<EventQuery>): Source {
  const { query, cursor } = page
  const { world, calendar } = access
  const { timeMin, timeMax, updatedMin } = query
  const from = timeMin === undefined ? undefined : instantOfTimestamp(timeMin)
  const to = timeMax === undefined ? undefined : instantOfTimestamp(timeMax)
  if (from !== undefined && to !== undefined && to <= from) throw apiError('timeRangeEmpty')
  const zone = requireViewZone(access, query)
  if (query.orderBy === 'startTime' && !query.singleEvents) throw apiError('orderingNotAvailable')
  if (updatedMin && preciseInstant(updatedMin) < world.clock.now() - UPDATED_MIN_REACH)
    throw apiError('updatedMinTooLongAgo')
  const events = world.events.of(calendar.id)
  const snapshot = snapshotAt(world, events, cursor)
  const source = {
    ...page,
    records: snapshot ? events.in(snapshot) : events.records,
    access: snapshot ? { ...access, reminders: world.reminders.in(snapshot) } : access,
    calendarId: calendar.id,
    window: windowOf(from, to, zone),
    zone,
    includeCancelled: query.showDeleted === true || updatedMin !== undefined || cursor.since >= 0,
  }
  return { ...source, view: createListView(source) }
}

/** Returns the view that decides what a list contains (behaviour 4.3). */
function createListView(source: Omit<Source, 'view'>): ListView {
  const { access, query, records, window, zone, includeCancelled } = source
  const { since } = source.cursor
  const { iCalUID, eventTypes, q, privateExtendedProperty, sharedExtendedProperty } = query
  const updatedMin = query.updatedMin === undefined ? undefined : preciseInstant(query.updatedMin)
  const found = q === undefined ? undefined : createMatcher(q)
  const isHidden = query.showHiddenInvitations ? () => false : createInvitationFilter(access)
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
    const isGap = isCancelled && !query.singleEvents && isCancelledInstance(event, records)
    if (isCancelled && !includeCancelled && !isGap) return undefined
    if ((!isCancelled && isHidden(event)) || (isCancelled && isPurged(records, event, access.world.clock.now())))
      return undefined
    if (eventTypes && !eventTypes.includes(event.eventType ?? 'default')) return undefined
    if (iCalUID !== undefined && event.iCalUID !== iCalUID) return undefined
    if (updatedMin !== undefined && Date.parse(event.updated) < updatedMin) return undefined
    // A list shows a deleted series once and without its instances (behaviour 5.11).
    const isOfDeleted = isCancelled && records.get(event.recurringEventId ?? '')?.status === 'cancelled'
    if (isOfDeleted && since >= 0 && !query.singleEvents) return undefined
    if (isCancelled && !query.showDeleted && (since >= 0 || isGap)) {
      return isGap && !ofMatching(event) ? undefined : (one) => showTombstone(one, query.singleEvents || isGap)
    }
    if (!isCancelled && since >= 0 && !liesInWindow(event, window)) return undefined
    const view = viewOf(event)
    return !filtered || matches(view(timed(event))) ? view : undefined
  }
  return {
    show: (event) => viewIn(event, byClock)?.(byClock(event)),
    createInstanceView: (instance) => viewIn(instance, (timed) => timed),
  }
}

/** Returns true for a cancelled instance of a live series, which clients need to expand the series (behaviour 4.3). */
function isCancelledInstance({ recurringEventId, originalStartTime }: Event, records: Records<Event>): boolean {
  const master = recurringEventId === undefined ? undefined : records.get(recurringEventId)
  if (!master || !originalStartTime || !isMaster(master) || master.status === 'cancelled') return false
  return seriesOf(master).includes(instantOfTime(originalStartTime))
}

/** Returns true if an event, or any instance of a series, is in a window (behaviour 4.10). */
const liesInWindow = (event: Event, window: Window): boolean =>
  isMaster(event) ? slotsIn(event, window, 1).length > 0 : overlaps(spanOf(event), window)

/** Decides as `liesInWindow` does, by the indexed interval if there is one. */
export const liesWithin = ({ value, bucket, start, end }: Version<Event>, window: Window): boolean =>
  bucket === NO_INTERVAL ? liesInWindow(value, window) : overlaps({ dated: isDatedBucket(bucket), start, end }, window)

/** Returns the slots of a series in the window of a list, in order. With `from`, it starts at that slot. */
export const reachableSlots = ({ access, window }: Source, master: Master, from?: Slot): Iterable<Slot> =>
  slotsFrom(master, boundSeriesWindow(master, window, access.world.clock.now()), from)

const hasChanged = (records: Records<Event>, { id }: Pick<Event, 'id'>): boolean =>
  records.hasIdPrefix(`${idBeforeSplit(id)}_`)

export const isChanged = (records: Records<Event>, master: Pick<Event, 'id' | 'start'>, slot: Slot): boolean =>
  hasChanged(records, master) && records.has(instanceId(master, slot))

/**
 * Yields the unchanged instances of a series that a list shows. Filters depend only on fields that all of them share,
 * so the first one decides for all.
 */
export function* shownInstancesOf(
  source: Source,
  master: Master,
  { from, sortKeyOfSlot }: { from?: Slot | undefined; sortKeyOfSlot: (slot: Slot) => SortKey },
): Generator<ListEntry<ShownEvent> & { slot: Slot }> {
  const instanceAt = instancesAt(master, source.calendarId, source.zone)
  const hasExceptions = hasChanged(source.records, master)
  let view: EventView | undefined
  for (const slot of reachableSlots(source, master, from)) {
    if (hasExceptions && source.records.has(instanceId(master, slot))) continue
    view ??= source.view.createInstanceView(instanceAt(slot))
    if (!view) return
    yield { slot, sortKey: sortKeyOfSlot(slot), show: () => view?.(instanceAt(slot)) }
  }
}

type LostInstance = { slot: Slot; id: string; dated: boolean; event: Event }

/**
 * Returns the instances in the window of a list that an event had in former versions and does not have now, as cancelled, each
 * once, with the fields of the last version that had it (behaviour 4.11). Returns none if the list has no deleted events.
 */
export function lostInstancesOf(source: Source, current: Event): LostInstance[] {
  const { records, includeCancelled, access, calendarId } = source
  if (!includeCancelled || records.history.size === 0 || isTombstone(current)) return []
  const since = (access.world.clock.now() - DELETED_EVENT_LIFETIME_MS) * 1000
  const lost = new Map<string, LostInstance>()
  for (const { value } of records.history.versionsOf(current.id, since)) {
    if (!isMaster(value)) continue
    const dated = value.start.date !== undefined
    const isSameKind = isMaster(current) && dated === (current.start.date !== undefined)
    for (const slot of reachableSlots(source, value)) {
      const id = instanceId(value, slot)
      if (lost.has(id) || records.has(id) || (isSameKind && seriesOf(current).includes(slot))) continue
      lost.set(id, { slot, id, dated, event: cancelledInstance(value, slot, calendarId, current) })
    }
  }
  return [...lost.values()]
}

/** Its stamps are those of the present version. */
export const cancelledInstance = (
  former: Master,
  slot: Slot,
  calendarId: string,
  { etag, updated }: Pick<Event, 'etag' | 'updated'>,
): Event => ({ ...instanceOf(former, slot, calendarId), etag, updated, status: 'cancelled' })

/** Events, and the changed instances of series. */
export function* withUid(records: Records<Event>, iCalUID: string): Generator<Version<Event>> {
  const defaultId = idFromDefaultUid(iCalUID)
  const ids = [...(defaultId === undefined ? [] : [defaultId]), ...idsWithUid(records, iCalUID)]
  for (const id of new Set(ids.flatMap((one) => [one, ...records.membersOf(one)]))) {
    const version = records.version(id)
    if (version) yield version
  }
}
