import { DAY_MS, type Day, LAST_DAY } from './days.ts'
import { type Periods, periodsOf } from './periods.ts'
import type { RecurrenceRule } from './rule.ts'
import { steps } from './steps.ts'
import { instantOf, type LocalMs, localMsAt } from './zone.ts'

/** Instants in milliseconds since the epoch, of which any window can be listed without the instants before it. */
export type Occurrences = {
  /** Lists the instants with `from <= instant < to` in ascending order. The same instant may occur twice. */
  between(from: number, to: number): Iterable<number>
  /** Returns true if an instant is one of them. Does not list the others. */
  includes(instant: number): boolean
  /** The last instant, or a later one; Infinity without an end. */
  readonly end: number
}

/**
 * The start of a series: its local time in `zone`, and its instant. The instant is needed because a local time can
 * occur twice. An all-day series starts at a midnight in the zone UTC.
 */
export type SeriesStart = { localMs: LocalMs; instant: number; zone: string }

/**
 * The occurrences of one rule from the start of its series on. The start is one only if the rule contains it. A rule is
 * expanded in dates, at the time of day of the start. Each local time is converted to an instant last, so that a 09:00
 * meeting stays at 09:00 when clocks change.
 */
export class RuleOccurrences implements Occurrences {
  readonly #rule: RecurrenceRule
  readonly #start: LocalMs
  readonly #startsAt: number
  readonly #zone: string
  /**
   * True if the start is an occurrence even where the rule does not contain it. COUNT then counts it (behaviour 14.10).
   */
  readonly #startCounts: boolean
  readonly #startDay: Day
  #periods: Periods | undefined
  #end: number | undefined
  /** The result of `#countedUntil`; undefined before the first call. */
  #lastCounted: LocalMs | undefined
  /** True after a search of the whole calendar found no occurrence, as for 30 February. */
  #isBarren = false

  /** `startCounts` is true for an RRULE and false for an EXRULE. */
  constructor(rule: RecurrenceRule, { localMs, instant, zone }: SeriesStart, startCounts: boolean) {
    this.#rule = rule
    this.#start = localMs
    this.#startsAt = instant
    this.#zone = zone
    this.#startCounts = startCounts
    this.#startDay = Math.floor(localMs / DAY_MS)
  }

