import { expect, test } from 'vitest'
import { calendarId, createEvent, get, hour, patch, post, put, unusedId, useCalendar } from '../calendar.ts'
import {
  type Answer,
  absent,
  contains,
  expectError,
  expectOk,
  expectShape,
  expectStatus,
  keysInOrder,
} from '../expect.ts'

/** Returns the body of an event that requests a conference of a type. */
const createConferenceBody = (requestId: string, type = 'hangoutsMeet') => ({
  conferenceData: { createRequest: { requestId, conferenceSolutionKey: { type } } },
})
const VERSION = { query: { conferenceDataVersion: 1 } }

useCalendar()

test('9.1 an insert without conferenceDataVersion ignores a request for a conference', async () => {
  const made = await post('events', { ...hour(9), ...createConferenceBody(unusedId('v')) })
  await expectOk(made, { conferenceData: absent, hangoutLink: absent })
  await expectOk(get(`events/${made.body.id}`), { conferenceData: absent, hangoutLink: absent })
})

test('9.10, 3.4.1 a calendar allows conferences of Google Meet', async () => {
  const id = calendarId()
  const shape = { conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] } }
  await expectOk(get(`/calendars/${id}`), shape)
})

test('9.2, 9.3, 9.4, 9.6 a conference request is returned, and becomes a conference', async () => {
  const requestId = unusedId()
  const request = {
    requestId,
    conferenceSolutionKey: { type: 'hangoutsMeet' },
    status: { statusCode: /^(pending|success)$/ },
  }
  const { id } = await expectOk(post('events', { ...hour(9), ...createConferenceBody(requestId) }, VERSION), {
    conferenceData: { createRequest: request },
  })
  const seen = await get(`events/${id}`)
  await expectOk(seen, {
    hangoutLink: /^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/,
    conferenceData: {
      createRequest: { requestId, status: { statusCode: 'success' } },
      conferenceId: /^[a-z]{3}-[a-z]{4}-[a-z]{3}$/,
      entryPoints: contains({ entryPointType: 'video', uri: seen.body.hangoutLink }),
      conferenceSolution: { key: { type: 'hangoutsMeet' }, name: 'Google Meet' },
    },
  })
})

test('9.8 a second request with the same requestId keeps the conference', async () => {
  const path = `events/${(await createEvent(createConferenceBody(unusedId()), VERSION)).id}`
  const { hangoutLink } = await expectOk(get(path), { hangoutLink: /^https:/ })
  await expectOk(patch(path, createConferenceBody(unusedId()), VERSION))
  await expectOk(get(path), { hangoutLink })
})

test('9.12, 9.1 null removes a conference only with conferenceDataVersion=1', async () => {
  const path = `events/${(await createEvent(createConferenceBody(unusedId()), VERSION)).id}`
  await expectOk(get(path))
  await expectOk(patch(path, { conferenceData: null }), { hangoutLink: /^https:/ })
  await expectOk(patch(path, { conferenceData: null }, VERSION), { conferenceData: absent, hangoutLink: absent })
})

test('9.13 instances have their series’ conference', async () => {
  const body = { ...createConferenceBody(unusedId()), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  const { id } = await createEvent(body, VERSION)
  const { hangoutLink } = await expectOk(get(`events/${id}`), { hangoutLink: /^https:/ })
  const { items } = await expectOk(get(`events/${id}/instances`))
  expectShape(items, [{ hangoutLink }, { hangoutLink }])
})

test('9.10, 2.2.7 a conference solution that the calendar does not allow is rejected', () =>
  expectError(post('events', { ...hour(9), ...createConferenceBody(unusedId(), 'eventHangout') }, VERSION), 400, {
    reason: 'invalid',
    message: 'Invalid conference type value.',
  }))

test('9.1, 1.22 a conferenceDataVersion other than 0 and 1 is rejected', () =>
  expectError(post('events', hour(9), { query: { conferenceDataVersion: 2 } }), 400, {
    reason: 'invalidParameter',
    location: 'conferenceDataVersion',
  }))

test('9.11, 9.15 conferenceData of another event gives the same conference', async () => {
  const createRequest = { requestId: unusedId(), conferenceSolutionKey: { type: 'hangoutsMeet' } }
  const version = { query: { conferenceDataVersion: 1 } }
  const { id } = await createEvent({ conferenceData: { createRequest } }, version)
  const { hangoutLink, conferenceData } = await expectOk(get(`events/${id}`), { hangoutLink: /^https:/ })
  const copy = await post('events', { ...hour(11), conferenceData }, version)
  await expectOk(copy, { hangoutLink, conferenceData: { conferenceId: conferenceData.conferenceId } })
})

test('9.5, 9.16, 9.9 the entry points of a conference are in the order video, more, phone', async () => {
  const createRequest = { requestId: unusedId('p'), conferenceSolutionKey: { type: 'hangoutsMeet' } }
  const { id } = await createEvent({ conferenceData: { createRequest } }, { query: { conferenceDataVersion: 1 } })
  const { conferenceData } = await expectOk(get(`events/${id}`))
  const uris = { video: /^https:/, more: /^https:/, phone: /^tel:/ }
  const types: (keyof typeof uris)[] = conferenceData.entryPoints.map((point: Answer['body']) => point.entryPointType)
  expect(types[0]).toBe('video')
  expect(types).toEqual(Object.keys(uris).filter((type) => types.includes(type as keyof typeof uris)))
  const order = [
    'regionCode',
    'entryPointType',
    'uri',
    'label',
    'pin',
    'accessCode',
    'meetingCode',
    'passcode',
    'password',
  ]
  for (const point of conferenceData.entryPoints) {
    expectShape(point, keysInOrder(...order))
    expect(point.uri).toMatch(uris[point.entryPointType as keyof typeof uris])
  }
})

test('9.17 notes of a conference that are too long are rejected', async () => {
  const conferenceData = {
    conferenceSolution: { key: { type: 'addOn' }, name: 'Other' },
    entryPoints: [{ entryPointType: 'video', uri: `https://example.com/${'x'.repeat(1400)}` }],
  }
  const answer = await post('events', { ...hour(9), conferenceData }, { query: { conferenceDataVersion: 1 } })
  await expectStatus(answer, 400)
})

test('9.2 a conference request without a solution creates a conference of Google Meet', async () => {
  const conferenceData = { createRequest: { requestId: unusedId() } }
  const { id } = await createEvent({ conferenceData }, { query: { conferenceDataVersion: 1 } })
  await expectOk(get(`events/${id}`), { hangoutLink: /^https:\/\/meet\.google\.com\// })
})

test('9.8, 9.12 another requestId creates another conference, and PUT without it removes it', async () => {
  const version = { query: { conferenceDataVersion: 1 } }
  const request = async (ending: string) => ({
    conferenceData: { createRequest: { requestId: unusedId(ending), conferenceSolutionKey: { type: 'hangoutsMeet' } } },
  })
  const path = `events/${(await createEvent(await request('a'), version)).id}`
  const { hangoutLink } = await expectOk(get(path))
  await expectOk(patch(path, await request('b'), version))
  const after = await expectOk(get(path), { hangoutLink: /^https:/ })
  expect(after.hangoutLink).not.toBe(hangoutLink)
  await expectOk(put(path, hour(9)), { hangoutLink: after.hangoutLink })
  await expectOk(put(path, hour(9), version), { hangoutLink: absent, conferenceData: absent })
})
