import fc from 'fast-check'
import { openSeries, type Series } from '../../src/recurrence/series.ts'
import { instantOf } from '../../src/recurrence/zone.ts'

export const DAY = 86_400_000
const ZONES = [
  ...['UTC', 'America/New_York', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Sydney'],
  ...['Australia/Lord_Howe', 'Pacific/Chatham', 'Pacific/Apia', 'America/Santiago', 'Africa/Casablanca'],
]
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

export type Parts = Record<string, string | undefined>
/** A rule with its start and a window. `reading` is the local time of the start, in milliseconds. */
export type Case = {
  parts: Parts
  count?: number
  until?: number
  reading: number
  zone: string
  from: number
  days: number
}

/** One to three distinct whole numbers from `least` to `most`, without 0. */
const numbers = (most: number, least = 1) =>
  fc.uniqueArray(
    fc.integer({ min: least, max: most }).filter((n) => n !== 0),
    { minLength: 1, maxLength: 3 },
  )
const weekdays = fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1, maxLength: 4 })
/** One to three weekdays with ranks from `-most` to `most`. */
const ranked = (most: number) =>
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: -most, max: most }).filter(Boolean), fc.constantFrom(...WEEKDAYS)), {
      minLength: 1,
      maxLength: 3,
      selector: ([nth, weekday]) => `${nth}${weekday}`,
    })
    .map((ranks) => ranks.map(([nth, weekday]) => `${nth}${weekday}`))

const sometimes = <T>(values: fc.Arbitrary<T[]>) => fc.option(values, { nil: undefined, freq: 2 })
const positions = fc.option(fc.constantFrom(['1'], ['2'], ['-1'], ['1', '2']), { nil: undefined, freq: 3 })

/** Avoids cases that rrule gets wrong: see rrule.property.test.ts. */
const FREQUENCIES: Record<string, fc.Arbitrary<Record<string, unknown>>> = {
  DAILY: fc.record({
    BYMONTH: sometimes(numbers(12)),
    BYMONTHDAY: sometimes(numbers(31, -31)),
    BYDAY: sometimes(weekdays),
  }),
  WEEKLY: fc.record({ BYMONTH: sometimes(numbers(12)), BYDAY: sometimes(weekdays) }),
  MONTHLY: fc.record({
    BYMONTH: sometimes(numbers(12)),
    BYMONTHDAY: sometimes(numbers(31, -31)),
    BYDAY: sometimes(fc.oneof(weekdays, ranked(5))),
  }),
  YEARLY: fc.oneof(
    fc.record({ BYMONTH: sometimes(numbers(12)), BYMONTHDAY: sometimes(numbers(31, -31)), BYDAY: sometimes(weekdays) }),
    fc.record({ BYMONTH: sometimes(numbers(12)), BYDAY: ranked(5) }),
    fc.record({ BYDAY: ranked(53) }),
    fc.record({ BYYEARDAY: numbers(366, -366), BYDAY: sometimes(weekdays), BYMONTH: sometimes(numbers(12)) }),
    fc.record({ BYWEEKNO: numbers(51), BYDAY: weekdays }),
  ),
}

export const cases: fc.Arbitrary<Case> = fc
  .record({
    parts: fc.constantFrom(...Object.keys(FREQUENCIES)).chain((FREQ) =>
      fc.record({
        FREQ: fc.constant(FREQ),
        INTERVAL: fc.oneof(fc.constant(undefined), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 40 })),
        WKST: fc.option(fc.constantFrom(...WEEKDAYS), { nil: undefined }),
        BYSETPOS: positions,
        rest: FREQUENCIES[FREQ] as fc.Arbitrary<Record<string, unknown>>,
      }),
    ),
    end: fc.oneof(
      fc.constant({}),
      fc.record({ count: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 400 })) }),
      fc.record({ untilAfter: fc.integer({ min: -5, max: 1500 }) }),
    ),
    start: fc.oneof(
      fc.integer({ min: Date.UTC(2023, 0, 1) / DAY, max: Date.UTC(2026, 0, 1) / DAY }),
      fc.integer({ min: Date.UTC(2009, 0, 1) / DAY, max: Date.UTC(2012, 0, 1) / DAY }),
      fc.integer({ min: Date.UTC(1990, 0, 1) / DAY, max: Date.UTC(2025, 0, 1) / DAY }),
    ),
    hour: fc.constantFrom(0, 1, 2, 2.5, 9, 23.75),
    zone: fc.constantFrom(...ZONES),
    later: fc.oneof(fc.integer({ min: -30, max: 400 }), fc.integer({ min: 0, max: 4000 })),
    days: fc.constantFrom(1, 7, 31, 400),
  })
  .map(({ parts: { rest, ...parts }, end, start, hour, zone, later, days }) => {
    const text = (value: unknown) => (Array.isArray(value) ? value.join(',') : value?.toString())
    const all: Parts = Object.fromEntries(
      Object.entries({ ...parts, ...rest }).map(([name, value]) => [name, text(value)]),
    )
    if (!Object.values(rest).some(Boolean)) all.BYSETPOS = undefined
    const reading = start * DAY + hour * 3_600_000
    const base: Case = { parts: all, reading, zone, from: (start + later) * DAY, days }
    if ('count' in end) return { ...base, count: end.count }
    // Both an UNTIL at an occurrence and one a second before it.
    if ('untilAfter' in end)
      return { ...base, until: instantOf(reading + end.untilAfter * DAY, zone) - (days % 2) * 1000 }
    return base
  })

/** Formats the parts of a rule as the value of an RRULE line. */
export const ruleText = (parts: Parts) =>
  Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${value}`)
    .join(';')

/** Formats an instant as UNTIL has it: `20260309T130000Z`. */
export const formatUntil = (instant: number) => new Date(instant).toISOString().replace(/[-:]|\.\d+/g, '')

/** Formats the rule of a case with its end, as an RRULE or EXRULE line. */
export function lineOf({ parts, count, until }: Case, name = 'RRULE'): string {
  const end = count ? `;COUNT=${count}` : until === undefined ? '' : `;UNTIL=${formatUntil(until)}`
  return `${name}:${ruleText(parts)}${end}`
}

/** Opens the series of a case, with further lines. */
export const seriesOf = (case_: Case, lines: string[] = []): Series =>
  openSeries({ wall: new Date(case_.reading).toISOString().slice(0, 19), zone: case_.zone }, [lineOf(case_), ...lines])
