import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { summary: 'Lunch', ...hour('2026-03-09', 12), attendees: [{ email: BOB }] }

async function lunch() {
  const { fake, as, anonymous } = openCalendar()
  const { body } = await as(ALICE).post(EVENTS, LUNCH)
  return { fake, as, anonymous, id: body.id as string }
}

test('each change has its fields, its author and its call', async () => {
  const { fake, as, id } = await lunch()
  fake.clock.advance('1m')
  const since = fake.changes().at(-1)?.revision
  await as(BOB).patch(`${EVENTS}/${id}`, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })

  const answer = { [`attendees[${BOB}].responseStatus`]: ['needsAction', 'accepted'] }
  const change = {
    at: '2026-03-01T12:01:00.000Z',
    change: 'changed',
    kind: 'event',
    id,
    title: 'Lunch',
    fields: answer,
  }
  const found = fake.changes({ since })
  expect(found).toEqual([
    { ...change, revision: expect.any(Number), account: ALICE, calendarId: ALICE, by: BOB, call: expect.any(Number) },
    { ...change, revision: expect.any(Number), account: BOB, calendarId: BOB, by: BOB, call: found[0]?.call },
  ])
  expect(found[0]?.call).toBeGreaterThan(fake.changes()[0]?.call ?? Number.NaN)
})

test('the history of a record lists its writes in order', async () => {
  const { fake, as, id } = await lunch()
  await as(ALICE).patch(`${EVENTS}/${id}`, { location: 'Room 1' })
  await as(ALICE).patch(`${EVENTS}/${id}`, { location: 'Room 2' })
  await as(ALICE).post(EVENTS, LUNCH)
  await as(ALICE).delete(`${EVENTS}/${id}`)

  const history = fake.changes({ calendarId: ALICE, id })
  expect(history.map(({ change, fields }) => [change, fields.location])).toEqual([
    ['added', undefined],
    ['changed', [null, 'Room 1']],
    ['changed', ['Room 1', 'Room 2']],
    ['deleted', ['Room 2', null]],
  ])
})

test.each([
  { account: 'Bob@Example.com' },
  { by: 'ALICE@example.com', account: BOB },
  { calendarId: 'BOB@example.com' },
  { calendarId: 'primary', account: 'BOB@example.com' },
] as Record<string, string>[])('a filter reads addresses like the filter of calls: %j', async (filter) => {
  const { fake, anonymous } = await lunch()
  const found = fake.changes({ kind: 'event', ...filter })

  expect(found).toMatchObject([{ account: BOB, calendarId: BOB, by: ALICE }])
  const waiting = fake.changes({ kind: 'event', wait: '1s', since: (found[0]?.revision ?? 0) - 1, ...filter })
  expect(await waiting).toEqual(found)
  const query = new URLSearchParams({ kind: 'event', ...filter })
  expect((await anonymous.get(`/_control/changes?${query}`)).body.changes).toEqual(found)
})

test('due tasks have the author clock, operations of a test the author control', async () => {
  const { fake, as } = openCalendar()
  fake.conferences.policy({ delay: '5s' })
  const createRequest = { requestId: 'one', conferenceSolutionKey: { type: 'hangoutsMeet' } }
  await as(ALICE).post(`${EVENTS}?conferenceDataVersion=1`, {
    ...hour('2026-03-09', 12),
    conferenceData: { createRequest },
  })
  fake.clock.advance('5s')
  fake.seed({ calendars: [{ id: 'team', owner: ALICE, summary: 'Team' }] })

  expect(fake.changes({ kind: 'event' }).map(({ by }) => by)).toEqual([ALICE, 'clock'])
  expect(fake.changes({ kind: 'calendar' })).toMatchObject([{ change: 'added', title: 'Team', by: 'control' }])
  expect(fake.changes({ by: 'control' }).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['calendar', 'acl']))
})

test('a rollback removes the history of its writes', async () => {
  const { fake, as, id } = await lunch()
  const before = fake.changes()
  const calls = await as(ALICE).patch(`${EVENTS}/${id}`, { start: { dateTime: '2026-03-12T00:00:00Z' } })
  expect(calls.status).toBe(400)
  expect(() => fake.seed({ calendars: [{ id: 'x', owner: 'nobody@nowhere' }] } as never)).toThrow()
  expect(fake.changes()).toEqual(before)
})

test('a wait ends with the next write, or with the time-out', async () => {
  const { fake, as, anonymous } = await lunch()
  const since = fake.changes().at(-1)?.revision ?? 0
  const waiting = fake.changes({ since, wait: '30s', kind: 'event' })
  const over = anonymous.get(`/_control/changes?since=${since}&wait=30s`)
  await as(ALICE).post('/calendars', { summary: 'Team' })
  await as(ALICE).post(EVENTS, { ...LUNCH, summary: 'Dinner' })

  expect((await waiting)[0]).toMatchObject({ kind: 'event', title: 'Dinner', by: ALICE })
  expect((await over).body.changes[0]).toMatchObject({ kind: 'calendar', title: 'Team' })
  expect((await fake.changes({ since, wait: '1s' })).length).toBeGreaterThan(3)
  expect(await fake.changes({ since: fake.changes().at(-1)?.revision, wait: 0 })).toEqual([])
  expect(await fake.changes({ since: fake.changes().at(-1)?.revision, wait: 1 })).toEqual([])
  expect(() => fake.changes({ wait: '2m' })).toThrow('at most 60s')
  expect(errorOf(await anonymous.get('/_control/changes?wait=soon'))).toMatchObject({ status: 400 })
})

test('a wait finds the first write after a reset of a frozen world', async () => {
  const { fake, as } = openCalendar()
  for (const hours of [12, 13]) await as(ALICE).post(EVENTS, { summary: 'Lunch', ...hour('2026-03-09', hours) })
  const since = fake.changes().at(-1)?.revision
  const waiting = fake.changes({ since, wait: '30s', kind: 'event' })
  fake.reset()
  await as(ALICE).post(EVENTS, { summary: 'Dinner', ...hour('2026-03-09', 19) })

  expect(await waiting).toMatchObject([{ kind: 'event', title: 'Dinner' }])
})

test('the history keeps the last 10,000 writes and counts the dropped ones', async () => {
  const { fake, anonymous } = openCalendar()
  const seed = (count: number, from: number) => ({
    calendars: [
      {
        id: ALICE,
        events: Array.from({ length: count }, (_, at) => ({
          id: `event${from + at}`,
          summary: 'Lunch',
          ...hour('2026-03-09', 12),
        })),
      },
    ],
  })
  fake.seed(seed(100, 0))
  const early = fake.changes({ kind: 'event' })[0]?.revision ?? 0
  expect(fake.changes().dropped).toBe(0)
  fake.seed(seed(10_300, 100))

  const found = fake.changes()
  expect(found.length + found.dropped).toBeGreaterThanOrEqual(10_400)
  expect(found.length).toBeGreaterThan(9900)
  expect(found.length).toBeLessThan(10_500)
  expect(() => fake.diff(early)).toThrow('were dropped')
  expect(() => fake.changes({ since: early })).toThrow('were dropped')
  expect(errorOf(await anonymous.get(`/_control/diff?since=${early}`))).toMatchObject({ status: 400 })
  expect(fake.diff()).toHaveLength(10_400)
})
