import { expect, test } from 'vitest'
import { ALICE, allDay, at, CAROL, type Client, hour, openCalendar } from '../../support/calendar.ts'

/** Changes since a sync token in lists with `singleEvents`. */
const EVENTS = '/calendars/primary/events'
const DAILY = 'RRULE:FREQ=DAILY;COUNT=3'
type Item = { id: string; status: string }

async function page(client: Client, query: string): Promise<{ items: Item[]; next?: string; token?: string }> {
  const { status, body } = await client.get(`${EVENTS}?singleEvents=true&${query}`)
  expect(status).toBe(200)
  return { items: body.items, next: body.nextPageToken, token: body.nextSyncToken }
}

/** All that a sync token leads to: at once, and the same by pages of one. */
async function changed(client: Client, token: string | undefined): Promise<string[]> {
  const query = `syncToken=${encodeURIComponent(token ?? '')}`
  const { items } = await page(client, query)
  const one: Item[] = []
  for (let more = ''; ; ) {
    const {
      items: [item, ...none],
      next,
    } = await page(client, `${query}&maxResults=1${more}`)
    expect(none).toEqual([])
    if (item) one.push(item)
    if (next === undefined) break
    more = `&pageToken=${encodeURIComponent(next)}`
  }
  expect(one).toEqual(items)
  return items.map(({ id, status }) => (status === 'cancelled' ? `-${id}` : id))
}

async function opened(event: object, person = ALICE) {
  const { as, fake } = openCalendar()
  const client = as(person)
  const { status, body } = await client.post(EVENTS, { id: 'meet00', summary: 'Meeting', ...event })
  if (status !== 200) throw new Error(JSON.stringify(body))
  fake.clock.advance('1m')
  const { token } = await page(client, '')
  return { client, token, fake }
}
const patch = async (client: Client, body: object, id = 'meet00') =>
  expect((await client.patch(`${EVENTS}/${id}`, body)).status).toBe(200)

test('5.11 a sync returns an event that became a series as cancelled, and its instances', async () => {
  const { client, token } = await opened(hour('2026-03-02', 9))
  await patch(client, { recurrence: [DAILY] })
  expect(await changed(client, token)).toEqual([
    '-meet00',
    'meet00_20260302T140000Z',
    'meet00_20260303T140000Z',
    'meet00_20260304T140000Z',
  ])
})

test('5.11 a sync returns the instances of a series that became one event as cancelled', async () => {
  const { client, token } = await opened({ ...hour('2026-03-02', 9), recurrence: [DAILY] })
  await patch(client, { recurrence: null })
  expect(await changed(client, token)).toEqual([
    'meet00',
    '-meet00_20260302T140000Z',
    '-meet00_20260303T140000Z',
    '-meet00_20260304T140000Z',
  ])
})

test('5.11 a sync returns the instances that a changed rule no longer has as cancelled', async () => {
  const { client, token } = await opened({ ...hour('2026-03-02', 9), recurrence: [DAILY] })
  await patch(client, { recurrence: ['RRULE:FREQ=DAILY;INTERVAL=2;COUNT=3'] })
  expect(await changed(client, token)).toEqual([
    'meet00_20260302T140000Z',
    'meet00_20260304T140000Z',
    'meet00_20260306T140000Z',
    '-meet00_20260303T140000Z',
  ])
})

test('4.1.2, 5.11 a sync returns the timed instances of a series that became all-day as cancelled, though it begins at the same midnights', async () => {
  const midnight = { start: at('2026-03-02T00:00:00Z', 'UTC'), end: at('2026-03-02T01:00:00Z', 'UTC') }
  const { client, token } = await opened({ ...midnight, recurrence: [DAILY] }, CAROL)
  const none = { dateTime: null, timeZone: null }
  const { start, end } = allDay('2026-03-02', '2026-03-03')
  await patch(client, { start: { ...start, ...none }, end: { ...end, ...none } })
  expect(await changed(client, token)).toEqual([
    'meet00_20260302',
    'meet00_20260303',
    'meet00_20260304',
    '-meet00_20260302T000000Z',
    '-meet00_20260303T000000Z',
    '-meet00_20260304T000000Z',
  ])
})

test('5.11 a sync lists each instance of a changed series once, and none as cancelled', async () => {
  const { client, token, fake } = await opened({ ...hour('2026-03-02', 9), recurrence: [DAILY] })
  const all = ['meet00_20260302T140000Z', 'meet00_20260304T140000Z', 'meet00_20260303T140000Z']
  await patch(client, { location: 'Elsewhere' }, 'meet00_20260303T140000Z')
  expect(await changed(client, token)).toEqual(all)
  fake.clock.advance('1m')
  const { token: later } = await page(client, '')
  await patch(client, { colorId: '4' })
  expect(await changed(client, later)).toEqual(all)
})

/** All pages of a list of instances with deleted ones; `-` is before an id that is cancelled. */
async function withDeleted(client: Client, query = ''): Promise<string[]> {
  const found: string[] = []
  for (let more = ''; ; ) {
    const { items, next } = await page(client, `showDeleted=true&maxResults=1&${query}${more}`)
    found.push(...items.map(({ id, status }) => (status === 'cancelled' ? `-${id}` : id)))
    if (next === undefined) return found
    more = `&pageToken=${encodeURIComponent(next)}`
  }
}

