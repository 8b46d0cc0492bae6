import type { Window } from '../../db/byInterval.ts'
import type { Records } from '../../db/records.ts'
import { hasProperties } from '../../model/compose.ts'
import { createMatcher } from '../../model/search.ts'
import { isMaster, seriesOf } from '../../model/series.ts'
import { instantOfTime } from '../../model/times.ts'
import {
  type Cursor,
  collectionEtag,
  cursorOf,
  type Entry,
  fill,
  nextPageToken,
  ofTheList,
  recordsAt,
} from '../../sync/paging.ts'
import { listName } from '../../sync/tokens.ts'
import type { Event } from '../../wire/event.ts'
import { preciseInstant } from '../../wire/params.ts'
import { refuse } from '../../wire/refusals.ts'
import { type Access, isPurged } from '../../world/access.ts'
import { type EventCollection, updatedAt } from '../../world/eventCollection.ts'
import { listByStart } from './listByStart.ts'
import { listByUpdated } from './listByUpdated.ts'
import { checkQuery, type EventQuery, nextSyncToken, tokenOf, windowAsked } from './query.ts'
import { isWithin, type Show, type Source } from './source.ts'
import {
  createInvitationFilter,
  createView,
  inTimeZone,
  requireViewZone,
  type ShownEvent,
  toTombstone,
  type View,
} from './view.ts'

const DEFAULT_PAGE = 250
const LONGEST_PAGE = 2500

/** One page of a calendar's events, whole or as changed since a sync token (behaviour 1, 3.3, 4.3, 5). */
export function listEvents(access: Access, asked: EventQuery) {
  const { calendar, caller } = access
  const list = listName('events', calendar.id, caller.email ?? '')
  const cursor = cursorOf(access.world, list, ['changed', 'startTime', 'updated'], asked)
  const token = tokenOf(access, list, asked)
  if (cursor && token && cursor.since !== token.since) refuse('pageTokenWith', { location: 'syncToken' })
  const showDeleted = asked.showDeleted ?? token?.remembered.showDeleted
  const query: EventQuery = { ...asked, ...token?.remembered, showDeleted, ...cursor?.query }
  const order = token ? 'changed' : (query.orderBy ?? 'changed')
  const listing = { list, syncList: list, order, since: token?.since ?? -1, cursor }
  return pageOf(access, query, listing, (source, cursor) => entriesOf(source, cursor, shower(source, cursor)))
}

function entriesOf(source: Source, cursor: Cursor, show: Show): Iterable<Entry<ShownEvent>> {
  if (cursor.order === 'startTime') return listByStart(source, cursor, show)
  return listByUpdated(source, cursor, show)
}

/** Which list, for which sync tokens are given out, and from where on. */
export type Listing = {
  list: string
  syncList: string
  order: string
  since: number
  cursor: Cursor | undefined
  /** The stretch of time asked for, where a list reads it in a way of its own. */
  window?: Window
}

/** One page of what a source is made into, in the envelope that all lists of events have. */
export function pageOf(
  access: Access,
  query: EventQuery,
  { list, syncList, order, since, cursor: given, window = windowAsked(access, query) }: Listing,
  entries: (source: Source, cursor: Cursor) => Iterable<Entry<ShownEvent>>,
) {
  const { world, calendar } = access
  checkQuery(access, query)
  const fresh = () => ({ order, since, asOf: world.changes.mark(), after: undefined, query: ofTheList(query) })
  const cursor: Cursor = given ?? fresh()
  const events = world.events.of(calendar.id)
  const source: Source = {
    access,
    calendarId: calendar.id,
    records: recordsAt(world, events, cursor.asOf),
    query,
    window,
    zone: requireViewZone(access, query),
    withGone: query.showDeleted === true || query.updatedMin !== undefined || cursor.since >= 0,
  }
  const most = Math.min(query.maxResults ?? DEFAULT_PAGE, LONGEST_PAGE)
  const { items, next } = fill(entries(source, cursor), cursor.after, most)
  if (query.singleEvents && order !== 'startTime') world.changes.ask(cursor.asOf)
  return {
    ...envelope(access, events, query),
    ...(next
      ? { nextPageToken: nextPageToken(world, list, cursor, next) }
      : nextSyncToken(access, syncList, cursor, query)),
    items,
  }
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
    timeZone: requireViewZone(access, query),
    accessRole: role,
    defaultReminders: entries?.get(calendar.id)?.defaultReminders ?? [],
  }
}

/** How a list shows an event, or undefined where it does not belong to it (behaviour 4.3). */
export function shower({ access, query, records, window, zone }: Source, { since }: Cursor): Show {
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
  /** An empty place in a series belongs to the list that the series belongs to. */
  const ofMatching = ({ recurringEventId = '' }: Event): boolean => {
    const master = filtered ? records.get(recurringEventId) : undefined
    return !master || matches(viewOf(master)(byClock(master)))
  }
  const viewIn = (event: Event, timed: (event: Event) => Event): View | undefined => {
    const gone = event.status === 'cancelled'
    const hole = gone && !query.singleEvents && isHole(event, (id) => records.get(id))
    if (gone && !deletedToo && !hole) return undefined
    if ((!gone && isHidden(event)) || (gone && isPurged(records, event, access.world.clock.now()))) return undefined
    if (eventTypes && !eventTypes.includes(event.eventType ?? 'default')) return undefined
    if (iCalUID !== undefined && event.iCalUID !== iCalUID) return undefined
    if (updatedMin !== undefined && Date.parse(event.updated) < updatedMin) return undefined
    if (gone && since >= 0 && !query.singleEvents && isOfDeleted(event, records)) return undefined
    if (gone && !query.showDeleted && (since >= 0 || hole)) {
      return hole && !ofMatching(event) ? undefined : (one) => toTombstone(one, query.singleEvents || hole)
    }
    if (!gone && since >= 0 && !isWithin(event, window)) return undefined
    const view = viewOf(event)
    return !filtered || matches(view(timed(event))) ? view : undefined
  }
  const show = (event: Event): ShownEvent | undefined => viewIn(event, byClock)?.(byClock(event))
  return Object.assign(show, { alike: (instance: Event) => viewIn(instance, (timed) => timed) })
}

/** A deleted series is told of once, and not again by its instances (behaviour 5.11). */
const isOfDeleted = ({ recurringEventId }: Event, records: Records<Event>): boolean =>
  recurringEventId !== undefined && records.get(recurringEventId)?.status === 'cancelled'

/** A cancelled instance of a series that lives: who expands the series must know of it (behaviour 4.3). */
function isHole({ recurringEventId, originalStartTime }: Event, masterOf: (id: string) => Event | undefined): boolean {
  const master = recurringEventId === undefined ? undefined : masterOf(recurringEventId)
  if (!master || !originalStartTime || !isMaster(master) || master.status === 'cancelled') return false
  return seriesOf(master).includes(instantOfTime(originalStartTime))
}
