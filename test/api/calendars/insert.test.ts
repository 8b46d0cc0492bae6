import { expect, test } from 'vitest'
import { ALICE, errorOf, openCalendar } from '../../support/calendar.ts'
import { invalid } from '../../support/sharing.ts'

const ID = /^[0-9a-f]{64}@group\.calendar\.google\.com$/

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
