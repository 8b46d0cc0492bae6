import * as namespace from 'rrule'
import { DAY, type Day, dayOf, weekdayOf, weekOf } from './days.ts'
import type { Rule } from './rule.ts'

/**
 * Node sees rrule's CommonJS as a default export, a bundler may see its modules, which have none. Asked for where it is used,
 * and not before: in the package that is what loads it.
 */
const rrule = () => ('default' in namespace ? namespace.default : namespace)

/** An interval so long that no second year comes before 9999, so that rrule looks at one year alone. */
const ONE_YEAR_ONLY = 10_000

/**
 * The days of one year for rules that number a year's days, weeks or weekdays; months are simpler and need no rrule.
 *
 * rrule sees midnights in UTC and no zone at all: it would use the machine's. It is asked for one year at a
 * time, because it would search for a rule that yields nothing until the year 9999; and once for all years alike.
 */
export function daysOfYear(rule: Rule, year: number): Day[] {
  const places = placesOf(rule)
  const kind = kindOf(year)
  const found = places.get(kind) ?? placesIn(rule, likeYear(year))
  places.set(kind, found)
  const first = dayOf(year, 1, 1)
  return found.map((place) => first + place)
}

/** Where days stand in the years of a kind, for a rule: counted from the first of January. */
type Places = Map<string, readonly number[]>

/** Rules that say the same of a year share what has been worked out; the oldest are forgotten. */
const known = new Map<string, Places>()
const MOST_KNOWN = 1000
const byRule = new WeakMap<Rule, Places>()

function placesOf(rule: Rule): Places {
  const found = byRule.get(rule)
  if (found) return found
  const { months, monthDays, yearDays, weeks, weekdays, firstWeekday } = rule
  const key = JSON.stringify([months, monthDays, yearDays, weeks, weekdays, firstWeekday])
  const places: Places = known.get(key) ?? new Map()
  if (!known.has(key)) makeRoom()
  known.set(key, places)
  byRule.set(rule, places)
  return places
}

function makeRoom(): void {
  const [oldest = ''] = known.keys()
  if (known.size >= MOST_KNOWN) known.delete(oldest)
}

/** Years of a kind hold the same days: they begin on the same weekday, and they and those beside them are as long. */
const kindOf = (year: number): string =>
  [weekdayOf(dayOf(year, 1, 1)), ...[year - 1, year, year + 1].map(lengthOfYear)].join()

/**
 * Returns a year with the same days that rrule can calculate: it reads the years 1 to 99 as 1901 to 1999. The calendar
 * repeats every 400 years.
 */
const likeYear = (year: number): number => (year < 100 ? year + 2000 : year)

const lengthOfYear = (year: number): number => dayOf(year + 1, 1, 1) - dayOf(year, 1, 1)

function placesIn(rule: Rule, year: number): number[] {
  const yearDays = rule.weeks ? daysOfWeeks(rule, year) : rule.yearDays
  if (yearDays?.length === 0) return []
  const first = dayOf(year, 1, 1)
  const { RRule, Weekday } = rrule()
  const days = new RRule({
    freq: RRule.YEARLY,
    interval: ONE_YEAR_ONLY,
    dtstart: new Date(first * DAY),
    bymonth: rule.months ?? null,
    bymonthday: rule.monthDays ?? null,
    byyearday: yearDays ?? null,
    byweekday: everyRank(rule).map(({ weekday, nth }) => new Weekday(weekday, nth)),
  })
  return days.all().map((midnight) => midnight.getTime() / DAY - first)
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
  const ranks = Array.from({ length: 53 }, (_, index) => index + 1)
  return weekdays.flatMap(({ weekday, nth }) => (nth ? { weekday, nth } : ranks.map((nth) => ({ weekday, nth }))))
}
