import { expect, test } from 'vitest'
import { ALICE, BOB, type Client, errorOf, hour, openCalendar } from '../../support/calendar.ts'
import { EXPIRED, invalid } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const SETTINGS = '/users/me/settings'

const insert = async (client: Client, summary: string, path = EVENTS) =>
  (await client.post(path, { summary, ...hour('2026-03-02', 9) })).body
const summaries = async (client: Client) =>
  (await client.get(EVENTS)).body.items.map(({ summary }: { summary: string }) => summary)
const syncToken = async (client: Client, list = EVENTS) => (await client.get(list)).body.nextSyncToken
const synced = (client: Client, token: string, list = EVENTS) =>
  client.get(`${list}?syncToken=${encodeURIComponent(token)}`)

test('a snapshot has a name, an instant and a revision, and does not change', async () => {
  const { fake, as } = openCalendar()
  await insert(as(ALICE), 'Lunch')

  const named = fake.snapshot('before')
  const unnamed = fake.snapshot()

  const revision = expect.any(Number)
  expect(named).toEqual({ name: 'before', id: '1', at: '2026-03-01T12:00:00.000Z', revision })
  expect(unnamed).toEqual({ id: '2', at: '2026-03-01T12:00:00.000Z', revision })
  expect(unnamed.revision).toBeGreaterThan(named.revision)
  expect(fake.snapshots()).toEqual([named])
})

test.each(['/calendars/primary/events', '/calendars/primary/acl'])(
  '5.14 a sync token of %s that is issued after a restore to an earlier time expires as any other',
  async (path) => {
    const { fake, as } = openCalendar()
    const alice = as(ALICE)
    await alice.post('/calendars/primary/events', hour('2026-03-02', 9))
    const before = fake.snapshot()
    await fake.advance('20d')
    await alice.post('/calendars/primary/events', hour('2026-03-02', 10))
    fake.restore(before)
    const { nextSyncToken } = (await alice.get(path)).body
    const sync = async () => (await alice.get(`${path}?syncToken=${nextSyncToken}`)).status
    await fake.advance('29d')
    expect(await sync()).toBe(200)
    await fake.advance('2d')
    expect(await sync()).toBe(410)
  },
)

test('a released handle can be neither restored nor forked', () => {
  const { fake } = openCalendar()
  const before = fake.snapshot()
  fake.deleteSnapshot(before)

  expect(() => fake.restore(before)).toThrow(RangeError)
  expect(() => fake.fork(before, 'w1')).toThrow(RangeError)
})

test('a snapshot can be restored by handle or name, any number of times', async () => {
  const { fake, as } = openCalendar()
  await insert(as(ALICE), 'Lunch')
  const before = fake.snapshot('before')

  for (const which of [before, 'before', JSON.parse(JSON.stringify(before))]) {
    await insert(as(ALICE), 'Dinner')
    await as('dora@example.com').post('/calendars', { summary: 'New' })
    expect(await summaries(as(ALICE))).toEqual(['Lunch', 'Dinner'])

    expect(fake.restore(which)).toBe(before)

    expect(await summaries(as(ALICE))).toEqual(['Lunch'])
    expect(fake.state().accounts).toHaveLength(3)
  }
})

test('a later snapshot can be restored after an earlier one', async () => {
  const { fake, as } = openCalendar()
  const empty = fake.snapshot()
  await insert(as(ALICE), 'Lunch')
  const full = fake.snapshot()

  fake.restore(empty)
  expect(await summaries(as(ALICE))).toEqual([])
  fake.restore(full)
  expect(await summaries(as(ALICE))).toEqual(['Lunch'])
})

test('the routes do the same, and name unnamed snapshots', async () => {
  const { as, anonymous } = openCalendar()
  const { body } = await anonymous.post('/_control/snapshots', {})
  await insert(as(ALICE), 'Lunch')
  const named = await anonymous.post('/_control/snapshots', { name: 'with lunch' })

  expect(body.snapshot).toEqual({
    name: 'snapshot-1',
    id: '1',
    at: '2026-03-01T12:00:00.000Z',
    revision: expect.any(Number),
  })
  expect((await anonymous.get('/_control/snapshots')).body).toEqual({ snapshots: [body.snapshot, named.body.snapshot] })
  expect((await anonymous.post('/_control/snapshots/snapshot-1/restore')).body).toEqual({ restored: body.snapshot })
  expect(await summaries(as(ALICE))).toEqual([])
  expect((await anonymous.post('/_control/snapshots/with%20lunch/restore', {})).status).toBe(200)
  expect(await summaries(as(ALICE))).toEqual(['Lunch'])
  expect((await anonymous.delete('/_control/snapshots/with%20lunch')).body).toMatchObject({
    deleted: { name: 'with lunch' },
  })
  expect((await anonymous.get('/_control/snapshots')).body).toEqual({ snapshots: [body.snapshot] })
})

