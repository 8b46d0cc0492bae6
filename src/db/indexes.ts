import { byNumber, byText, byTuple, startsWith, Tree, type Tuple } from './store.ts'
import type { Revision, Version } from './version.ts'

export type CollectionDefinition<T> = {
  isCancelled?(value: T): boolean
  intervalOf?(value: T): Interval | undefined
  nextIntervalOf?: NextIntervalOf<T>
  keysOf?(value: T): readonly Tuple[]
  stampGroupOf?(value: T): string | undefined
  withStamp?(value: T, revision: Revision, touched: Revision): T
  /** Returns true if the history keeps the version before a write, because deltas depend on it. */
  isRedefinition?(before: T, after: T): boolean
}

/** The time of a record: instants in milliseconds, or (`dated`) the UTC midnights of its dates. */
export type Interval = { readonly dated: boolean; readonly start: number; readonly end: number }
/** A period, as instants and as wall times (in milliseconds as if UTC) of the zone in which dates are read. */
export type Window = { from: number; to: number; wallFrom: number; wallTo: number }

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Records are grouped by length, so that one long event does not make every search start far back. */
const MAX_LENGTHS = [
  ...[0.25, 0.5, 1, 2, 4, 8].map((hours) => hours * HOUR),
  ...[1, 2, 4, 8, 32, 128, 400, 4000].map((days) => days * DAY),
  Number.POSITIVE_INFINITY,
]
const BUCKET_COUNT = MAX_LENGTHS.length
export const NO_INTERVAL = -1

/** Buckets are by the length, by dates or instants, and by live or cancelled. */
export const bucketOf = ({ dated, start, end }: Interval, isCancelled: boolean): number =>
  MAX_LENGTHS.findIndex((longest) => end - start <= longest) + BUCKET_COUNT * (Number(dated) + 2 * Number(isCancelled))

export const isDatedBucket = (bucket: number): boolean => bucket % (2 * BUCKET_COUNT) >= BUCKET_COUNT
export const isCancelledBucket = (bucket: number): boolean => bucket >= 2 * BUCKET_COUNT
/** Returns the least start that can be that instant in some zone: a date begins within a day of its UTC midnight. */
export const startIn = (bucket: number, instant: number): number => instant - (isDatedBucket(bucket) ? DAY : 0)
export const maxLengthIn = (bucket: number): number => MAX_LENGTHS[bucket % BUCKET_COUNT] ?? 0

export type Mark = {
  readonly group?: string | undefined
  readonly bucket: number
  readonly start: number
  readonly ordinal: number
}

export const byMark = (a: Mark, b: Mark): number => a.bucket - b.bucket || a.start - b.start || a.ordinal - b.ordinal
export const byGroup = (a: Mark, b: Mark): number => byText(a.group ?? '', b.group ?? '') || byMark(a, b)

export const byMember = (a: Version<unknown>, b: Version<unknown>): number =>
  byText(a.group ?? '', b.group ?? '') || byText(a.id, b.id)

/** The index `byInterval`: versions by bucket and start, so that a window costs as much as it contains. */
export type Timeline<T> = Tree<Version<T>, undefined>

/**
 * Yields the buckets that are not empty, of one group if given; buckets of cancelled records only with
 * `includeCancelled`.
 */
export function* bucketsIn<T>(
  timeline: Timeline<T>,
  { includeCancelled, group }: { includeCancelled: boolean; group?: string | undefined },
): Generator<number> {
  for (let bucket = 0; ; bucket++) {
    const least: Mark = { group, bucket, start: Number.NEGATIVE_INFINITY, ordinal: -1 }
    const [first] = timeline.getPairOrNextHigher(least as Version<T>) ?? []
    if (
      !first ||
      (group !== undefined && first.group !== group) ||
      (isCancelledBucket(first.bucket) && !includeCancelled)
    )
      return
    bucket = first.bucket
    yield bucket
  }
}

export const overlaps = ({ dated, start, end }: Interval, window: Window): boolean => {
  const [from, to] = windowBounds(window, dated)
  return end > from && start < to
}

/** Wall times for dates, else instants. */
export const boundsIn = (window: Window, bucket: number) => windowBounds(window, isDatedBucket(bucket))

const windowBounds = (window: Window, dated: boolean) =>
  dated ? ([window.wallFrom, window.wallTo] as const) : ([window.from, window.to] as const)

export type NextOccurrence<T> = { readonly start: number; readonly end: number; readonly version: Version<T> }
export type NextIntervalOf<T> = (value: T, after: number) => Interval | undefined

type Rows<T> = Tree<NextOccurrence<T>, undefined>
type CursorCache<T> = { readonly after: number; readonly rows: Rows<T> }

const byEnd = (a: NextOccurrence<unknown>, b: NextOccurrence<unknown>): number =>
  a.end - b.end || a.version.ordinal - b.version.ordinal

const MAX_CACHED_CURSORS = 8

