import { expect, test } from 'vitest'
import type { FakeWorld } from '../../../src/index.ts'
import { ALICE, BOB, openCalendar } from '../../support/calendar.ts'

const summaries = (body: { items: { summary: string }[] }) => body.items.map(({ summary }) => summary)

/** Makes a calendar named after each world in it, by way of its token. */
async function worlds(...names: string[]) {
  const opened = openCalendar()
  for (const name of names) await opened.as(`${name}~${ALICE}`).post('/calendars', { summary: name })
  const listIn = async (path: string, token: string, headers = {}) => {
    const reply = await opened.fake.request(`${path}/users/me/calendarList`, {
      headers: { Authorization: `Bearer ${token}`, ...headers },
    })
    return summaries((await reply.json()) as { items: { summary: string }[] })
  }
  return { ...opened, listIn }
}

test.each([
  ['a token', '/calendar/v3', `w1~${ALICE}`, {}],
  ['a header', '/calendar/v3', ALICE, { 'X-Fake-World': 'w1' }],
  ['a path', '/w/w1/calendar/v3', ALICE, {}],
])('a world is selected by %s', async (_, path, token, headers) => {
  const { listIn } = await worlds('w1')

  expect(await listIn(path, token, headers)).toEqual([ALICE, 'w1'])
})

test.each([
  ['the token before the header and the path', `w1~${ALICE}`, { 'X-Fake-World': 'w2' }, 'w1'],
  ['the header before the path', ALICE, { 'X-Fake-World': 'w2' }, 'w2'],
  ['the path without token and header', ALICE, {}, 'w3'],
])('of several world names, %s has priority', async (_, token, headers, world) => {
  const { listIn } = await worlds('w1', 'w2', 'w3')

  expect(await listIn('/w/w3/calendar/v3', token, headers)).toEqual([ALICE, world])
})

test('worlds are independent', async () => {
  const { fake, as } = openCalendar()
  const before = fake.state()

  await as(`w1~${ALICE}`).post('/calendars', { summary: 'Team' })
  await as(`w1~dora@example.com`).get('/users/me/calendarList')
  await as(`w1~${ALICE}`).post('/_control/clock/advance', { by: '1d' })
  await as(`w1~${ALICE}`).post('/_control/syncTokens/expire')

  expect(fake.state()).toEqual(before)
})

test('a new world starts with the initial seed', async () => {
  const { fake, as } = openCalendar()
  const { counters, ...state } = fake.state()
  await as(ALICE).post('/calendars', { summary: 'Team' })

  const epoch = { worldId: 'fresh', resetCount: 0, continues: [] }
  expect(fake.world('fresh').state()).toEqual({ ...state, counters: { ...counters, epoch } })
})

test('`fetch` of a world ignores the world that the request names', async () => {
  const { fake } = openCalendar()
  const { request } = fake.world('mine')

  const reply = await request('/_control/health', { headers: { 'X-Fake-World': 'other' } })

  expect(await reply.json()).toEqual({ status: 'ok', world: 'mine' })
})

test('control routes select worlds by the same names', async () => {
  const { fake, as } = openCalendar()

  const byPath = await fake.request('/w/w1/_control/health')

  expect(await byPath.json()).toEqual({ status: 'ok', world: 'w1' })
  expect((await as(`w2~${BOB}`).get('/_control/health')).body.world).toBe('w2')
})

test('a seeded token is valid only in its world', async () => {
  const { fake, as } = openCalendar({ strict: true })
  fake.world('w1').seed({ tokens: [{ token: 'secret', account: BOB }] })

  expect((await as('w1~secret').get('/calendars/primary')).body.id).toBe(BOB)
  expect((await as('secret').get('/calendars/primary')).status).toBe(401)
})

test('an invalid world name is 404', async () => {
  const { fake, as } = openCalendar()

  const reply = await as(ALICE).get('/colors', undefined, { 'X-Fake-World': 'no name' })

  expect(reply.status).toBe(404)
  expect((await fake.request('/w/a%20b/calendar/v3/colors?key=x')).status).toBe(404)
})

test.each(['.', '..'])('%s is not a world name, because a path cannot contain it', async (name) => {
  const { fake, as } = openCalendar()

  expect((await as(ALICE).get('/colors', undefined, { 'X-Fake-World': name })).status).toBe(404)
  expect(() => fake.world(name)).toThrow('neither . nor .. alone')
})

