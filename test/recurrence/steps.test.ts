import { expect, test } from 'vitest'
import { steps } from '../../src/recurrence/occurrences.ts'
import { openSeries, type Start } from '../../src/recurrence/series.ts'

const DAY = 86_400_000
const START: Start = { wall: '2026-01-01T09:00:00', zone: 'UTC' }
const FIRST = Date.UTC(2026, 0, 1, 9)
const [ALWAYS, NEVER] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]

/** Returns the number of periods that a function expands. */
function countPeriods(run: () => unknown): number {
  const before = steps.taken
  run()
  return steps.taken - before
}

/** If all periods are equal, the first and the last are examined; else three times the repeating part. */
const COUNTED: [rule: string, most: number][] = [
  ['DAILY;COUNT=1000', 2],
  ['DAILY;INTERVAL=3;COUNT=1000', 2],
  ['DAILY;COUNT=1000000000', 3],
  ['WEEKLY;COUNT=1000', 2],
  ['WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR;COUNT=1000', 2],
  ['WEEKLY;BYDAY=MO,TU,WE;BYSETPOS=-1;COUNT=1000', 2],
  ['WEEKLY;COUNT=1000000000', 3],
  ['MONTHLY;COUNT=1000', 2],
  ['MONTHLY;BYMONTHDAY=1,28;COUNT=1000', 2],
  ['MONTHLY;BYMONTHDAY=-1,-28;COUNT=1000', 2],
  ['MONTHLY;BYDAY=1MO,4FR;COUNT=1000', 2],
  ['MONTHLY;BYDAY=-1MO,-4FR;COUNT=1000', 2],
  ['MONTHLY;BYMONTHDAY=29;COUNT=1000000000', 1 + 3 * 4800],
  ['MONTHLY;INTERVAL=12;BYMONTHDAY=29;COUNT=1000000000', 1 + 3 * 400],
  ['WEEKLY;INTERVAL=9;BYMONTH=3;COUNT=1000000000', 1 + (3 * 20_871) / 9],
  ['YEARLY;COUNT=1000000000', 1 + 3 * 400],
  ['YEARLY;INTERVAL=4;COUNT=1000000000', 1 + 3 * 100],
  ['YEARLY;INTERVAL=2;COUNT=1000', 1 + 2 * 200],
]

test.each(COUNTED)('the end of a COUNT is found without expanding all periods: %s', (rule, most) => {
  const series = openSeries(START, [`RRULE:FREQ=${rule}`])
  const expanded = countPeriods(() => expect(series.endless).toBe(false))
  expect(expanded).toBeGreaterThan(0)
  expect(expanded).toBeLessThanOrEqual(most)
  expect(countPeriods(() => series.endless)).toBe(0)
})

const BARREN: [rule: string, periods: number][] = [
  ['DAILY;BYMONTH=2;BYMONTHDAY=30', 146_097],
  ['DAILY;INTERVAL=7;BYDAY=FR', 146_097 / 7],
  ['WEEKLY;BYDAY=MO;BYSETPOS=2', 20_871],
  ['MONTHLY;BYMONTH=2;BYMONTHDAY=30', 4800],
  ['MONTHLY;INTERVAL=12;BYMONTH=2;BYMONTHDAY=28', 400],
  ['YEARLY;BYMONTH=2;BYMONTHDAY=31', 400],
  ['YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=31', 100],
  ['YEARLY;BYWEEKNO=20;BYYEARDAY=1', 400],
]

test.each(BARREN)('an impossible date is searched for one cycle of the calendar, once: %s', (rule, periods) => {
  const series = openSeries(START, [`RRULE:FREQ=${rule}`])
  const search = () => expect(series.between(FIRST, NEVER)).toEqual([FIRST])
  expect(countPeriods(search)).toBe(periods)
  expect(countPeriods(search)).toBe(0)
})

test('a rule without occurrences is expanded for one calendar cycle', () => {
  const series = openSeries(START, ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31;COUNT=5'])
  expect(countPeriods(() => series.endless)).toBeLessThanOrEqual(1 + 400)
})

test('a rule without occurrences is not expanded beyond UNTIL', () => {
  const series = openSeries(START, ['RRULE:FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=20260601T000000Z'])
  expect(countPeriods(() => series.between(ALWAYS, NEVER))).toBeLessThanOrEqual(6)
})

test('an exclusion costs one check per start', () => {
  const series = openSeries(START, ['RRULE:FREQ=DAILY', 'EXRULE:FREQ=WEEKLY;BYDAY=SA,SU'])
  const expanded = countPeriods(() => expect(series.between(FIRST, FIRST + 100 * DAY)).toHaveLength(72))
  expect(expanded).toBeGreaterThanOrEqual(200)
  expect(expanded).toBeLessThanOrEqual(205)
})

const PLACES: [title: string, from: number, to: number, periods: number][] = [
  ['before its start', FIRST - 60 * DAY, FIRST - 5 * DAY, 0],
  ['far from its start', Date.UTC(9000, 0, 1), Date.UTC(9000, 0, 8), 10],
  ['after the year 9999', Date.UTC(10_000, 1, 1), Date.UTC(10_001, 0, 1), 0],
]

test.each(PLACES)('a week of a series %s costs the work of a week', (_, from, to, most) => {
  const series = openSeries(START, ['RRULE:FREQ=DAILY'])
  expect(countPeriods(() => series.between(from, to))).toBeLessThanOrEqual(most)
})

test('windows up to fifty days are cached; longer ones are not', () => {
  const series = openSeries(START, ['RRULE:FREQ=DAILY'])
  const expanded = (days: number, from = FIRST) => countPeriods(() => series.between(from, from + days * DAY))
  for (const days of [7, 50]) {
    expect(expanded(days)).toBeGreaterThanOrEqual(days)
    expect(expanded(days)).toBe(0)
    expect(countPeriods(() => [...series.starts(FIRST, FIRST + days * DAY)])).toBe(0)
    expect(series.between(FIRST, FIRST + days * DAY, 3)).toHaveLength(3)
  }
  expect(expanded(51)).toBeGreaterThan(50)
  expect(expanded(51)).toBeGreaterThan(50)
  expect([expanded(7), expanded(7, FIRST + DAY)]).toEqual([expect.any(Number), expect.any(Number)])
  expect(series.between(FIRST, FIRST + 7 * DAY)[0]).toBe(FIRST)
  expect(series.between(FIRST + DAY, FIRST + 7 * DAY)[0]).toBe(FIRST + DAY)
  expect(series.between(FIRST + DAY, FIRST + 8 * DAY)).toHaveLength(7)
})

test('an empty series is not expanded again', () => {
  const series = openSeries(START, ['RRULE:FREQ=DAILY;COUNT=9', 'EXRULE:FREQ=DAILY'])
  expect(series.first).toBeUndefined()
  expect(countPeriods(() => expect(series.between(ALWAYS, NEVER)).toEqual([]))).toBe(0)
})
