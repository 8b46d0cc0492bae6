import { DAY_MS, type Day, dateOf, dayOf, firstDayOfWeek, LAST_DAY, type Weekday, weekdayOf, weekOf } from './days.ts'
import type { Frequency, RecurrenceRule, WeekdayRank } from './rule.ts'
import { instantOf, type LocalMs, localMsAt } from './zone.ts'

/** The periods that this process has expanded. Tests bound the work of a reply in this unit, which is the same on every machine. */
export const steps = { taken: 0 }

/** Any window can be listed without the instants before it. */
export type Occurrences = {
  between(from: number, to: number): Iterable<number>
  includes(instant: number): boolean
  readonly end: number
}

/** The instant is needed because a local time can occur twice. An all-day series starts at a midnight in the zone UTC. */
export type SeriesStart = { localMs: LocalMs; instant: number; zone: string }

/**
 * The start is an occurrence only if the rule contains it. A rule is expanded in dates, at the time of day of the start. Each
 * local time is converted to an instant last, so that a 09:00 meeting stays at 09:00 when clocks change.
 */
export class RuleOccurrences implements Occurrences {
  readonly #rule: RecurrenceRule
  readonly #start: LocalMs
  readonly #startsAt: number
  readonly #zone: string
  readonly #startDay: Day
  readonly #periods: Periods
  #end: number | undefined
  #lastCounted: LocalMs | undefined
  #isBarren = false

  constructor(rule: RecurrenceRule, { localMs, instant, zone }: SeriesStart) {
    this.#rule = rule
    this.#start = localMs
    this.#startsAt = instant
    this.#zone = zone
    this.#startDay = Math.floor(localMs / DAY_MS)
    this.#periods = periodsOf(rule, this.#startDay)
  }

