import { expect, test } from 'vitest'
import { capture } from '../../../src/cli/capture/capture.ts'
import { CaptureError } from '../../../src/cli/capture/captureError.ts'
import { openService } from '../../../src/cli/capture/service.ts'
import type { Seed } from '../../../src/index.ts'
import { ALICE, allDay, BOB, openCalendar } from '../../support/calendar.ts'
import { BASE, captured, seen, worldOf } from './world.ts'

const team = () => openCalendar({ seed: 'team', now: '2026-01-05T12:00:00Z' })

test.each(['alice', 'bob', 'chiyo', 'dana'])(
  'what %s@example.com sees of the team comes back the same',
  async (name) => {
    const email = `${name}@example.com`
    const there = team()
    const { seed, left } = await captured(there.fake, [email])
    const back = worldOf(seed)

    expect(left).toEqual([])
    expect(await seen(back, email)).toEqual(await seen(there, email))
  },
)

test('several accounts come back the same together, each guest with their own words about a meeting', async () => {
  const emails = ['alice', 'bob', 'chiyo', 'dana'].map((name) => `${name}@example.com`)
  const there = team()
  const call = '/calendars/primary/events/calltokio'
  const own = { colorId: '4', transparency: 'transparent', extendedProperties: { private: { prep: 'tea' } } }
  const mine = { ...own, reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 3 }] } }
  expect((await there.as('chiyo@example.com').patch(call, mine)).status).toBe(200)
  const { seed, left } = await captured(there.fake, emails)
  const back = worldOf(seed)

  expect(left).toEqual([])
  expect((await back.as('chiyo@example.com').get(call)).body).toMatchObject(mine)
  for (const email of emails) {
    // Of a calendar that several see the reminders are those of whoever sees most of it.
    const plain = async (world: typeof back) =>
      JSON.parse(JSON.stringify(await seen(world, email)), (key, value) => (key === 'reminders' ? undefined : value))
    expect(await plain(back)).toEqual(await plain(there))
  }
})

/** Ten thousand events of one account: single ones, series, changed and cancelled instances. */
function large(): Seed {
  const day = (nth: number) => new Date(Date.UTC(2025, 0, 1 + (nth % 700))).toISOString().slice(0, 10)
  const times = (nth: number) => ({
    start: { dateTime: `${day(nth)}T09:00:00`, timeZone: 'Europe/Berlin' },
    end: { dateTime: `${day(nth)}T09:30:00`, timeZone: 'Europe/Berlin' },
  })
  const single = Array.from({ length: 9700 }, (_, nth) => ({
    id: `single${nth}`,
    summary: `Single ${nth}`,
    ...times(nth),
  }))
  const series = Array.from({ length: 100 }, (_, nth) => [
    { id: `series${nth}`, summary: `Series ${nth}`, ...times(nth), recurrence: ['RRULE:FREQ=DAILY;COUNT=20'] },
    { recurringEventId: `series${nth}`, originalStartTime: times(nth + 3).start, ...times(nth + 4), summary: 'Moved' },
    { recurringEventId: `series${nth}`, originalStartTime: times(nth + 5).start, status: 'cancelled' as const },
  ])
  return {
    accounts: [{ email: ALICE, timeZone: 'Europe/Berlin' }],
    calendars: [{ id: ALICE, events: [...single, ...series.flat()] }],
  }
}

test('ten thousand events come back the same from a service that fails in every way on the way', async () => {
  const there = worldOf(large())
  const fails = ['rateLimitExceeded429', 'rateLimitExceeded', 'userRateLimitExceeded', 'backendError503'] as const
  there.fake.faults.add({ on: '*', do: fails.map((fail) => ({ fail })) })
  there.fake.faults.add({
    on: 'events.list',
    skip: 2,
    do: [{ fail: 'backendError503' }, { reset: true }, { truncate: 2000 }],
  })
  const { seed, left, waits, lines } = await captured(there.fake, [ALICE])
  const back = worldOf(seed)

  expect(left).toEqual([])
  expect(waits.length).toBe(7)
  expect(lines.at(-1)).toBe(`calendar 1 of 1: ${ALICE}, 10000 events`)
  expect(await seen(back, ALICE)).toEqual(await seen(there, ALICE))
}, 60_000)

