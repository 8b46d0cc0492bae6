import { expect, test } from 'vitest'
import { type Seed, SeedError } from '../../src/index.ts'
import { resolveAnchor } from '../../src/seeds/anchor.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

const SUMMER = '2026-06-10T09:00:00Z'
const moved = (seed: Seed, now: string, zone = 'UTC') => resolveAnchor(seed, Date.parse(now), () => zone)

/** Returns the event of a seed that is anchored to Monday, 2 March 2026, at another time. */
const eventAt = (event: object, now: string, zone?: string) =>
  moved({ anchor: '2026-03-02', calendars: [{ id: 'x', events: [event] }] }, now, zone).calendars?.[0]?.events?.[0]

test.each([
  ['2026-03-02T00:00:00Z', '2026-03-03'],
  ['2026-03-08T23:59:59Z', '2026-03-03'],
  ['2026-03-09T00:00:00Z', '2026-03-10'],
  ['2026-02-28T00:00:00Z', '2026-02-24'],
  ['2028-02-29T12:00:00Z', '2028-02-29'],
])('at %s the Tuesday of the anchored week is %s', (now, date) => {
  expect(eventAt({ start: { date: '2026-03-03' } }, now)).toEqual({ start: { date } })
})

test.each([
  ['with an offset', { dateTime: '2026-03-03T09:00:00-05:00', timeZone: 'America/New_York' }],
  ['in UTC', { dateTime: '2026-03-03T14:00:00Z', timeZone: 'America/New_York' }],
  ['by local time', { dateTime: '2026-03-03T09:00:00', timeZone: 'America/New_York' }],
  ['in the zone of its calendar', { dateTime: '2026-03-03T09:00:00-05:00' }],
])('a time given %s keeps its weekday and its hour over a clock change', (_, start) => {
  expect(eventAt({ start }, SUMMER, 'America/New_York')).toEqual({
    start: { dateTime: '2026-06-09T09:00:00', timeZone: 'America/New_York' },
  })
})

test('dates in recurrence lines move with the anchor, and counts and intervals do not', () => {
  const recurrence = [
    'RRULE:FREQ=WEEKLY;COUNT=10;INTERVAL=2',
    'RRULE:FREQ=DAILY;UNTIL=20260310T090000Z',
    'EXDATE;VALUE=DATE:20260303,20260305',
  ]

  expect(eventAt({ recurrence }, '2026-03-16T00:00:00Z')).toEqual({
    recurrence: [
      'RRULE:FREQ=WEEKLY;COUNT=10;INTERVAL=2',
      'RRULE:FREQ=DAILY;UNTIL=20260324T090000Z',
      'EXDATE;VALUE=DATE:20260317,20260319',
    ],
  })
})

test('a seed without an anchor is unchanged, as is the clock of an anchored seed', () => {
  const seed: Seed = { clock: { mode: 'frozen', now: SUMMER }, calendars: [{ id: 'x', summary: '5 March' }] }

  expect(moved(seed, SUMMER)).toBe(seed)
  expect(moved({ anchor: '2020-01-01', ...seed }, SUMMER)).toEqual(seed)
})

test('an unknown zone is refused with its place', () => {
  const { fake } = openCalendar()
  const start = { dateTime: '2026-03-03T09:00:00Z', timeZone: 'Mars' }

  expect(() =>
    fake.seed({ anchor: '2026-03-02', calendars: [{ id: ALICE, events: [{ start, end: { ...start } }] }] }),
  ).toThrow('calendars[0].events[0]: Invalid time zone definition for start time.')
})

test('the now of a world determines the move of its seed, and a calendar’s default zone is its account’s', async () => {
  const event = {
    summary: 'Standup',
    start: { dateTime: '2026-03-02T09:00:00-05:00' },
    end: { dateTime: '2026-03-02T09:15:00-05:00' },
  }
  const { as } = openCalendar({
    now: SUMMER,
    seed: {
      anchor: '2026-03-02',
      accounts: [{ email: ALICE, timeZone: 'America/New_York' }],
      calendars: [{ id: ALICE, events: [event] }],
    },
  })

  const { items } = (await as(ALICE).get('/calendars/primary/events')).body

  expect(items[0]).toMatchObject({
    start: { dateTime: '2026-06-08T09:00:00-04:00', timeZone: 'America/New_York' },
    end: { dateTime: '2026-06-08T09:15:00-04:00' },
  })
})

test('a series keeps its exclusions, additions and end over a clock change', async () => {
  const series = (zone?: string) => ({
    start: { dateTime: '2026-03-03T09:00:00-05:00', ...(zone && { timeZone: zone }) },
    end: { dateTime: '2026-03-03T10:00:00-05:00', ...(zone && { timeZone: zone }) },
    recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260306T140000Z', 'EXDATE:20260304T140000Z', 'RDATE:20260307T150000Z'],
  })
  const lines = ['RRULE:FREQ=DAILY;UNTIL=20260612T130000Z', 'EXDATE:20260610T130000Z', 'RDATE:20260613T140000Z']
  expect(eventAt(series('America/New_York'), SUMMER)?.recurrence).toEqual(lines)
  expect(eventAt(series(), SUMMER, 'America/New_York')?.recurrence).toEqual(lines)
  const { as } = openCalendar({
    now: SUMMER,
    seed: {
      anchor: '2026-03-02',
      accounts: [{ email: ALICE, timeZone: 'Europe/Berlin' }],
      calendars: [{ id: ALICE, events: [
        { id: 'series', ...series('America/New_York') },
        { recurringEventId: 'series', originalStartTime: { dateTime: '2026-03-05T09:00:00-05:00' }, status: 'cancelled' },
      ] }],
    },
  }) // biome-ignore format: a seed
  const { items } = (await as(ALICE).get('/calendars/primary/events?singleEvents=true&timeZone=America/New_York')).body
  expect(items.map(({ start }: { start: { dateTime: string } }) => start.dateTime)).toEqual([
    '2026-06-09T09:00:00-04:00',
    '2026-06-12T09:00:00-04:00',
    '2026-06-13T10:00:00-04:00',
  ])
})

test.each([
  { start: { date: '2026-13-45' }, end: { date: '2026-13-46' } },
  { start: { dateTime: '2026-13-45T09:00:00Z' }, end: { dateTime: '2026-13-45T10:00:00Z' } },
  {
    start: { dateTime: '2026-02-30T09:00:00', timeZone: 'UTC' },
    end: { dateTime: '2026-02-30T10:00:00', timeZone: 'UTC' },
  },
])('an invalid date is refused with its place: %j', (event) => {
  const { fake } = openCalendar()
  const seed = { anchor: '2026-03-02', calendars: [{ id: ALICE, events: [event] }] }
  expect(() => fake.seed(seed)).toThrow(SeedError)
  expect(() => fake.seed(seed)).toThrow('calendars[0].events[0]: Bad Request')
})
