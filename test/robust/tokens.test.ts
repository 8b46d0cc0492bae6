import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import { firstEpoch } from '../../src/sync/epochs.ts'
import { decodeToken, encodeToken } from '../../src/sync/tokens.ts'
import { ALICE, type Client, clientOf, errorOf, hour, openCalendar, PEOPLE } from '../support/calendar.ts'
import { EXPIRED, invalid } from '../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const LISTS = ['/users/me/calendarList', '/calendars/primary/acl', '/users/me/settings', EVENTS]
const WRONG_SYNC = invalid('Invalid sync token value.', 'syncToken')
const WRONG_PAGE = invalid('Invalid page token value.', 'pageToken')

const query = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()
const tokenOf = async (client: Client, list: string): Promise<string> => (await client.get(list)).body.nextSyncToken
const sync = (client: Client, list: string, syncToken: string) => client.get(`${list}?${query({ syncToken })}`)
const asIn = (fake: ReturnType<typeof createFakeCalendar>): Client =>
  clientOf((path, init) => fake.request(path, init), { Authorization: `Bearer ${ALICE}` })

test.each(LISTS)('5.15 a sync token of %s that was never issued is invalid', async (list) => {
  const { as } = openCalendar()
  const valid = await tokenOf(as(ALICE), list)
  const other = await tokenOf(as(`other~${ALICE}`), list)
  const digits = /^\d+$/.test(valid)
  const forged = digits ? `0000${valid.slice(4)}` : Buffer.from('{"since":5,"list":"x"} ').toString('base64')
  const changed = digits ? `${valid.slice(0, -1)}${(Number(valid.at(-1)) + 1) % 10}` : `A${valid.slice(1)}`

  for (const token of [other, forged, changed, '☕', valid.slice(1), `${valid}=`]) {
    expect(errorOf(await sync(as(ALICE), list, token)), token).toEqual(WRONG_SYNC)
  }
  expect((await sync(as(ALICE), list, valid)).status).toBe(200)
})

test('a sync token of one list is invalid for another', async () => {
  const { as } = openCalendar()
  const settings = await tokenOf(as(ALICE), '/users/me/settings')

  expect(errorOf(await sync(as(ALICE), '/calendars/primary/acl', settings))).toEqual(WRONG_SYNC)
})

test.each([
  ['an unknown order', { order: 'sideways' }],
  ['no order', { order: undefined }],
  ['an invalid position', { after: { a: 1 } }],
  ['an invalid instant', { asOf: 'now' }],
  ['a future instant', { asOf: 9e15 }],
  ['no query', { query: null }],
])('5.5 a page token with %s is refused, even if it is well-formed', async (_, part) => {
  const alice = openCalendar().as(ALICE)
  for (const at of [9, 10]) await alice.post(EVENTS, hour('2026-03-02', at))
  const list = ['events', ALICE, ALICE]
  const cursor = decodeToken((await alice.get(`${EVENTS}?maxResults=1`)).body.nextPageToken, list, {})
  const listPage = (change: object) => {
    const pageToken = encodeToken(firstEpoch('default'), list, { ...cursor, ...change })
    return alice.get(`${EVENTS}?${query({ pageToken })}`)
  }

  expect((await listPage({})).body.items).toHaveLength(1)
  expect(errorOf(await listPage(part))).toEqual(WRONG_PAGE)
})

test('an incomplete sync token is rejected', async () => {
  const { as } = openCalendar()
  const token = encodeToken(firstEpoch('default'), ['events', ALICE, ALICE], { since: 5 })

  expect(errorOf(await sync(as(ALICE), EVENTS, token))).toEqual(WRONG_SYNC)
})

test('5.14.1 a sync token survives any number of writes, and expires after a month', async () => {
  const { fake, as } = openCalendar()
  const token = await tokenOf(as(ALICE), EVENTS)
  await as(ALICE).post(EVENTS, { id: 'lunch001', ...hour('2026-03-02', 9) })
  for (let n = 0; n < 1500; n++) await as(ALICE).patch(`${EVENTS}/lunch001`, { summary: `Number ${n}` })

  expect((await sync(as(ALICE), EVENTS, token)).body.items).toMatchObject([{ summary: 'Number 1499' }])
  fake.clock.advance('29d')
  expect((await sync(as(ALICE), EVENTS, token)).status).toBe(200)
  fake.clock.advance('2d')
  expect((await sync(as(ALICE), EVENTS, token)).status).toBe(410)
})