test('a span has what lies in it, and whole series: an instance that was moved out of it stays out', async () => {
  const there = worldOf({
    accounts: [{ email: ALICE }],
    calendars: [
      {
        id: ALICE,
        events: [
          { id: 'before', summary: 'Before', ...allDay('2026-01-01', '2026-01-02') },
          { id: 'inside', summary: 'Inside', ...allDay('2026-02-03', '2026-02-04') },
          { id: 'series', ...allDay('2026-01-05', '2026-01-06'), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=20'] },
          {
            recurringEventId: 'series',
            originalStartTime: { date: '2026-02-09' },
            ...allDay('2026-06-06', '2026-06-07'),
          },
        ],
      },
    ],
  })
  const span = { from: '2026-02-01T00:00:00Z', to: '2026-02-20T00:00:00Z' }
  const { seed } = await captured(there.fake, [ALICE], span)
  const path = `/calendars/primary/events?singleEvents=true&timeMin=${span.from}&timeMax=${span.to}`
  const starts = async (world: typeof there) =>
    (await world.as(ALICE).get(path)).body.items.map(({ start }: { start: { date: string } }) => start.date).sort()

  expect(seed.calendars?.[0]?.events?.map(({ id }) => id)).toEqual(['inside', 'series', 'series_20260209'])
  expect(await starts(worldOf(seed))).toEqual(await starts(there))
  expect(await starts(there)).toEqual(['2026-02-02', '2026-02-03', '2026-02-16'])
})

test('a guest of a single instance has it as an event of its own', async () => {
  const there = openCalendar()
  const series = { ...allDay('2026-03-02', '2026-03-03'), recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
  const { body } = await there.as(ALICE).post('/calendars/primary/events', series)
  const guest = { attendees: [{ email: BOB }] }
  expect((await there.as(ALICE).patch(`/calendars/primary/events/${body.id}_20260303`, guest)).status).toBe(200)
  const { seed, left } = await captured(there.fake, [BOB])

  expect(left).toEqual([])
  expect((await worldOf(seed).as(BOB).get('/calendars/primary/events')).body.items).toMatchObject([
    { id: `${body.id}_20260303`, organizer: { email: ALICE }, start: { date: '2026-03-03' } },
  ])
})

test.each([
  [
    'a token that is none',
    () => [new Response('{"error":{"code":401,"message":"Invalid Credentials"}}', { status: 401 })],
    '--token: the token is not accepted (401: Invalid Credentials)',
  ],
  [
    'a page of something else',
    () => [new Response('<html>', { status: 200 })],
    `${BASE}/users/me/calendarList/primary? answers something else than JSON: is this where the service is?`,
  ],
  [
    'a scope that is not enough',
    () => [
      new Response(
        '{"error":{"code":403,"errors":[{"reason":"insufficientPermissions"}],"message":"Request had insufficient authentication scopes."}}',
        { status: 403 },
      ),
    ],
    `${BASE}/users/me/calendarList/primary: 403 insufficientPermissions: Request had insufficient authentication scopes.`,
  ],
])('%s is one line', async (_, answers, said) => {
  const [answer] = answers()
  const service = openService(async () => (answer as Response).clone(), BASE, 'token')

  await expect(capture({ services: [service], calendars: [], say: () => undefined })).rejects.toThrow(
    new CaptureError(said),
  )
})

test('a calendar that is not on the list is one line, with those that are', async () => {
  await expect(captured(openCalendar().fake, [ALICE], { calendars: ['nobody@example.com'] })).rejects.toThrow(
    `--calendar: there is no calendar nobody@example.com (only ${ALICE})`,
  )
})
