import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
/** Mondays at nine in New York, over the change of clocks on 8 March. */
const standup = { summary: 'Stand-up', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'] }
const SLOTS = ['20260302T140000Z', '20260309T130000Z', '20260316T130000Z', '20260323T130000Z']
const IDS = SLOTS.map((slot) => `stand0_${slot}`)
const SERIES = { ...standup, id: 'stand0' }

const ids = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)

async function withSeries(series: object = SERIES) {
  const { as, fake } = openCalendar()
  const { body: master, status } = await as(ALICE).post(EVENTS, series)
  if (status !== 200) throw new Error(JSON.stringify(master))
  fake.clock.advance('1m')
  return { alice: as(ALICE), as, fake, master }
}

const QUERIES: [query: string, found: string[]][] = [
  ['timeMin=2026-03-09T14:00:01Z', IDS.slice(2)],
  ['timeMin=2026-03-09T14:00:00Z', IDS.slice(1)],
  ['timeMin=2026-03-09T13:59:59Z', IDS.slice(1)],
  ['timeMax=2026-03-09T13:00:00Z', IDS.slice(0, 1)],
  ['timeMax=2026-03-09T13:00:01Z', IDS.slice(0, 2)],
  ['originalStart=2026-03-09T13:00:00Z', IDS.slice(1, 2)],
  ['originalStart=2026-03-09T09:00:00-04:00', IDS.slice(1, 2)],
  ['originalStart=2026-03-10T13:00:00Z', []],
  ['maxResults=9999', IDS],
] // biome-ignore format: a table

test.each(QUERIES)('4.4, 4.4.1 instances with %s', async (query, found) => {
  const { alice } = await withSeries()
  expect(ids(await alice.get(`${EVENTS}/stand0/instances?${query.replaceAll('+', '%2B')}`))).toEqual(found)
})

test.each(['2026', '2026-03', '2026-03-09', '2026-02-30', '09:00'])(
  '4.4 originalStart=%s is refused because it is no timestamp',
  async (text) => {
    const { alice } = await withSeries()
    const reply = await alice.get(`${EVENTS}/stand0/instances?originalStart=${text}`)
    expect(errorOf(reply)).toMatchObject({ status: 400, reason: 'badRequest' })
  },
)

test('writes between pages do not change the pages of instances', async () => {
  const { alice } = await withSeries()
  const first = await alice.get(`${EVENTS}/stand0/instances?maxResults=3`)
  await alice.delete(`${EVENTS}/${IDS[0]}`)
  await alice.patch(`${EVENTS}/${IDS[3]}`, hour('2026-03-01', 8))
  const last = await alice.get(`${EVENTS}/stand0/instances?maxResults=3&pageToken=${first.body.nextPageToken}`)
  expect([...ids(first), ...ids(last)]).toEqual(IDS)
})

test('14.29 instances of a deleted series are listed with showDeleted only', async () => {
  const { alice } = await withSeries()
  await alice.delete(`${EVENTS}/stand0`)
  expect(ids(await alice.get(`${EVENTS}/stand0/instances`))).toEqual([])
  const { body } = await alice.get(`${EVENTS}/stand0/instances?showDeleted=true`)
  expect(body.items.map(({ status }: { status: string }) => status)).toEqual(Array(4).fill('cancelled'))
})

test('4.9 a series without an end is expanded for two years', async () => {
  const { alice } = await withSeries({ ...SERIES, recurrence: ['RRULE:FREQ=DAILY'] })
  const first = await alice.get(`${EVENTS}/stand0/instances?maxResults=700`)
  const last = await alice.get(`${EVENTS}/stand0/instances?maxResults=700&pageToken=${first.body.nextPageToken}`)
  expect([first.body.items.length, last.body.items.length]).toEqual([700, 31])
  expect(last.body).not.toHaveProperty('nextPageToken')
})

