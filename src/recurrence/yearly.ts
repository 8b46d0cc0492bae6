import * as namespace from 'rrule'
import { DAY_MS, type Day, datePartsOf, dayOf, firstDayOfWeek, type Weekday, weekdayOf, weekOf } from './days.ts'
import { hasRankedWeekday, type RecurrenceRule } from './rule.ts'

/** A function, because the built package loads the module on first use. Node sees a default export; a bundler may see none. */
const rrule = () => ('default' in namespace ? namespace.default : namespace)

const RANKS = Array.from({ length: 53 }, (_, index) => index + 1)

/**
 * The days of a yearly rule in a year. rrule expands one year, because it would search until the year 9999 for a rule without days.
 * It gets UTC midnights, because it would use the machine's zone, of a year from 2000 on, because it reads 99 as 1999. `MO,2TU` are
 * given as ranks, because it would intersect them, and weeks are selected here, because those at the ends of a year are wrong.
 * `known` has the days by the weekday of 1 January and the length of the year.
 */
export function daysOfYear(rule: RecurrenceRule, year: number, known: Map<string, readonly number[]>): Day[] {
  const first = dayOf(year, 1, 1)
  const kind = `${weekdayOf(first)} ${dayOf(year + 1, 1, 1) - first}`
  const days = known.get(kind) ?? expandYear(rule, dayOf(2000 + (year % 400), 1, 1))
  known.set(kind, days)
  return days.map((day) => first + day).filter((day) => !rule.weeks || isInWeeks(day, rule.weeks, rule.firstWeekday))
}

function expandYear(rule: RecurrenceRule, first: Day): number[] {
  const { RRule, Weekday } = rrule()
  const ranksOf = (nth: number | undefined) => (nth === undefined && hasRankedWeekday(rule) ? RANKS : [nth])
  const days = new RRule({
    freq: RRule.YEARLY,
    interval: 10_000,
    dtstart: new Date(first * DAY_MS),
    bymonth: rule.months ?? null,
    bymonthday: rule.monthDays ?? null,
    byyearday: rule.yearDays ?? null,
    byweekday:
      rule.weekdays?.flatMap(({ weekday, nth }) => ranksOf(nth).map((rank) => new Weekday(weekday, rank))) ?? null,
  })
  return days.all().map((midnight) => midnight.getTime() / DAY_MS - first)
}

/** Week 1 is the first with four days in its year, and week -1 the last. */
function isInWeeks(day: Day, weeks: readonly number[], firstWeekday: Weekday): boolean {
  const week = weekOf(day, firstWeekday)
  const { year } = datePartsOf(firstDayOfWeek(week, firstWeekday) + 3)
  const [first, next] = [year, year + 1].map((one) => weekOf(dayOf(one, 1, 4), firstWeekday)) as [number, number]
  return weeks.includes(week - first + 1) || weeks.includes(week - next)
}