test('after a restore, sync tokens from before the snapshot are valid and later ones have expired', async () => {
  const { fake, as } = openCalendar()
  const lists = [EVENTS, SETTINGS, '/users/me/calendarList', '/calendars/primary/acl']
  const tokens = () => Promise.all(lists.map((list) => syncToken(as(ALICE), list)))
  await insert(as(ALICE), 'Lunch')
  const early = await tokens()
  const before = fake.snapshot()
  const late = await tokens()
  await insert(as(ALICE), 'Dinner')
  const later = await tokens()

  for (let time = 0; time < 2; time++) {
    fake.restore(before)
    const since = await tokens()
    for (const [at, list] of lists.entries()) {
      expect((await synced(as(ALICE), early[at], list)).status).toBe(200)
      expect(errorOf(await synced(as(ALICE), late[at], list))).toEqual(EXPIRED)
      expect(errorOf(await synced(as(ALICE), later[at], list))).toEqual(EXPIRED)
      expect((await synced(as(ALICE), since[at], list)).status).toBe(200)
    }
    late.splice(0, late.length, ...since)
  }
})

test('a sync across a restore does not see the undone writes', async () => {
  const { fake, as } = openCalendar()
  const token = await syncToken(as(ALICE))
  await insert(as(ALICE), 'Lunch')
  const before = fake.snapshot()
  await insert(as(ALICE), 'Dinner')
  fake.restore(before)
  await insert(as(ALICE), 'Breakfast')

  const { items } = (await synced(as(ALICE), token)).body

  expect(items.map(({ summary }: { summary: string }) => summary)).toEqual(['Lunch', 'Breakfast'])
})

test('after a restore, sync tokens survive an undone clock change and an undone expiry', async () => {
  const { fake, as } = openCalendar()
  const token = await syncToken(as(ALICE))
  const before = fake.snapshot()
  fake.syncTokens.expire()
  fake.clock.advance('40d')
  await insert(as(ALICE), 'Lunch')
  expect(errorOf(await synced(as(ALICE), token))).toEqual(EXPIRED)

  fake.restore(before)

  expect(fake.clock.state()).toEqual({ mode: 'frozen', now: '2026-03-01T12:00:00.000Z' })
  expect((await synced(as(ALICE), token)).status).toBe(200)
})

test('after a restore, page tokens from before the snapshot are valid and later ones are invalid', async () => {
  const { fake, as } = openCalendar()
  const page = async () => (await as(ALICE).get(`${SETTINGS}?maxResults=3`)).body.nextPageToken
  const next = (token: string) => as(ALICE).get(`${SETTINGS}?maxResults=3&pageToken=${encodeURIComponent(token)}`)
  const early = await page()
  const second = (await next(early)).text
  const before = fake.snapshot()
  const late = await page()
  fake.restore(before)

  expect((await next(early)).text).toBe(second)
  expect(errorOf(await next(late))).toEqual(invalid('Invalid page token value.', 'pageToken'))
})

test('ids, revisions and etags of undone writes are never reused', async () => {
  const { fake, as } = openCalendar()
  const before = fake.snapshot()
  const identifiers = new Set<string>()
  const changes = async () => {
    const { id, etag } = await insert(as(ALICE), 'Lunch')
    const changed = (await as(ALICE).patch(`${EVENTS}/${id}`, { summary: 'Dinner' })).body
    const calendar = (await as(ALICE).post('/calendars', { summary: 'Team' })).body
    return [id, etag, changed.etag, calendar.id, calendar.etag]
  }

  for (let time = 0; time < 5; time++) {
    for (const one of await changes()) {
      expect(identifiers).not.toContain(one)
      identifiers.add(one)
    }
    if (time === 2) fake.reset()
    fake.restore(before)
  }
})

test('an etag of an undone write does not match If-None-Match', async () => {
  const { fake, as } = openCalendar()
  const { id } = await insert(as(ALICE), 'Lunch')
  const before = fake.snapshot()
  const future = async (summary: string) => (await as(ALICE).patch(`${EVENTS}/${id}`, { summary })).body.etag
  const other = await future('Dinner')
  fake.restore(before)
  const own = await future('Dinner')

  const read = async (etag: string) =>
    (await as(ALICE).get(`${EVENTS}/${id}`, undefined, { 'If-None-Match': etag })).status
  expect([await read(other), await read(own)]).toEqual([200, 304])
})

