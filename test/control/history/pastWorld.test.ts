import { expect, test } from 'vitest'
import type { FakeWorld } from '../../../src/index.ts'
import { ALICE, at, BOB, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LIST = `${EVENTS}?singleEvents=true&orderBy=startTime`

/** Returns the lists of an account after each of its writes, the first before all. */
async function readPast(fake: FakeWorld, account: string, path: string): Promise<unknown[]> {
  const revisions = [0, ...fake.changes().map(({ revision }) => revision)]
  const replies = revisions.map((until) =>
    fake.request(`/calendar/v3${path}`, {
      headers: {
        Authorization: `Bearer ${account}`,
        'X-Fake-Calendar-Inspector': '1',
        'X-Fake-Calendar-Until': String(until),
      },
    }),
  )
  return Promise.all((await Promise.all(replies)).map((reply) => reply.json()))
}

const titles = ({ items }: { items: { summary?: string; location?: string; start: { dateTime?: string } }[] }) =>
  items.map(({ summary, location, start }) => `${start.dateTime?.slice(8, 13)} ${summary} ${location ?? ''}`.trim())

test('a read of the inspector shows the events as they were after each write', async () => {
  const { fake, as } = openCalendar({ now: '2026-03-02T09:00:00Z' })
  const alice = as(ALICE)
  const series = { id: 'standup', summary: 'Standup', recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  expect((await alice.post(EVENTS, { id: 'lunch', summary: 'Lunch', ...hour('2026-03-02', 12) })).status).toBe(200)
  expect((await alice.patch(`${EVENTS}/lunch`, { location: 'Room 1' })).status).toBe(200)
  expect((await alice.post(EVENTS, { ...series, ...hour('2026-03-03', 9) })).status).toBe(200)
  expect((await alice.patch(`${EVENTS}/standup_20260304T140000Z`, { summary: 'Retro' })).status).toBe(200)
  expect((await alice.patch(`${EVENTS}/standup`, { start: at('2026-03-03T10:00:00-05:00') })).status).toBe(200)
  expect((await alice.delete(`${EVENTS}/lunch`)).status).toBe(204)
  const state = JSON.stringify(fake.state())

  const past = (await readPast(fake, ALICE, LIST)) as Parameters<typeof titles>[0][]
  const shown = past.map(titles)
  expect(shown.slice(0, 5)).toEqual([
    [],
    ['02T12 Lunch'],
    ['02T12 Lunch Room 1'],
    ['02T12 Lunch Room 1', '03T09 Standup', '04T09 Standup'],
    ['02T12 Lunch Room 1', '03T09 Standup', '04T09 Retro'],
  ])
  expect(shown.at(-1)).toEqual(titles((await alice.get(LIST)).body))
  expect(JSON.stringify(fake.state())).toBe(state)
})

test('a read of the inspector shows the calendars and the copies of guests as they were', async () => {
  const { fake, as } = openCalendar()
  expect((await as(ALICE).post('/calendars', { summary: 'Team' })).status).toBe(200)
  const lunch = { id: 'lunch', summary: 'Lunch', attendees: [{ email: BOB }], ...hour('2026-03-02', 12) }
  expect((await as(ALICE).post(EVENTS, lunch)).status).toBe(200)
  const summaries = (list: unknown) => (list as { items: { summary: string }[] }).items.map(({ summary }) => summary)

  const lists = (await readPast(fake, ALICE, '/users/me/calendarList')).map(summaries)
  expect(lists[0]).toEqual([ALICE])
  expect(lists.at(-1)).toEqual([ALICE, 'Team'])
  const copies = (await readPast(fake, BOB, EVENTS)).map(summaries)
  expect([copies[0], copies.at(-1)]).toEqual([[], ['Lunch']])
})

test('a past world begins with the state of its fork, also after its clock was set back', async () => {
  const { fake, as } = openCalendar()
  expect((await as(ALICE).post(EVENTS, { id: 'lunch', summary: 'Lunch', ...hour('2026-03-02', 12) })).status).toBe(200)
  const fork = fake.fork(fake.snapshot(), 'blue')
  fork.clock.freeze('2020-03-02T09:00:00Z')
  expect((await as(`blue~${ALICE}`).patch(`${EVENTS}/lunch`, { summary: 'Brunch' })).status).toBe(200)

  const past = (await readPast(fork, ALICE, LIST)) as Parameters<typeof titles>[0][]
  expect(past.map(titles)).toEqual([['02T12 Lunch'], ['02T12 Lunch'], ['02T12 Brunch']])
})

test('a request of a program ignores the header', async () => {
  const { fake, as } = openCalendar()
  expect((await as(ALICE).post(EVENTS, { summary: 'Lunch', ...hour('2026-03-02', 12) })).status).toBe(200)
  const { body } = await as(ALICE).get(EVENTS, undefined, { 'X-Fake-Calendar-Until': '0' })

  expect(body.items).toHaveLength(1)
  expect(fake.calls()).toHaveLength(2)
})
