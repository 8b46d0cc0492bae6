import { byNumber, byText, Tree } from './tree.ts'
import type { Version } from './version.ts'

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
/** The bucket of a record without an interval. */
export const NO_INTERVAL = -1

/** Returns the bucket of an interval: by its length, by dates or instants, and by live or cancelled. */
export const bucketOf = ({ dated, start, end }: Interval, isCancelled: boolean): number =>
  MAX_LENGTHS.findIndex((longest) => end - start <= longest) + BUCKET_COUNT * (Number(dated) + 2 * Number(isCancelled))

export const isDatedBucket = (bucket: number): boolean => bucket % (2 * BUCKET_COUNT) >= BUCKET_COUNT
export const isCancelledBucket = (bucket: number): boolean => bucket >= 2 * BUCKET_COUNT
/** Returns the length in milliseconds that no record of a bucket exceeds. */
export const maxLengthIn = (bucket: number): number => MAX_LENGTHS[bucket % BUCKET_COUNT] ?? 0

type Mark = {
  readonly group?: string | undefined
  readonly bucket: number
  readonly start: number
  readonly ordinal: number
}

const byMark = (a: Mark, b: Mark): number => a.bucket - b.bucket || a.start - b.start || a.ordinal - b.ordinal
const byGroup = (a: Mark, b: Mark): number => byText(a.group ?? '', b.group ?? '') || byMark(a, b)

/** The index `byInterval`: versions by bucket and start, so that a window costs as much as it contains. */
export type Timeline<T> = Tree<Version<T>, undefined>

export const newTimeline = <T>(): Timeline<T> => new Tree<Version<T>, undefined>(undefined, byMark)
/** The same index for the members of groups, by group first. */
export const newGroupTimeline = <T>(): Timeline<T> => new Tree<Version<T>, undefined>(undefined, byGroup)

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

/**
 * Yields the records of a bucket that end after a window begins and start before it ends (behaviour 1.15), by start.
 * `from` leaves out those that start earlier.
 */
export function* inBucket<T>(
  timeline: Timeline<T>,
  bucket: number,
  window: Window,
  { from: start = Number.NEGATIVE_INFINITY, of }: { from?: number | undefined; of?: string | undefined } = {},
): Generator<Version<T>> {
  const [from, to] = boundsIn(window, bucket)
  const first: Mark = { group: of, bucket, start: Math.max(from - maxLengthIn(bucket), start), ordinal: -1 }
  for (const version of timeline.keys(first as Version<T>)) {
    if (version.bucket !== bucket || version.start >= to || (of !== undefined && version.group !== of)) return
    if (version.end > from) yield version
  }
}

export const overlaps = ({ dated, start, end }: Interval, window: Window): boolean => {
  const [from, to] = boundsOf(window, dated)
  return end > from && start < to
}

/** Returns the bounds of a window for a bucket: wall times for dates, else instants. */
export const boundsIn = (window: Window, bucket: number) => boundsOf(window, isDatedBucket(bucket))

const boundsOf = (window: Window, dated: boolean) =>
  dated ? ([window.wallFrom, window.wallTo] as const) : ([window.from, window.to] as const)

/** A record with several intervals, and one of them. */
export type NextOccurrence<T> = { readonly start: number; readonly end: number; readonly version: Version<T> }
/** Returns the first interval of a record that ends after a moment. */
export type NextIntervalOf<T> = (value: T, after: number) => Interval | undefined

type Rows<T> = Tree<NextOccurrence<T>, undefined>
/** The next occurrences after a moment, by their end. */
type CursorCache<T> = { readonly after: number; readonly rows: Rows<T> }

const byEnd = (a: NextOccurrence<unknown>, b: NextOccurrence<unknown>): number =>
  a.end - b.end || a.version.ordinal - b.version.ordinal

/** Each bucket caches at most this many moments. */
const MAX_CACHED_CURSORS = 8

/**
 * Recurring records by their next interval, so that a window costs as much as it contains, whenever the records began.
 * A cache for a later moment is made from an earlier one: only the records whose interval has ended in between are
 * computed again. So consecutive pages compute each interval once.
 */
export class NextOccurrenceIndex<T> {
  readonly #nextOf: NextIntervalOf<T>
  /** The caches of each bucket; the first one is for the moment before all intervals. */
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

  clone(): NextOccurrenceIndex<T> {
    return new NextOccurrenceIndex(this.#nextOf, this)
  }

  /** Returns the buckets that have records. */
  buckets({ includeCancelled }: { includeCancelled: boolean }): number[] {
    return [...this.#cursors.keys()].filter((bucket) => includeCancelled || !isCancelledBucket(bucket)).sort(byNumber)
  }

  add(version: Version<T>, isCancelled: boolean): void {
    const first = this.#nextOf(version.value, Number.NEGATIVE_INFINITY)
    if (!first) return
    for (const { after, rows } of this.#cursorsOf(bucketOf(first, isCancelled))) {
      const next = this.#nextOf(version.value, after)
      if (next) rows.set({ start: next.start, end: next.end, version }, undefined)
    }
  }

  remove(version: Version<T>, isCancelled: boolean): void {
    const first = this.#nextOf(version.value, Number.NEGATIVE_INFINITY)
    if (!first) return
    for (const { after, rows } of this.#cursorsOf(bucketOf(first, isCancelled))) {
      const next = this.#nextOf(version.value, after)
      if (next) rows.delete({ start: next.start, end: next.end, version })
    }
  }

  /** Yields the records of a bucket with an interval that ends after a moment, by the end of that interval. */
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
