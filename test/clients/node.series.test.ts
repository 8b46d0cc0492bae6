import { afterAll, beforeAll, expect } from 'vitest'
import { type Client, idsOf, itemsOf, openTeam, requireText, scenario } from '../support/team.ts'

/** A weekly stand-up over a clock change, followed by a second client that only syncs. */
const ALICE = 'alice@example.com'
let open: Awaited<ReturnType<typeof openTeam>>
let alice: Client

beforeAll(async () => {
  open = await openTeam({ seed: { accounts: [{ email: ALICE, timeZone: 'America/New_York' }] } })
  alice = open.as(ALICE)
})
afterAll(() => open.close())

const step = scenario()
const newYork = (dateTime: string) => ({ dateTime, timeZone: 'America/New_York' })
const SLOTS = ['20260302T140000Z', '20260309T130000Z', '20260316T130000Z', '20260323T130000Z', '20260330T130000Z']
const [FIRST, SECOND, THIRD, FOURTH, FIFTH] = SLOTS.map((slot) => `standup0_${slot}`) as [
  string,
  string,
  string,
  string,
  string,
]
const calendarId = 'primary'
const STANDUP = 'standup0'

/** The content of a mirror after each sync: masters, changed instances and cancelled instances. */
const mirror = new Map<string, string>()
let syncToken: string

async function sync() {
  const { data } = await alice.events.list({ calendarId, syncToken })
  syncToken = requireText(data.nextSyncToken)
  for (const { id, status, summary } of data.items ?? [])
    mirror.set(requireText(id), status === 'cancelled' ? 'cancelled' : requireText(summary))
  return data.items?.map(({ id }) => id)
}

step('a mirror begins with a full list of nothing', async () => {
  const { data } = await alice.events.list({ calendarId })
  syncToken = requireText(data.nextSyncToken)
  expect(data.items).toEqual([])
})

step('4.8, 13.10 a weekly stand-up keeps its hour over the change of clocks', async () => {
  const { data } = await alice.events.insert({
    calendarId,
    requestBody: {
      id: STANDUP,
      summary: 'Stand-up',
      start: newYork('2026-03-02T09:00:00'),
      end: newYork('2026-03-02T09:15:00'),
      recurrence: ['RRULE:FREQ=WEEKLY'],
    },
  })
  expect(data.recurrence).toEqual(['RRULE:FREQ=WEEKLY'])
  const list = await alice.events.list({
    calendarId,
    singleEvents: true,
    orderBy: 'startTime',
    timeMax: '2026-04-01T00:00:00Z',
  })
  expect(idsOf(list)).toEqual([FIRST, SECOND, THIRD, FOURTH, FIFTH])
  expect(itemsOf(list).map(({ start }) => start?.dateTime)).toEqual([
    '2026-03-02T09:00:00-05:00',
    '2026-03-09T09:00:00-04:00',
    '2026-03-16T09:00:00-04:00',
    '2026-03-23T09:00:00-04:00',
    '2026-03-30T09:00:00-04:00',
  ])
  expect(await sync()).toEqual([STANDUP])
})

step('one instance is moved to the next day', async () => {
  const { data } = await alice.events.patch({
    calendarId,
    eventId: SECOND,
    requestBody: { start: newYork('2026-03-10T10:00:00'), end: newYork('2026-03-10T10:15:00') },
  })
  expect(data).toMatchObject({
    recurringEventId: STANDUP,
    originalStartTime: newYork('2026-03-09T09:00:00-04:00'),
    sequence: 1,
  })
})

step('one is cancelled', async () => {
  expect((await alice.events.delete({ calendarId, eventId: THIRD })).status).toBe(204)
})

step('a sync tells of both, the cancelled one by its slot', async () => {
  const before = syncToken
  expect(await sync()).toEqual([STANDUP, SECOND, THIRD])
  const { data } = await alice.events.list({ calendarId, syncToken: before })
  expect(data.items?.[2]).toEqual({
    kind: 'calendar#event',
    etag: expect.any(String),
    id: THIRD,
    status: 'cancelled',
    recurringEventId: STANDUP,
    originalStartTime: newYork('2026-03-16T09:00:00-04:00'),
  })
})

step('from the fourth on it is another series: the first is trimmed', async () => {
  const { data } = await alice.events.get({ calendarId, eventId: STANDUP })
  await alice.events.update({
    calendarId,
    eventId: STANDUP,
    requestBody: { ...data, recurrence: ['RRULE:FREQ=WEEKLY;UNTIL=20260323T125959Z'] },
  })
  expect(idsOf(await alice.events.instances({ calendarId, eventId: STANDUP }))).toEqual([FIRST, SECOND])
})

step('and the second begins', async () => {
  await alice.events.insert({
    calendarId,
    requestBody: {
      id: 'standup1',
      summary: 'Later stand-up',
      start: newYork('2026-03-23T11:00:00'),
      end: newYork('2026-03-23T11:15:00'),
      recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
    },
  })
  const list = await alice.events.list({
    calendarId,
    singleEvents: true,
    orderBy: 'startTime',
    timeMax: '2026-05-01T00:00:00Z',
  })
  expect(idsOf(list)).toEqual([FIRST, SECOND, 'standup1_20260323T150000Z', 'standup1_20260330T150000Z'])
})

step('the mirror has it all from its syncs', async () => {
  expect(await sync()).toEqual([STANDUP, SECOND, THIRD, 'standup1'])
  expect(Object.fromEntries(mirror)).toEqual({
    [STANDUP]: 'Stand-up',
    [SECOND]: 'Stand-up',
    [THIRD]: 'cancelled',
    standup1: 'Later stand-up',
  })
  expect(await sync()).toEqual([])
})

step('5.11 the series is deleted, and one item says so', async () => {
  await alice.events.delete({ calendarId, eventId: STANDUP })
  expect(await sync()).toEqual([STANDUP])
  expect(idsOf(await alice.events.list({ calendarId }))).toEqual(['standup1'])
})
