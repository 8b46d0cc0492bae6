import { DAY_MS } from './days.ts'
import { parseLines, type RecurrenceLines } from './lines.ts'
import { type Occurrences, RuleOccurrences, type SeriesStart } from './occurrences.ts'
import type { RecurrenceRule, RuleContext } from './rule.ts'
import { instantOf, parseWallTime, type WallTime } from './zone.ts'

export { InvalidRecurrenceError } from './rule.ts'

/**
 * A wall time in a zone, or a date such as `2026-03-09` for an all-day series. `instant` selects one of two equal
 * wall times, in milliseconds since the epoch; by default the first.
 */
export type Start = { wall: WallTime; zone: string; instant?: number } | { date: string }

/**
 * The start is an occurrence, even if no rule contains it, unless it is excluded. Equal lines count once. Throws
 * InvalidRecurrenceError for lines that the service rejects. Occurrences are computed on demand.
 */
export function openSeries(start: Start, lines: readonly string[]): Series {
  const series = resolveStart(start)
  return new Series(series, parseLines([...new Set(lines)], series))
}

export type ResolvedStart = SeriesStart & RuleContext

/** An all-day series starts at a midnight in UTC. */
export function resolveStart(start: Start): ResolvedStart {
  const allDay = 'date' in start
  const zone = allDay ? 'UTC' : start.zone
  const localMs = parseWallTime(allDay ? `${start.date}T00:00:00` : start.wall)
  return { localMs, instant: allDay ? localMs : (start.instant ?? instantOf(localMs, zone)), zone, allDay }
}

/**
 * Compiled once and used for many windows. Starts are milliseconds since the epoch, and UTC midnights for an all-day
 * series.
 */
export class Series {
  readonly #added: Occurrences[]
  readonly #excluded: Occurrences[]
  #endless: boolean | undefined
  #first: { value: number | undefined } | undefined
  #last: { value: number | undefined } | undefined
  #window: { from: number; to: number; starts: readonly number[] } | undefined

  constructor(start: SeriesStart, { rules, exrules, dates, exdates }: RecurrenceLines) {
    const occurrences = (rule: RecurrenceRule) => new RuleOccurrences(rule, start)
    this.#added = [...rules.map(occurrences), listOccurrences([start.instant, ...dates])]
    this.#excluded = exrules.map(occurrences)
    if (exdates.length > 0) this.#excluded.push(listOccurrences(exdates))
  }

  /** Ascending, distinct starts with `from <= start < to`, at most `limit`. Does not expand the series from its start. */
  between(from: number, to: number, limit = Number.POSITIVE_INFINITY): number[] {
    const starts: number[] = []
    if (limit > 0) for (const start of this.starts(from, to)) if (starts.push(start) >= limit) break
    return starts
  }

  includes(start: number): boolean {
    const isIn = (occurrences: Occurrences) => occurrences.includes(start)
    return this.#added.some(isIn) && !this.#excluded.some(isIn)
  }

  get first(): number | undefined {
    this.#first ??= { value: this.between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1)[0] }
    return this.#first.value
  }

  get last(): number | undefined {
    this.#last ??= { value: this.endless ? undefined : this.#findLast() }
    return this.#last.value
  }

  get endless(): boolean {
    this.#endless ??= this.#added.some(({ end }) => end === Number.POSITIVE_INFINITY)
    return this.#endless
  }

  /**
   * Each start in a window of more than 50 days is computed when it is drawn. A shorter window is computed at once and cached.
   */
  starts(from: number, to: number): Iterable<number> {
    return this.#cachedWindow(from, to) ?? this.#startsOf(from, to)
  }

  /** Windows of up to `MAX_CACHED_WINDOW_MS`. Caches the latest one, because callers often repeat it. */
  #cachedWindow(from: number, to: number): readonly number[] | undefined {
    if (!(to - from <= MAX_CACHED_WINDOW_MS)) return undefined
    if (this.#window?.from !== from || this.#window.to !== to) {
      this.#window = { from, to, starts: [...this.#startsOf(from, to)] }
    }
    return this.#window.starts
  }

  *#startsOf(from: number, to: number): Iterable<number> {
    if (this.#first && this.#first.value === undefined) return
    let exclusions = 0
    for (const start of union(this.#added.map((occurrences) => occurrences.between(from, to)))) {
      const excludedBy = this.#excluded.findIndex((occurrences) => occurrences.includes(start))
      if (excludedBy < 0) {
        exclusions = 0
        yield start
      } else {
        exclusions += excludedBy + 1
        if (exclusions > MAX_CONSECUTIVE_EXCLUSIONS) return
      }
    }
  }

  /**
   * Searches backwards from the latest possible end, which must be finite. Each window is four times as long as the one before.
   */
  #findLast(): number | undefined {
    const first = this.first
    if (first === undefined) return undefined
    const to = Math.max(...this.#added.map(({ end }) => end)) + 1
    for (let stride = MONTH_MS; ; stride *= 4) {
      const last = this.between(to - stride, to).at(-1)
      if (last !== undefined || to - stride <= first) return last
    }
  }
}

const MONTH_MS = 31 * DAY_MS
const MAX_CACHED_WINDOW_MS = 50 * DAY_MS

/** The series counts as ended after so many consecutive excluded occurrences: the days of a hundred years. */
const MAX_CONSECUTIVE_EXCLUSIONS = 36_525

function listOccurrences(instants: readonly number[]): Occurrences {
  const sorted = [...instants].sort((a, b) => a - b)
  const all = new Set(instants)
  return {
    between: (from, to) => sorted.filter((instant) => instant >= from && instant < to),
    includes: (instant) => all.has(instant),
    end: sorted.at(-1) ?? Number.NEGATIVE_INFINITY,
  }
}

function* union(streams: readonly Iterable<number>[]): Iterable<number> {
  const merged = new MergedStreams<number>((a, b) => a - b)
  for (const stream of streams) merged.add(stream)
  let latest = Number.NEGATIVE_INFINITY
  for (let instant = merged.take(); instant !== undefined; instant = merged.take()) {
    if (instant > latest) yield instant
    latest = instant
  }
}

type Stream<T> = { head: T; readonly rest: Iterator<T> }

/**
 * Streams in the descending order of their next item. Equal items are all returned. After the first item, a stream is
 * drawn only when its last item was taken and another is needed, because an item can be expensive to compute.
 */
export class MergedStreams<T> {
  readonly #compare: (a: T, b: T) => number
  readonly #streams: Stream<T>[] = []
  #taken: Stream<T> | undefined

  constructor(compare: (a: T, b: T) => number) {
    this.#compare = compare
  }

  add(items: Iterable<T>): void {
    const rest = items[Symbol.iterator]()
    const { done, value } = rest.next()
    if (!done) this.#insert({ head: value, rest })
  }

  take(): T | undefined {
    const stream = this.#taken
    if (stream) {
      const { done, value } = stream.rest.next()
      if (!done) {
        stream.head = value
        this.#insert(stream)
      }
    }
    this.#taken = this.#streams.pop()
    return this.#taken?.head
  }

  /** Compares with the next stream first: several items in a row are often of the same stream. */
  #insert(stream: Stream<T>): void {
    let [low, high] = [0, this.#streams.length]
    let middle = high - 1
    while (low < high) {
      const other = this.#streams[middle] as Stream<T>
      if (this.#compare(other.head, stream.head) > 0) low = middle + 1
      else high = middle
      middle = (low + high) >> 1
    }
    if (low === this.#streams.length) this.#streams.push(stream)
    else this.#streams.splice(low, 0, stream)
  }
}
