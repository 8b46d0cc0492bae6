import type { Event } from '../wire/event.ts'
import { instantOf } from '../wire/params.ts'
import { refuse } from '../wire/refusals.ts'
import type { Role } from '../wire/roles.ts'
import type { Access } from './access.ts'
import type { Revision, Snapshot, Version } from './changes.ts'
import { instantIn, spanOf, windowOf } from './eventTimes.ts'
import { showEvent, stub, zoneShown } from './eventView.ts'
import { hasProperties } from './extendedProperties.ts'
import {
  type Cursor,
  changesBetween,
  collectionEtag,
  cursorOf,
  type Entry,
  fill,
  inOrder,
  type PageQuery,
  type Place,
  snapshotAt,
} from './paging.ts'
import { searcher } from './search.ts'
import { overlaps, type Window } from './timeline.ts'
import { requireFresh, type Sealed, seal, unseal } from './tokens.ts'
import { type EventCollection, updatedAt, type World } from './world.ts'

/** The parameters that a sync token remembers from the list that it came with (behaviour 14.7). */
type Remembered = {
  eventTypes?: string[] | undefined
  showDeleted?: boolean | undefined
  singleEvents?: boolean | undefined
  timeMax?: string | undefined
  timeMin?: string | undefined
  timeZone?: string | undefined
}

export type EventQuery = PageQuery &
  Remembered & {
    iCalUID?: string | undefined
    maxAttendees?: number | undefined
    orderBy?: 'startTime' | 'updated' | undefined
    privateExtendedProperty?: string[] | undefined
    q?: string | undefined
    sharedExtendedProperty?: string[] | undefined
    updatedMin?: string | undefined
  }

/** What a sync token of events holds: a change of the caller's role makes it void (behaviour 5). */
type EventToken = Sealed & { since: Revision; role: Role; remembered: Remembered }
type Order = 'created' | 'startTime' | 'updated' | 'changed'

const DEFAULT_PAGE = 250
const LONGEST_PAGE = 2500
/** How far back `updatedMin` may lie (behaviour 5, 12). */
const UPDATED_MIN_REACH = 28 * 86_400_000

/** One page of a calendar's events, whole or as changed since a sync token (behaviour 1, 3.3, 4.3, 5). */
export function listEvents(access: Access, asked: EventQuery) {
  const { world, calendar, caller, role } = access
  checkQuery(access, asked)
  const list = `events/${calendar.id}/${caller.email ?? ''}`
  const token = asked.syncToken ? openToken(world, list, role, asked) : undefined
  const query: EventQuery = {
    ...asked,
    ...token?.remembered,
    showDeleted: asked.showDeleted ?? token?.remembered.showDeleted,
  }
  const cursor = cursorOf(world, list, query.pageToken) ?? {
    list,
    life: world.life,
    order: token ? 'changed' : (query.orderBy ?? 'created'),
    since: token?.since ?? 0,
    asOf: world.changes.mark(),
    after: undefined,
  }
  const events = world.events.of(calendar.id)
  const entries = entriesOf(events, snapshotAt(events, cursor.asOf), cursor, { access, query })
  const { items, next } = fill(entries, cursor.after, Math.min(query.maxResults ?? DEFAULT_PAGE, LONGEST_PAGE))
  return {
    ...envelope(access, events, query),
    ...(next && { nextPageToken: seal({ ...cursor, after: next }) }),
    ...(!next && givesSyncToken(query, cursor) && { nextSyncToken: syncToken(list, world, cursor, role, query) }),
    items,
  }
}

function checkQuery(access: Access, query: EventQuery): void {
  const { timeMin, timeMax, orderBy, singleEvents, updatedMin } = query
  if (timeMin && timeMax && instantOf(timeMax) <= instantOf(timeMin)) refuse('timeRangeEmpty')
  zoneShown(access, query)
  if (orderBy === 'startTime' && !singleEvents) refuse('orderingNotAvailable')
  if (updatedMin && instantOf(updatedMin) < access.world.clock.now() - UPDATED_MIN_REACH) refuse('updatedMinTooLongAgo')
}

/** What a sync token cannot stand beside (behaviour 5). */
const NOT_WITH_SYNC_TOKEN = [
  'iCalUID',
  'orderBy',
  'privateExtendedProperty',
  'q',
  'sharedExtendedProperty',
  'timeMin',
  'timeMax',
  'updatedMin',
] as const satisfies (keyof EventQuery)[]

/** Beside a sync token these may only say again what it remembers (behaviour 14.7). */
const AS_REMEMBERED = ['eventTypes', 'singleEvents', 'timeZone'] as const satisfies (keyof Remembered)[]

function openToken(world: World, list: string, role: Role, asked: EventQuery): EventToken {
  for (const location of NOT_WITH_SYNC_TOKEN) if (asked[location] !== undefined) refuse('syncTokenWith', { location })
  if (asked.showDeleted === false) refuse('syncTokenWith', { location: 'showDeleted' })
  const token = unseal<EventToken>(asked.syncToken ?? '', list) ?? refuse('invalidSyncToken')
  for (const location of AS_REMEMBERED) {
    const [said, known] = [asked[location], token.remembered[location]]
    if (said !== undefined && String(said) !== String(known ?? false)) refuse('syncTokenWith', { location })
  }
  requireFresh(world, token.life, token.since)
  if (token.role !== role) refuse('fullSyncRequired')
  return token
}

