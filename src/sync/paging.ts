import { endOf, type Place } from '../db/byChange.ts'
import type { ChangeLog } from '../db/changeLog.ts'
import type { Collection } from '../db/collection.ts'
import { goodUntil, type Life, type LifeName, lifeAt } from '../db/epoch.ts'
import type { Records } from '../db/records.ts'
import type { Store } from '../db/store.ts'
import type { Revision } from '../db/version.ts'
import { refuse } from '../wire/refusals.ts'
import { isObject, isRevision, isText, requireFresh, seal, sealDigits, unseal, unsealDigits } from './tokens.ts'

/** Where an entry stands in the order of its list: numbers and texts, compared from the first on. */
export type Turn = readonly (number | string)[]
/**
 * `since`: only what changed later. `asOf`: the moment that all pages of the list show. `after`: the turn of the last one
 * sent. `query`: what the first page was asked for, and with it all pages.
 */
export type Cursor = {
  order: string
  since: Revision
  asOf: Revision
  after: Turn | undefined
  query: object
}

const isTurn = (value: unknown): boolean =>
  Array.isArray(value) && value.every((part) => typeof part === 'string' || Number.isFinite(part))
const CURSOR = { order: isText, since: isRevision, asOf: isRevision, after: isTurn, query: isObject }

/** What stands in a list: its turn is asked for where a page begins or ends, and of what is merged with others. */
export type Entry<T> = { readonly at: Turn; show(): T | undefined }

/** What of a world a page is drawn from. */
export type Paged = { life: Life; store: Store; changes: ChangeLog }

/**
 * One page of what a list holds: entries in order, of which those that show nothing are left out. No more of them are
 * drawn than the page takes and one. `next` is the turn of the last one shown where there are more.
 */
export function fill<T>(
  entries: Iterable<Entry<T>>,
  after: Turn | undefined,
  most: number,
): { items: T[]; next?: Turn } {
  const items: T[] = []
  let last: Entry<T> | undefined
  for (const entry of entries) {
    if (after && compare(entry.at, after) <= 0) continue
    const item = entry.show()
    if (item === undefined) continue
    if (items.length === most) return { items, next: last?.at ?? [] }
    items.push(item)
    last = entry
  }
  return { items }
}

export function compare(a: Turn, b: Turn): number {
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [a[i] ?? 0, b[i] ?? 0]
    if (one !== other) return one < other ? -1 : 1
  }
  return 0
}

type Stream<E> = { head: E; rest: Iterator<E> }

/**
 * Entries of several ordered streams in one order, none drawn before its turn. An entry may open a stream in its place,
 * none of whose entries comes before it.
 */
export function* drawn<E extends { at: Turn; opens?: () => Iterable<E> }>(
  streams: Iterable<Iterable<E>>,
): Generator<E> {
  const heap = new Heap<E>()
  for (const stream of streams) heap.add(stream)
  for (let next = heap.take(); next; next = heap.take()) {
    if (next.opens) heap.add(next.opens())
    else yield next
  }
}

/** The streams that are not at their end, the one whose head comes first on top. */
class Heap<E extends { at: Turn }> {
  readonly #streams: Stream<E>[] = []

  add(entries: Iterable<E>): void {
    const rest = entries[Symbol.iterator]()
    const { done, value } = rest.next()
    if (done) return
    this.#streams.push({ head: value, rest })
    this.#rise(this.#streams.length - 1)
  }

