import { refuse } from '../wire/refusals.ts'
import type { ChangeLog, Collection, Revision, Snapshot, Version } from './changes.ts'
import { requireFresh, type Sealed, seal, sealDigits, unseal, unsealDigits } from './tokens.ts'

/** What of a world its tokens and pages depend on. */
export type Lived = { readonly life: number; readonly changes: ChangeLog }

/** Where a record stands in the order of a list: numbers compared from the first on. */
export type Place = readonly number[]
/** `since`: only what changed later. `asOf`: the moment that all pages of the list show. `after`: the last place sent. */
export type Cursor = Sealed & { order: string; since: Revision; asOf: Revision; after: Place | undefined }

export type Entry<T> = { at: Place; show: () => T | undefined }

/**
 * One page of what a list holds: entries in order, of which those that show nothing are left out. `next` is the place
 * of the last one shown where there are more.
 */
export function fill<T>(
  entries: Iterable<Entry<T>>,
  after: Place | undefined,
  most: number,
): { items: T[]; next?: Place } {
  const items: T[] = []
  let last: Place = []
  for (const { at, show } of entries) {
    if (after && compare(at, after) <= 0) continue
    const item = show()
    if (item === undefined) continue
    if (items.length === most) return { items, next: last }
    items.push(item)
    last = at
  }
  return { items }
}

export function compare(a: Place, b: Place): number {
  for (let i = 0; i < a.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

export const inOrder = <E extends Entry<unknown>>(entries: Iterable<E>): E[] =>
  [...entries].sort((a, b) => compare(a.at, b.at))

/** The collection at the moment that the first page showed. */
export const snapshotAt = <T extends object>(of: Collection<T>, asOf: Revision): Snapshot<T> =>
  of.asOf(asOf) ?? refuse('invalidPageToken')

/** The page token of a request, where it gives one. */
export function cursorOf(world: Lived, list: string, pageToken: string | undefined): Cursor | undefined {
  if (!pageToken) return undefined
  const cursor = unseal<Cursor>(pageToken, list)
  if (cursor?.life !== world.life || cursor.asOf > world.changes.latest) return refuse('invalidPageToken')
  return cursor
}

/** What was written after `since`, as it stood at the moment of the snapshot. */
export function changesBetween<T extends object>(
  of: Collection<T>,
  then: Snapshot<T>,
  since: Revision,
): Iterable<Version<T>> {
  return then.restated(of.writtenSince(since), ({ revision }) => revision > since)
}

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

/**
 * One page of a calendar list, of rules or of settings, whole or as changed since a sync token (behaviour 1.11, 5.13).
 */
export function page<T extends object, Shown>(
  world: Lived,
  of: Collection<T>,
  { list, form, query }: { list: string; form: TokenForm; query: PageQuery },
  show: (record: T, syncing: boolean) => Shown | undefined,
): Page<Shown> {
  const { since, asOf, after } = cursorOf(world, list, query.pageToken) ?? {
    since: sinceOf(world, list, form, query.syncToken),
    asOf: world.changes.mark(),
    after: undefined,
  }
  const then = snapshotAt(of, asOf)
  const entry = (version: Version<T>, at: Place) => ({ at, show: () => show(version.value, since > 0) })
  const entries =
    since > 0
      ? inOrder([...changesBetween(of, then, since)].map((version) => entry(version, [version.revision])))
      : [...then.from(0)].map((version) => entry(version, [version.place]))
  const { items, next } = fill(entries, after, Math.min(query.maxResults ?? DEFAULT_PAGE, LONGEST_PAGE))
  return next
    ? { nextPageToken: seal({ list, life: world.life, order: '', since, asOf, after: next } satisfies Cursor), items }
    : {
        nextSyncToken: form === 'digits' ? sealDigits(world.life, asOf) : seal({ list, life: world.life, since: asOf }),
        items,
      }
}

function sinceOf(world: Lived, list: string, form: TokenForm, syncToken: string | undefined): Revision {
  if (!syncToken) return 0
  const token = form === 'digits' ? unsealDigits(syncToken) : unseal<Sealed & { since: Revision }>(syncToken, list)
  const { life, since } = token ?? refuse('invalidSyncToken')
  requireFresh(world, life, since)
  return since
}

/**
 * A collection's etag: opaque, `"p3…o"` with 16 characters (behaviour 3.11), another one after every write that it
 * shows.
 */
export const collectionEtag = (...revisions: Revision[]): string =>
  `"p3${Math.max(...revisions)
    .toString(32)
    .padStart(13, '0')}o"`
