import { type ChangePosition, endOfRevision } from '../db/byChange.ts'
import type { ChangeLog } from '../db/changeLog.ts'
import type { Collection } from '../db/collection.ts'
import type { Records } from '../db/records.ts'
import type { Store } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { apiError } from '../schema/apiErrors.ts'
import { type Epoch, type EpochId, epochAt, validUntil } from './epoch.ts'
import { compareSortKeys, type SortKey } from './mergeSorted.ts'
import {
  decodeDigitToken,
  decodeToken,
  encodeDigitToken,
  encodeToken,
  isObject,
  isRevision,
  isText,
  type ListName,
  requireValidSyncToken,
} from './tokens.ts'

/** The content of a page token. */
export type Cursor = {
  order: string
  /** The list has only records that changed after this revision; -1 for all. */
  since: Revision
  /** The revision that all pages of the list show. */
  asOf: Revision
  /** The sort key of the last entry that was returned. */
  after: SortKey | undefined
  /** The parameters of the first page, which apply to all pages. */
  query: object
}

const isSortKey = (value: unknown): boolean =>
  Array.isArray(value) && value.every((part) => typeof part === 'string' || Number.isFinite(part))
const CURSOR_SHAPE = { order: isText, since: isRevision, asOf: isRevision, after: isSortKey, query: isObject }

/** An entry of a list. `show` returns undefined if the list does not contain it. */
export type ListEntry<T> = { readonly sortKey: SortKey; show(): T | undefined }

/** The parts of a world that paging needs. */
export type PagingContext = { epoch: Epoch; store: Store; changes: ChangeLog }

/**
 * Returns the items of one page. Entries are drawn lazily, up to one more than the page has room for. `next` is the
 * sort key of the last item if there are more.
 */
export function takePage<T>(
  entries: Iterable<ListEntry<T>>,
  after: SortKey | undefined,
  size: number,
): { items: T[]; next?: SortKey } {
  const items: T[] = []
  let last: ListEntry<T> | undefined
  for (const entry of entries) {
    if (after && compareSortKeys(entry.sortKey, after) <= 0) continue
    const item = entry.show()
    if (item === undefined) continue
    if (items.length === size) return { items, next: last?.sortKey ?? [] }
    items.push(item)
    last = entry
  }
  return { items }
}

/**
 * Returns the records as they were at the revision of the first page. If that snapshot is no longer retained, returns
 * the present records, because no number of writes ends a token (behaviour 5.14.1).
 */
export function recordsAt<T extends object>({ store }: PagingContext, of: Collection<T>, asOf: Revision): Records<T> {
  if (of.latest <= asOf) return of.records
  const snapshot = store.retainedSnapshot(asOf)
  return snapshot ? of.in(snapshot) : of.records
}

/** Parameters that select a list or a page. All others apply to every page of a list. */
const PAGE_PARAMS = ['calendarId', 'eventId', 'maxResults', 'pageToken', 'syncToken']

/** Returns the parameters that apply to all pages. `false` is the default, so it is left out. */
export const filterParams = (query: object): Record<string, unknown> => {
  const isFilter = ([name, value]: [string, unknown]) =>
    !PAGE_PARAMS.includes(name) && value !== undefined && value !== false
  return Object.fromEntries(Object.entries(query).filter(isFilter))
}

/**
 * Returns the cursor of a request that has a page token. Throws if the token is invalid, or if a parameter contradicts
 * the first page (behaviour 14.48.1).
 */
export function cursorOf(
  { epoch, changes }: PagingContext,
  list: ListName,
  orders: readonly string[],
  { pageToken, ...params }: PageQuery,
): Cursor | undefined {
  if (!pageToken) return undefined
  const cursor = decodeToken<Cursor>(pageToken, list, CURSOR_SHAPE)
  if (!cursor || !orders.includes(cursor.order) || cursor.asOf > changes.latest) throw apiError('invalidPageToken')
  if (cursor.asOf > (validUntil(epoch, cursor) ?? -1)) throw apiError('invalidPageToken')
  requireSameFilters(params, cursor.query as Record<string, unknown>)
  return cursor
}

/** Throws `pageTokenWith` if a parameter contradicts those of the first page. */
export function requireSameFilters(params: object, first: Readonly<Record<string, unknown>>): void {
  for (const [location, value] of Object.entries(params)) {
    if (PAGE_PARAMS.includes(location) || value === undefined) continue
    if (JSON.stringify(value) !== JSON.stringify(first[location] ?? false))
      throw apiError('pageTokenWith', { location })
  }
}

