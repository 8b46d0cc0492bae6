import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openSeries } from '../../src/recurrence/series.ts'
import { runs } from '../support/seeded.ts'

/* The oracle is the definition: it computes the properties of each day from the start (its positions in month and year from both ends, its week, …) and keeps the days that match the rule. It covers cases that rrule gets wrong, and shares no code with either. */

const DAY = 86_400_000
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

type Parts = { [name in (typeof LISTS)[number]]?: (string | number)[] } & {
  FREQ: string
  INTERVAL: number
  WKST: string
}
const LISTS = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYDAY', 'BYSETPOS'] as const

const midnight = (year: number, month: number, date: number) => Date.UTC(year, month - 1, date)
const weekdayOf = (day: number) => (new Date(day).getUTCDay() + 6) % 7

/** Returns the first day of the week that a day is in. Days are midnights in milliseconds. */
const weekStart = (day: number, wkst: number) => day - ((weekdayOf(day) - wkst + 7) % 7) * DAY

/** Returns the position of a day in a period, counted from both ends. */
const bothEnds = (day: number, first: number, next: number) => [(day - first) / DAY + 1, (day - next) / DAY]

/** Returns the values of a day for each BY part: positions from both ends, and the weekday with its ranks. */
function positionsOf(day: number, { FREQ, WKST, BYMONTH }: Parts) {
  const date = new Date(day)
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + 1]
  const wkst = WEEKDAYS.indexOf(WKST)
  const thatYear = [midnight(year, 1, 1), midnight(year + 1, 1, 1)] as const
  const thatMonth = [midnight(year, month, 1), midnight(year, month + 1, 1)] as const
  // A week belongs to the year that contains four of its days, so the year of its fourth day.
  const week = weekStart(day, wkst)
  const weekYear = new Date(week + 3 * DAY).getUTCFullYear()
  const [weekOne, nextWeekOne] = [weekYear, weekYear + 1].map((each) => weekStart(midnight(each, 1, 4), wkst))
  const [ranksFrom, ranksTo] = FREQ === 'YEARLY' && !BYMONTH ? thatYear : thatMonth
  const name = WEEKDAYS[weekdayOf(day)]
  return {
    BYMONTH: [month],
    BYMONTHDAY: bothEnds(day, ...thatMonth),
    BYYEARDAY: bothEnds(day, ...thatYear),
    BYWEEKNO: [(week - (weekOne ?? 0)) / (7 * DAY) + 1, (week - (nextWeekOne ?? 0)) / (7 * DAY)],
    BYDAY: [
      name,
      `${Math.ceil(((day - ranksFrom) / DAY + 1) / 7)}${name}`,
      `${-Math.ceil((ranksTo - day) / DAY / 7)}${name}`,
    ],
  }
}

/** Returns the number of the period that a day is in, by the frequency of the rule. */
function periodOf(day: number, { FREQ, WKST }: Parts): number {
  const date = new Date(day)
  if (FREQ === 'DAILY') return day / DAY
  if (FREQ === 'WEEKLY') return Math.floor(weekStart(day, WEEKDAYS.indexOf(WKST)) / (7 * DAY))
  return FREQ === 'MONTHLY' ? date.getUTCFullYear() * 12 + date.getUTCMonth() : date.getUTCFullYear()
}

/** Returns a rule with the parts that it omits, which follow from its start (RFC 5545, 3.3.10). */
function withStartParts(parts: Parts, start: number): Parts {
  const { BYMONTHDAY, BYYEARDAY, BYDAY, BYWEEKNO, BYMONTH, FREQ } = parts
  if (BYMONTHDAY || BYYEARDAY || BYDAY || FREQ === 'DAILY') return parts
  if (BYWEEKNO || FREQ === 'WEEKLY') return { ...parts, BYDAY: [WEEKDAYS[weekdayOf(start)] ?? ''] }
  const monthly = { ...parts, BYMONTHDAY: [new Date(start).getUTCDate()] }
  return FREQ === 'MONTHLY' ? monthly : { ...monthly, BYMONTH: BYMONTH ?? [new Date(start).getUTCMonth() + 1] }
}