test.each([
  'stand0_20260302T140001Z',
  'stand0_20260303T140000Z',
  'stand0_20260302t140000z',
  'stand0_20260302',
  'stand0_20260230T140000Z',
  'stand0_',
  'nothing_20260302T140000Z',
])('4.1.2, 4.5.1 %s is not an instance', async (id) => {
  const { alice } = await withSeries()
  for (const reply of [
    await alice.get(`${EVENTS}/${id}`),
    await alice.patch(`${EVENTS}/${id}`, {}),
    await alice.delete(`${EVENTS}/${id}`),
  ]) {
    expect(errorOf(reply)).toEqual({ status: 404, domain: 'global', reason: 'notFound', message: 'Not Found' })
  }
})

test('2.2.3, 14.4 an instance cannot have its own recurrence', async () => {
  const { alice } = await withSeries()
  for (const reply of [
    await alice.patch(`${EVENTS}/${IDS[1]}`, { recurrence: ['RRULE:FREQ=DAILY'] }),
    await alice.patch(`${EVENTS}/${IDS[1]}`, { recurrence: null }),
    await alice.patch(`${EVENTS}/${IDS[1]}`, { recurrence: [] }),
    await alice.put(`${EVENTS}/${IDS[1]}`, { ...hour('2026-03-09', 9), recurrence: ['RRULE:FREQ=DAILY'] }),
    await alice.put(`${EVENTS}/${IDS[1]}`, { ...hour('2026-03-09', 9), recurrence: null }),
  ]) {
    expect(errorOf(reply)).toEqual({
      status: 400,
      domain: 'global',
      reason: 'invalid',
      message: 'Invalid recurrence rule.',
    })
  }
})

test('a PUT of an unchanged instance changes nothing', async () => {
  const { alice, master } = await withSeries()
  const { body } = await alice.get(`${EVENTS}/${IDS[1]}`)
  expect((await alice.put(`${EVENTS}/${IDS[1]}`, body)).body).toEqual(body)
  expect((await alice.get(EVENTS)).body.items).toEqual([master])
})

test('the etag of an unchanged instance is its master’s, and If-Match compares it', async () => {
  const { alice, master } = await withSeries()
  expect((await alice.patch(`${EVENTS}/${IDS[1]}`, { summary: 'x' }, { 'If-Match': '"1"' })).status).toBe(412)
  const { body } = await alice.patch(`${EVENTS}/${IDS[1]}`, { summary: 'Long' }, { 'If-Match': master.etag })
  expect((await alice.delete(`${EVENTS}/${IDS[1]}`, undefined, { 'If-Match': master.etag })).status).toBe(412)
  expect((await alice.delete(`${EVENTS}/${IDS[1]}`, undefined, { 'If-Match': body.etag })).status).toBe(204)
})

test('4.5.2 an instance made private makes the series private, and one made public does not', async () => {
  const { alice, as } = await withSeries()
  await alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: BOB } })
  await alice.patch(`${EVENTS}/${IDS[1]}`, { visibility: 'private' })
  const { body } = await as(BOB).get(`/calendars/${ALICE}/events?singleEvents=true`)
  expect(body.items.map(({ summary }: { summary?: string }) => summary)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  expect((await alice.patch(`${EVENTS}/${IDS[2]}`, { visibility: 'public' })).body.visibility).toBe('private')
})

test('7.6 a free/busy reader gets the times of instances without details', async () => {
  const { alice, as } = await withSeries()
  await alice.post('/calendars/primary/acl', { role: 'freeBusyReader', scope: { type: 'user', value: BOB } })
  const { body, text } = await as(BOB).get(`/calendars/${ALICE}/events/stand0/instances`)
  expect(Object.keys(body.items[0])).toEqual([
    'kind', 'etag', 'id', 'status', 'htmlLink', 'updated', 'start', 'end', 'recurringEventId', 'originalStartTime', 'visibility', 'iCalUID',
  ]) // biome-ignore format: a row of fields
  expect(text).not.toContain('Stand-up')
})

test('4.4, 5.6 the last page of instances has a sync token', async () => {
  const { alice } = await withSeries()
  const first = await alice.get(`${EVENTS}/stand0/instances?maxResults=3`)
  const last = await alice.get(`${EVENTS}/stand0/instances?maxResults=3&pageToken=${first.body.nextPageToken}`)
  expect(first.body).not.toHaveProperty('nextSyncToken')
  expect(last.body.nextSyncToken).toMatch(/=$/)
})