/** Returns the token of the next page, and retains the snapshot that the page will show. */
export function nextPageToken({ store, epoch }: PagingContext, list: ListName, cursor: Cursor, after: SortKey): string {
  const { order, since, query } = cursor
  const asOf = store.committedRevision(cursor.asOf)
  store.retainSnapshot(asOf)
  return encodeToken(epochAt(epoch, asOf), list, { order, since, asOf, after, query } satisfies Cursor)
}

/** Returns the position in the order of last change after which a page begins. */
export const positionOf = ({ after, since }: Pick<Cursor, 'after' | 'since'>): ChangePosition => {
  const [revision, id, member] = after ?? []
  return after ? { revision: Number(revision), id: String(id), member: String(member) } : endOfRevision(since)
}

export const sortKeyOf = ({ revision, id, member }: ChangePosition): SortKey => [revision, id, member]

export type PageQuery = {
  maxResults?: number | undefined
  pageToken?: string | undefined
  syncToken?: string | undefined
}
export type Page<T> = { nextPageToken?: string; nextSyncToken?: string; items: T[] }
/** The form of a resource's sync tokens: base64, or digits for acl and settings (behaviour 5.7). */
export type TokenForm = 'base64' | 'digits'
type SyncedList = { list: ListName; account: string | undefined; form: TokenForm }

const DEFAULT_PAGE = 100
const MAX_PAGE = 250

/**
 * Returns one page of calendar list entries, access rules or settings in the order of last change: all of them, or
 * those that changed since a sync token (behaviour 1.11, 5.3).
 */
export function page<T extends object, Shown, Q extends PageQuery>(
  world: PagingContext,
  of: Collection<T>,
  { query: params, ...synced }: SyncedList & { query: Q },
  show: (record: T, isSyncing: boolean, query: Q) => Shown | undefined,
): Page<Shown> {
  const { changes } = world
  const { list } = synced
  const token = requireSyncToken(world, synced, params)
  const fresh = () => ({ since: token?.since ?? -1, asOf: changes.markPresent(), query: filterParams(params) })
  const cursor: Cursor = cursorOf(world, list, [''], params) ?? { order: '', after: undefined, ...fresh() }
  const { since, asOf, after } = cursor
  if (token && token.since !== since) throw apiError('pageTokenWith', { location: 'syncToken' })
  const query = { ...params, ...cursor.query }
  const entries = listChanges(recordsAt(world, of, asOf), cursor, (record) => show(record, since > 0, query))
  const { items, next } = takePage(entries, after, Math.min(query.maxResults ?? DEFAULT_PAGE, MAX_PAGE))
  if (next) return { nextPageToken: nextPageToken(world, list, cursor, next), items }
  return { nextSyncToken: nextSyncToken(world, synced, asOf), items }
}

function* listChanges<T extends object, Shown>(
  records: Records<T>,
  cursor: Cursor,
  show: (record: T) => Shown | undefined,
): Generator<ListEntry<Shown>> {
  for (const { version, position } of records.listChanges(positionOf(cursor), { includeCancelled: true })) {
    if (version.revision > cursor.asOf) return
    yield { sortKey: sortKeyOf(position), show: () => show(version.value) }
  }
}

function nextSyncToken({ epoch, store }: PagingContext, { list, form }: SyncedList, asOf: Revision): string {
  const since = store.committedRevision(asOf)
  const own = epochAt(epoch, since)
  return form === 'digits' ? encodeDigitToken(own, list, since) : encodeToken(own, list, { since })
}

type SyncToken = EpochId & { since: Revision }

function requireSyncToken(
  world: PagingContext,
  { list, account, form }: SyncedList,
  { syncToken, pageToken }: PageQuery,
): SyncToken | undefined {
  if (!syncToken) return undefined
  const token =
    form === 'digits'
      ? decodeDigitToken(syncToken, list, world.epoch)
      : decodeToken<SyncToken>(syncToken, list, { since: isRevision })
  if (!token) throw apiError('invalidSyncToken')
  requireValidSyncToken(world, token, { list, account, text: syncToken, first: !pageToken })
  return token
}

/**
 * Returns a collection's etag: opaque, `"p3…o"` with 16 characters (behaviour 3.11). Every visible write changes it.
 */
export const collectionEtag = (...revisions: Revision[]): string =>
  `"p3${Math.max(...revisions)
    .toString(32)
    .padStart(13, '0')}o"`
