import * as namespace from 'rrule'
import { DAY_MS, type Day, dayOf, weekdayOf, weekOf } from './days.ts'
import type { RecurrenceRule } from './rule.ts'

/**
 * Returns the module of rrule. A function, because the built package loads the module on first use. Node sees its
 * CommonJS as a default export; a bundler may see ES modules without one.
 */
const rrule = () => ('default' in namespace ? namespace.default : namespace)

/** An interval after which no second year before 9999 exists, so that rrule expands one year only. */
const ONE_YEAR_ONLY = 10_000

/**
 * Returns the days of a year, ascending, for a yearly rule with BYYEARDAY, BYWEEKNO or ranked weekdays of the year.
 *
 * rrule receives midnights in UTC and no zone, because it would use the machine's zone. It expands one year at a time,
 * because it would search until the year 9999 for a rule without occurrences. The result is cached for all years of the
 * same kind.
 */
export function daysOfYear(rule: RecurrenceRule, year: number): Day[] {
  const places = cachedDays(rule)
  const kind = yearKind(year)
  const found = places.get(kind) ?? expandYear(rule, equivalentYear(year))
  places.set(kind, found)
  const first = dayOf(year, 1, 1)
  return found.map((place) => first + place)
}

/** The days of a rule by the kind of year (`yearKind`), counted from 1 January, which is 0. */
type YearDays = Map<string, readonly number[]>

/** The days of rules with equal BY parts and WKST, by these as JSON. The oldest entry is removed when it is full. */
const daysByRule = new Map<string, YearDays>()
const MAX_CACHED_RULES = 1000
/** The same entries by the rule object, so that a rule is formatted as JSON once. */
const byRule = new WeakMap<RecurrenceRule, YearDays>()

/** Returns the cached days of a rule, which the caller completes. An entry that is missing is added. */
function cachedDays(rule: RecurrenceRule): YearDays {
  const found = byRule.get(rule)
  if (found) return found
  const { months, monthDays, yearDays, weeks, weekdays, firstWeekday } = rule
  const key = JSON.stringify([months, monthDays, yearDays, weeks, weekdays, firstWeekday])
  const places: YearDays = daysByRule.get(key) ?? new Map()
  if (!daysByRule.has(key)) evictOldest()
  daysByRule.set(key, places)
  byRule.set(rule, places)
  return places
}

function evictOldest(): void {
  const [oldest = ''] = daysByRule.keys()
  if (daysByRule.size >= MAX_CACHED_RULES) daysByRule.delete(oldest)
}

/**
 * Returns the kind of a year. Years of a kind begin on the same weekday, and they and their neighbours have the same
 * lengths.
 */
const yearKind = (year: number): string =>
  [weekdayOf(dayOf(year, 1, 1)), ...[year - 1, year, year + 1].map(lengthOfYear)].join()

/**
 * Returns a year with the same days that rrule can calculate: it reads the years 1 to 99 as 1901 to 1999. The year 2000
 * later has the same days, because the calendar repeats every 400 years.
 */
const equivalentYear = (year: number): number => (year < 100 ? year + 2000 : year)

const lengthOfYear = (year: number): number => dayOf(year + 1, 1, 1) - dayOf(year, 1, 1)

/** Returns the days of a rule in a year from 100 on, ascending, counted from 1 January, which is 0. */
function expandYear(rule: RecurrenceRule, year: number): number[] {
  const yearDays = rule.weeks ? daysOfWeeks(rule, year) : rule.yearDays
  if (yearDays?.length === 0) return []
  const first = dayOf(year, 1, 1)
  const { RRule, Weekday } = rrule()
  const days = new RRule({
    freq: RRule.YEARLY,
    interval: ONE_YEAR_ONLY,
    dtstart: new Date(first * DAY_MS),
    bymonth: rule.months ?? null,
    bymonthday: rule.monthDays ?? null,
    byyearday: yearDays ?? null,
    byweekday: expandRanks(rule).map(({ weekday, nth }) => new Weekday(weekday, nth)),
  })
  return days.all().map((midnight) => midnight.getTime() / DAY_MS - first)
}

/**
 * Returns the days of the year (from 1) that lie in the rule's weeks. rrule assigns the first days of some years to
 * another week: it puts 1 January 2022 into week 52, and RFC 5545 into no week of 2022.
 */
function daysOfWeeks({ weeks = [], yearDays, firstWeekday }: RecurrenceRule, year: number): number[] {
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

/** Expands `MO` to all its ranks, because rrule intersects `MO,2TU` and RFC 5545 unites them. */
function expandRanks({ weekdays = [] }: RecurrenceRule) {
  const ranks = Array.from({ length: 53 }, (_, index) => index + 1)
  return weekdays.flatMap(({ weekday, nth }) => (nth ? { weekday, nth } : ranks.map((nth) => ({ weekday, nth }))))
}
