import { DAY } from './days.ts'
import { type Lines, readLines } from './lines.ts'
import { type Beginning, type Occurrences, RuleOccurrences } from './occurrences.ts'
import type { Rule } from './rule.ts'
import { instantOf, readingOf, type WallTime } from './zone.ts'

export { InvalidRecurrence } from './invalid.ts'

/**
 * Where a series starts: wall time in a zone, or a date for an all-day series. `instant` says which of two equal readings
 * is meant; the first, unless given.
 */
export type Start = { wall: WallTime; zone: string; instant?: number } | { date: string }

/**
 * Compiled once per series, used for many windows. Instants are milliseconds since the epoch; for an all-day series the
 * UTC midnight of the date.
 */
export interface Series {
  /** Ascending, distinct starts with `from <= start < to`. Never walks from the series' start. */
  between(from: number, to: number, limit?: number): number[]
  /** The same one by one, each worked out when it is asked for. */
  starts(from: number, to: number): Iterable<number>
  includes(start: number): boolean
  /** Undefined where everything is excluded. */
  readonly first: number | undefined
  /** Undefined where the series has no end or is empty. */
  readonly last: number | undefined
  readonly endless: boolean
}

/** Reads the lines, and throws InvalidRecurrence for what the service refuses; nothing is expanded until asked for. */
export function openSeries(start: Start, lines: readonly string[]): Series {
  const allDay = 'date' in start
  const zone = allDay ? 'UTC' : start.zone
  const reading = readingOf(allDay ? `${start.date}T00:00:00` : start.wall)
  const first = allDay ? reading : (start.instant ?? instantOf(reading, zone))
  return new LineSeries({ reading, instant: first, zone }, readLines([...new Set(lines)], { zone, allDay }))
}

/** All rules and dates, and the start itself, less all that is excluded. */
class LineSeries implements Series {
  readonly #added: Occurrences[]
  readonly #excluded: Occurrences[]
  #endless: boolean | undefined
  #first: { found: number | undefined } | undefined
  #last: { found: number | undefined } | undefined
  /** The stretch that was last asked for. */
  #latest: { from: number; to: number; starts: readonly number[] } | undefined

  constructor(start: Beginning, { rules, exrules, dates, exdates }: Lines) {
    const occurrences = (rule: Rule, startCounts: boolean) => new RuleOccurrences(rule, start, startCounts)
    this.#added = [...rules.map((rule) => occurrences(rule, true)), listed([start.instant, ...dates])]
    this.#excluded = exrules.map((rule) => occurrences(rule, false))
    if (exdates.length > 0) this.#excluded.push(listed(exdates))
  }

  between(from: number, to: number, limit = Number.POSITIVE_INFINITY): number[] {
    if (limit <= 0) return []
    const known = this.#inStretch(from, to)
    if (known) return known.slice(0, limit)
    const starts: number[] = []
    for (const start of this.#startsOf(from, to)) {
      starts.push(start)
      if (starts.length >= limit) break
    }
    return starts
  }

  includes(start: number): boolean {
    for (const found of this.#startsOf(start, start + 1)) return found === start
    return false
  }

  get first(): number | undefined {
    this.#first ??= { found: this.between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, 1)[0] }
    return this.#first.found
  }

  get last(): number | undefined {
    this.#last ??= { found: this.endless ? undefined : this.#findLast() }
    return this.#last.found
  }

  get endless(): boolean {
    this.#endless ??= this.#added.some(({ end }) => end === Number.POSITIVE_INFINITY)
    return this.#endless
  }

  starts(from: number, to: number): Iterable<number> {
    return this.#inStretch(from, to) ?? this.#startsOf(from, to)
  }

  /** The starts of a stretch so short that there are few: whoever asks of it asks of it again. */
  #inStretch(from: number, to: number): readonly number[] | undefined {
    if (!(to - from <= FEW)) return undefined
    if (this.#latest?.from !== from || this.#latest.to !== to) {
      this.#latest = { from, to, starts: [...this.#startsOf(from, to)] }
    }
    return this.#latest.starts
  }

  *#startsOf(from: number, to: number): Iterable<number> {
    if (this.#first && this.#first.found === undefined) return
    let inVain = 0
    for (const start of union(this.#added.map((occurrences) => occurrences.between(from, to)))) {
      const tried = this.#excluded.findIndex((occurrences) => occurrences.includes(start))
      if (tried < 0) {
        inVain = 0
        yield start
      } else {
        inVain += tried + 1
        if (inVain > PATIENCE) return
      }
    }
  }

  /** Looks back from the latest possible end, in strides that grow until one holds an instance. */
  #findLast(): number | undefined {
    const first = this.first
    if (first === undefined) return undefined
    const to = Math.max(...this.#added.map(({ end }) => end)) + 1
    for (let stride = MONTH; ; stride *= 4) {
      const found = this.between(to - stride, to).at(-1)
      if (found !== undefined || to - stride <= first) return found
    }
  }
}

const MONTH = 31 * DAY
/** The longest stretch whose starts are worked out at once and kept: a view of six weeks, and an instance of some days. */
const FEW = 50 * DAY

/**
 * How many looks at what excludes starts are taken without finding one that is left: then what is excluded so far is taken
 * for the end of the series. As many as a hundred years have days.
 */
const PATIENCE = 36_525

function listed(instants: readonly number[]): Occurrences {
  const sorted = [...instants].sort((a, b) => a - b)
  const all = new Set(instants)
  return {
    between: (from, to) => sorted.filter((instant) => instant >= from && instant < to),
    includes: (instant) => all.has(instant),
    end: sorted.at(-1) ?? Number.NEGATIVE_INFINITY,
  }
}

type Head = { value: number; stream: Iterator<number> }

/** Each instant of several ascending streams once, in order. */
function* union(streams: Iterable<number>[]): Iterable<number> {
  // A heap: the head of a stream is never before that of its parent, which is at half its place.
  const heads: Head[] = []
  for (const iterable of streams) {
    const stream = iterable[Symbol.iterator]()
    const { done, value } = stream.next()
    if (!done) heads.push({ value, stream })
  }
  heads.sort((a, b) => a.value - b.value)
  let latest = Number.NEGATIVE_INFINITY
  for (let head = heads[0]; head; head = heads[0]) {
    if (head.value > latest) yield head.value
    latest = head.value
    const { done, value } = head.stream.next()
    if (!done) head.value = value
    else {
      const last = heads.pop()
      if (heads.length > 0 && last) heads[0] = last
    }
    sink(heads)
  }
}

/** Brings the first of the heads to its place. */
function sink(heads: Head[]): void {
  const value = (at: number) => heads[at]?.value ?? Number.POSITIVE_INFINITY
  for (let at = 0; ; ) {
    const least = value(2 * at + 2) < value(2 * at + 1) ? 2 * at + 2 : 2 * at + 1
    const [head, next] = [heads[at], heads[least]]
    if (!head || !next || next.value >= head.value) return
    heads[at] = next
    heads[least] = head
    at = least
  }
}
