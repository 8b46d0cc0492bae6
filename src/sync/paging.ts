import type { ChangeLog } from '../db/changeLog.ts'
import type { Collection } from '../db/collection.ts'
import { type ChangePosition, endOfRevision } from '../db/indexes.ts'
import { byTuple, type Store, type StoreSnapshot, type Tuple } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { MergedStreams } from '../recurrence/series.ts'
import { apiError } from '../schema/apiErrors.ts'
import { isObject } from '../schema/values/json.ts'
import { type EpochId, epochAt, epochOf, validUntil } from './epochs.ts'
import {
  decodeDigitToken,
  decodeToken,
  encodeDigitToken,
  encodeToken,
  forgetUses,
  isRevision,
  isString,
  issueTimes,
  type ListName,
  requireValidSyncToken,
  type SyncToken,
} from './tokens.ts'

/** The content of a page token. All pages of a list show the records as they were at its first page (`asOf`). */
export type Cursor = {
  order: string
  since: Revision
  asOf: Revision
  after: SortKey | undefined
  query: object
}

const isSortKey = (value: unknown): boolean =>
  Array.isArray(value) && value.every((part) => typeof part === 'string' || Number.isFinite(part))
const CURSOR_SHAPE = { order: isString, since: isRevision, asOf: isRevision, after: isSortKey, query: isObject }

/** `show` returns the entry as the reply shows it, or undefined if the list does not contain it. */
export type ListEntry<T> = { readonly sortKey: SortKey; show(): T | undefined }

export type PagingContext = { store: Store; changes: ChangeLog }

/**
 * The items of the sorted entries whose sort key follows `after`. Draws entries until there is one item more than
 * `size`. `next` is the sort key of the last item, if there are more.
 */
export function takePage<T>(
  entries: Iterable<ListEntry<T>>,
  after: SortKey | undefined,
  size: number,
): { items: T[]; next?: SortKey } {
  const items: T[] = []
  let last: ListEntry<T> | undefined
  for (const entry of entries) {
    if (after && byTuple(entry.sortKey, after) <= 0) continue
    const item = entry.show()
    if (item === undefined) continue
    if (items.length === size) return { items, next: last?.sortKey ?? [] }
    items.push(item)
    last = entry
  }
  return { items }
}

/**
 * Undefined if the collection has not changed since the first page. Without a retained snapshot a page has present
 * records, because no number of writes ends a token (behaviour 5.14.1).
 */
export const snapshotAt = (
  { store }: PagingContext,
  collection: { latest: Revision },
  { asOf }: Pick<Cursor, 'asOf'>,
): StoreSnapshot | undefined => (collection.latest <= asOf ? undefined : store.retainedSnapshot(asOf))

const PAGE_PARAMS = ['calendarId', 'eventId', 'maxResults', 'pageToken', 'syncToken']

/** The parameters that apply to all pages, without `false`, because it is the default. */
export const filterParams = (query: object): Record<string, unknown> => {
  const isFilter = ([name, value]: [string, unknown]) =>
    !PAGE_PARAMS.includes(name) && value !== undefined && value !== false
  return Object.fromEntries(Object.entries(query).filter(isFilter))
}

/**
 * Throws `invalidPageToken` for a token that is damaged, expired or of another world, list or order, and `pageTokenWith` if a
 * parameter contradicts the first page (behaviour 14.48.1).
 */
function readPageToken(
  { store, changes }: PagingContext,
  list: ListName,
  orders: readonly string[],
  { pageToken, ...params }: PageQuery,
): Cursor | undefined {
  if (!pageToken) return undefined
  const cursor = decodeToken<Cursor>(pageToken, list, CURSOR_SHAPE)
  if (!cursor || !orders.includes(cursor.order) || cursor.asOf > changes.markLatest())
    throw apiError('invalidPageToken')
  if (cursor.asOf > (validUntil(epochOf(store), cursor) ?? -1)) throw apiError('invalidPageToken')
  requireSameFilters(params, cursor.query as Record<string, unknown>)
  return cursor
}

/** Throws `pageTokenWith`. A parameter that the first page left out was `false`. */
export function requireSameFilters(params: object, first: Readonly<Record<string, unknown>>): void {
  for (const [location, value] of Object.entries(params)) {
    if (PAGE_PARAMS.includes(location) || value === undefined) continue
    if (JSON.stringify(value) !== JSON.stringify(first[location] ?? false))
      throw apiError('pageTokenWith', { location })
  }
}