test('waits continue across a restore, and pending messages are dropped', async () => {
  const { fake, as } = openCalendar()
  const received: number[] = []
  fake.onNotification(({ number }) => void received.push(number))
  await as(ALICE).post(`${EVENTS}/watch`, { id: 'mine', type: 'web_hook', address: 'https://example.com/hook' })
  await fake.notifications.settled()
  const before = fake.snapshot()
  const arrived = fake.notifications.until('mine', 2)
  fake.notifications.delay('1h')
  await insert(as(ALICE), 'Lunch')
  await fake.notifications.settled()

  fake.restore(before)
  await fake.advance('2h')
  expect(received).toHaveLength(1)
  expect(fake.channels()).toMatchObject([{ id: 'mine', messages: 1, delivered: 1, state: 'live' }])
  await insert(as(ALICE), 'Dinner')

  expect((await arrived).map(({ state }) => state)).toEqual(['sync', 'exists'])
  expect(fake.notifications.list().map(({ progress }) => progress)).toEqual(['delivered', 'dropped', 'delivered'])
  expect(received).toHaveLength(2)
})

test('a restore restores the mode of the clock', async () => {
  const { fake } = openCalendar({ now: undefined })
  const real = fake.snapshot('real')
  fake.clock.freeze('2026-03-02T09:00:00Z')
  const frozen = fake.snapshot()
  fake.clock.run('2030-01-01T00:00:00Z')
  const set = fake.snapshot()

  fake.restore(frozen)
  expect(fake.clock.state()).toEqual({ mode: 'frozen', now: '2026-03-02T09:00:00.000Z' })
  fake.restore(set)
  expect(fake.clock.state()).toEqual({ mode: 'set', now: expect.stringMatching(/^2030-01-01T00:00/) })
  fake.restore(real)
  expect(fake.clock.mode).toBe('real')
})

test('a repeated name selects the later snapshot; the earlier handle stays valid', async () => {
  const { fake, as } = openCalendar()
  const first = fake.snapshot('mark')
  await insert(as(ALICE), 'Lunch')
  const second = fake.snapshot('mark')

  expect(fake.snapshots()).toEqual([second])
  fake.restore(first)
  expect(await summaries(as(ALICE))).toEqual([])
  fake.restore('mark')
  expect(await summaries(as(ALICE))).toEqual(['Lunch'])
  expect(() => fake.restore({ ...first })).toThrow(
    'the snapshot "mark" was replaced by a later snapshot with the same name',
  )
})

test('an unknown snapshot is a RangeError, or a 400 by the route, and changes nothing', async () => {
  const { fake, as, anonymous } = openCalendar()
  const deleted = fake.snapshot('gone')
  fake.deleteSnapshot('gone')
  const unnamed = fake.snapshot()
  fake.deleteSnapshot(unnamed)
  const foreign = fake.world('w1').snapshot()
  await insert(as(ALICE), 'Lunch')
  const state = fake.state()

  expect(() => fake.restore('gone')).toThrow('there is no snapshot "gone" of this world')
  expect(() => fake.restore(deleted)).toThrow(RangeError)
  expect(() => fake.restore(unnamed)).toThrow('there is no snapshot with the id 2 of this world')
  expect(() => fake.restore(foreign)).toThrow('the snapshot belongs to another world; fork it instead of restoring it')
  expect(() => fake.restore(7 as never)).toThrow('name: not a snapshot, or the name of one')
  expect(() => fake.snapshot('')).toThrow(RangeError)
  const reply = await anonymous.post('/_control/snapshots/gone/restore')
  expect(errorOf(reply)).toMatchObject({
    status: 400,
    message: 'Invalid value for: name: there is no snapshot "gone" of this world; the list of snapshots has the names',
  })
  expect((await anonymous.delete('/_control/snapshots/gone')).status).toBe(400)
  expect((await anonymous.post('/_control/snapshots/gone/restore', { name: 'other' })).status).toBe(400)
  expect(fake.state()).toEqual(state)
})

