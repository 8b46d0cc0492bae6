import { DAY, type Day, LAST_DAY } from './days.ts'
import { type Periods, periodsOf } from './periods.ts'
import type { Rule } from './rule.ts'
import { instantOf, type Reading, readingAt } from './zone.ts'

/** Something with ascending instants, of which any stretch can be had without the ones before. */
export type Occurrences = {
  /** With `from <= instant < to`; the same instant may come twice. */
  between(from: number, to: number): Iterable<number>
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

  /** Starts at the period in which `earliest` lies, a whole number of intervals after the start's. */
  *#readings(earliest: Reading, latest: Reading): Iterable<Reading> {
    const { numberOf, daysIn, cycle } = this.#calendar()
    const timeOfDay = this.#start - this.#startDay * DAY
    const first = Math.max(this.#startDay, Math.ceil((earliest - timeOfDay) / DAY))
    const last = Math.min(LAST_DAY, Math.floor((latest - timeOfDay) / DAY))
    if (first > last) return
    const { interval } = this.#rule
    const origin = numberOf(this.#startDay)
    const final = numberOf(last)
    let empty = 0
    let period = origin + Math.floor((numberOf(first) - origin) / interval) * interval
    for (; period <= final && empty < cycle; period += interval) {
      const days = daysIn(period)
      empty = days.length > 0 ? 0 : empty + 1
      for (const day of days) if (day >= first && day <= last) yield day * DAY + timeOfDay
    }
  }

  /** The reading with which COUNT is used up: counted once, in whole periods where all hold the same. */
  #countedUntil(): Reading {
    this.#lastCounted ??= this.#rule.count === undefined ? Number.POSITIVE_INFINITY : this.#count(this.#rule.count)
    return this.#lastCounted
  }

  #count(count: number): Reading {
    const { numberOf, daysIn, each, cycle } = this.#calendar()
    const timeOfDay = this.#start - this.#startDay * DAY
    const { interval } = this.#rule
    const final = numberOf(LAST_DAY)
    const first = this.#startCounts ? this.#startDay + 1 : this.#startDay
    let left = this.#startCounts ? count - 1 : count
    let last = this.#startDay
    let empty = 0
    let period = numberOf(this.#startDay)
    while (left > 0 && period <= final && empty < cycle) {
      const days = daysIn(period).filter((day) => day >= first && day <= LAST_DAY)
      empty = days.length > 0 ? 0 : empty + 1
      last = days[Math.min(left, days.length) - 1] ?? last
      left -= Math.min(left, days.length)
      period += interval
      if (!each || left === 0) continue
      const whole = Math.min(Math.floor((left - 1) / each), Math.floor((final - period) / interval))
      left -= Math.max(whole, 0) * each
      period += Math.max(whole, 0) * interval
    }
    return last * DAY + timeOfDay
  }

  #calendar(): Periods {
    this.#periods ??= periodsOf(this.#rule, this.#startDay)
    return this.#periods
  }
}
