import { DAY, type Day, LAST_DAY } from './days.ts'
import { type Periods, periodsOf } from './periods.ts'
import type { Rule } from './rule.ts'
import { steps } from './steps.ts'
import { instantOf, type Reading, readingAt } from './zone.ts'

/** Something with ascending instants, of which any stretch can be had without the ones before. */
export type Occurrences = {
  /** With `from <= instant < to`; the same instant may come twice. */
  between(from: number, to: number): Iterable<number>
  /** Whether an instant is one of them, found without the others. */
  includes(instant: number): boolean
  /** No instant is later. Infinity where there is no end. */
  readonly end: number
}

/** What clocks show at the start of a series, and the instant at which they do: they may show it twice. */
export type Beginning = { reading: Reading; instant: number; zone: string }

/**
 * The occurrences of one rule. A rule runs on dates, at the start's time of day; what it gives is placed in the zone
 * last of all, so that a 09:00 meeting stays at 09:00 when clocks change.
 */
export class RuleOccurrences implements Occurrences {
  readonly #rule: Rule
  readonly #start: Reading
  readonly #startsAt: number
  readonly #zone: string
  /** The start is an occurrence of a series even where its rule does not give it, and COUNT counts it (behaviour 14.10). */
  readonly #startCounts: boolean
  readonly #startDay: Day
  #periods: Periods | undefined
  #end: number | undefined
  #lastCounted: Reading | undefined
  /** Whether a search through all that the calendar knows has found that the rule never gives anything, as 30 February. */
  #barren = false

  constructor(rule: Rule, { reading, instant, zone }: Beginning, startCounts: boolean) {
    this.#rule = rule
    this.#start = reading
    this.#startsAt = instant
    this.#zone = zone
    this.#startCounts = startCounts
    this.#startDay = Math.floor(reading / DAY)
  }

  *between(from: number, to: number): Iterable<number> {
    const until = this.#rule.until ?? Number.POSITIVE_INFINITY
    // A zone that skips a day shows a reading up to a day away from where it is placed; it does not do more.
    const earliest = readingAt(from, this.#zone) - DAY
    const latest = readingAt(Math.min(to, until), this.#zone) + DAY
    if (latest < this.#start) return
    for (const reading of this.#readings(earliest, Math.min(latest, this.#countedUntil()))) {
      const instant = this.#placed(reading)
      if (instant >= to || instant > until) return
      if (instant >= from) yield instant
    }
  }

  /** Of a reading that comes twice the first instant, but for the start, which is what it is (behaviour 14.19.1). */
  #placed(reading: Reading): number {
    return reading === this.#start ? this.#startsAt : instantOf(reading, this.#zone)
  }

  includes(instant: number): boolean {
    if (instant > (this.#rule.until ?? Number.POSITIVE_INFINITY)) return false
    const day = Math.floor(readingAt(instant, this.#zone) / DAY)
    // A reading that clocks skip is placed on what they show instead, which may be on the day after.
    return this.#isAt(day, instant) || this.#isAt(day - 1, instant)
  }

  #isAt(day: Day, instant: number): boolean {
    const reading = day * DAY + this.#timeOfDay
    if (day < this.#startDay || day > LAST_DAY || this.#placed(reading) !== instant) return false
    const { numberOf, daysIn } = this.#calendar()
    const period = numberOf(day)
    if ((period - numberOf(this.#startDay)) % this.#rule.interval !== 0) return false
    steps.taken += 1
    return daysIn(period).includes(day) && reading <= this.#countedUntil()
  }

  get end(): number {
    this.#end ??= this.#findEnd()
    return this.#end
  }

  #findEnd(): number {
    if (this.#rule.until !== undefined) return this.#rule.until
    if (this.#rule.count !== undefined) return this.#placed(this.#countedUntil())
    for (const _ of this.#readings(this.#start + DAY, Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
    return this.#startsAt // a rule that never gives anything, as 30 February
  }

  get #timeOfDay(): number {
    return this.#start - this.#startDay * DAY
  }

  /** Starts at the period in which `earliest` lies, a whole number of intervals after the start's. */
  *#readings(earliest: Reading, latest: Reading): Iterable<Reading> {
    const { numberOf, daysIn, cycle } = this.#calendar()
    const first = Math.max(this.#startDay, Math.ceil((earliest - this.#timeOfDay) / DAY))
    const last = Math.min(LAST_DAY, Math.floor((latest - this.#timeOfDay) / DAY))
    if (first > last || this.#barren) return
    const { interval } = this.#rule
    const round = stepsRound(cycle, interval)
    const origin = numberOf(this.#startDay)
    const final = numberOf(last)
    let empty = 0
    let period = origin + Math.floor((numberOf(first) - origin) / interval) * interval
    for (; period <= final && empty < round; period += interval) {
      steps.taken += 1
      const days = daysIn(period)
      empty = days.length > 0 ? 0 : empty + 1
      for (const day of days) if (day >= first && day <= last) yield day * DAY + this.#timeOfDay
    }
    this.#barren = empty >= round
  }

  /** The reading with which COUNT is used up: counted once, in whole periods where all hold the same. */
  #countedUntil(): Reading {
    this.#lastCounted ??= this.#rule.count === undefined ? Number.POSITIVE_INFINITY : this.#count(this.#rule.count)
    return this.#lastCounted
  }

  #count(count: number): Reading {
    const { numberOf, daysIn, each, cycle } = this.#calendar()
    const { interval } = this.#rule
    const final = numberOf(LAST_DAY)
    const first = this.#startCounts ? this.#startDay + 1 : this.#startDay
    const origin = numberOf(this.#startDay)
    let left = this.#startCounts ? count - 1 : count
    let last = this.#startDay
    let period = origin
    /** Counts the days of so many periods, of which every one may be the last. */
    const walk = (most: number): void => {
      for (let taken = 0; taken < most && left > 0 && period <= final; taken++, period += interval) {
        steps.taken += 1
        const days = daysIn(period).filter((day) => day >= first && day <= LAST_DAY)
        last = days[Math.min(left, days.length) - 1] ?? last
        left -= Math.min(left, days.length)
      }
    }
    walk(1) // of which the days before the start do not count
    const round = each ? 1 : stepsRound(cycle, interval)
    const before = left
    if (!each) walk(round)
    const held = each ?? before - left
    if (held === 0) return last * DAY + this.#timeOfDay
    const rounds = Math.floor((left - 1) / held)
    // A whole round is left to walk, in which there is a last: what follows may be cut short by the year 9999.
    const there = Math.floor((final - period) / (interval * round)) - 1
    const skipped = Math.max(Math.min(rounds, there), 0)
    left -= skipped * held
    period += skipped * round * interval
    walk(Number.POSITIVE_INFINITY)
    return last * DAY + this.#timeOfDay
  }

  #calendar(): Periods {
    this.#periods ??= periodsOf(this.#rule, this.#startDay)
    return this.#periods
  }
}

/** After how many steps of an interval a rule is back at where the calendar repeats itself. */
function stepsRound(cycle: number, interval: number): number {
  let [a, b] = [cycle, interval]
  while (b !== 0) [a, b] = [b, a % b]
  return cycle / a
}