/**
 * Recurring records by their next interval, so that a window costs as much as it contains, whenever the records began.
 * A cache for a later moment is made from an earlier one: only the records whose interval has ended in between are
 * computed again. So consecutive pages compute each interval once.
 */
export class NextOccurrenceIndex<T> {
  readonly #nextOf: NextIntervalOf<T>
  readonly #cursors = new Map<number, CursorCache<T>[]>()

  constructor(nextOf: NextIntervalOf<T>, from?: NextOccurrenceIndex<T>) {
    this.#nextOf = nextOf
    for (const [bucket, cursors] of from ? from.#cursors : []) {
      this.#cursors.set(
        bucket,
        cursors.map(({ after, rows }) => ({ after, rows: rows.clone() })),
      )
    }
  }

  buckets({ includeCancelled }: { includeCancelled: boolean }): number[] {
    return [...this.#cursors.keys()].filter((bucket) => includeCancelled || !isCancelledBucket(bucket)).sort(byNumber)
  }

  add(version: Version<T>, isCancelled: boolean): void {
    for (const [rows, row] of this.#rowsOf(version, isCancelled)) rows.set(row, undefined)
  }

  remove(version: Version<T>, isCancelled: boolean): void {
    for (const [rows, row] of this.#rowsOf(version, isCancelled)) rows.delete(row)
  }

  *#rowsOf(version: Version<T>, isCancelled: boolean): Generator<[Rows<T>, NextOccurrence<T>]> {
    const first = this.#nextOf(version.value, Number.NEGATIVE_INFINITY)
    if (!first) return
    for (const { after, rows } of this.#cursorsOf(bucketOf(first, isCancelled))) {
      const next = this.#nextOf(version.value, after)
      if (next) yield [rows, { start: next.start, end: next.end, version }]
    }
  }

  from(bucket: number, after: number): Iterable<NextOccurrence<T>> {
    const cursors = this.#cursorsOf(bucket)
    let nearest = cursors[0]
    for (const cursor of cursors)
      if (cursor.after <= after && cursor.after >= (nearest?.after ?? after)) nearest = cursor
    if (!nearest || nearest.after === after) return nearest?.rows.keys() ?? []
    const rows = nearest.rows.clone()
    for (let first = rows.minKey(); first && first.end <= after; first = rows.minKey()) {
      rows.delete(first)
      const next = this.#nextOf(first.version.value, after)
      if (next) rows.set({ start: next.start, end: next.end, version: first.version }, undefined)
    }
    cursors.push({ after, rows })
    if (cursors.length > MAX_CACHED_CURSORS) cursors.splice(1, 1)
    return rows.keys()
  }

  #cursorsOf(bucket: number): CursorCache<T>[] {
    const cursors = this.#cursors.get(bucket) ?? [
      { after: Number.NEGATIVE_INFINITY, rows: new Tree<NextOccurrence<T>, undefined>(undefined, byEnd) },
    ]
    this.#cursors.set(bucket, cursors)
    return cursors
  }
}

/**
 * Records that share one stamp: an owner and its members. The stamp is stored once and applied when a record is read.
 */
export type StampGroup = {
  readonly id: string
  readonly revision: Revision
  readonly updatedRevision: Revision
  readonly matchedSince: Revision
  readonly liveCount: number
}

/** The stamp of a record's group before and after a write, and the record that a new group is named after. */
export type GroupWrite<T> = {
  readonly before: StampGroup | undefined
  readonly owner: Version<T> | undefined
  readonly after: StampGroup
  readonly changesLiveness: boolean
}

/** A position in the order of last change: groups by their stamp, the records of a group by their ids. */
export type ChangeKey = { readonly revision: Revision; readonly id: string }

/** The position of a record. In the order of `updated`, `revision` is the last write that changed what it shows. */
export type ChangePosition = ChangeKey & { readonly member: string }
export type Positioned<T> = { readonly version: Version<T>; readonly position: ChangePosition }

export const endOfRevision = (revision: Revision): ChangePosition => ({ revision, id: '\uffff', member: '' })

export const comparePositions = (a: ChangePosition, b: ChangePosition): number =>
  a.revision - b.revision || byText(a.id, b.id) || byText(a.member, b.member)

export type ChangeEntry<T> = Version<T> | StampGroup

/** The order by which entries are listed: by last change, or by the last change that `updated` shows. */
export type OrderBy = 'revision' | 'updatedRevision'
type Sorted<T> = Tree<ChangeEntry<T>, undefined>

const comparing =
  (by: OrderBy) =>
  (a: ChangeEntry<unknown>, b: ChangeEntry<unknown>): number =>
    (a[by] ?? a.revision) - (b[by] ?? b.revision) || byText(a.id, b.id)

const COMPARING = { revision: comparing('revision'), updatedRevision: comparing('updatedRevision') }

