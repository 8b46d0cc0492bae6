import { expect, test } from 'vitest'
import { ALICE, BOB, type Client, hour, NOW, openCalendar } from '../support/calendar.ts'
import { rowsWithGuest } from '../support/eventRows.ts'
import { valueAt } from '../support/fields.ts'
import { countSteps } from '../support/work.ts'

/** Exceptions that follow their series, as readers see them (behaviour 4.6.1). */
const EVENTS = '/calendars/primary/events'
const SERIES = {
  id: 'series',
  summary: 'Stand-up',
  location: 'Room 1',
  ...hour('2026-03-02', 9),
  recurrence: ['RRULE:FREQ=DAILY;COUNT=400'],
}

type Shown = { id: string; summary?: string; location?: string; colorId?: string; etag: string; updated: string }

/** Creates a series with a number of exceptions, each with its own location. */
async function withChanged(count: number, series: object = SERIES) {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  expect((await alice.post(EVENTS, series)).status).toBe(200)
  const { body } = await alice.get(`${EVENTS}/series/instances?maxResults=${Math.max(count, 1)}`)
  const ids: string[] = body.items.slice(0, count).map(({ id }: Shown) => id)
  for (const id of ids) expect((await alice.patch(`${EVENTS}/${id}`, { location: id })).status).toBe(200)
  return { alice, as, fake, ids }
}

async function patch(client: Client, body: object, id = 'series') {
  const { status, body: saved } = await client.patch(`${EVENTS}/${id}`, body)
  expect(status).toBe(200)
  return saved as Shown
}

const read = async (client: Client, id: string) => (await client.get(`${EVENTS}/${id}`)).body as Shown

test('4.6.1 an exception follows each write to its series in the fields that it did not change', async () => {
  const { alice, ids } = await withChanged(3)
  const [first = '', second = ''] = ids
  await patch(alice, { summary: 'Daily' })
  expect(await read(alice, first)).toMatchObject({ summary: 'Daily', location: first })
  await patch(alice, { summary: 'Own' }, second)
  const { etag, updated } = await patch(alice, { summary: 'Weekly', location: 'Room 2', colorId: '5' })
  expect(await read(alice, first)).toMatchObject({ summary: 'Weekly', location: first, colorId: '5', etag, updated })
  expect(await read(alice, second)).toMatchObject({ summary: 'Own', location: second, colorId: '5', etag, updated })
  await patch(alice, { summary: null, colorId: null })
  expect(await read(alice, first)).not.toHaveProperty('summary')
  expect(await read(alice, first)).not.toHaveProperty('colorId')
  expect(await read(alice, second)).toMatchObject({ summary: 'Own' })
})

test.each(rowsWithGuest('own', 'meeting', 'refused'))(
  '4.6.1 an exception follows its series in %s until it changes that field',
  async (_, { path, write, shows, patch: change, patched, clear }) => {
    const { alice } = await withChanged(0)
    const id = 'series_20260302T140000Z'
    const value = async () => valueAt(await alice.get(`${EVENTS}/${id}`), path)
    await patch(alice, { [path === 'summary' ? 'location' : 'summary']: 'Own' }, id)
    await patch(alice, write)
    expect(await value()).toEqual(shows)
    if (path === 'visibility') return // an instance does not hide less than its series (behaviour 4.5)
    await patch(alice, change, id)
    await patch(alice, clear)
    expect(await value()).toEqual(patched)
  },
)

test('4.6.1 an exception follows each key of a keyed field, in any order of writes', async () => {
  const extendedProperties = { shared: { a: '1', b: '2', c: '3' } }
  const { alice, ids } = await withChanged(2, { ...SERIES, extendedProperties })
  const [first = '', second = ''] = ids
  await patch(alice, { extendedProperties: { shared: null } }, second)
  await patch(alice, { extendedProperties: { shared: { c: '3', b: '2' } } }, second)
  await patch(alice, { extendedProperties: { shared: { a: '1' } } }, second)

  await patch(alice, { extendedProperties: { shared: { a: '4' } } })

  const followed = { extendedProperties: { shared: { a: '4', b: '2', c: '3' } } }
  for (const id of [first, second]) expect(await read(alice, id)).toMatchObject(followed)
})