  *between(from: number, to: number): Iterable<number> {
    const until = this.#rule.until ?? Number.POSITIVE_INFINITY
    const earliest = localMsAt(from, this.#zone) - DAY_MS
    const latest = localMsAt(Math.min(to, until), this.#zone) + DAY_MS
    if (latest < this.#start) return
    for (const localMs of this.#localTimes(earliest, Math.min(latest, this.#countedUntil()))) {
      const instant = this.#toInstant(localMs)
      if (instant >= to || instant > until) return
      if (instant >= from) yield instant
    }
  }

  /** Of a local time that occurs twice, it is the first instant, except for the start (behaviour 14.19.1). */
  #toInstant(localMs: LocalMs): number {
    return localMs === this.#start ? this.#startsAt : instantOf(localMs, this.#zone)
  }

  includes(instant: number): boolean {
    if (instant > (this.#rule.until ?? Number.POSITIVE_INFINITY)) return false
    const day = Math.floor(localMsAt(instant, this.#zone) / DAY_MS)
    return this.#occursOn(day, instant) || this.#occursOn(day - 1, instant)
  }

  #occursOn(day: Day, instant: number): boolean {
    const localMs = day * DAY_MS + this.#timeOfDay
    if (day < this.#startDay || day > LAST_DAY || this.#toInstant(localMs) !== instant) return false
    const { numberOf, daysIn } = this.#periods
    const period = numberOf(day)
    if ((period - numberOf(this.#startDay)) % this.#rule.interval !== 0) return false
    steps.taken += 1
    return daysIn(period).includes(day) && localMs <= this.#countedUntil()
  }

  get end(): number {
    this.#end ??= this.#findEnd()
    return this.#end
  }

  #findEnd(): number {
    if (this.#rule.until !== undefined) return this.#rule.until
    if (this.#rule.count !== undefined) return this.#toInstant(this.#countedUntil())
    for (const _ of this.#localTimes(this.#start + DAY_MS, Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
    return this.#startsAt // Such as 30 February.
  }

  get #timeOfDay(): number {
    return this.#start - this.#startDay * DAY_MS
  }

  /** Without those before the start's day. Ignores COUNT and UNTIL. Sets `#isBarren` if a whole calendar cycle has none. */
  *#localTimes(earliest: LocalMs, latest: LocalMs): Iterable<LocalMs> {
    const { numberOf, daysIn, cycle } = this.#periods
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

  /** Infinity without COUNT. */
  #countedUntil(): LocalMs {
    this.#lastCounted ??=
      this.#rule.count === undefined ? Number.POSITIVE_INFINITY : this.#findCounted(this.#rule.count)
    return this.#lastCounted
  }

  /**
   * The occurrence number `count`, or the last one before the year 10000. Counts only what the rule contains, so not a start
   * outside of it (behaviour 14.10). Skips whole calendar cycles, because each has the same number of occurrences.
   */
  #findCounted(count: number): LocalMs {
    const { numberOf, daysIn, cycle } = this.#periods
    const { interval } = this.#rule
    const final = numberOf(LAST_DAY)
    const round = stepsPerCycle(cycle, interval)
    let left = count
    let last = this.#startDay
    let period = numberOf(this.#startDay)
    const countPeriods = (most: number): void => {
      for (let count = 0; count < most && left > 0 && period <= final; count++, period += interval) {
        steps.taken += 1
        const days = daysIn(period).filter((day) => day >= this.#startDay && day <= LAST_DAY)
        last = days[Math.min(left, days.length) - 1] ?? last
        left -= Math.min(left, days.length)
      }
    }
    countPeriods(1) // the days before the start do not count
    const before = left
    countPeriods(round)
    const perCycle = before - left
    if (perCycle > 0) {
      // The last cycle is counted day by day, because the year 9999 may cut it short.
      const remaining = Math.floor((final - period) / (interval * round)) - 1
      const skipped = Math.max(Math.min(Math.floor((left - 1) / perCycle), remaining), 0)
      left -= skipped * perCycle
      period += skipped * round * interval
      countPeriods(Number.POSITIVE_INFINITY)
    }
    return last * DAY_MS + this.#timeOfDay
  }
}

/**
 * After this number of steps of `interval` periods, the rule meets the same position of a calendar cycle of `cycle` periods
 * again.
 */
function stepsPerCycle(cycle: number, interval: number): number {
  let [a, b] = [cycle, interval]
  while (b !== 0) [a, b] = [b, a % b]
  return cycle / a
}

/** Numbered continuously. The days of a period are those of the period `cycle` later. */
type Periods = {
  numberOf(day: Day): number
  /** Ascending, each once. Ignores INTERVAL, COUNT, UNTIL and the start. */
  daysIn(period: number): Day[]
  cycle: number
}

const FREQUENCIES: Record<Frequency, (rule: RecurrenceRule) => Periods> = {
  DAILY: (rule) => ({
    numberOf: (day) => day,
    daysIn: (day) => listDays(rule, day, day + 1),
    cycle: rule.months || rule.monthDays || rule.weekdays ? 146_097 : 1,
  }),

  WEEKLY: (rule) => ({
    numberOf: (day) => weekOf(day, rule.firstWeekday),
    daysIn: (week) => {
      const first = firstDayOfWeek(week, rule.firstWeekday)
      return listDays(rule, first, first + 7)
    },
    cycle: rule.months ? 20_871 : 1,
  }),

  MONTHLY: (rule) => ({
    numberOf: (day) => dateOf(day).year * 12 + dateOf(day).month - 1,
    daysIn: (month) => listDays(rule, dayOf(0, month + 1, 1), dayOf(0, month + 2, 1)),
    cycle: 4800,
  }),

  YEARLY: (rule) => ({
    numberOf: (day) => dateOf(day).year,
    daysIn: (year) => listDays(rule, dayOf(year, 1, 1), dayOf(year + 1, 1, 1)),
    cycle: 400,
  }),
}

function periodsOf(rule: RecurrenceRule, start: Day): Periods {
  const periods = FREQUENCIES[rule.frequency]({ ...rule, ...partsFromStart(rule, start) })
  const { positions } = rule
  return positions ? { ...periods, daysIn: (period) => applyPositions(periods.daysIn(period), positions) } : periods
}

/** Parts that a rule omits follow from the start of its series (RFC 5545, 3.3.10). */
function partsFromStart(
  { frequency, months, monthDays, yearDays, weeks, weekdays }: RecurrenceRule,
  start: Day,
): Partial<RecurrenceRule> {
  if (monthDays || yearDays || weekdays || frequency === 'DAILY') return {}
  const { month, date } = dateOf(start)
  if (frequency === 'WEEKLY' || weeks) return { weekdays: [{ weekday: weekdayOf(start) }] }
  if (frequency === 'MONTHLY') return { monthDays: [date] }
  return { months: months ?? [month], monthDays: [date] }
}

/** The days from `from` to before `to` that fit all parts of the rule except BYSETPOS. */
function listDays(rule: RecurrenceRule, from: Day, to: Day): Day[] {
  const { months, monthDays, yearDays, weeks, weekdays, firstWeekday } = rule
  const days: Day[] = []
  for (let day = from; day < to; ) {
    const { year, month } = dateOf(day)
    const [first, next] = [dayOf(year, month, 1), dayOf(year, month + 1, 1)]
    const [newYear, nextNewYear] = [dayOf(year, 1, 1), dayOf(year + 1, 1, 1)]
    const isRankedInYear = rule.frequency === 'YEARLY' && !months
    const [ranksFrom, ranksTo] = isRankedInYear ? [newYear, nextNewYear] : [first, next]
    const end = Math.min(next, to)
    if (months && !months.includes(month)) day = end
    for (; day < end; day++) {
      const isListed =
        isAt(monthDays, day, first, next) &&
        isAt(yearDays, day, newYear, nextNewYear) &&
        (!weekdays || weekdays.some((rank) => hasRank(rank, day, ranksFrom, ranksTo))) &&
        (!weeks || isInWeeks(day, weeks, firstWeekday))
      if (isListed) days.push(day)
    }
  }
  return days
}

/** `numbers` count days or weeks from `first`, or backwards from the last one before `next`. */
function isAt(numbers: readonly number[] | undefined, at: number, first: number, next: number): boolean {
  return !numbers || numbers.includes(at - first + 1) || numbers.includes(at - next)
}

function hasRank({ weekday, nth }: WeekdayRank, day: Day, first: Day, next: Day): boolean {
  if (weekday !== weekdayOf(day)) return false
  return nth === undefined || nth === Math.ceil((day - first + 1) / 7) || -nth === Math.ceil((next - day) / 7)
}

/** Week 1 is the first with four days in its year, and week -1 the last. */
function isInWeeks(day: Day, weeks: readonly number[], firstWeekday: Weekday): boolean {
  const week = weekOf(day, firstWeekday)
  const { year } = dateOf(firstDayOfWeek(week, firstWeekday) + 3)
  return isAt(weeks, week, weekOf(dayOf(year, 1, 4), firstWeekday), weekOf(dayOf(year + 1, 1, 4), firstWeekday))
}

function applyPositions(days: readonly Day[], positions: readonly number[]): Day[] {
  return days.filter((_, index) => isAt(positions, index, 0, days.length))
}