/** Retains a snapshot of the present, unless one is retained for `cursor.asOf` already. */
function issuePageToken({ store }: PagingContext, list: ListName, cursor: Cursor, after: SortKey): string {
  const { order, since, query } = cursor
  const asOf = store.committedRevision(cursor.asOf)
  store.retainSnapshot(asOf)
  return encodeToken(epochAt(epochOf(store), asOf), list, { order, since, asOf, after, query } satisfies Cursor)
}

const requestedPageScope = (path: string): ListName => ['again', path]

/** The token of a page that a request got empty (the fault `emptyPage`). It contains the query of the request. */
export const requestedPageToken = ({ store }: Pick<PagingContext, 'store'>, path: string, query: URLSearchParams) =>
  encodeToken(epochOf(store), requestedPageScope(path), { query: query.toString() })

/**
 * The query in a token of `requestedPageToken`, with `maxResults` of this request; undefined for other tokens. Throws
 * `invalidPageToken` for one of another world, or from before a reset.
 */
export function requestedQueryOf(
  { store }: Pick<PagingContext, 'store'>,
  path: string,
  query: URLSearchParams,
): URLSearchParams | undefined {
  const token = query.get('pageToken')
  const content =
    token === null ? undefined : decodeToken<{ query: string }>(token, requestedPageScope(path), { query: isString })
  if (!content) return undefined
  if ((validUntil(epochOf(store), content) ?? -1) < 0) throw apiError('invalidPageToken')
  const requested = new URLSearchParams(content.query)
  const maxResults = query.get('maxResults')
  if (maxResults) requested.set('maxResults', maxResults)
  return requested
}

/** The position of `after`, a result of `sortKeyOf`, or on the first page the end of the revision `since`. */
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

/** The tokens of a list, as its resource describes them. */
export type ListTokens<Q extends PageQuery> = {
  /** The list of the sync tokens, and of the page tokens unless `pages` names another. */
  readonly list: ListName
  readonly pages?: ListName
  readonly account: string | undefined
  /** The form of the sync tokens: base64, or 20 digits for acl and settings (behaviour 5.7). */
  readonly form: 'base64' | 'digits'
  /** The order of a first page. A page token of an order that is not in `orders` is invalid. */
  readonly order?: string
  readonly orders?: readonly string[]
  /** The caller's role. A change of it expires the sync tokens (behaviour 5.14). */
  readonly role?: string
  /** Parameters that a sync token remembers, and true for those that may not differ from it (behaviour 14.7). */
  readonly remembered?: { readonly [Name in keyof Q]?: boolean }
  /** Throws for parameters that are an error beside a sync token (behaviour 5.8, 5.17). */
  checkParams?(params: Q): void
  /** Returns false for a list with an order or a filter that cannot be synced (behaviour 5.6). The default is true. */
  isSyncable?(query: Q): boolean
}

/** `query` has the parameters of the request, the sync token and the first page. */
export type Page<Q> = { readonly cursor: Cursor; readonly query: Q }

/**
 * Reads the tokens of a request for a page: of all records of a list, or of those that changed since a sync token
 * (behaviour 1.11, 5.3). Throws `invalidPageToken`, `pageTokenWith`, `invalidSyncToken`, `fullSyncRequired`, and what
 * `checkParams` throws.
 */
export function openPage<Q extends PageQuery>(world: PagingContext, tokens: ListTokens<Q>, params: Q): Page<Q> {
  const { order = '' } = tokens
  const given = readPageToken(world, tokens.pages ?? tokens.list, tokens.orders ?? [order], params)
  const token = readSyncToken(world, tokens, params)
  if (given && token && given.since !== token.since) throw apiError('pageTokenWith', { location: 'syncToken' })
  const query: Q = { ...params, ...token?.remembered, ...given?.query }
  if (given) return { query, cursor: given }
  const asOf = world.changes.markPresent()
  return { query, cursor: { order, since: token?.since ?? -1, asOf, after: undefined, query: filterParams(query) } }
}

const SIZES = { initial: 100, max: 250 }

export function closePage<Item, Q extends PageQuery>(
  world: PagingContext,
  tokens: ListTokens<Q>,
  { cursor, query }: Page<Q>,
  entries: Iterable<ListEntry<Item>>,
  { initial, max } = SIZES,
): { nextPageToken?: string; nextSyncToken?: string; items: Item[] } {
  const { items, next } = takePage(entries, cursor.after, Math.min(query.maxResults ?? initial, max))
  if (next) return { nextPageToken: issuePageToken(world, tokens.pages ?? tokens.list, cursor, next), items }
  if (tokens.isSyncable && !tokens.isSyncable(query)) return { items }
  const nextSyncToken = issueSyncToken(world, tokens, cursor.asOf, query)
  if (cursor.since < 0) forgetUses(world.store, nextSyncToken)
  return { nextSyncToken, items }
}