/** Returns the days of a rule from `start` to before `to`, as instants in ascending order, by the definition. */
function expandByDefinition(rule: Parts, start: number, to: number): number[] {
  const parts = withStartParts(rule, start)
  const origin = periodOf(start, parts)
  const periods = new Map<number, number[]>()
  // Starts at the beginning of the start's period, because positions count from there.
  for (let day = start - 366 * DAY; day < to + 366 * DAY; day += DAY) {
    const period = periodOf(day, parts)
    if (period < origin || (period - origin) % parts.INTERVAL !== 0) continue
    const positions = positionsOf(day, parts)
    const limits = (['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYDAY'] as const).filter((name) => parts[name])
    const fits = limits.every((name) => positions[name].some((one) => one !== undefined && parts[name]?.includes(one)))
    if (fits) periods.set(period, [...(periods.get(period) ?? []), day])
  }
  const selected = [...periods.values()].flatMap((days) =>
    days.filter(
      (_, i) => !parts.BYSETPOS || parts.BYSETPOS.includes(i + 1) || parts.BYSETPOS.includes(i - days.length),
    ),
  )
  return [start, ...selected.filter((day) => day > start)].filter((day) => day < to)
}

const nonZero = (most: number) => fc.integer({ min: -most, max: most }).filter((n) => n !== 0)
const some = <T>(item: fc.Arbitrary<T>, maxLength = 4) => fc.uniqueArray(item, { minLength: 1, maxLength })
const maybe = <T>(item: fc.Arbitrary<T>, maxLength?: number) => fc.option(some(item, maxLength), { nil: undefined })
const weekday = fc.constantFrom(...WEEKDAYS)
const rankOf = (most: number) =>
  fc.oneof(
    weekday,
    fc.tuple(nonZero(most), weekday).map(([nth, name]) => `${nth}${name}`),
  )
const common = {
  INTERVAL: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 5 })),
  WKST: weekday,
  BYMONTH: maybe(fc.integer({ min: 1, max: 12 })),
  BYSETPOS: maybe(fc.oneof(nonZero(4), nonZero(40)), 3),
}
const monthDay = fc.oneof(nonZero(31), fc.constantFrom(31, 30, 29, -1, -31))
const weekNumber = fc.oneof(nonZero(53), fc.constantFrom(1, 52, 53, -1, -52, -53))

const rules = fc
  .oneof(
    fc.record({ ...common, FREQ: fc.constant('DAILY'), BYMONTHDAY: maybe(monthDay), BYDAY: maybe(weekday) }),
    fc.record({ ...common, FREQ: fc.constant('WEEKLY'), BYDAY: maybe(weekday, 7) }),
    fc.record({ ...common, FREQ: fc.constant('MONTHLY'), BYMONTHDAY: maybe(monthDay), BYDAY: maybe(rankOf(5)) }),
    fc.record({ ...common, FREQ: fc.constant('YEARLY'), BYMONTHDAY: maybe(monthDay), BYDAY: maybe(rankOf(5)) }),
    fc.record({ ...common, FREQ: fc.constant('YEARLY'), BYDAY: some(rankOf(53)) }),
    fc.record({ ...common, FREQ: fc.constant('YEARLY'), BYYEARDAY: some(nonZero(366)), BYDAY: maybe(weekday) }),
    fc.record({ ...common, FREQ: fc.constant('YEARLY'), BYWEEKNO: some(weekNumber), BYDAY: maybe(weekday) }),
  )
  .map((parts): Parts => {
    const { BYSETPOS, ...rest } = parts
    const isSet = LISTS.some((name) => name in rest && rest[name as keyof typeof rest] !== undefined)
    return isSet ? parts : rest
  })

const lineOf = (parts: Parts) =>
  `RRULE:${Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')}`

test('a window contains the days that match the rule', () => {
  const starts = fc.integer({ min: midnight(1996, 1, 1) / DAY, max: midnight(2032, 1, 1) / DAY })
  const windows = fc.record({ later: fc.integer({ min: -30, max: 1200 }), days: fc.constantFrom(7, 31, 400) })
  fc.assert(
    fc.property(rules, starts, windows, (rule, startDay, { later, days }) => {
      const start = startDay * DAY
      const [from, to] = [start + later * DAY, start + (later + days) * DAY]
      const series = openSeries({ date: new Date(start).toISOString().slice(0, 10) }, [lineOf(rule)])
      expect(series.between(from, to)).toEqual(expandByDefinition(rule, start, to).filter((day) => day >= from))
    }),
    { numRuns: runs(200) },
  )
})