  take(): E | undefined {
    const [first] = this.#streams
    if (!first) return undefined
    const { head } = first
    const { done, value } = first.rest.next()
    if (!done) first.head = value
    else {
      const last = this.#streams.pop()
      if (this.#streams.length > 0 && last) this.#streams[0] = last
    }
    this.#sink(0)
    return head
  }

  #before(a: number, b: number): boolean {
    const [one, other] = [this.#streams[a], this.#streams[b]]
    return one !== undefined && other !== undefined && compare(one.head.at, other.head.at) < 0
  }

  #swap(a: number, b: number): void {
    const [one, other] = [this.#streams[a], this.#streams[b]]
    if (!one || !other) return
    this.#streams[a] = other
    this.#streams[b] = one
  }

  #rise(from: number): void {
    for (let at = from; at > 0; ) {
      const parent = (at - 1) >> 1
      if (!this.#before(at, parent)) return
      this.#swap(at, parent)
      at = parent
    }
  }

  #sink(from: number): void {
    for (let at = from; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      const least = this.#before(right, left) ? right : left
      if (!this.#before(least, at)) return
      this.#swap(least, at)
      at = least
    }
  }
}

/**
 * The records at the moment that the first page showed. It is kept where a page was followed by another; where it no
 * longer is, the present stands in for it, since a token lives by time alone (behaviour 5.14).
 */
export function recordsAt<T extends object>({ store }: Paged, of: Collection<T>, asOf: Revision): Records<T> {
  if (of.latest <= asOf) return of.records
  const picture = store.retainedSnapshot(asOf)
  return picture ? of.in(picture) : of.records
}

/** What of a request's parameters is of the page, or says which list, and is not asked of the list. */
const OF_THE_PAGE = ['calendarId', 'eventId', 'maxResults', 'pageToken', 'syncToken']

/** What a query asks of all pages: said in full it would be the same. */
export const ofTheList = (query: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(query).filter(
      ([name, value]) => !OF_THE_PAGE.includes(name) && value !== undefined && value !== false,
    ),
  )

/**
 * The cursor of a request that gives a page token. What the first page was asked for is asked of every page: the client
 * may say it again, and may not say anything else (behaviour 14.48.1).
 */
export function cursorOf(
  { life, changes }: Paged,
  list: string,
  orders: readonly string[],
  { pageToken, ...asked }: PageQuery,
): Cursor | undefined {
  if (!pageToken) return undefined
  const cursor = unseal<Cursor>(pageToken, list, CURSOR)
  if (!cursor || !orders.includes(cursor.order) || cursor.asOf > changes.latest) return refuse('invalidPageToken')
  if (cursor.asOf > (goodUntil(life, cursor) ?? -1)) refuse('invalidPageToken')
  const known = cursor.query as Record<string, unknown>
  for (const [location, said] of Object.entries(asked)) {
    if (OF_THE_PAGE.includes(location) || said === undefined) continue
    if (JSON.stringify(said) !== JSON.stringify(known[location] ?? false)) refuse('pageTokenWith', { location })
  }
  return cursor
}

/** The token of the page after this one, which will show the same moment. */
export function nextPageToken({ store, life }: Paged, list: string, cursor: Cursor, after: Turn): string {
  const { order, since, asOf, query } = cursor
  store.retainSnapshot(asOf)
  return seal(lifeAt(life, asOf), list, { order, since, asOf, after, query } satisfies Cursor)
}

/** The place in the order of last change that a turn stands for, or the one before the first change asked for. */
export const placeOf = ({ after, since }: Pick<Cursor, 'after' | 'since'>): Place => {
  const [revision, id, member] = after ?? []
  return after ? { revision: Number(revision), id: String(id), member: String(member) } : endOf(since)
}

export const turnOf = ({ revision, id, member }: Place): Turn => [revision, id, member]

export type PageQuery = {
  maxResults?: number | undefined
  pageToken?: string | undefined
  syncToken?: string | undefined
}
export type Page<T> = { nextPageToken?: string; nextSyncToken?: string; items: T[] }
/** How a resource's sync tokens look: sealed text, or digits alone. */
export type TokenForm = 'sealed' | 'digits'

const DEFAULT_PAGE = 100
const LONGEST_PAGE = 250

/** One page of a calendar list, of rules or of settings in the order of last change, whole or since a sync token (behaviour 1.11, 5.3). */
export function page<T extends object, Shown, Q extends PageQuery>(
  world: Paged,
  of: Collection<T>,
  { list, account, form, query: asked }: { list: string; account: string | undefined; form: TokenForm; query: Q },
  show: (record: T, syncing: boolean, query: Q) => Shown | undefined,
): Page<Shown> {
  const { life, changes } = world
  const token = tokenOf(world, { list, account, form }, asked)
  const cursor: Cursor = cursorOf(world, list, [''], asked) ?? {
    ...{ order: '', after: undefined, since: token?.since ?? -1, asOf: changes.mark(), query: ofTheList(asked) },
  }
  const { since, asOf, after } = cursor
  if (token && token.since !== since) refuse('pageTokenWith', { location: 'syncToken' })
  const query = { ...asked, ...cursor.query }
  const entries = entriesOf(recordsAt(world, of, asOf), cursor, (record) => show(record, since > 0, query))
  const { items, next } = fill(entries, after, Math.min(query.maxResults ?? DEFAULT_PAGE, LONGEST_PAGE))
  if (next) return { nextPageToken: nextPageToken(world, list, cursor, next), items }
  const own = lifeAt(life, asOf)
  return { nextSyncToken: form === 'digits' ? sealDigits(own, list, asOf) : seal(own, list, { since: asOf }), items }
}

function* entriesOf<T extends object, Shown>(
  records: Records<T>,
  cursor: Cursor,
  show: (record: T) => Shown | undefined,
): Generator<Entry<Shown>> {
  for (const { version, place } of records.changed(placeOf(cursor), { gone: true })) {
    if (version.revision > cursor.asOf) return
    yield { at: turnOf(place), show: () => show(version.value) }
  }
}

type Whose = { list: string; account: string | undefined; form: TokenForm }

function tokenOf(world: Paged, { list, account, form }: Whose, { syncToken, pageToken }: PageQuery) {
  if (!syncToken) return undefined
  const token =
    (form === 'digits' ? unsealDigits(syncToken, list, world.life) : unseal<SyncToken>(syncToken, list, SYNC)) ??
    refuse('invalidSyncToken')
  requireFresh(world, token, { list, account, text: syncToken, first: !pageToken })
  return token
}

type SyncToken = LifeName & { since: Revision }
const SYNC = { since: isRevision }

/** A collection's etag: opaque, `"p3…o"` with 16 characters (behaviour 3.11), another one after every write that it shows. */
export const collectionEtag = (...revisions: Revision[]): string =>
  `"p3${Math.max(...revisions)
    .toString(32)
    .padStart(13, '0')}o"`