/** Cancelled ones included. `show` is as in `ListEntry`. */
export function* listByLastChange<R extends object, Item>(
  world: PagingContext,
  collection: Collection<R>,
  { cursor }: Page<unknown>,
  show: (record: R) => Item | undefined,
): Generator<ListEntry<Item>> {
  const snapshot = snapshotAt(world, collection, cursor)
  const records = snapshot ? collection.in(snapshot) : collection.records
  for (const { version, position } of records.listChanges(positionOf(cursor), { includeCancelled: true })) {
    if (version.revision > cursor.asOf) return
    yield { sortKey: sortKeyOf(position), show: () => show(version.value) }
  }
}

/** Microseconds. Writes in one second raise revisions above the clock, without a restore. */
const CLOCK_PRECISION = 1_000_000

type SyncContent = { since: Revision; issued: number; role?: string | undefined; remembered?: object | undefined }

function issueSyncToken<Q extends PageQuery>(
  { store, changes }: PagingContext,
  { list, form, role, remembered }: ListTokens<Q>,
  asOf: Revision,
  query: Q,
): string {
  const since = store.committedRevision(asOf)
  const own = epochAt(epochOf(store), since)
  const issued = Math.min(since, changes.clockRevision)
  if (form === 'digits') {
    const token = encodeDigitToken(own, list, since)
    if (since - issued > CLOCK_PRECISION) issueTimes(store).set(token, issued)
    return token
  }
  const names = Object.keys(remembered ?? {})
  const content: SyncContent = {
    since,
    issued,
    role,
    remembered: remembered && filterParams(Object.fromEntries(names.map((name) => [name, query[name as keyof Q]]))),
  }
  return encodeToken(own, list, content)
}

function readDigitToken({ store }: PagingContext, list: ListName, text: string): SyncToken | undefined {
  const token = decodeDigitToken(text, list, epochOf(store))
  return token && { ...token, issued: issueTimes(store).get(text) ?? token.since }
}

/** The first page of a list counts as a use of the token. */
function readSyncToken<Q extends PageQuery>(
  world: PagingContext,
  { list, account, form, role, remembered, checkParams }: ListTokens<Q>,
  params: Q,
): SyncContent | undefined {
  const { syncToken: text, pageToken } = params
  if (!text) return undefined
  checkParams?.(params)
  const shape = {
    since: isRevision,
    issued: isRevision,
    ...(role && { role: isString }),
    ...(remembered && { remembered: isObject }),
  }
  const token: (EpochId & SyncContent) | undefined =
    form === 'digits' ? readDigitToken(world, list, text) : decodeToken(text, list, shape)
  if (!token) throw apiError('invalidSyncToken')
  for (const [location, isFixed] of Object.entries(remembered ?? {})) {
    const [value, known] = [params[location as keyof Q], (token.remembered as Record<string, unknown>)[location]]
    if (isFixed && value !== undefined && String(value) !== String(known ?? false))
      throw apiError('syncTokenWith', { location })
  }
  requireValidSyncToken(world.changes, token, { list, account, text, isFirstPage: !pageToken })
  if (token.role !== role) throw apiError('fullSyncRequired')
  return token
}

/** An etag from the latest revisions of all collections that a list shows: `"p3…o"` with 16 characters (behaviour 3.11). */
export const collectionEtag = (...revisions: Revision[]): string =>
  `"p3${Math.max(...revisions)
    .toString(32)
    .padStart(13, '0')}o"`

/** The position of an entry in the order of its list: numbers and strings, compared part by part. */
export type SortKey = Tuple

/** `opens` replaces the entry by a stream whose entries have the same sort key, one that begins with it, or later ones. */
type Mergeable<E> = { readonly sortKey: SortKey; opens?: () => Iterable<E> }

/**
 * Merges sorted streams. Entries with equal keys are all yielded, in no fixed order. The first entry of each stream
 * is drawn at once, others on demand.
 */
export function* mergeSorted<E extends Mergeable<E>>(streams: Iterable<Iterable<E>>): Generator<E> {
  const merged = new MergedStreams<E>((a, b) => byTuple(a.sortKey, b.sortKey))
  for (const stream of streams) merged.add(stream)
  for (let next = merged.take(); next; next = merged.take()) {
    if (next.opens) merged.add(next.opens())
    else yield next
  }
}
