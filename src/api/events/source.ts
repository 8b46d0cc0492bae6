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
  idFromDefaultUid,
  instanceId,
  instanceOf,
  instancesAt,
  isMaster,
  type Master,
  type Slot,
  seriesOf,
  slotsFrom,
  spanOf,
} from '../../model/events/series.ts'
import { instantOfTime } from '../../model/events/times.ts'
import type { Event } from '../../schema/event.ts'
import { preciseInstant } from '../../schema/params.ts'
import { type ListEntry, type Page, type SortKey, snapshotAt } from '../../sync/paging.ts'
import type { EventQuery } from './query.ts'
import {
  createInvitationFilter,
  createView,
  type EventView,
  inTimeZone,
  requireViewZone,
  type ShownEvent,
  showTombstone,
} from './view.ts'

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

export function createSource(access: Access, page: Page<EventQuery>, window: Window): Source {
  const { query, cursor } = page
  const { world, calendar } = access
  const events = world.events.of(calendar.id)
  const snapshot = snapshotAt(world, events, cursor)
  const source = {
    ...page,
    records: snapshot ? events.in(snapshot) : events.records,
    access: snapshot ? { ...access, reminders: world.reminders.in(snapshot) } : access,
    calendarId: calendar.id,
    window,
    zone: requireViewZone(access, query),
    includeCancelled: query.showDeleted === true || query.updatedMin !== undefined || cursor.since >= 0,
  }
  return { ...source, view: createListView(source) }
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

/** With the stamps of the present version. */
export const cancelledInstance = (
  former: Master,
  slot: Slot,
  calendarId: string,
  { etag, updated }: Pick<Event, 'etag' | 'updated'>,
): Event => ({ ...instanceOf(former, slot, calendarId), etag, updated, status: 'cancelled' })

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
