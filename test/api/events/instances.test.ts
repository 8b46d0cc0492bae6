import { expect, test } from 'vitest'
import { ALICE, allDay, at, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'

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

test('4.1.1, 4.1.2, 4.1.3, 4.1.6 an instance has its master’s text, etag and iCalUID, and its own id, link and times', async () => {
  const { alice, master } = await withSeries()

  const { body } = await alice.get(`${EVENTS}/stand0/instances`)

  expect(ids({ body })).toEqual(IDS)
  const { recurrence: _, ...inherited } = master
  expect(body.items[1]).toEqual({
    ...inherited,
    id: IDS[1],
    htmlLink: `https://www.google.com/calendar/event?eid=${Buffer.from(`${IDS[1]} ${ALICE}`).toString('base64').replace(/=/g, '')}`,
    start: { dateTime: '2026-03-09T09:00:00-04:00', timeZone: 'America/New_York' },
    end: { dateTime: '2026-03-09T10:00:00-04:00', timeZone: 'America/New_York' },
    recurringEventId: 'stand0',
    originalStartTime: { dateTime: '2026-03-09T09:00:00-04:00', timeZone: 'America/New_York' },
  })
  expect(Object.keys(body.items[1])).toEqual([
    'kind', 'etag', 'id', 'status', 'htmlLink', 'created', 'updated', 'summary', 'creator', 'organizer', 'start', 'end',
    'recurringEventId', 'originalStartTime', 'iCalUID', 'sequence', 'reminders', 'eventType',
  ]) // biome-ignore format: a row of fields
  expect(body).toHaveProperty('nextSyncToken')
})

test('3.2.5 the link of a series is the link of its first instance', async () => {
  const { master } = await withSeries()
  const eid = new URL(master.htmlLink).searchParams.get('eid') ?? ''
  expect(Buffer.from(eid, 'base64').toString()).toBe(`${IDS[0]} ${ALICE}`)
})

test('4.1.2 the instances of an all-day series have dates as ids', async () => {
  const { alice } = await withSeries({
    id: 'uatch0',
    ...allDay('2026-03-07', '2026-03-09'),
    recurrence: ['RRULE:FREQ=DAILY;INTERVAL=7;COUNT=2'],
  })
  const { body } = await alice.get(`${EVENTS}/uatch0/instances?timeZone=Pacific/Apia`)
  expect(body.items).toMatchObject([
    {
      id: 'uatch0_20260307',
      start: { date: '2026-03-07' },
      end: { date: '2026-03-09' },
      originalStartTime: { date: '2026-03-07' },
    },
    { id: 'uatch0_20260314', start: { date: '2026-03-14' }, end: { date: '2026-03-16' } },
  ])
  const found = await alice.get(`${EVENTS}/uatch0/instances?originalStart=2026-03-14T00:00:00Z`)
  expect(ids(found)).toEqual(['uatch0_20260314'])
})

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

test('4.1.4, 4.5.2 a moved instance keeps its id and original start, and is listed at its new time', async () => {
  const { alice, master } = await withSeries()
  const { body } = await alice.patch(`${EVENTS}/${IDS[1]}`, hour('2026-03-30', 11))
  expect(body).toMatchObject({
    id: IDS[1],
    recurringEventId: 'stand0',
    start: at('2026-03-30T11:00:00-04:00'),
    originalStartTime: at('2026-03-09T09:00:00-04:00'),
    sequence: 1,
    iCalUID: master.iCalUID,
    updated: '2026-03-01T12:01:00.000Z',
  })
  expect(body.etag).not.toBe(master.etag)
  expect((await alice.get(`${EVENTS}/stand0`)).body).toEqual({ ...master, etag: body.etag, updated: body.updated })
  expect(ids(await alice.get(`${EVENTS}/stand0/instances`))).toEqual([IDS[0], IDS[2], IDS[3], IDS[1]])
  expect(ids(await alice.get(`${EVENTS}/stand0/instances?originalStart=2026-03-09T13:00:00Z`))).toEqual([IDS[1]])
})

test('4.4 cancelled instances are listed with showDeleted only', async () => {
  const { alice } = await withSeries()
  expect((await alice.delete(`${EVENTS}/${IDS[1]}`)).status).toBe(204)
  expect(ids(await alice.get(`${EVENTS}/stand0/instances`))).toEqual([IDS[0], IDS[2], IDS[3]])
  const { body } = await alice.get(`${EVENTS}/stand0/instances?showDeleted=true`)
  expect(body.items[1]).toMatchObject({ id: IDS[1], status: 'cancelled', summary: 'Stand-up' })
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

test('2.2.4, 4.5.3 a second deletion of an instance is refused', async () => {
  const { alice } = await withSeries()
  await alice.delete(`${EVENTS}/${IDS[1]}`)
  expect(errorOf(await alice.delete(`${EVENTS}/${IDS[1]}`))).toMatchObject({ status: 410, reason: 'deleted' })
  expect((await alice.get(`${EVENTS}/${IDS[1]}`)).body).toMatchObject({ status: 'cancelled', summary: 'Stand-up' })
})

test('4.5.3, 4.5.4 a cancelled instance is restored by its status, complete or with new times', async () => {
  const { alice } = await withSeries()
  await alice.patch(`${EVENTS}/${IDS[1]}`, { status: 'cancelled' })
  expect((await alice.patch(`${EVENTS}/${IDS[1]}`, { status: 'confirmed' })).body).toMatchObject({
    status: 'confirmed',
    start: at('2026-03-09T09:00:00-04:00'),
  })
  await alice.delete(`${EVENTS}/${IDS[1]}`)
  const { body } = await alice.patch(`${EVENTS}/${IDS[1]}`, { status: 'confirmed', ...hour('2026-03-10', 9) })
  expect(body.start).toEqual(at('2026-03-10T09:00:00-04:00'))
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