/** A world with five events and a series. */
async function withEvents() {
  const opened = openCalendar()
  const alice = opened.as(ALICE)
  for (let n = 1; n < 6; n++) await alice.post(EVENTS, { id: `event00${n}`, ...hour('2026-03-02', n) })
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=5']
  await alice.post(EVENTS, { id: 'stand001', recurrence, ...hour('2026-03-03', 9) })
  return { ...opened, alice }
}

test.each<Record<string, string>>([
  { singleEvents: 'true', timeMin: '2026-03-02T08:00:00Z', timeZone: 'Asia/Tokyo' },
  { singleEvents: 'true', orderBy: 'startTime', timeMax: '2026-03-06T00:00:00Z' },
  { orderBy: 'updated', showDeleted: 'true' },
])('14.48.1 the pages of a list with %j continue with their token alone', async (params) => {
  const { alice } = await withEvents()
  const whole = (await alice.get(`${EVENTS}?${query(params)}`)).body
  const items: unknown[] = []
  let page = (await alice.get(`${EVENTS}?${query({ ...params, maxResults: '2' })}`)).body
  for (;;) {
    items.push(...page.items)
    if (!page.nextPageToken) break
    page = (await alice.get(`${EVENTS}?${query({ pageToken: page.nextPageToken, maxResults: '2' })}`)).body
  }

  expect(items).toEqual(whole.items)
  expect(page.nextSyncToken).toBe(whole.nextSyncToken)
  expect(page.timeZone).toBe(whole.timeZone)
})

test('14.48.1 the pages of a delta continue with their token alone, and reject another sync token', async () => {
  const { alice } = await withEvents()
  const [first, params] = [await tokenOf(alice, EVENTS), { singleEvents: 'true' }]
  const syncToken = (await alice.get(`${EVENTS}?${query(params)}`)).body.nextSyncToken
  await alice.patch(`${EVENTS}/stand001`, { summary: 'Later' })
  const whole = (await alice.get(`${EVENTS}?${query({ syncToken })}`)).body
  const { nextPageToken: pageToken, items } = (await alice.get(`${EVENTS}?${query({ syncToken, maxResults: '2' })}`))
    .body

  const rest = (await alice.get(`${EVENTS}?${query({ pageToken })}`)).body

  expect([...items, ...rest.items]).toEqual(whole.items)
  expect(rest.nextSyncToken).toBe(whole.nextSyncToken)
  await alice.patch(`${EVENTS}/event001`, { summary: 'Later' })
  const later = await tokenOf(alice, EVENTS)
  expect(first).not.toBe(later)
  expect(errorOf(await alice.get(`${EVENTS}?${query({ pageToken, syncToken: later })}`))).toMatchObject({
    status: 400,
    location: 'syncToken',
  })
})

test.each([
  [EVENTS, { singleEvents: 'true' }, { singleEvents: 'false' }],
  [EVENTS, { q: 'a' }, { q: 'b' }],
  [EVENTS, {}, { timeMin: '2026-03-02T00:00:00Z' }],
  [`${EVENTS}/stand001/instances`, {}, { showDeleted: 'true' }],
  ['/users/me/calendarList', {}, { showHidden: 'true' }],
  ['/calendars/primary/acl', { showDeleted: 'true' }, { showDeleted: 'false' }],
] as const)(
  '14.48.1 a parameter that contradicts the first page of %s %j is rejected: %j',
  async (list, first, second) => {
    const { alice } = await withEvents()
    for (const n of [1, 2, 3]) await alice.patch(`${EVENTS}/event00${n}`, { summary: 'a' })
    await alice.post('/calendars', { summary: 'Team' })
    await alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })
    const { nextPageToken: pageToken } = (await alice.get(`${list}?${query({ ...first, maxResults: '1' })}`)).body

    const [location] = Object.keys(second)
    expect(errorOf(await alice.get(`${list}?${query({ ...second, pageToken })}`))).toMatchObject({
      status: 400,
      location,
    })
    expect((await alice.get(`${list}?${query({ ...first, pageToken })}`)).status).toBe(200)
    expect((await alice.get(`${list}?${query({ pageToken })}`)).status).toBe(200)
  },
)

