import { type Day, dateOf, dayOf, daysInMonth, firstDayOfWeek, type Weekday, weekdayOf, weekOf } from './days.ts'
import { daysOfYear, type Frequency, hasRankedWeekday, type RecurrenceRule, type WeekdayRank } from './rule.ts'

/** The days, weeks, months or years that a rule counts in. Periods are numbered continuously. */
export type Periods = {
  /** Returns the number of the period that contains a day. */
  numberOf(day: Day): number
  /**
   * Returns the rule's days of a period in ascending order, each once. Ignores INTERVAL, COUNT, UNTIL and the start.
   */
  daysIn(period: number): Day[]
  /** The number of days that `daysIn` returns, if it is the same for all periods. */
  each?: number
  /** The number of periods of 400 years, after which the calendar repeats. */
  cycle: number
}

/** The periods of a rule that has the parts of `fromStart`. BYSETPOS is not applied. */
const FREQUENCIES: Record<Frequency, (rule: RecurrenceRule) => Periods> = {
  DAILY: (rule) => ({
    numberOf: (day) => day,
    daysIn: (day) => (inMonths(rule, day) && onMonthDay(rule, day) && onWeekday(rule, day) ? [day] : []),
    each: rule.months || rule.monthDays || rule.weekdays ? undefined : 1,
    cycle: 146_097,
  }),

  WEEKLY: ({ firstWeekday, weekdays = [], ...rule }) => {
    const steps = distinct(weekdays.map(({ weekday }) => (weekday - firstWeekday + 7) % 7))
    return {
      numberOf: (day) => weekOf(day, firstWeekday),
      daysIn: (week) =>
        steps.map((step) => firstDayOfWeek(week, firstWeekday) + step).filter((day) => inMonths(rule, day)),
      each: rule.months ? undefined : steps.length,
      cycle: 20_871,
    }
  },

  MONTHLY: (rule) => ({
    numberOf: (day) => dateOf(day).year * 12 + dateOf(day).month - 1,
    daysIn: (month) => daysOfMonth(rule, Math.floor(month / 12), (month % 12) + 1),
    each: daysOfAnyMonth(rule),
    cycle: 4800,
  }),

  YEARLY: (rule) => ({
    numberOf: (day) => dateOf(day).year,
    daysIn: isMonths(rule)
      ? (year) => distinct(rule.months ?? MONTHS).flatMap((month) => daysOfMonth(rule, year, month))
      : (year) => daysOfYear(rule, year),
    cycle: 400,
  }),
}

const MONTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]

/** Returns the periods of a rule whose series starts on the day `start`. */
export function periodsOf(rule: RecurrenceRule, start: Day): Periods {
  const explicit = { ...rule, ...fromStart(rule, start) }
  const periods = FREQUENCIES[rule.frequency](explicit)
  const { positions } = rule
  if (!positions) return periods
  const { daysIn, each } = periods
  return {
    ...periods,
    daysIn: (period) => pick(daysIn(period), positions),
    each:
      each &&
      pick(
        Array.from({ length: each }, (_, i) => i),
        positions,
      ).length,
  }
}

/** Returns the parts that a rule omits and that follow from the start of its series (RFC 5545, 3.3.10). */
function fromStart(
  { frequency, months, monthDays, yearDays, weeks, weekdays }: RecurrenceRule,
  start: Day,
): Partial<RecurrenceRule> {
  if (monthDays || yearDays || weekdays || frequency === 'DAILY') return {}
  const { month, date } = dateOf(start)
  if (frequency === 'WEEKLY' || weeks) return { weekdays: [{ weekday: weekdayOf(start) }] }
  if (frequency === 'MONTHLY') return { monthDays: [date] }
  return { months: months ?? [month], monthDays: [date] }
}

/**
 * Returns true for a yearly rule that is expanded month by month: without days, weeks or ranked weekdays of the year.
 */
function isMonths(rule: RecurrenceRule): boolean {
  return !rule.yearDays && !rule.weeks && (!hasRankedWeekday(rule) || rule.months !== undefined)
}

/** Returns the rule's days of a month, ascending, each once. Months count from 1. Empty if BYMONTH lacks the month. */
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

/**
 * Returns the dates of a weekday in a month that begins on the weekday `begins`. A rank that the month does not have is
 * outside of the month.
 */
function datesOf({ weekday, nth }: WeekdayRank, begins: Weekday, length: number): number[] {
  const first = 1 + ((weekday - begins + 7) % 7)
  const weeks = Math.floor((length - first) / 7)
  if (nth === undefined) return Array.from({ length: weeks + 1 }, (_, week) => first + 7 * week)
  // Stryker disable next-line EqualityOperator: there is no rank 0
  return [first + 7 * (nth > 0 ? nth - 1 : weeks + 1 + nth)]
}

/** Returns the number of a rule's days in a month, or undefined if it can depend on the month. */
function daysOfAnyMonth({ months, monthDays, weekdays }: RecurrenceRule): number | undefined {
  if (months || (monthDays && weekdays)) return undefined
  const fromOneEnd = (places: number[], most: number) =>
    places.every((place) => place >= 1 && place <= most) || places.every((place) => place <= -1 && place >= -most)
  if (monthDays) return fromOneEnd(monthDays, 28) ? new Set(monthDays).size : undefined
  const ranks = weekdays?.map(({ nth = 0 }) => nth) ?? []
  return fromOneEnd(ranks, 4) ? new Set(weekdays?.map(({ weekday, nth }) => `${nth} ${weekday}`)).size : undefined
}

/** Returns true if BYMONTH allows a day. */
function inMonths({ months }: Pick<RecurrenceRule, 'months'>, day: Day): boolean {
  return !months || months.includes(dateOf(day).month)
}

/** Returns true if BYMONTHDAY allows a day. Its negative numbers count from the end of the month. */
function onMonthDay(rule: RecurrenceRule, day: Day): boolean {
  if (!rule.monthDays) return true
  const { year, month, date } = dateOf(day)
  return rule.monthDays.includes(date) || rule.monthDays.includes(date - daysInMonth(year, month) - 1)
}

/** Returns true if BYDAY allows a day. Ignores ranks. */
function onWeekday({ weekdays }: RecurrenceRule, day: Day): boolean {
  return !weekdays || weekdays.some(({ weekday }) => weekday === weekdayOf(day))
}

/** Applies BYSETPOS: `1` is the first day of the set, `-1` the last. Positions outside of the set select nothing. */
function pick(days: readonly Day[], positions: readonly number[]): Day[] {
  return days.filter((_, index) => positions.includes(index + 1) || positions.includes(index - days.length))
}

/** Returns each number once, in ascending order. */
function distinct(numbers: number[]): number[] {
  if (numbers.length <= 1) return numbers
  return [...new Set(numbers)].sort((a, b) => a - b)
}