  *between(from: number, to: number): Iterable<number> {
    const until = this.#rule.until ?? Number.POSITIVE_INFINITY
    // A zone that skips a day moves local times by up to a day.
    const earliest = localMsAt(from, this.#zone) - DAY_MS
    const latest = localMsAt(Math.min(to, until), this.#zone) + DAY_MS
    if (latest < this.#start) return
    for (const localMs of this.#localTimes(earliest, Math.min(latest, this.#countedUntil()))) {
      const instant = this.#toInstant(localMs)
      if (instant >= to || instant > until) return
      if (instant >= from) yield instant
    }
  }

  /**
   * Converts a local time to an instant. Of a local time that occurs twice, it is the first instant, except for the
   * start (behaviour 14.19.1).
   */
  #toInstant(localMs: LocalMs): number {
    return localMs === this.#start ? this.#startsAt : instantOf(localMs, this.#zone)
  }

  includes(instant: number): boolean {
    if (instant > (this.#rule.until ?? Number.POSITIVE_INFINITY)) return false
    const day = Math.floor(localMsAt(instant, this.#zone) / DAY_MS)
    // A skipped local time moves forward, possibly to the next day.
    return this.#isAt(day, instant) || this.#isAt(day - 1, instant)
  }

  /** Returns true if the rule contains a day, and its occurrence on that day has the instant. */
  #isAt(day: Day, instant: number): boolean {
    const localMs = day * DAY_MS + this.#timeOfDay
    if (day < this.#startDay || day > LAST_DAY || this.#toInstant(localMs) !== instant) return false
    const { numberOf, daysIn } = this.#calendar()
    const period = numberOf(day)
    if ((period - numberOf(this.#startDay)) % this.#rule.interval !== 0) return false
    steps.taken += 1
    return daysIn(period).includes(day) && localMs <= this.#countedUntil()
  }

  get end(): number {
    this.#end ??= this.#findEnd()
    return this.#end
  }

  /** Returns UNTIL, which may lie after the last occurrence, or the last occurrence of COUNT, or Infinity. */
  #findEnd(): number {
    if (this.#rule.until !== undefined) return this.#rule.until
    if (this.#rule.count !== undefined) return this.#toInstant(this.#countedUntil())
    for (const _ of this.#localTimes(this.#start + DAY_MS, Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
    return this.#startsAt // A rule without occurrences, as for 30 February.
  }

  /** The milliseconds from midnight to the start's local time. */
  get #timeOfDay(): number {
    return this.#start - this.#startDay * DAY_MS
  }

  /**
   * Yields the rule's local times from `earliest` to `latest` in ascending order, without those before the start's day.
   * Ignores COUNT and UNTIL. Sets `#isBarren` if a whole calendar cycle has none.
   */
  *#localTimes(earliest: LocalMs, latest: LocalMs): Iterable<LocalMs> {
    const { numberOf, daysIn, cycle } = this.#calendar()
    const first = Math.max(this.#startDay, Math.ceil((earliest - this.#timeOfDay) / DAY_MS))
    const last = Math.min(LAST_DAY, Math.floor((latest - this.#timeOfDay) / DAY_MS))
    if (first > last || this.#isBarren) return
    const { interval } = this.#rule
    const round = stepsPerCycle(cycle, interval)
    const origin = numberOf(this.#startDay)
    const final = numberOf(last)
    let empty = 0
    let period = origin + Math.floor((numberOf(first) - origin) / interval) * interval
    for (; period <= final && empty < round; period += interval) {
      steps.taken += 1
      const days = daysIn(period)
      empty = days.length > 0 ? 0 : empty + 1
      for (const day of days) if (day >= first && day <= last) yield day * DAY_MS + this.#timeOfDay
    }
    this.#isBarren = empty >= round
  }

  /**
   * Returns the local time of the last occurrence by COUNT, or Infinity without COUNT. Computed on the first call.
   */
  #countedUntil(): LocalMs {
    this.#lastCounted ??= this.#rule.count === undefined ? Number.POSITIVE_INFINITY : this.#count(this.#rule.count)
    return this.#lastCounted
  }

  /**
   * Returns the local time of the occurrence number `count`, or of the last one before the year 10000. Skips whole
   * calendar cycles, because each has the same number of occurrences.
   */
  #count(count: number): LocalMs {
    const { numberOf, daysIn, each, cycle } = this.#calendar()
    const { interval } = this.#rule
    const final = numberOf(LAST_DAY)
    const first = this.#startCounts ? this.#startDay + 1 : this.#startDay
    const origin = numberOf(this.#startDay)
    let left = this.#startCounts ? count - 1 : count
    let last = this.#startDay
    let period = origin
    /** Counts the days of up to `most` periods, and moves `left`, `last` and `period` past them. */
    const walk = (most: number): void => {
      for (let count = 0; count < most && left > 0 && period <= final; count++, period += interval) {
        steps.taken += 1
        const days = daysIn(period).filter((day) => day >= first && day <= LAST_DAY)
        last = days[Math.min(left, days.length) - 1] ?? last
        left -= Math.min(left, days.length)
      }
    }
    walk(1) // the days before the start do not count
    const round = each ? 1 : stepsPerCycle(cycle, interval)
    const before = left
    if (!each) walk(round)
    const held = each ?? before - left
    if (held === 0) return last * DAY_MS + this.#timeOfDay
    const rounds = Math.floor((left - 1) / held)
    // The last cycle is counted day by day, because the year 9999 may cut it short.
    const remaining = Math.floor((final - period) / (interval * round)) - 1
    const skipped = Math.max(Math.min(rounds, remaining), 0)
    left -= skipped * held
    period += skipped * round * interval
    walk(Number.POSITIVE_INFINITY)
    return last * DAY_MS + this.#timeOfDay
  }

  /** Returns the periods of the rule, created on the first call. */
  #calendar(): Periods {
    this.#periods ??= periodsOf(this.#rule, this.#startDay)
    return this.#periods
  }
}

/**
 * Returns the number of steps of `interval` periods after which the rule meets the same position of a calendar cycle of
 * `cycle` periods again.
 */
function stepsPerCycle(cycle: number, interval: number): number {
  let [a, b] = [cycle, interval]
  while (b !== 0) [a, b] = [b, a % b]
  return cycle / a
}
