import { expect, test } from 'vitest'
import { createFakeCalendar, type Seed, SeedError } from '../../../src/index.ts'
import { ALICE, BOB, CAROL, errorOf, hour, NOW, openCalendar } from '../../support/calendar.ts'
import { EXPIRED, invalid } from '../../support/sharing.ts'

const TEAM = 'team@group.calendar.google.com'
const SEED: Seed = {
  accounts: [
    { email: 'Dora@example.com', timeZone: 'Asia/Tokyo', settings: { weekStart: '1' } },
    { email: BOB, calendarList: [{ id: TEAM, summaryOverride: 'Ours', colorId: '9' }] },
  ],
  groups: [{ email: 'staff@example.com', members: [CAROL] }],
  calendars: [
    {
      id: TEAM,
      owner: ALICE,
      summary: 'Team',
      acl: [
        { scope: { type: 'user', value: BOB }, role: 'writer' },
        { scope: { type: 'group', value: 'staff@example.com' }, role: 'reader' },
      ],
      events: [{ id: 'standup0', summary: 'Standup', ...hour('2026-03-02', 9) }],
    },
    { id: ALICE, events: [{ summary: 'Lunch', ...hour('2026-03-02', 12) }] },
  ],
  tokens: [{ token: 'secret', account: BOB }],
}

test('a seed is added, and the reply counts its records', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).post('/_control/seed', SEED)

  expect(reply).toMatchObject({ status: 200, body: { added: { accounts: 2, calendars: 2, events: 2 } } })
  expect((await as('dora@example.com').get('/calendars/primary')).body.timeZone).toBe('Asia/Tokyo')
  expect((await as('dora@example.com').get('/users/me/settings/weekStart')).body.value).toBe('1')
  expect((await as('secret').get(`/users/me/calendarList/${TEAM}`)).body).toMatchObject({
    summaryOverride: 'Ours',
    accessRole: 'writer',
    backgroundColor: '#7bd148',
  })
  expect((await as(ALICE).get(`/users/me/calendarList/${TEAM}`)).body.accessRole).toBe('owner')
  expect((await as(CAROL).get(`/calendars/${TEAM}/events/standup0`)).body.summary).toBe('Standup')
  expect((await as(ALICE).get('/calendars/primary/events')).body.items).toMatchObject([{ summary: 'Lunch' }])
})

test('a sync returns the added records, and sync tokens stay valid', async () => {
  const { as } = openCalendar()
  const { nextSyncToken } = (await as(ALICE).get('/users/me/calendarList')).body

  await as(ALICE).post('/_control/seed', SEED)

  const { items } = (await as(ALICE).get(`/users/me/calendarList?syncToken=${encodeURIComponent(nextSyncToken)}`)).body
  expect(items).toMatchObject([{ id: TEAM }])
})

test('an added seed sets the clock', async () => {
  const { as } = openCalendar()

  await as(ALICE).post('/_control/seed', { clock: { mode: 'frozen', now: '2027-01-01T00:00:00Z' } })

  expect((await as(ALICE).get('/_control/clock')).body).toEqual({ mode: 'frozen', now: '2027-01-01T00:00:00.000Z' })
})

test('a seed updates an existing account, its calendar and its settings', async () => {
  const { as, fake } = openCalendar()
  fake.seed({ accounts: [{ email: ALICE, timeZone: 'Asia/Tokyo' }] })
  expect((await as(ALICE).get('/calendars/primary')).body.timeZone).toBe('Asia/Tokyo')
  expect((await as(ALICE).get('/users/me/settings/timezone')).body.value).toBe('Asia/Tokyo')
  const before = fake.state()
  fake.seed({ accounts: [{ email: ALICE }] })
  expect(fake.state()).toEqual(before)
})

