import { expect, test, vi } from 'vitest'
import { connect } from '../../../src/connect.ts'
import { createFakeCalendar } from '../../../src/index.ts'
import { ALICE, BOB, hour, openCalendar } from '../../support/calendar.ts'

const print = (fake: { print(): string }): string[] => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  return fake.print().split('\n')
}

const EVENTS = [
  {
    id: 'late0',
    summary: 'Late',
    start: { dateTime: '2026-03-03T04:00:00Z' },
    end: { dateTime: '2026-03-03T06:30:00Z' },
  },
  { id: 'offsite0', summary: 'Offsite', start: { date: '2026-03-03' }, end: { date: '2026-03-04' } },
  { id: 'fair0', summary: 'Fair', start: { date: '2026-03-03' }, end: { date: '2026-03-06' } },
  {
    id: 'dail0',
    location: 'Room 1',
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
    start: { dateTime: '2026-03-02T09:00:00Z', timeZone: 'UTC' },
    end: { dateTime: '2026-03-02T09:15:00Z', timeZone: 'UTC' },
  },
]

test('events are listed by calendar and day, in the zone of the owner', () => {
  const fake = createFakeCalendar({
    now: '2026-03-02T12:30:00Z',
    seed: {
      accounts: [
        { email: ALICE, timeZone: 'America/New_York' },
        { email: BOB, timeZone: 'Asia/Tokyo' },
      ],
      calendars: [
        { id: ALICE, events: EVENTS },
        {
          id: 'team@example.com',
          summary: 'Team',
          dataOwner: BOB,
          timeZone: 'Europe/Paris',
          events: EVENTS.slice(0, 1),
        },
      ],
    },
  })

  expect(print(fake)).toEqual([
    'It is Mon 2026-03-02 07:30 (America/New_York)',
    'alice@example.com (America/New_York)',
    '  Mon 2026-03-02',
    '    04:00-04:15 (no title); at Room 1; repeated by RRULE:FREQ=DAILY;COUNT=3',
    '    23:00-Tue 2026-03-03 01:30 Late',
    '  Tue 2026-03-03',
    '    all day until Thu 2026-03-05 Fair',
    '    all day Offsite',
    'team@example.com (Asia/Tokyo)',
    '  Tue 2026-03-03',
    '    13:00-15:30 Late',
  ])
})

test('guests are listed with their answers, and their copies are not', async () => {
  const { fake, as } = openCalendar()
  const lunch = {
    id: 'lunch0',
    summary: 'Lunch',
    attendees: [{ email: ALICE }, { email: BOB }],
    ...hour('2026-03-02', 12),
  }
  await as(ALICE).post('/calendars/primary/events', lunch)
  const lines = () => print(fake).filter((line) => line.includes('Lunch'))

  expect(lines()).toEqual([expect.stringMatching(/ Lunch; bob@example\.com: no answer$/)])
  await as(BOB).patch('/calendars/primary/events/lunch0', { attendees: [{ email: BOB, responseStatus: 'declined' }] })
  expect(lines()).toEqual([expect.stringMatching(/ Lunch; bob@example\.com: declined$/)])
  await as(ALICE).delete('/calendars/primary/events/lunch0')
  expect(print(fake).slice(1)).toEqual(['no events'])
})

test('of many events a hundred lines are listed, and the number of the others', () => {
  const events = Array.from({ length: 300 }, (_, at) => ({ ...EVENTS[1], id: `mann${at}` }))
  const fake = createFakeCalendar({ seed: { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events }] } })
  const lines = print(fake)

  expect([lines.length, lines.at(-1)]).toEqual([102, 'and 202 more'])
})

test('the text is printed and returned, in process and over HTTP', async () => {
  const { fake } = openCalendar()
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  const text = fake.print()
  const remote = connect('http://localhost', { fetch: (input, init) => fake.fetch(input as string, init) })

  expect(await remote.print()).toBe(text)
  expect(printed.mock.calls).toEqual([[text], [text]])
})
