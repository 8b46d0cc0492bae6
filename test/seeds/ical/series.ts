import fc from 'fast-check'
import type { Seed } from '../../../src/index.ts'
import { ALICE } from '../../support/calendar.ts'

/** A calendar with one series that uses all features of iCalendar. */
type Event = NonNullable<NonNullable<Seed['calendars']>[number]['events']>[number]

const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/Sao_Paulo']
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const pad = (number: number) => String(number).padStart(2, '0')
const DAY = 86_400_000

const weekdays = fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1, maxLength: 3 })
const monthDay = fc.integer({ min: 1, max: 31 })
/**
 * Rules that ical.js expands by the RFC, from a Monday on. It omits a start that the rule does not contain, and skips
 * instances after an EXDATE without effect.
 */
const plainPart = fc.oneof(
  fc.constant('FREQ=DAILY'),
  weekdays.map((days) => `FREQ=WEEKLY;BYDAY=${[...new Set(['MO', ...days])].join(',')}`),
  fc.constant('FREQ=WEEKLY'),
)
const anyPart = fc.oneof(
  plainPart,
  fc
    .tuple(fc.constantFrom(-1, 1, 2, 3, 4), fc.constantFrom(...WEEKDAYS))
    .map(([nth, day]) => `FREQ=MONTHLY;BYDAY=${nth}${day}`),
  monthDay.map((day) => `FREQ=MONTHLY;BYMONTHDAY=${day}`),
  fc.constant('FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1'),
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), monthDay)
    .map(([month, day]) => `FREQ=YEARLY;BYMONTH=${month};BYMONTHDAY=${day}`),
  fc.integer({ min: 1, max: 52 }).map((week) => `FREQ=YEARLY;BYWEEKNO=${week}`),
)

/** The end of a rule, in days from the start. */
const end = fc.oneof(
  fc.constant({}),
  fc.integer({ min: 1, max: 30 }).map((count) => ({ count })),
  fc.integer({ min: 0, max: 300 }).map((days) => ({ days })),
)
const extras = fc.record({
  added: fc.uniqueArray(fc.integer({ min: 1, max: 200 }), { maxLength: 3 }),
  excluded: fc.uniqueArray(fc.integer({ min: 0, max: 200 }), { maxLength: 4 }),
  second: fc.boolean(),
})
const base = {
  zone: fc.constantFrom(...ZONES),
  dated: fc.boolean(),
  day: fc.integer({ min: 0, max: 700 }),
  minute: fc.integer({ min: 0, max: 1439 }),
  length: fc.integer({ min: 0, max: 3 * 1440 }),
  interval: fc.integer({ min: 1, max: 3 }),
  end,
}

export const anySeries = fc.record({ ...base, part: anyPart, extras })
export const plainSeries = fc.record({
  ...base,
  day: fc.integer({ min: 0, max: 100 }).map((weeks) => 4 + 7 * weeks),
  // For an end before the start, ical.js returns nothing, and the service the start.
  end: end.map((one) => ('days' in one ? { days: one.days + 2 } : one)),
  part: plainPart,
  extras: extras.map(({ excluded, ...one }) => ({ ...one, excluded: excluded.slice(0, 1), second: false })),
})
type SeriesDescription = typeof anySeries extends fc.Arbitrary<infer T> ? T : never

const dayText = (day: number) => new Date(Date.UTC(2026, 0, 1) + day * DAY).toISOString().slice(0, 10)

export function seriesOf({ zone, dated, day, minute, length, interval, end, part, extras }: SeriesDescription): Event {
  const time = `${pad(Math.floor(minute / 60))}:${pad(minute % 60)}:00`
  const stamp = (at: number) => dayText(day + at).replaceAll('-', '') + (dated ? '' : `T${time.replaceAll(':', '')}`)
  const until = 'days' in end && end.days !== undefined ? `;UNTIL=${stamp(end.days)}${dated ? '' : 'Z'}` : ''
  const count = 'count' in end && end.count !== undefined ? `;COUNT=${end.count}` : ''
  const dates = (name: string, days: readonly number[]) =>
    days.length > 0 ? [`${name}${dated ? ';VALUE=DATE' : `;TZID=${zone}`}:${days.map(stamp).join(',')}`] : []
  const endsAt = new Date(Date.parse(`${dayText(day)}T${time}Z`) + length * 60_000).toISOString().slice(0, 19)
  return {
    id: 'series1',
    summary: 'Series',
    ...(dated
      ? { start: { date: dayText(day) }, end: { date: dayText(day + 1 + Math.floor(length / 1440)) } }
      : { start: { dateTime: `${dayText(day)}T${time}`, timeZone: zone }, end: { dateTime: endsAt, timeZone: zone } }),
    recurrence: [
      `RRULE:${part};INTERVAL=${interval}${until}${count}`,
      ...(extras.second ? ['RRULE:FREQ=MONTHLY;BYMONTHDAY=13;COUNT=5'] : []),
      ...dates('RDATE', extras.added),
      ...dates('EXDATE', extras.excluded),
    ],
  }
}

export const seedOf = (event: Event): Seed => ({
  accounts: [{ email: ALICE, timeZone: 'Europe/Berlin' }],
  calendars: [{ id: ALICE, events: [event] }],
})
