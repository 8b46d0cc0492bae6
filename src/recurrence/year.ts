import * as namespace from 'rrule'
import { DAY, type Day, dayOf, weekOf } from './days.ts'
import type { Rule } from './rule.ts'

/** Node sees rrule's CommonJS as a default export, a bundler may see its modules, which have none. */
const { RRule, Weekday } = 'default' in namespace ? namespace.default : namespace

/** An interval so long that no second year comes before 9999, so that rrule looks at one year alone. */
const ONE_YEAR_ONLY = 10_000

/**
 * The days of one year for rules that number a year's days, weeks or weekdays; months are simpler and need no rrule.
 *
 * rrule sees midnights in UTC and no zone at all: it would use the machine's. It is asked for one year at a
 * time, because it would search for a rule that yields nothing until the year 9999.
 */
export function daysOfYear(rule: Rule, year: number): Day[] {
  const yearDays = rule.weeks ? daysOfWeeks(rule, year) : rule.yearDays
  if (yearDays?.length === 0) return []
  const days = new RRule({
    freq: RRule.YEARLY,
    interval: ONE_YEAR_ONLY,
    dtstart: new Date(dayOf(year, 1, 1) * DAY),
    bymonth: rule.months ?? null,
    bymonthday: rule.monthDays ?? null,
    byyearday: yearDays ?? null,
    byweekday: everyRank(rule).map(({ weekday, nth }) => new Weekday(weekday, nth)),
  })
  return days.all().map((midnight) => midnight.getTime() / DAY)
}

/**
 * The days of the year (from 1) that lie in the rule's weeks. rrule has its own idea of which week the first days of
 * some years belong to: 1 January 2022 is in week 52, not in none.
 */
function daysOfWeeks({ weeks = [], yearDays, firstWeekday }: Rule, year: number): number[] {
  const firstDay = dayOf(year, 1, 1)
  const length = dayOf(year + 1, 1, 1) - firstDay
  const firstWeekOf = (someYear: number) => weekOf(dayOf(someYear, 1, 4), firstWeekday)
  const isIn = (week: number, someYear: number) => {
    const [first, next] = [firstWeekOf(someYear), firstWeekOf(someYear + 1)]
    return week >= first && week < next && (weeks.includes(week - first + 1) || weeks.includes(week - next))
  }
  return Array.from({ length }, (_, index) => index + 1).filter((yearDay) => {
    const week = weekOf(firstDay + yearDay - 1, firstWeekday)
    const listed = !yearDays || yearDays.includes(yearDay) || yearDays.includes(yearDay - length - 1)
    return listed && [year - 1, year, year + 1].some((someYear) => isIn(week, someYear))
  })
}

/** rrule takes `MO,2TU` for days that are both; the RFC for days that are either. */
function everyRank({ weekdays = [] }: Rule) {
  if (weekdays.every(({ nth }) => nth === undefined)) return weekdays
  const ranks = Array.from({ length: 53 }, (_, index) => index + 1)
  return weekdays.flatMap(({ weekday, nth }) => (nth ? { weekday, nth } : ranks.map((nth) => ({ weekday, nth }))))
}