test.each(['', '&orderBy=updated', '&orderBy=startTime', '&iCalUID=meet00%40google.com'])(
  '4.11 a list with deleted events%s has the instances that a trim removed, as cancelled',
  async (query) => {
    const { client } = await opened({ ...hour('2026-03-02', 9), recurrence: [DAILY] })
    await patch(client, { recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260302T235959Z'] })
    const lost = ['-meet00_20260303T140000Z', '-meet00_20260304T140000Z']
    expect(await withDeleted(client, query)).toEqual(['meet00_20260302T140000Z', ...lost])
    expect(await withDeleted(client, `timeMin=2026-03-04T00:00:00Z&timeMax=2026-03-05T00:00:00Z${query}`)).toEqual([
      '-meet00_20260304T140000Z',
    ])
    expect((await page(client, query)).items.map(({ id }) => id)).toEqual(['meet00_20260302T140000Z'])
  },
)

test('4.11 a list with deleted events has the instances that a new start removed, once, with their fields', async () => {
  const { client } = await opened({ ...hour('2026-03-02', 9), recurrence: [DAILY], location: 'Room' })
  await patch(client, { location: 'Hall', ...hour('2026-03-03', 9) })
  await patch(client, { ...hour('2026-03-03', 10), summary: 'Moved' })
  await patch(client, { status: 'cancelled' }, 'meet00_20260304T150000Z')

  const { items } = await page(client, 'showDeleted=true&orderBy=startTime')
  const shown = items as (Item & { location: string; summary: string; start: { dateTime: string } })[]
  expect(shown.map(({ id, status, location, summary }) => [id.slice(7), status, location, summary])).toEqual([
    ['20260302T140000Z', 'cancelled', 'Room', 'Meeting'],
    ['20260303T140000Z', 'cancelled', 'Hall', 'Meeting'],
    ['20260303T150000Z', 'confirmed', 'Hall', 'Moved'],
    ['20260304T140000Z', 'cancelled', 'Hall', 'Meeting'],
    ['20260304T150000Z', 'cancelled', 'Hall', 'Moved'],
    ['20260305T140000Z', 'cancelled', 'Hall', 'Meeting'],
    ['20260305T150000Z', 'confirmed', 'Hall', 'Moved'],
  ])
  const [first, , live] = shown as (Item & { etag?: string })[]
  expect(first?.etag).toBe(live?.etag)
})

test('4.11 instances that a series lost are listed for 30 days, and return with it', async () => {
  const { client, fake } = await opened({ ...hour('2026-03-02', 9), recurrence: [DAILY] })
  await patch(client, { recurrence: null })
  const instances = ['20260302', '20260303', '20260304'].map((date) => `meet00_${date}T140000Z`)
  expect(await withDeleted(client)).toEqual(['meet00', ...instances.map((id) => `-${id}`)])
  await patch(client, { recurrence: [DAILY] })
  expect(await withDeleted(client)).toEqual(instances)
  await patch(client, { recurrence: null })
  fake.clock.advance('31d')
  expect(await withDeleted(client)).toEqual(['meet00'])
})

test('5.3, 5.8 a list by iCalUID finds an event only where it lies in the window', async () => {
  const { client } = await opened({ ...hour('2026-03-02', 9), recurrence: [DAILY] })
  expect((await client.post(EVENTS, { id: 'single', ...hour('2026-03-02', 9) })).status).toBe(200)
  const found = async (uid: string, query: string) =>
    (await page(client, `iCalUID=${uid}%40google.com&${query}`)).items.map(({ id }) => id)
  for (const order of ['', '&orderBy=startTime', '&orderBy=updated']) {
    expect(await found('single', `timeMin=2026-03-02T14:30:00Z${order}`)).toEqual(['single'])
    expect(await found('single', `timeMin=2026-03-02T15:00:00Z${order}`)).toEqual([])
    expect(await found('meet00', `timeMin=2026-03-03T15:00:00Z${order}`)).toEqual(['meet00_20260304T140000Z'])
    expect(await found('meet00', `timeMax=2026-03-02T14:00:00Z${order}`)).toEqual([])
    expect(await found('nobody', order)).toEqual([])
  }
})

test('4.10, 5.4 a list by iCalUID has the requested order', async () => {
  const { client, fake } = await opened({ ...hour('2026-03-02', 9), recurrence: [DAILY] })
  await patch(client, hour('2026-03-02', 8), 'meet00_20260304T140000Z')
  fake.clock.advance('1m')
  await patch(client, hour('2026-03-09', 8), 'meet00_20260302T140000Z')
  const found = async (query: string) =>
    (await page(client, `iCalUID=meet00%40google.com${query}`)).items.map(({ id }) => id)
  expect(await found('&orderBy=startTime')).toEqual([
    'meet00_20260304T140000Z',
    'meet00_20260303T140000Z',
    'meet00_20260302T140000Z',
  ])
  expect(await found('')).toEqual(expect.arrayContaining(await found('&orderBy=startTime')))
  // A series and its changed instances are of one version.
  expect(await found('&orderBy=updated')).toEqual([
    'meet00_20260303T140000Z',
    'meet00_20260302T140000Z',
    'meet00_20260304T140000Z',
  ])
})