test('a fork starts from the snapshot and is independent', async () => {
  const { fake, as } = openCalendar()
  const lunch = await insert(as(ALICE), 'Lunch')
  const token = await syncToken(as(ALICE))
  const before = fake.snapshot('before')
  await insert(as(ALICE), 'Dinner')

  const w1 = fake.fork(before, 'w1')
  fake.fork('before', 'w2')
  await insert(as(`w1~${ALICE}`), 'Breakfast')

  expect(w1.name).toBe('w1')
  expect(fake.worlds()).toEqual(['default', 'w1', 'w2'])
  expect(await summaries(as(ALICE))).toEqual(['Lunch', 'Dinner'])
  expect(await summaries(as(`w1~${ALICE}`))).toEqual(['Lunch', 'Breakfast'])
  expect(await summaries(as(`w2~${ALICE}`))).toEqual(['Lunch'])
  expect((await as(`w2~${ALICE}`).get(`${EVENTS}/${lunch.id}`)).body).toEqual(lunch)
  expect((await synced(as(`w2~${ALICE}`), token)).body.items).toEqual([])
  const own = await syncToken(as(`w1~${ALICE}`))
  expect((await synced(as(ALICE), own)).status).toBe(400)
  expect((await synced(as(`w2~${ALICE}`), own)).status).toBe(400)
  w1.reset()
  expect(await summaries(as(`w1~${ALICE}`))).toEqual(['Lunch'])
})

test('a fork replaces an existing world, whose tokens expire', async () => {
  const { fake, as } = openCalendar()
  const before = fake.snapshot()
  await insert(as(`w1~${ALICE}`), 'Lunch')
  const token = await syncToken(as(`w1~${ALICE}`))

  fake.fork(before, 'w1')

  expect(await summaries(as(`w1~${ALICE}`))).toEqual([])
  expect(errorOf(await synced(as(`w1~${ALICE}`), token))).toEqual(EXPIRED)
})

test('the route creates a world from a snapshot of the world of the request, or from a seed', async () => {
  const { fake, as, anonymous } = openCalendar()
  await insert(as(`blue~${ALICE}`), 'Lunch')
  fake.world('blue').snapshot('full')
  const put = (world: string, body: object, headers = {}) => anonymous.put(`/_control/worlds/${world}`, body, headers)

  expect((await put('w1', { from: 'full' }, { 'X-Fake-World': 'blue' })).body).toEqual({ done: true })
  expect((await put('w2', { seed: { accounts: [{ email: 'zoe@example.com' }] } })).body).toEqual({ done: true })
  expect((await put('w3', { seed: 'team' })).status).toBe(200)

  expect(await summaries(as(`w1~${ALICE}`))).toEqual(['Lunch'])
  expect(fake.world('w2').state().accounts).toMatchObject([{ email: 'zoe@example.com' }])
  fake.world('w2').seed({ accounts: [{ email: BOB }] })
  fake.world('w2').reset()
  expect(fake.world('w2').state().accounts).toHaveLength(1)
  expect(fake.world('w3').state().calendars?.length).toBeGreaterThan(1)

  for (const [body, message] of [
    [
      { from: 'full' },
      'Invalid value for: from: there is no snapshot "full" of this world; the list of snapshots has the names',
    ],
    [{}, 'Invalid value for: from: give either from or seed'],
    [{ from: 'full', seed: 'team' }, 'Invalid value for: from: give either from or seed'],
    [
      { seed: 'tema' },
      'Invalid value for: seed: there is no demo world "tema"; did you mean "team"? There are default, company, team, clinic, school, heavy',
    ],
    [
      { seed: { acounts: [] } },
      'Invalid value for: seed: seed: there is no "acounts"; did you mean "accounts"? There are $schema, anchor, clock, conferences, accounts, groups, calendars, channels, mail, tokens, apiKeys, oauth, files',
    ],
  ] as const) {
    expect(errorOf(await put('w4', body))).toMatchObject({ status: 400, message })
  }
  expect((await put('no%20name', { seed: 'team' })).status).toBe(404)
  expect(() => fake.fork('nothing', 'w5')).toThrow(RangeError)
  expect(() => fake.fork(fake.snapshot(), 'no name')).toThrow(RangeError)
  expect(fake.worlds()).toEqual(['default', 'blue', 'w1', 'w2', 'w3'])
  expect((await anonymous.delete('/_control/worlds/w3')).body).toEqual({ done: true })
  expect(() => fake.deleteWorld('w3')).toThrow('there is no world "w3"')
})

test('only its handle keeps an unnamed snapshot', async () => {
  const { gc } = globalThis as { gc?: () => void }
  const { fake } = openCalendar()
  const many = Array.from({ length: 100 }, () => fake.snapshot())

  expect(new Set(many.map(({ id }) => id)).size).toBe(100)
  expect(fake.snapshots()).toEqual([])
  gc?.()
  expect(fake.restore(many[0] ?? '')).toBe(many[0])
})