test.each(LISTS)('a world made from a state accepts tokens of %s from before it, and no later ones', async (list) => {
  const { fake, as } = openCalendar()
  const before = await tokenOf(as(ALICE), list)
  const state = fake.state()
  fake.clock.advance('1m')
  const after = await tokenOf(as(ALICE), list)

  const other = createFakeCalendar({ seed: state })
  other.clock.advance('2m')

  expect((await sync(asIn(other), list, before)).status).toBe(200)
  expect(errorOf(await sync(asIn(other), list, after))).toEqual(EXPIRED)
  const own = await tokenOf(asIn(other), list)
  expect((await sync(asIn(other), list, own)).status).toBe(200)
  expect(errorOf(await sync(as(ALICE), list, own))).toEqual(WRONG_SYNC)
  const third = createFakeCalendar({ seed: other.state() })
  for (const token of [before, own]) expect((await sync(asIn(third), list, token)).status).toBe(200)
})

test.each(LISTS)(
  'a world that is replaced by its own earlier state accepts tokens of %s from before it',
  async (list) => {
    const { fake, as } = openCalendar()
    const before = await tokenOf(as(ALICE), list)
    const state = fake.state()
    fake.clock.advance('1m')
    const after = await tokenOf(as(ALICE), list)

    fake.replace(state)

    expect(fake.state()).toEqual(state)
    expect((await sync(as(ALICE), list, before)).status).toBe(200)
    fake.clock.advance('2m')
    expect((await sync(as(ALICE), list, before)).status).toBe(200)
    expect(errorOf(await sync(as(ALICE), list, after))).toEqual(EXPIRED)
    fake.reset()
    expect(errorOf(await sync(as(ALICE), list, before))).toEqual(EXPIRED)
  },
)

test('after a restore from a state, a sync token of instances reports removed instances', async () => {
  const { fake, alice } = await withEvents()
  const list = `${EVENTS}?singleEvents=true`
  const first = await tokenOf(alice, list)
  await alice.patch(`${EVENTS}/stand001`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const second = await tokenOf(alice, list)
  await alice.patch(`${EVENTS}/stand001_20260304T140000Z`, { summary: 'Stand-up' })
  const third = await tokenOf(alice, list)

  const other = createFakeCalendar({ seed: fake.state() })

  expect(JSON.stringify(other.state())).toBe(JSON.stringify(fake.state()))
  const changesSince = async (client: Client, token: string) => (await sync(client, EVENTS, token)).body.items
  for (const token of [first, second, third])
    expect(await changesSince(asIn(other), token)).toEqual(await changesSince(alice, token))
  expect(
    (await changesSince(alice, first)).filter(({ status }: { status: string }) => status === 'cancelled'),
  ).toHaveLength(2)
  for (const client of [alice, asIn(other)])
    await client.patch(`${EVENTS}/stand001`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=1'] })
  for (const token of [first, second, third])
    expect(await changesSince(asIn(other), token)).toEqual(await changesSince(alice, token))
  expect(
    (await changesSince(alice, third)).filter(({ status }: { status: string }) => status === 'cancelled'),
  ).not.toEqual([])
})

test('the same seed and the same requests give the same bytes', async () => {
  const work = async () => {
    const { alice, fake } = await withEvents()
    const bytes = await Promise.all(LISTS.map(async (list) => (await alice.get(`${list}?maxResults=1`)).text))
    return [...bytes, JSON.stringify(fake.state())]
  }

  expect(await work()).toEqual(await work())
})

test('pages read across a reset contain no data from before it', async () => {
  const { fake, as } = openCalendar({ seed: PEOPLE })
  const alice = as(ALICE)
  const paged = async (summary: string) => {
    for (const n of [1, 2]) await alice.post(EVENTS, { id: `event00${n}`, summary, ...hour('2026-03-02', n) })
    const { nextPageToken: pageToken } = (await alice.get(`${EVENTS}?maxResults=1`)).body
    await alice.patch(`${EVENTS}/event001`, { summary: 'Changed' })
    return (await alice.get(`${EVENTS}?${query({ pageToken })}`)).body.items[0].summary
  }
  expect(await paged('First')).toBe('First')

  fake.reset()

  expect(await paged('Second')).toBe('Second')
})
