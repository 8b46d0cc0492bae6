import {
  DAY_MS,
  type Day,
  datePartsOf,
  dayOf,
  daysInMonth,
  firstDayOfWeek,
  LAST_DAY,
  type Weekday,
  weekdayOf,
  weekOf,
} from './days.ts'
import { type Frequency, hasRankedWeekday, type RecurrenceRule, type WeekdayRank } from './rule.ts'
import { daysOfYear } from './yearly.ts'
import { instantOf, type LocalMs, localMsAt } from './zone.ts'

/**
 * The periods that this process has expanded. Tests bound the work of a reply in this unit, which is the same on
 * every machine.
 */
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
  readonly #timeOfDay: number
  #periods: Periods | undefined
  #end: number | undefined
  #lastCounted: LocalMs | undefined
  #isBarren = false

  constructor(rule: RecurrenceRule, { localMs, instant, zone }: SeriesStart) {
    this.#rule = rule
    this.#start = localMs
    this.#startsAt = instant
    this.#zone = zone
    this.#startDay = Math.floor(localMs / DAY_MS)
    this.#timeOfDay = localMs - this.#startDay * DAY_MS
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

  /** The first instant of a local time that occurs twice, except for the start (behaviour 14.19.1). */
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

  #findEnd(): number {
    if (this.#rule.until !== undefined) return this.#rule.until
    if (this.#rule.count !== undefined) return this.#toInstant(this.#countedUntil())
    for (const _ of this.#localTimes(this.#start + DAY_MS, Number.POSITIVE_INFINITY)) return Number.POSITIVE_INFINITY
    return this.#startsAt // Such as 30 February.
  }

  /** Leaves out those before the start's day. Ignores COUNT and UNTIL. Sets `#isBarren` if a whole calendar cycle has none. */
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
    const { numberOf, daysIn, each, cycle } = this.#calendar()
    const { interval } = this.#rule
    const final = numberOf(LAST_DAY)
    const origin = numberOf(this.#startDay)
    let left = count
    let last = this.#startDay
    let period = origin
    const countPeriods = (most: number): void => {
      for (let count = 0; count < most && left > 0 && period <= final; count++, period += interval) {
        steps.taken += 1
        const days = daysIn(period).filter((day) => day >= this.#startDay && day <= LAST_DAY)
        last = days[Math.min(left, days.length) - 1] ?? last
        left -= Math.min(left, days.length)
      }
    }
    countPeriods(1) // the days before the start do not count
    const round = each ? 1 : stepsPerCycle(cycle, interval)
    const before = left
    if (!each) countPeriods(round)
    const perCycle = each ?? before - left
    if (perCycle === 0) return last * DAY_MS + this.#timeOfDay
    const rounds = Math.floor((left - 1) / perCycle)
    // The last cycle is counted day by day, because the year 9999 may cut it short.
    const remaining = Math.floor((final - period) / (interval * round)) - 1
    const skipped = Math.max(Math.min(rounds, remaining), 0)
    left -= skipped * perCycle
    period += skipped * round * interval
    countPeriods(Number.POSITIVE_INFINITY)
    return last * DAY_MS + this.#timeOfDay
  }

  #calendar(): Periods {
    this.#periods ??= periodsOf(this.#rule, this.#startDay)
    return this.#periods
  }
}

/**
 * The number of steps of `interval` periods after which the rule meets the same position of a calendar cycle of `cycle` periods
 * again.
 */
function stepsPerCycle(cycle: number, interval: number): number {
  let [a, b] = [cycle, interval]
  while (b !== 0) [a, b] = [b, a % b]
  return cycle / a
}

/** Numbered continuously. */
export type Periods = {
  numberOf(day: Day): number
  /** Ascending, each once. Ignores INTERVAL, COUNT, UNTIL and the start. */
  daysIn(period: number): Day[]
  each?: number
  cycle: number
}

const FREQUENCIES: Record<Frequency, (rule: RecurrenceRule) => Periods> = {
  DAILY: (rule) => {
    const isIn = (day: Day) => isInMonths(rule, day) && isOnMonthDay(rule, day) && isOnWeekday(rule, day)
    const hasAll = !rule.months && !rule.monthDays && !rule.weekdays
    return {
      numberOf: (day) => day,
      daysIn: (day) => (hasAll || isIn(day) ? [day] : []),
      each: hasAll ? 1 : undefined,
      cycle: 146_097,
    }
  },

  WEEKLY: ({ firstWeekday, weekdays = [], ...rule }) => {
    const steps = distinct(weekdays.map(({ weekday }) => (weekday - firstWeekday + 7) % 7))
    return {
      numberOf: (day) => weekOf(day, firstWeekday),
      daysIn: (week) =>
        steps.map((step) => firstDayOfWeek(week, firstWeekday) + step).filter((day) => isInMonths(rule, day)),
      each: rule.months ? undefined : steps.length,
      cycle: 20_871,
    }
  },

  MONTHLY: (rule) => ({
    numberOf: (day) => datePartsOf(day).year * 12 + datePartsOf(day).month - 1,
    daysIn: (month) => daysOfMonth(rule, Math.floor(month / 12), (month % 12) + 1),
    each: daysOfAnyMonth(rule),
    cycle: 4800,
  }),

  YEARLY: (rule) => {
    const known = new Map<string, readonly number[]>()
    return {
      numberOf: (day) => datePartsOf(day).year,
      daysIn: isMonthly(rule)
        ? (year) => distinct(rule.months ?? MONTHS).flatMap((month) => daysOfMonth(rule, year, month))
        : (year) => daysOfYear(rule, year, known),
      cycle: 400,
    }
  },
}

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

function periodsOf(rule: RecurrenceRule, start: Day): Periods {
  const explicit = { ...rule, ...partsFromStart(rule, start) }
  const periods = FREQUENCIES[rule.frequency](explicit)
  const { positions } = rule
  if (!positions) return periods
  const { daysIn, each } = periods
  return {
    ...periods,
    daysIn: (period) => applyPositions(daysIn(period), positions),
    each:
      each &&
      applyPositions(
        Array.from({ length: each }, (_, i) => i),
        positions,
      ).length,
  }
}

/** Parts that a rule omits follow from the start of its series (RFC 5545, 3.3.10). */
function partsFromStart(
  { frequency, months, monthDays, yearDays, weeks, weekdays }: RecurrenceRule,
  start: Day,
): Partial<RecurrenceRule> {
  if (monthDays || yearDays || weekdays || frequency === 'DAILY') return {}
  const { month, date } = datePartsOf(start)
  if (frequency === 'WEEKLY' || weeks) return { weekdays: [{ weekday: weekdayOf(start) }] }
  if (frequency === 'MONTHLY') return { monthDays: [date] }
  return { months: months ?? [month], monthDays: [date] }
}

function isMonthly(rule: RecurrenceRule): boolean {
  return !rule.yearDays && !rule.weeks && (!hasRankedWeekday(rule) || rule.months !== undefined)
}

/** Ascending, each once. Empty if BYMONTH lacks the month. */
function daysOfMonth({ months, monthDays, weekdays }: RecurrenceRule, year: number, month: number): Day[] {
  if (months && !months.includes(month)) return []
  const first = dayOf(year, month, 1)
  const length = daysInMonth(year, month)
  // Stryker disable next-line EqualityOperator: there is no day 0
  const numbered = monthDays?.map((date) => (date > 0 ? date : length + 1 + date))
  const listed = weekdays?.flatMap((rank) => datesOf(rank, weekdayOf(first), length))
  const dates = numbered && listed ? numbered.filter((date) => listed.includes(date)) : (numbered ?? listed ?? [])
  return distinct(dates.filter((date) => date >= 1 && date <= length)).map((date) => first + date - 1)
}

/** The month begins on the weekday `begins`. A rank that the month does not have is outside of the month. */
function datesOf({ weekday, nth }: WeekdayRank, begins: Weekday, length: number): number[] {
  const first = 1 + ((weekday - begins + 7) % 7)
  const weeks = Math.floor((length - first) / 7)
  if (nth === undefined) return Array.from({ length: weeks + 1 }, (_, week) => first + 7 * week)
  // Stryker disable next-line EqualityOperator: there is no rank 0
  return [first + 7 * (nth > 0 ? nth - 1 : weeks + 1 + nth)]
}

function daysOfAnyMonth({ months, monthDays, weekdays }: RecurrenceRule): number | undefined {
  if (months || (monthDays && weekdays)) return undefined
  const areFromOneEnd = (positions: number[], most: number) =>
    positions.every((one) => one >= 1 && one <= most) || positions.every((one) => one <= -1 && one >= -most)
  if (monthDays) return areFromOneEnd(monthDays, 28) ? new Set(monthDays).size : undefined
  const ranks = weekdays?.map(({ nth = 0 }) => nth) ?? []
  return areFromOneEnd(ranks, 4) ? new Set(weekdays?.map(({ weekday, nth }) => `${nth} ${weekday}`)).size : undefined
}

function isInMonths({ months }: Pick<RecurrenceRule, 'months'>, day: Day): boolean {
  return !months || months.includes(datePartsOf(day).month)
}

function isOnMonthDay(rule: RecurrenceRule, day: Day): boolean {
  if (!rule.monthDays) return true
  const { year, month, date } = datePartsOf(day)
  return rule.monthDays.includes(date) || rule.monthDays.includes(date - daysInMonth(year, month) - 1)
}

function isOnWeekday({ weekdays }: RecurrenceRule, day: Day): boolean {
  return !weekdays || weekdays.some(({ weekday }) => weekday === weekdayOf(day))
}

function applyPositions(days: readonly Day[], positions: readonly number[]): Day[] {
  return days.filter((_, index) => positions.includes(index + 1) || positions.includes(index - days.length))
}

function distinct(numbers: number[]): number[] {
  if (numbers.length <= 1) return numbers
  return [...new Set(numbers)].sort((a, b) => a - b)
}
