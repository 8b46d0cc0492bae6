import { type Day, dateOf, dayOf, firstDayOfWeek, lengthOfMonth, type Weekday, weekdayOf, weekOf } from './days.ts'
import { type Frequency, type Rule, ranked, type WeekdayRank } from './rule.ts'
import { daysOfYear } from './year.ts'

/** A rule cut into the days, weeks, months or years that it counts by, each known by its number through all time. */
export type Periods = {
  numberOf(day: Day): number
  /** Ascending. */
  daysIn(period: number): Day[]
  /** How many days each period holds, where that is always the same. */
  each?: number
  /** After so many empty periods in a row there is nothing to come: the calendar repeats itself after 400 years. */
  cycle: number
}

const FREQUENCIES: Record<Frequency, (rule: Rule) => Periods> = {
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

export function periodsOf(rule: Rule, start: Day): Periods {
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

/** What a rule leaves unsaid it takes from the series' start (RFC 5545, 3.3.10). */
function fromStart({ frequency, months, monthDays, yearDays, weeks, weekdays }: Rule, start: Day): Partial<Rule> {
  if (monthDays || yearDays || weekdays || frequency === 'DAILY') return {}
  const { month, date } = dateOf(start)
  if (frequency === 'WEEKLY' || weeks) return { weekdays: [{ weekday: weekdayOf(start) }] }
  if (frequency === 'MONTHLY') return { monthDays: [date] }
  return { months: months ?? [month], monthDays: [date] }
}

/** A yearly rule that says no more of a year than of its months. */
function isMonths(rule: Rule): boolean {
  return !rule.yearDays && !rule.weeks && (!ranked(rule) || rule.months !== undefined)
}

function daysOfMonth({ months, monthDays, weekdays }: Rule, year: number, month: number): Day[] {
  if (months && !months.includes(month)) return []
  const first = dayOf(year, month, 1)
  const length = lengthOfMonth(year, month)
  // Stryker disable next-line EqualityOperator: there is no day 0
  const numbered = monthDays?.map((date) => (date > 0 ? date : length + 1 + date))
  const listed = weekdays?.flatMap((rank) => datesOf(rank, weekdayOf(first), length))
  const dates = numbered && listed ? numbered.filter((date) => listed.includes(date)) : (numbered ?? listed ?? [])
  return distinct(dates.filter((date) => date >= 1 && date <= length)).map((date) => first + date - 1)
}

/** Where a weekday falls in a month that begins on `begins`; a rank that the month does not have falls outside it. */
function datesOf({ weekday, nth }: WeekdayRank, begins: Weekday, length: number): number[] {
  const first = 1 + ((weekday - begins + 7) % 7)
  const weeks = Math.floor((length - first) / 7)
  if (nth === undefined) return Array.from({ length: weeks + 1 }, (_, week) => first + 7 * week)
  // Stryker disable next-line EqualityOperator: there is no rank 0
  return [first + 7 * (nth > 0 ? nth - 1 : weeks + 1 + nth)]
}

/** How many days every month has, 28 days long or 31. */
function daysOfAnyMonth({ months, monthDays, weekdays }: Rule): number | undefined {
  if (months || (monthDays && weekdays)) return undefined
  const fromOneEnd = (places: number[], most: number) =>
    places.every((place) => place >= 1 && place <= most) || places.every((place) => place <= -1 && place >= -most)
  if (monthDays) return fromOneEnd(monthDays, 28) ? new Set(monthDays).size : undefined
  const ranks = weekdays?.map(({ nth = 0 }) => nth) ?? []
  return fromOneEnd(ranks, 4) ? new Set(weekdays?.map(({ weekday, nth }) => `${nth} ${weekday}`)).size : undefined
}

function inMonths({ months }: Pick<Rule, 'months'>, day: Day): boolean {
  return !months || months.includes(dateOf(day).month)
}

function onMonthDay(rule: Rule, day: Day): boolean {
  if (!rule.monthDays) return true
  const { year, month, date } = dateOf(day)
  return rule.monthDays.includes(date) || rule.monthDays.includes(date - lengthOfMonth(year, month) - 1)
}

function onWeekday({ weekdays }: Rule, day: Day): boolean {
  return !weekdays || weekdays.some(({ weekday }) => weekday === weekdayOf(day))
}

/** BYSETPOS: `1` is the first of the set, `-1` the last; a place beyond the set gives nothing. */
function pick(days: readonly Day[], positions: readonly number[]): Day[] {
  return days.filter((_, index) => positions.includes(index + 1) || positions.includes(index - days.length))
}

function distinct(numbers: number[]): number[] {
  if (numbers.length <= 1) return numbers
  return [...new Set(numbers)].sort((a, b) => a - b)
}