test('a replaced world has only the data of the seed, and earlier sync tokens have expired', async () => {
  const { fake, as } = openCalendar()
  const { nextSyncToken } = (await as(BOB).get('/users/me/calendarList')).body

  const reply = await as(ALICE).post('/_control/replace', { accounts: [{ email: BOB }] })

  expect(reply).toMatchObject({ status: 200, body: { replaced: { accounts: 1, calendars: 0, events: 0 } } })
  expect(fake.state().accounts?.map(({ email }) => email)).toEqual([BOB])
  expect(errorOf(await as(BOB).get(`/users/me/calendarList?syncToken=${encodeURIComponent(nextSyncToken)}`))).toEqual(
    EXPIRED,
  )
})

const at = (...calendars: object[]) => ({ accounts: [{ email: 'late@example.com' }], calendars })
const GOOD_EVENT = { summary: 'Good', ...hour('2026-03-02', 9) }
const start = GOOD_EVENT.start
const invalidValue = (path: string, problem: string) => `${path}: Invalid value for: ${problem}`

test.each([
  [
    at({ id: ALICE, events: [GOOD_EVENT, GOOD_EVENT, GOOD_EVENT, { summary: 'Bad', start }] }),
    'calendars[0].events[3]: Missing end time.',
  ],
  [
    at({ id: ALICE }, { id: TEAM, owner: ALICE, acl: [{ role: 'reader', scope: { type: 'default' } }, {}] }),
    'calendars[1].acl[1]: Missing scope type.',
  ],
  [
    at({ id: ALICE, acl: [{ role: 'king', scope: { type: 'user', value: BOB } }] }),
    'calendars[0].acl[0]: Missing role.',
  ],
  [
    at({ id: ALICE, acl: [{ role: 'reader', scope: { type: 'user', value: 'bob' } }] }),
    'calendars[0].acl[0]: Invalid scope value.',
  ],
  [
    at({ id: ALICE, acl: [{ role: 'owner', scope: { type: 'default' } }] }),
    'calendars[0].acl[0]: The access role is not allowed for the default scope.',
  ],
  [at({ id: TEAM }), 'calendars[0]: Missing owner.'],
  [
    at({ id: TEAM, owner: 'nobody@example.com' }),
    invalidValue('calendars[0]', 'owner: there is no account nobody@example.com'),
  ],
  [at({ id: TEAM, owner: ALICE, timeZone: 'Mars' }), invalidValue('calendars[0]', 'timeZone: no time zone Mars')],
  [
    at({
      id: ALICE,
      events: [
        { id: 'same0', ...GOOD_EVENT },
        { id: 'same0', ...GOOD_EVENT },
      ],
    }),
    'calendars[0].events[1]: The requested identifier already exists.',
  ],
  [
    { accounts: [{ email: 'late@example.com', timeZone: 'Mars' }] },
    invalidValue('accounts[0]', 'timeZone: no time zone Mars'),
  ],
  [
    { accounts: [{ email: 'late@example.com', settings: { mood: 'good' } }] },
    invalidValue('accounts[0]', 'settings: no setting mood'),
  ],
  [
    { accounts: [{ email: ALICE }, { email: BOB, calendarList: [{ id: BOB }, { id: TEAM }] }] },
    invalidValue('accounts[1].calendarList[1]', `id: there is no calendar ${TEAM}`),
  ],
  [
    { accounts: [{ email: BOB, calendarList: [{ id: ALICE }] }] },
    invalidValue('accounts[0].calendarList[0]', `id: ${BOB} has no role on ${ALICE}`),
  ],
  [
    {
      accounts: [{ email: BOB, calendarList: [{ id: BOB, defaultReminders: [{ method: 'popup', minutes: 50000 }] }] }],
    },
    invalidValue('accounts[0].calendarList[0]', 'defaultReminders: minutes must be 0 to 40320'),
  ],
])('%j is rejected with its place and reason, and changes nothing', async (seed, message) => {
  const { fake, as } = openCalendar()
  const before = fake.state()

  expect(errorOf(await as(ALICE).post('/_control/seed', seed))).toEqual({ ...invalid(message), reason: 'invalidSeed' })
  expect(fake.state()).toEqual(before)
  expect((await as(ALICE).post('/_control/replace', seed)).status).toBe(400)
  expect(fake.state()).toEqual(before)
})

