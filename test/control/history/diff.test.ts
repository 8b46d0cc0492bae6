import { expect, test } from 'vitest'
import { ALICE, at, BOB, CAROL, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const STANDUP = { summary: 'Stand-up', ...hour('2026-03-09', 9), attendees: [{ email: BOB }, { email: CAROL }] }

/** A world with a stand-up in it, and the moment after it was made. */
async function meeting() {
  const { fake, as } = openCalendar()
  const { body } = await as(ALICE).post(EVENTS, STANDUP)
  const before = fake.changes().at(-1)?.revision ?? 0
  return { fake, as, id: body.id as string, before }
}

test('initial records of a new account are not changes until they are written', async () => {
  const { fake, as, anonymous } = openCalendar()
  const before = fake.snapshot('before')
  const dora = as('dora@example.com')
  await dora.get(EVENTS)

  expect(fake.diff()).toEqual([])
  expect(fake.diff(before)).toEqual([])
  expect(fake.diff(before.revision)).toEqual([])
  expect(fake.changes()).toEqual([])
  expect((await anonymous.get('/_control/diff?all=true')).body.changes).toEqual([])

  await dora.patch('/calendars/primary', { description: 'Work' })
  await dora.patch('/users/me/calendarList/primary', { colorId: '3' })
  const changed = [{ kind: 'calendar', account: 'dora@example.com' }, { kind: 'calendarList' }]
  expect(
    fake
      .diff(before)
      .map(({ kind }) => kind)
      .sort(),
  ).toEqual(['calendar', 'calendarList'])
  expect(fake.changes()).toMatchObject(changed.map((one) => ({ ...one, change: 'changed' })))
})

test('a response of a guest is one change of the organizer’s event, which includes the copies', async () => {
  const { fake, as, id, before } = await meeting()
  const attendees = [{ email: BOB, responseStatus: 'accepted' }, { email: CAROL }]
  await as(BOB).patch(`${EVENTS}/${id}`, { attendees })

  const diff = fake.diff(before)

  expect(diff).toEqual([
    {
      change: 'changed',
      kind: 'event',
      account: ALICE,
      calendarId: ALICE,
      id,
      title: 'Stand-up',
      fields: { [`attendees[${BOB}].responseStatus`]: ['needsAction', 'accepted'] },
      copies: [expect.objectContaining({ calendarId: BOB }), expect.objectContaining({ calendarId: CAROL })],
    },
  ])
  expect(diff.text).toBe(
    'event "Stand-up" of alice@example.com, 2026-03-09T09:00:00-04:00: attendees[bob@example.com].responseStatus "needsAction" → "accepted"',
  )
})

test('copies are listed separately on request', async () => {
  const { fake, as, id } = await meeting()
  await as(ALICE).patch(`${EVENTS}/${id}`, { location: 'Room 1' })

  const found = fake.diff({ copies: true })

  expect(fake.diff(undefined, { copies: true })).toEqual(found)
  expect(found.map(({ change, calendarId, copies }) => [change, calendarId, copies])).toEqual([
    ['added', ALICE, []],
    ['added', BOB, []],
    ['added', CAROL, []],
  ])
})

test('a guest’s change of the own copy is listed separately', async () => {
  const { fake, as, id, before } = await meeting()
  await as(BOB).patch(`${EVENTS}/${id}`, { colorId: '5' })
  expect(fake.diff(before).text).toBe(
    'event "Stand-up" of bob@example.com, 2026-03-09T14:00:00+01:00: colorId none → "5"',
  )

  await as(ALICE).patch(`${EVENTS}/${id}`, { location: 'Room 1' })
  expect(fake.diff(before).text.split('\n')).toEqual([
    'event "Stand-up" of alice@example.com, 2026-03-09T09:00:00-04:00: location none → "Room 1"',
    'event "Stand-up" of bob@example.com, 2026-03-09T14:00:00+01:00: colorId none → "5"',
  ])
})

test('a cancelled event is deleted, a short-lived event is no change, and a restored event is added', async () => {
  const { fake, as, id, before } = await meeting()
  const { body: passing } = await as(ALICE).post(EVENTS, STANDUP)
  await as(ALICE).delete(`${EVENTS}/${passing.id}`)
  await as(ALICE).delete(`${EVENTS}/${id}`)
  const deletion = fake.changes().at(-1)?.revision ?? 0

  expect(fake.diff(before)).toMatchObject([{ change: 'deleted', id, title: 'Stand-up', fields: { summary: ['Stand-up', null] } }]) // biome-ignore format: one line
  expect(fake.diff(before).text).toBe('event "Stand-up" of alice@example.com, 2026-03-09T09:00:00-04:00: deleted')
  await as(ALICE).patch(`${EVENTS}/${id}`, { status: 'confirmed' })
  expect(fake.diff(before)).toEqual([])
  expect(fake.diff(deletion)).toMatchObject([{ change: 'added', id }])
})

test('a new exception is compared with its generated instance, and a deleted one is reported as deleted', async () => {
  const { fake, as } = openCalendar()
  const daily = { summary: 'Daily', ...hour('2026-03-09', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=5'] }
  const { body } = await as(ALICE).post(EVENTS, daily)
  const before = fake.changes().at(-1)?.revision ?? 0
  await as(ALICE).patch(`${EVENTS}/${body.id}_20260310T130000Z`, { summary: 'Weekly' })
  await as(ALICE).delete(`${EVENTS}/${body.id}_20260311T130000Z`)

  expect(fake.diff(before)).toMatchObject([
    { change: 'changed', fields: { summary: ['Daily', 'Weekly'] } },
    { change: 'deleted', title: 'Daily' },
  ])
  expect(fake.diff(before).text.split('\n')).toEqual([
    'event "Weekly" of alice@example.com, 2026-03-10T09:00:00-04:00: summary "Daily" → "Weekly"',
    'event "Daily" of alice@example.com, 2026-03-11T09:00:00-04:00: deleted',
  ])
})

test('fields that every write changes are reported only on request', async () => {
  const { fake, as, id, before } = await meeting()
  await as(ALICE).patch(`${EVENTS}/${id}`, { summary: 'Daily' })

  expect(Object.keys(fake.diff(before)[0]?.fields ?? {})).toEqual(['summary'])
  expect(Object.keys(fake.diff(before, { all: true })[0]?.fields ?? {})).toEqual(
    expect.arrayContaining(['etag', 'summary']),
  )
})

test('times are formatted as in responses', async () => {
  const { fake, as, id, before } = await meeting()
  await as(ALICE).patch(`${EVENTS}/${id}`, { start: at('2026-03-09T11:00:00'), end: at('2026-03-09T12:30:00') })
  expect(fake.diff(before)[0]?.fields).toEqual({
    'start.dateTime': ['2026-03-09T09:00:00-04:00', '2026-03-09T11:00:00-04:00'],
    'end.dateTime': ['2026-03-09T10:00:00-04:00', '2026-03-09T12:30:00-04:00'],
  })
  expect(fake.diff(before).text).toBe(
    'event "Stand-up" of alice@example.com, 2026-03-09T09:00:00-04:00: start.dateTime "2026-03-09T09:00:00-04:00" → "2026-03-09T11:00:00-04:00", end.dateTime "2026-03-09T10:00:00-04:00" → "2026-03-09T12:30:00-04:00"',
  )

  const days = { start: { date: '2026-03-12', dateTime: null }, end: { date: '2026-03-14', dateTime: null } }
  await as(ALICE).patch(`${EVENTS}/${id}`, days)
  // All-day events take over the default reminders of each calendar.
  const reminders = 'reminders.useDefault true → false, reminders.overrides none → [{"method":"popup","minutes":10}]'
  expect(fake.diff(before).text.split('\n').slice(1)).toEqual([
    `event "Stand-up" of bob@example.com, 2026-03-09T14:00:00+01:00: ${reminders}`,
    `event "Stand-up" of ${CAROL}, 2026-03-09T13:00:00Z: ${reminders}`,
  ])
})

test('every kind of change has a line', async () => {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  const lunch = { summary: 'Lunch', ...hour('2026-03-09', 12), attendees: [{ email: BOB }, { email: 'bob@other.org' }] }
  await alice.post(EVENTS, lunch)
  const { body: team } = await alice.post('/calendars', { summary: 'Team' })
  await alice.post(`/calendars/${team.id}/events`, { ...hour('2026-03-10', 9) })
  await alice.post(`/calendars/${team.id}/acl`, { role: 'reader', scope: { type: 'user', value: CAROL } })
  await alice.post(`/calendars/primary/acl`, { role: 'reader', scope: { type: 'default' } })
  await alice.post(`${EVENTS}/watch`, { id: 'mine', type: 'web_hook', address: 'https://example.com/hook' })
  fake.seed({ accounts: [{ email: BOB, settings: { timezone: 'Europe/Paris' } }] })

  expect(fake.diff().text.split('\n')).toEqual([
    `event "" of ${team.id}, 2026-03-10T13:00:00Z: added`,
    'event "Lunch" of alice@example.com, 2026-03-09T12:00:00-04:00: added',
    `calendar "Team" of ${team.id}: added`,
    `calendarList "Team" of ${team.id}: added`,
    `acl "alice@example.com" of ${team.id}: added`,
    `acl "${CAROL}" of ${team.id}: added`,
    'acl "default" of alice@example.com: added',
    'setting "timezone" of bob@example.com: value "Europe/Berlin" → "Europe/Paris"',
    'channel "mine" of alice@example.com: added',
  ])

  const then = fake.changes().at(-1)?.revision ?? 0
  await alice.patch(`/calendars/${team.id}`, { summary: 'The team' })
  await alice.patch(`/users/me/calendarList/${team.id}`, { colorId: '3' })
  await alice.patch(`/calendars/${team.id}/acl/user:${CAROL}`, { role: 'writer' })
  await alice.delete(`/calendars/primary/acl/default`)
  const [channel] = fake.channels()
  await alice.post('/channels/stop', { id: 'mine', resourceId: channel?.resourceId })
  expect(fake.diff(then).text.split('\n')).toEqual([
    `calendar "The team" of ${team.id}: summary "Team" → "The team"`,
    `calendarList "The team" of ${team.id}: colorId "2" → "3", backgroundColor "#d06b64" → "#f83a22"`,
    `acl "${CAROL}" of ${team.id}: role "reader" → "writer"`,
    'acl "default" of alice@example.com: deleted',
    'channel "mine" of alice@example.com: deleted',
  ])
})

test('a moment is a revision, an instant or a world, and a diff can end at a moment', async () => {
  const { fake, as, id, before } = await meeting()
  fake.clock.advance('1h')
  await as(ALICE).patch(`${EVENTS}/${id}`, { location: 'Room 1' })
  const then = fake.changes().at(-1)?.revision ?? 0
  await as(ALICE).patch(`${EVENTS}/${id}`, { location: 'Room 2' })
  const location = (diff: { fields: object }[]) => diff.map(({ fields }) => fields)

  expect(location(fake.diff(before, then))).toEqual([{ location: [null, 'Room 1'] }])
  expect(location(fake.diff('2026-03-01T13:00:00Z'))).toEqual([{ location: [null, 'Room 2'] }])
  expect(location(fake.diff(new Date('2026-03-01T13:00:00Z')))).toEqual([{ location: [null, 'Room 2'] }])
  expect(fake.diff('2026-03-01T13:00:01Z')).toEqual([])
  expect(fake.world('other').health().world).toBe('other')
  expect(fake.diff(fake.world('other'))).toMatchObject([{ change: 'added', id }])
  expect(fake.world('other').diff(fake)).toMatchObject([{ change: 'deleted', id }])
  expect(fake.diff({ world: 'other' })).toMatchObject([{ change: 'added', id }])
})

test.each<[unknown, string]>([
  ['Tuesday', 'since: there is no snapshot "Tuesday" of this world; the list of snapshots has the names'],
  [{ world: 'nowhere' }, 'since: there is no world "nowhere"; did you mean "default"?'],
  [{ on: 'copies' }, 'since: give a snapshot or a world, each by its handle or name'],
  [
    new Date(Number.NaN),
    'since: there is no snapshot "Invalid Date" of this world; the list of snapshots has the names',
  ],
  [-1, 'since: a revision, an instant such as 2026-03-02T09:00:00Z, the name of a snapshot, or { "world": name }'],
])('%j is not a moment', (moment, problem) => {
  const { fake } = openCalendar()
  expect(() => fake.diff(moment as string)).toThrow(expect.objectContaining({ message: problem, name: 'RangeError' }))
})

test.each([
  ['since=1&world=default', 'give either since or world'],
  ['until=2026-03-02T09:00:00Z', 'a revision or an instant needs one in since; add that, or give a snapshot'],
])('GET /diff?%s is rejected', async (query, message) => {
  const { anonymous } = openCalendar()

  expect(errorOf(await anonymous.get(`/_control/diff?${query}`))).toMatchObject({
    status: 400,
    message: expect.stringContaining(message),
  })
})

test('a rejected request leaves no history', async () => {
  const { fake, as, id, before } = await meeting()
  expect((await as(ALICE).patch(`${EVENTS}/${id}`, { start: at('2026-03-10T09:00:00') })).status).toBe(400)
  expect(fake.diff(before)).toEqual([])
})

test('the diff of a reset world is empty', async () => {
  const { fake } = await meeting()
  fake.reset()
  expect(fake.diff()).toEqual([])
  expect(fake.changes()).toEqual([])
})

test('a diff of two worlds with different accounts omits the initial records of accounts', async () => {
  const { fake, as } = openCalendar({ seed: { accounts: [{ email: ALICE }] } })
  const watch = { id: 'mine', type: 'web_hook', address: 'https://example.com/hook' }
  await as(ALICE).post(`${EVENTS}/watch`, watch)
  const other = fake.world('other')
  other.replace({ accounts: [{ email: BOB }] })
  const summary = (diff: { change: string; kind: string }[]) => diff.map(({ change, kind }) => `${kind} ${change}`)

  await as(`other~${BOB}`).patch('/calendars/primary', { summary: 'Work' })
  expect(summary(fake.diff(other)).sort()).toEqual(['calendar deleted', 'channel added'])
  other.replace(fake.state())
  expect(other.diff(fake)).toEqual([])
})