test('an exception follows a hundred writes like one, and keeps the order of its fields', async () => {
  const { alice, fake, ids } = await withChanged(3)
  const order = Object.keys(await read(alice, ids[0] ?? ''))
  for (let nth = 0; nth < 100; nth++) await patch(alice, { summary: `Number ${nth}` })
  const { body } = await alice.get(`${EVENTS}?singleEvents=true&orderBy=startTime&maxResults=4`)
  expect(body.items.map(({ summary }: Shown) => summary)).toEqual(Array(4).fill('Number 99'))
  for (const [nth, id] of ids.entries()) {
    expect(body.items[nth]).toEqual(await read(alice, id))
    expect(Object.keys(await read(alice, id))).toEqual(order)
  }
  const { as } = openCalendar({ seed: fake.state(), now: NOW })
  for (const id of ids) expect(await read(as(ALICE), id)).toEqual(await read(alice, id))
})

test('a sync returns the exceptions that follow, and later pages of an earlier list are unchanged', async () => {
  const { alice, ids } = await withChanged(3)
  const { body: first } = await alice.get(`${EVENTS}?maxResults=2`)
  const { body: whole } = await alice.get(EVENTS)
  await patch(alice, { summary: 'Daily' })
  const { body: next } = await alice.get(`${EVENTS}?maxResults=2&pageToken=${encodeURIComponent(first.nextPageToken)}`)
  expect([...first.items, ...next.items].map(({ summary }) => summary)).toEqual(Array(4).fill('Stand-up'))
  const { body: changed } = await alice.get(`${EVENTS}?syncToken=${encodeURIComponent(whole.nextSyncToken)}`)
  expect(changed.items.map(({ id }: Shown) => id).sort()).toEqual(['series', ...ids].sort())
  for (const { summary } of changed.items) expect(summary).toBe('Daily')
})

test('a reset restores the exceptions that followed their series', async () => {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  await alice.post(EVENTS, SERIES)
  const id = 'series_20260302T140000Z'
  await patch(alice, { location: 'Hall' }, id)
  const state = fake.state()
  const one = openCalendar({ seed: state, now: NOW })
  const summaries: (string | undefined)[] = []
  for (const summary of ['One', 'Two']) {
    one.fake.reset()
    await patch(one.as(ALICE), { summary })
    summaries.push((await read(one.as(ALICE), id)).summary)
  }
  expect(summaries).toEqual(['One', 'Two'])
})

test('guests of one instance alone get the changes of its series', async () => {
  const { alice, as, ids } = await withChanged(2)
  const [first = '', second = ''] = ids
  await patch(alice, { attendees: [{ email: BOB }] }, first)
  await patch(alice, { summary: 'Daily' })
  expect(await read(as(BOB), first)).toMatchObject({ summary: 'Daily' })
  expect(await read(alice, second)).toMatchObject({ summary: 'Daily' })
})

test('the cost of a write to a series is proportional to its exceptions', async () => {
  const work = async (count: number) => {
    const { alice } = await withChanged(count)
    return countSteps(() => patch(alice, { summary: 'Daily' }))
  }
  const [none, few, many] = [await work(0), await work(10), await work(100)]
  expect(many - none).toBeLessThan(11 * (few - none))
})

test('each exception follows its series through writes that it ignores and writes that it follows', async () => {
  const { alice, ids } = await withChanged(3)
  const [first = '', second = '', third = ''] = ids
  for (let nth = 0; nth < 12; nth++) {
    await patch(alice, { summary: `Number ${nth}` })
    await patch(alice, { attendees: nth % 2 === 0 ? [{ email: BOB }] : [] })
    if (nth === 5) await patch(alice, { summary: 'Number 8' }, second)
  }
  expect(await read(alice, first)).toMatchObject({ summary: 'Number 11' })
  expect(await read(alice, second)).toMatchObject({ summary: 'Number 11' })
  await patch(alice, { summary: 'Own' }, third)
  await patch(alice, { summary: 'Number 3' })
  expect(await read(alice, first)).toMatchObject({ summary: 'Number 3', location: first })
  expect(await read(alice, third)).toMatchObject({ summary: 'Own' })
})

test.each([
  ['a field that they follow', { summary: 'Weekly' }],
  ['a field that they changed', { location: 'Room 2' }],
])('4.6 exceptions are restored with their series, also after a write of %s while it was deleted', async (_, body) => {
  const { alice, ids } = await withChanged(2)
  const [returning = '', deleted = ''] = ids
  expect((await alice.delete(`${EVENTS}/${deleted}`)).status).toBe(204)
  expect((await alice.delete(`${EVENTS}/series`)).status).toBe(204)
  await patch(alice, body)
  await patch(alice, { status: 'confirmed' })
  expect(await read(alice, returning)).toMatchObject({ status: 'confirmed', location: returning })
  expect(await read(alice, deleted)).toMatchObject({ status: 'cancelled' })
})