test.each([
  [{ calendars: [{ id: 7 }] }, 'calendars[0].id: expected a text; got 7'],
  [
    { accounts: [{ email: 'nobody' }] },
    'accounts[0].email: expected an address, such as alice@example.com; got "nobody"',
  ],
  [
    { acounts: [] },
    'body: there is no "acounts"; did you mean "accounts"? There are $schema, anchor, clock, conferences, accounts, groups, calendars, channels, mail, tokens, apiKeys, oauth, files',
  ],
  [
    { accounts: [{ email: ALICE, colour: 1 }] },
    'accounts[0]: there is no "colour"; there are email, displayName, picture, timeZone, kind, admin, showDisplayName, reminders, settings, calendarList',
  ],
  [{ anchor: 'today' }, 'anchor: expected a date, such as 2026-03-02; got "today"'],
  [[], 'body: expected an object; got []'],
])('%j is not a seed', async (seed, message) => {
  const { as } = openCalendar()

  expect(errorOf(await as(ALICE).post('/_control/seed', seed))).toEqual(invalid(`Invalid value for: ${message}`))
})

test('a seed that is not JSON is a parse error', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).post('/_control/seed', '{"accounts": [')

  expect(errorOf(reply)).toEqual(invalid(expect.stringContaining('Invalid value for: body: not JSON: ')))
})

test('the error names the first of several problems in the order of application', async () => {
  const { as } = openCalendar()
  const seed = { accounts: [{ email: ALICE, timeZone: 'Mars' }], calendars: [{ id: TEAM }] }

  expect(errorOf(await as(ALICE).post('/_control/seed', seed)).message).toBe(
    'accounts[0]: Invalid value for: timeZone: no time zone Mars',
  )
})

test('the id of a deleted calendar cannot be reused', async () => {
  const { fake, as } = openCalendar()
  fake.seed({ calendars: [{ id: TEAM, owner: ALICE }] })
  await as(ALICE).delete(`/calendars/${TEAM}`)

  expect(() => fake.seed({ calendars: [{ id: TEAM, owner: ALICE }] })).toThrow(
    new SeedError('calendars[0]: The requested identifier already exists.'),
  )
})

test('a state cannot be added to a world', () => {
  const { fake } = openCalendar()

  const add = () => fake.seed(openCalendar().fake.state())

  expect(add).toThrow(new SeedError('counters: a state replaces a world and cannot be added to one'))
  expect(() => createFakeCalendar({ seed: [{ accounts: [] }, fake.state()] })).toThrow(SeedError)
})

test('a seed that removes a role removes the list entry', async () => {
  const { fake, as } = openCalendar({ seed: [{ accounts: [{ email: ALICE }, { email: CAROL }] }, SEED] })

  fake.seed({ calendars: [{ id: TEAM, acl: [{ scope: { type: 'user', value: BOB }, role: 'none' }] }] })

  expect((await as(BOB).get(`/users/me/calendarList/${TEAM}`)).status).toBe(404)
})

test('several seeds are applied in order, and the clock option has priority', () => {
  const { fake } = openCalendar({
    seed: [
      { accounts: [{ email: ALICE }], clock: { mode: 'set', now: '2020-01-01T00:00:00Z' } },
      { calendars: [{ id: ALICE, summary: 'Mine' }] },
    ],
  })

  expect(fake.state().calendars).toMatchObject([{ id: ALICE, summary: 'Mine' }])
  expect(fake.clock.state()).toEqual({ mode: 'frozen', now: new Date(NOW).toISOString() })
})

test('a seed has no channels, which are part of a state alone', () => {
  const { fake } = openCalendar()

  expect(() => fake.seed({ channels: [] } as object)).toThrow('channels: allowed only in a state; call watch instead')
  expect(() => fake.replace({ ...fake.state() })).not.toThrow()
})
