import { expect, test } from 'vitest'
import { ALICE, BOB, type Client, errorOf, hour, openCalendar } from '../../support/calendar.ts'
import { EXPIRED, invalid, share } from '../../support/sharing.ts'

/** Makes writes of every kind, one of them refused, and reads of their results. Returns the texts without tokens. */
async function morning(alice: Client, bob: Client): Promise<string[]> {
  const { id } = (await alice.post('/calendars', { summary: 'Team' })).body
  const event = (await alice.post(`/calendars/${id}/events`, { summary: 'Standup', ...hour('2026-03-02', 9) })).body
  const replies = [
    await share(alice, id, BOB, 'reader'),
    await bob.post('/users/me/calendarList', { id, colorId: '4' }),
    await alice.patch(`/calendars/${id}/events/${event.id}`, { location: 'Here' }),
    await alice.get('/users/me/calendarList'),
    await alice.get(`/calendars/${id}/events`),
    await alice.get(`/calendars/${id}/acl`),
    await bob.get('/users/me/settings?maxResults=3'),
    await bob.delete('/calendars/nobody@example.com'),
  ]
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200, 200, 404])
  return replies.map(({ text }) => text.replace(/"next(Sync|Page)Token": "[^"]+"/g, ''))
}

test('the same requests after a reset get the same bytes, except for tokens', async () => {
  const { as } = openCalendar()
  const before = await morning(as(ALICE), as(BOB))

  const reply = await as(ALICE).post('/_control/reset')

  expect(reply).toMatchObject({ status: 200, body: { reset: { accounts: 3, calendars: 3, events: 0 } } })
  expect(await morning(as(ALICE), as(BOB))).toEqual(before)
})

test('a reset restores accounts, calendars, seeded tokens and the clock', async () => {
  const { fake, as } = openCalendar()
  const { counters: _, ...before } = fake.state()

  await morning(as('dora@example.com'), as(BOB))
  fake.seed({ tokens: [{ token: 'late', account: BOB }], groups: [{ email: 'staff@example.com', members: [BOB] }] })
  fake.clock.run('2030-01-01T00:00:00Z')
  await as(ALICE).post('/_control/reset')

  const { counters: __, ...after } = fake.state()
  expect(after).toEqual(before)
})

test('a reset returns to the seed of the last replace', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post('/_control/replace', { accounts: [{ email: 'zoe@example.com' }] })
  await as('zoe@example.com').post('/calendars', { summary: 'Team' })

  fake.reset()

  expect(fake.state().accounts).toMatchObject([{ email: 'zoe@example.com' }])
  expect(fake.state().calendars).toHaveLength(1)
})

test('after a reset, earlier sync tokens have expired and page tokens are invalid', async () => {
  const { fake, as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'reader')
  const lists = ['/calendars/primary/acl', '/users/me/calendarList', '/users/me/settings', '/calendars/primary/events']
  const syncTokens = await Promise.all(lists.map(async (list) => (await as(ALICE).get(list)).body.nextSyncToken))
  const { nextPageToken } = (await as(ALICE).get('/calendars/primary/acl?maxResults=1')).body

  fake.reset()

  for (const [at, list] of lists.entries()) {
    expect(errorOf(await as(ALICE).get(`${list}?syncToken=${encodeURIComponent(syncTokens[at])}`))).toEqual(EXPIRED)
  }
  const reply = await as(ALICE).get(`/calendars/primary/acl?pageToken=${encodeURIComponent(nextPageToken)}`)
  expect(errorOf(reply)).toEqual(invalid('Invalid page token value.', 'pageToken'))
})

test('tokens before and after 10,000 resets are distinguished', async () => {
  const { counters, ...state } = openCalendar().fake.state()
  if (!counters) throw new Error('a state has counters')
  const old = openCalendar({
    seed: { ...state, counters: { ...counters, epoch: { ...counters.epoch, resetCount: 9_999 } } },
  })
  const token = async () => (await old.as(ALICE).get('/users/me/settings')).body.nextSyncToken
  const before = await token()

  old.fake.reset()

  const sync = (syncToken: string) => old.as(ALICE).get(`/users/me/settings?syncToken=${syncToken}`)
  expect(errorOf(await sync(before))).toEqual(EXPIRED)
  expect((await sync(await token())).status).toBe(200)
})

test('a reset does not affect other worlds', async () => {
  const { fake, as } = openCalendar()
  await as(`blue~${ALICE}`).post('/calendars', { summary: 'Team' })

  fake.reset()

  expect((await as(`blue~${ALICE}`).get('/users/me/calendarList')).body.items).toHaveLength(2)
})