test.each([
  ['a request without credentials', '/calendar/v3/calendars/primary', {}, 401],
  ['a request for an unknown calendar', '/calendar/v3/calendars/nowhere', { Authorization: `Bearer ${ALICE}` }, 404],
  ['a control request without a body', '/_control/clock/advance', { 'Content-Type': 'application/json' }, 400],
  ['a control request with a foreign host', '/_control/reset', { Host: 'example.com' }, 403],
])('%s that is rejected creates no world', async (_, path, headers, status) => {
  const { fake } = openCalendar()
  const method = path.startsWith('/_') ? 'POST' : 'GET'

  const reply = await fake.request(`/w/fresh${path}`, { method, headers })

  expect(reply.status).toBe(status)
  expect(fake.worlds()).toEqual(['default'])
  expect(fake.world('fresh').state().counters?.epoch, 'its first epoch').toMatchObject({ resetCount: 0 })
})

test('of two concurrent first requests, the successful one creates the world', async () => {
  const { as } = openCalendar()

  const [refused, made] = await Promise.all([
    as(`fresh~${ALICE}`).post('/calendars', {}),
    as(`fresh~${ALICE}`).post('/calendars', { summary: 'Team' }),
  ])

  expect([refused.status, made.status]).toEqual([400, 200])
  expect((await as(`fresh~${ALICE}`).get(`/calendars/${made.body.id}`)).status).toBe(200)
})

test('sync tokens of a deleted world have expired in a new world of the same name', async () => {
  const { fake, as } = openCalendar()
  const list = '/users/me/settings'
  const token = async (world: string) => (await as(`${world}~${ALICE}`).get(list)).body.nextSyncToken
  const former = await token('w1')
  fake.world('w1').delete()
  const another = await token('w2')

  expect((await as(`w1~${ALICE}`).get(`${list}?syncToken=${former}`)).status).toBe(410)
  expect((await as(`w1~${ALICE}`).get(`${list}?syncToken=${another}`)).status).toBe(400)
  expect((await as(`w1~${ALICE}`).get(`${list}?syncToken=${await token('w1')}`)).status).toBe(200)
})

test.each<[string, (world: FakeWorld) => unknown]>([
  ['an invalid zone in a seed', (world) => world.seed({ calendars: [{ id: 'x@example.com', timeZone: 'Mars' }] })],
  ['an unknown field in a seed', (world) => world.replace({ people: [] } as object)],
  ['an invalid duration', (world) => world.clock.advance('soon')],
  ['an invalid advance that is awaited', (world) => world.advance('soon')],
  ['an earlier instant', (world) => world.clock.advanceTo('2000-01-01T00:00:00Z')],
])('in process, %s creates no world', async (_, act) => {
  const { fake } = openCalendar()

  await expect(async () => act(fake.world('fresh'))).rejects.toThrow()

  expect(fake.worlds()).toEqual(['default'])
  fake.world('fresh').seed({ accounts: [{ email: BOB }] })
  expect(fake.worlds()).toEqual(['default', 'fresh'])
})

test('worlds are listed by pages, also if the last world of a page is deleted in between', async () => {
  const { fake, as } = openCalendar()
  for (const name of ['a', 'b', 'c', 'd']) fake.world(name).clock.now()
  const page = async (query: string) => (await as(ALICE).get(`/_control/worlds?${query}`)).body

  const first = await page('maxResults=2')
  expect(first).toEqual({ worlds: ['default', 'a'], nextPageToken: expect.any(String) })
  fake.deleteWorld('a')
  const second = await page(`maxResults=2&pageToken=${first.nextPageToken}`)

  expect(second.worlds).toEqual(['b', 'c'])
  expect(await page(`maxResults=2&pageToken=${second.nextPageToken}`)).toEqual({ worlds: ['d'] })
  expect(await page('')).toEqual({ worlds: ['default', 'b', 'c', 'd'] })
})

test.each([
  [{ maxResults: 0 }, 'maxResults: expected at least 1; got 0'],
  [{ pageToken: 'b' }, 'pageToken: not a page token of this list'],
])('a page of worlds with %j is refused', (page, message) => {
  const { fake } = openCalendar()

  expect(() => fake.worlds(page)).toThrow(new RangeError(message))
})

test('a world that a failed request has begun is in no list', async () => {
  const { fake, as } = openCalendar()
  const begun = as(`fresh~${ALICE}`).post('/calendars', {})

  expect(fake.worlds()).toEqual(['default'])
  expect((await begun).status).toBe(400)
  expect(fake.worlds()).toEqual(['default'])
})