export class ByChange<T> {
  readonly #isLive: (entry: ChangeEntry<T>) => boolean
  readonly #all: Sorted<T>
  /** Undefined while all entries are live. */
  #live: Sorted<T> | undefined

  constructor(by: OrderBy, isLive: (entry: ChangeEntry<T>) => boolean, from?: ByChange<T>) {
    this.#isLive = isLive
    this.#all = from ? from.#all.clone() : new Tree<ChangeEntry<T>, undefined>(undefined, COMPARING[by])
    this.#live = from ? from.#live?.clone() : undefined
  }

  replace(before: ChangeEntry<T> | undefined, after: ChangeEntry<T> | undefined): void {
    if (after && !this.#isLive(after)) this.#live ??= this.#all.clone()
    if (before) for (const tree of [this.#all, this.#live]) tree?.delete(before)
    if (after) this.#all.set(after, undefined)
    if (after && this.#isLive(after)) this.#live?.set(after, undefined)
  }

  from({ revision, id }: ChangeKey, { includeCancelled }: { includeCancelled: boolean }): Iterable<ChangeEntry<T>> {
    return (includeCancelled ? this.#all : (this.#live ?? this.#all)).keys({
      revision,
      updatedRevision: revision,
      id,
    } as ChangeEntry<T>)
  }
}

export function idsInOrder(id: string, members: string[]): readonly string[] {
  const [first] = members
  return first === undefined || byText(id, first) < 0 ? [id, ...members] : [...members, id].sort(byText)
}

export const isUngrouped = <T>(entry: ChangeEntry<T>): entry is Version<T> => 'value' in entry

/** The index `byKey`: ids by declared keys. A key and an id form one tuple. */
export class ByKey<T> {
  readonly #keysOf: (value: T) => readonly Tuple[]
  readonly #entries: Tree<Tuple, undefined>

  constructor(keysOf: (value: T) => readonly Tuple[], from?: ByKey<T>) {
    this.#keysOf = keysOf
    this.#entries = from ? from.#entries.clone() : new Tree<Tuple, undefined>(undefined, byTuple)
  }

  replace(before: Version<T> | undefined, after: Version<T> | undefined): void {
    const [old, now] = [before ? this.#keysOf(before.value) : [], after ? this.#keysOf(after.value) : []]
    if (old.length === 0 && now.length === 0) return
    for (const key of old) this.#entries.delete([...key, before?.id ?? ''])
    for (const key of now) this.#entries.set([...key, after?.id ?? ''], undefined)
  }

  idsOf(key: Tuple): string[] {
    const ids: string[] = []
    for (const entry of this.#entries.keys(key)) {
      if (!startsWith(entry, key)) break
      if (entry.length === key.length + 1) ids.push(String(entry.at(-1)))
    }
    return ids
  }
}

/** Former versions of records, by id and by the revision that redefined them. Deltas and lists of instances refer to them. */
export class VersionHistory<T> {
  readonly #versions: Tree<readonly [id: string, until: Revision], Version<T>>

  constructor(from?: VersionHistory<T>) {
    this.#versions = from
      ? from.#versions.clone()
      : new Tree<readonly [id: string, until: Revision], Version<T>>(undefined, byTuple)
  }

  get size(): number {
    return this.#versions.size
  }

  get oldest(): Revision {
    return Math.min(...this.#versions.keysArray().map(([, until]) => until))
  }

  set(version: Version<T>, until: Revision): void {
    this.#versions.set([version.id, until], version)
  }

  dropUntil(revision: Revision): void {
    for (const key of this.#versions.keysArray()) if (key[1] <= revision) this.#versions.delete(key)
  }

  restore({ id, value, revision }: Pick<Version<T>, 'id' | 'value' | 'revision'>, until: Revision): void {
    const unindexed = { ordinal: -1, group: undefined, bucket: NO_INTERVAL, start: 0, end: 0, cancelledRevision: 0 }
    const stamp = { revision, updatedRevision: undefined, matchedSince: undefined, createdRevision: undefined }
    this.set({ id, value: Object.freeze(value), ...stamp, ...unindexed }, until)
  }

  at(id: string, revision: Revision): Version<T> | undefined {
    const [key, version] = this.#versions.getPairOrNextHigher([id, revision + 1]) ?? []
    return key?.[0] === id && version && (version.createdRevision ?? version.revision) <= revision ? version : undefined
  }

  /** Redefined after a revision, the latest first. */
  versionsOf(id: string, after: Revision): Version<T>[] {
    const found: Version<T>[] = []
    for (const [key, version] of this.#versions.entries([id, after + 1])) {
      if (key[0] !== id) break
      found.unshift(version)
    }
    return found
  }

  ids(): Set<string> {
    return new Set(this.#versions.toArray().map(([[id]]) => id))
  }

  *since(revision: Revision): Generator<{ until: Revision; version: Version<T> }> {
    for (const [[, until], version] of this.#versions.toArray()) if (until > revision) yield { until, version }
  }
}