/** A list in another order or of some events only cannot be synced (behaviour 00, 5). */
const givesSyncToken = (
  { orderBy, q, iCalUID, privateExtendedProperty, sharedExtendedProperty }: EventQuery,
  { order }: Cursor,
): boolean =>
  !(orderBy || q || iCalUID || privateExtendedProperty || sharedExtendedProperty) &&
  (order === 'created' || order === 'changed')

function syncToken(list: string, { life }: World, { asOf }: Cursor, role: Role, query: EventQuery): string {
  const { eventTypes, showDeleted, singleEvents, timeMax, timeMin, timeZone } = query
  const remembered: Remembered = { eventTypes, showDeleted, singleEvents, timeMax, timeMin, timeZone }
  return seal({ list, life, since: asOf, role, remembered } satisfies EventToken)
}

function envelope(access: Access, events: EventCollection, query: EventQuery) {
  const { world, calendar, caller, role } = access
  const entries = caller.email ? world.lists.get(caller.email) : undefined
  return {
    kind: 'calendar#events',
    etag: collectionEtag(events.latest, world.calendars.latest, entries?.latest ?? 0),
    summary: calendar.summary,
    ...(calendar.description && { description: calendar.description }),
    updated: updatedAt(events.latest),
    timeZone: zoneShown(access, query),
    accessRole: role,
    defaultReminders: entries?.get(calendar.id)?.defaultReminders ?? [],
  }
}

type Frame = { access: Access; query: EventQuery }

/** What a list is made of: every event that may belong to it, in its order, each shown only when its turn comes. */
function entriesOf(
  events: EventCollection,
  then: Snapshot<Event>,
  cursor: Cursor,
  frame: Frame,
): Iterable<Entry<Event>> {
  const { query, access } = frame
  const window = windowOf(instant(query.timeMin), instant(query.timeMax), access.calendar.timeZone)
  const show = shower(frame, window, cursor)
  const entries = function* (versions: Iterable<Version<Event>>, placeOf: (version: Version<Event>) => Place) {
    for (const version of versions) yield { at: placeOf(version), show: () => show(version.value) }
  }
  const bounded = query.timeMin !== undefined || query.timeMax !== undefined
  const all = () =>
    bounded
      ? then.restated(events.timeline.overlapping(window), ({ value }) => overlaps(spanOf(value), window))
      : then.from(0)
  const order = cursor.order as Order
  if (order === 'changed')
    return inOrder(entries(changesBetween(events, then, cursor.since), ({ revision }) => [revision]))
  if (order === 'created' && !bounded) return entries(then.from(cursor.after?.[0] ?? 0), ({ place }) => [place])
  return inOrder(entries(all(), PLACES[order](zoneShown(access, query))))
}

const instant = (timestamp: string | undefined) => (timestamp === undefined ? undefined : instantOf(timestamp))

/** Where an event stands in each order. At the same instant all-day events come before timed ones (behaviour 4.3). */
const PLACES: Record<Exclude<Order, 'changed'>, (zone: string) => (version: Version<Event>) => Place> = {
  created:
    () =>
    ({ place }) => [place],
  startTime:
    (zone) =>
    ({ value, place }) => [instantIn(value.start, zone), value.start.date === undefined ? 1 : 0, place],
  updated:
    () =>
    ({ value, place }) => [Date.parse(value.updated), place],
}

/** Shows an event as this list does, or undefined where it does not belong to it. */
function shower({ query, access }: Frame, window: Window, { since }: Cursor): (event: Event) => Event | undefined {
  const { iCalUID, eventTypes, q, privateExtendedProperty, sharedExtendedProperty } = query
  const updatedMin = instant(query.updatedMin)
  const found = q === undefined ? undefined : searcher(q)
  const deletedToo = query.showDeleted || updatedMin !== undefined || since > 0
  return (event) => {
    const gone = event.status === 'cancelled'
    if (gone && !deletedToo) return undefined
    if (eventTypes && !eventTypes.includes(event.eventType ?? 'default')) return undefined
    if (iCalUID !== undefined && event.iCalUID !== iCalUID) return undefined
    if (updatedMin !== undefined && Date.parse(event.updated) < updatedMin) return undefined
    if (gone && since > 0 && !query.showDeleted) return stub(event)
    if (!gone && since > 0 && !overlaps(spanOf(event), window)) return undefined
    const shown = showEvent(access, event, query)
    if (found && !found(shown)) return undefined
    if (!hasProperties(shown.extendedProperties?.private, privateExtendedProperty)) return undefined
    if (!hasProperties(shown.extendedProperties?.shared, sharedExtendedProperty)) return undefined
    return shown
  }
}
