import { expect, test } from 'vitest'
import { ALICE, BOB, type Client, hour, openCalendar, refusal } from '../support/calendar.ts'
import { EXPIRED, invalid, share } from '../support/sharing.ts'

/** A morning's work: writes of every kind, one of them refused, and reads of what came of them. Tokens are blotted out. */
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

test('the same requests after a reset are answered with the same bytes, but for tokens', async () => {
  const { as } = openCalendar()
  const before = await morning(as(ALICE), as(BOB))

  const reply = await as(ALICE).post('/_control/reset')

  expect(reply).toMatchObject({ status: 200, body: { reset: { accounts: 3, calendars: 3, events: 0 } } })
  expect(await morning(as(ALICE), as(BOB))).toEqual(before)
})

test('accounts, calendars, seeded tokens and the clock are as they were', async () => {
  const { fake, as } = openCalendar()
  const { counters: _, ...before } = fake.state()

  await morning(as('dora@example.com'), as(BOB))
  fake.seed({ tokens: [{ token: 'late', account: BOB }], groups: [{ email: 'staff@example.com', members: [BOB] }] })
  fake.clock.run('2030-01-01T00:00:00Z')
  await as(ALICE).post('/_control/reset')

  const { counters: __, ...after } = fake.state()
  expect(after).toEqual(before)
})

test('a world goes back to what it was replaced by', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).put('/_control/seed', { accounts: [{ email: 'zoe@example.com' }] })
  await as('zoe@example.com').post('/calendars', { summary: 'Team' })

  fake.reset()

  expect(fake.state().accounts).toMatchObject([{ email: 'zoe@example.com' }])
  expect(fake.state().calendars).toHaveLength(1)
})

test('sync tokens of before have expired and page tokens are none', async () => {
  const { fake, as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'reader')
  const lists = ['/calendars/primary/acl', '/users/me/calendarList', '/users/me/settings', '/calendars/primary/events']
  const syncTokens = await Promise.all(lists.map(async (list) => (await as(ALICE).get(list)).body.nextSyncToken))
  const { nextPageToken } = (await as(ALICE).get('/calendars/primary/acl?maxResults=1')).body

  fake.reset()

  for (const [at, list] of lists.entries()) {
    expect(refusal(await as(ALICE).get(`${list}?syncToken=${encodeURIComponent(syncTokens[at])}`))).toEqual(EXPIRED)
  }
  const reply = await as(ALICE).get(`/calendars/primary/acl?pageToken=${encodeURIComponent(nextPageToken)}`)
  expect(refusal(reply)).toEqual(invalid('Invalid page token value.', 'pageToken'))
})

test('tokens are told apart after ten thousand resets as well', async () => {
  const { counters, ...state } = openCalendar().fake.state()
  if (!counters) throw new Error('a state has counters')
  const old = openCalendar({ seed: { ...state, counters: { ...counters, life: { ...counters.life, number: 9_999 } } } })
  const token = async () => (await old.as(ALICE).get('/users/me/settings')).body.nextSyncToken
  const before = await token()

  old.fake.reset()

  const sync = (syncToken: string) => old.as(ALICE).get(`/users/me/settings?syncToken=${syncToken}`)
  expect(refusal(await sync(before))).toEqual(EXPIRED)
  expect((await sync(await token())).status).toBe(200)
})

test('one world’s reset leaves the others alone', async () => {
  const { fake, as } = openCalendar()
  await as(`blue~${ALICE}`).post('/calendars', { summary: 'Team' })

  fake.reset()

  expect((await as(`blue~${ALICE}`).get('/users/me/calendarList')).body.items).toHaveLength(2)
})
