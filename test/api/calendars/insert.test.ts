import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { invalid } from '../../support/sharing.ts'

const ID = /^[0-9a-f]{64}@group\.calendar\.google\.com$/

test('3.4.2, 3.4.4, 13.11 a calendar with only a title is in UTC and owned by its creator', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).post('/calendars', { summary: 'Team' })

  expect(reply.status).toBe(200)
  expect(reply.headers.get('ETag')).toBe(reply.body.etag)
  expect(reply.body.etag).toMatch(/^"[\w-]{27}"$/)
  expect(reply.body.id).toMatch(ID)
  expect(reply.text).toBe(`{
 "kind": "calendar#calendar",
 "etag": ${JSON.stringify(reply.body.etag)},
 "id": "${reply.body.id}",
 "summary": "Team",
 "timeZone": "UTC",
 "dataOwner": "alice@example.com",
 "conferenceProperties": {
  "allowedConferenceSolutionTypes": [
   "hangoutsMeet"
  ]
 }
}
`)
})

test('3.4.1, 15.5 all fields that clients can set are stored, and returned in the order of the service', async () => {
  const { as } = openCalendar()
  const calendar = {
    conferenceProperties: { allowedConferenceSolutionTypes: ['eventHangout'] },
    timeZone: 'Asia/Kathmandu',
    location: 'Here',
    description: 'Us',
    summary: 'Team',
  }

  const { body } = await as(ALICE).post('/calendars', calendar)

  expect(body).toMatchObject(calendar)
  expect(Object.keys(body)).toEqual([
    'kind',
    'etag',
    'id',
    'summary',
    'description',
    'location',
    'timeZone',
    'dataOwner',
    'conferenceProperties',
  ])
})

test('3.4.2, 15.4, 15.6.1 a new calendar has two rules, its own and the creator’s, and an entry on the creator’s list', async () => {
  const { as } = openCalendar()

  const { id } = (await as(ALICE).post('/calendars', { summary: 'Team' })).body

  const { items } = (await as(ALICE).get(`/calendars/${id}/acl`)).body
  expect(items).toMatchObject([
    { id: `user:${id}`, role: 'owner', etag: '"00000000000000000000"' },
    { id: `user:${ALICE}`, role: 'owner', etag: expect.stringMatching(/^"0000\d{15}[1-9]?\d*"$/) },
  ])
  expect(items[1].etag).not.toBe(items[0].etag)
  expect((await as(ALICE).get(`/users/me/calendarList/${id}`)).body).toMatchObject({
    summary: 'Team',
    selected: true,
    accessRole: 'owner',
    defaultReminders: [],
  })
})

test('3.4.4 the id of a calendar begins with c_ for an account of a Workspace only', async () => {
  const { as } = openCalendar({
    seed: {
      accounts: [
        { email: ALICE, kind: 'workspace' },
        { email: BOB, kind: 'consumer' },
      ],
    },
  })
  const idOf = async (email: string) => (await as(email).post('/calendars', { summary: 'Team' })).body.id
  expect(await idOf(ALICE)).toMatch(/^c_[0-9a-f]{64}@group\.calendar\.google\.com$/)
  expect(await idOf(BOB)).toMatch(ID)
})

test('read-only and unknown fields are ignored', async () => {
  const { as } = openCalendar()

  const { body } = await as(ALICE).post('/calendars', {
    summary: 'Team',
    kind: 'x',
    etag: '"1"',
    id: 'mine@example.com',
    dataOwner: 'bob@example.com',
    mood: 'good',
  })

  expect(body).toMatchObject({ kind: 'calendar#calendar', id: expect.stringMatching(ID), dataOwner: ALICE })
  expect(body).not.toHaveProperty('mood')
})

test('empty and null fields are omitted, and the zone and conferences get their defaults', async () => {
  const { as } = openCalendar()

  const { body } = await as(ALICE).post('/calendars', {
    summary: 'Team',
    description: '',
    location: null,
    timeZone: null,
    conferenceProperties: {},
  })

  expect(Object.keys(body)).toEqual(['kind', 'etag', 'id', 'summary', 'timeZone', 'dataOwner', 'conferenceProperties'])
  expect(body).toMatchObject({
    timeZone: 'UTC',
    conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] },
  })
})

test('two worlds with equal requests create equal ids, and one world never repeats an id', async () => {
  const make = async () => {
    const { as } = openCalendar()
    const ids = [
      await as(ALICE).post('/calendars', { summary: 'A' }),
      await as(ALICE).post('/calendars', { summary: 'A' }),
    ]
    return ids.map(({ body }) => body.id)
  }

  const [first, second] = [await make(), await make()]

  expect(second).toEqual(first)
  expect(first[0]).not.toBe(first[1])
})

test.each([
  [{ summary: 'x'.repeat(1025) }, invalid('A provided value exceeds the allowed size limit.')],
  [
    { summary: 'Team', description: 'x'.repeat(8193) },
    invalid('Invalid Value: description: longer than the allowed size limit'),
  ],
  [
    { summary: 'Team', location: 'x'.repeat(1025) },
    invalid('Invalid Value: location: longer than the allowed size limit'),
  ],
  [{}, invalid('Missing summary', undefined, 'required')],
  [{ summary: '' }, invalid('Missing summary', undefined, 'required')],
  [{ summary: null }, invalid('Missing summary', undefined, 'required')],
  [{ summary: {} }, invalid('Invalid value')],
  [
    { summary: 'Team', timeZone: 'Eastern Standard Time' },
    invalid('Invalid Value: timeZone: no time zone Eastern Standard Time'),
  ],
  [{ summary: 'Team', conferenceProperties: { allowedConferenceSolutionTypes: 'x' } }, invalid('Invalid value')],
])('3.4.3, 12.4 %j is refused, and stores nothing, not even an id', async (body, expected) => {
  const { fake, as } = openCalendar()
  const before = fake.state()

  expect(errorOf(await as(ALICE).post('/calendars', body))).toEqual(expected)
  expect(fake.state()).toEqual(before)
})
