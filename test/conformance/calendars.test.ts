import { expect, test } from 'vitest'
import { calendarId, createCalendar, del, get, ownerEmail, patch, post, put, SUMMARY, useCalendar } from './calendar.ts'
import { absent, expectError, expectOk, expectStatus, keysInOrder, text } from './expect.ts'

const ORDER = keysInOrder(
  ...['kind', 'etag', 'id', 'summary', 'description', 'location', 'timeZone', 'dataOwner', 'conferenceProperties'],
)

useCalendar()

test('3.2.18.1 PUT of a calendar without labels keeps them, and an empty list removes them', async () => {
  const path = `/calendars/${await createCalendar()}`
  const eventLabels = [{ name: 'Mine', backgroundColor: '#123456' }]
  const { labelProperties } = await expectOk(patch(path, { labelProperties: { eventLabels } }))
  await expectOk(put(path, { summary: SUMMARY }), { labelProperties })
  await expectOk(put(path, { summary: SUMMARY, labelProperties: { eventLabels: [] } }))
  expect((await get(path)).text).not.toContain('Mine')
})

test('3.4.1, 3.4.2, 1.8 a calendar needs only a summary, is in UTC, and returns 200', async () => {
  const id = await createCalendar()
  const answer = await get(`/calendars/${id}`)
  await expectOk(answer, ORDER)
  await expectOk(answer, {
    kind: 'calendar#calendar',
    id,
    summary: SUMMARY,
    timeZone: 'UTC',
    etag: text,
    description: absent,
  })
})

test('3.10.2 the etag of a calendar has 27 url-safe characters, and a write changes it', async () => {
  const path = `/calendars/${await createCalendar({ description: 'An etag' })}`
  const before = await expectOk(get(path), { etag: /^"[\w-]{27}"$/ })
  const after = await expectOk(patch(path, { description: 'Another' }), { etag: /^"[\w-]{27}"$/ })
  expect(before.etag).not.toBe(after.etag)
})

test('3.4.4 the id of a new calendar is c_ and 64 hexadecimal digits', async () => {
  const id = await createCalendar({ description: 'An id' })
  expect(id).toMatch(/^(c_)?[0-9a-f]{64}@group\.calendar\.google\.com$/)
})

test('15.5, 15.3 a secondary calendar names its data owner, a primary one does not', async () => {
  const id = calendarId()
  await expectOk(get(`/calendars/${id}`), { dataOwner: ownerEmail() })
  await expectOk(get('/calendars/primary'), { dataOwner: absent })
})

test('1.6 an address in a path is matched without regard to case', async () => {
  const me = ownerEmail()
  await expectOk(get(`/calendars/${me.toUpperCase()}`), { id: me })
})

test('3.4.5 PATCH of a calendar merges fields, and null removes a field', async () => {
  const id = await createCalendar({ description: 'Old', location: 'Here' })
  const after = { summary: SUMMARY, description: absent, location: 'Here' }
  await expectOk(patch(`/calendars/${id}`, { description: null }), after)
  await expectOk(get(`/calendars/${id}`), after)
})

test('3.4.3 a calendar without a summary is rejected', () =>
  expectError(post('/calendars', {}), 400, { message: /^Missing summary/ }))

test('3.4.3, 13.1 a calendar with a time zone that is not in the IANA database is rejected', () =>
  expectError(post('/calendars', { summary: SUMMARY, timeZone: 'Eastern Standard Time' }), 400, {
    message: /^Invalid Value/,
  }))

test('12.4 a calendar whose summary is too long is rejected', () =>
  expectError(post('/calendars', { summary: 'x'.repeat(20_000) }), 400, {
    message: 'A provided value exceeds the allowed size limit.',
  }))

test('1.2, 2.2.4, 15.12 a calendar that does not exist is 404', () =>
  expectError(get('/calendars/fake-calendar-nobody@group.calendar.google.com'), 404, {
    reason: 'notFound',
    message: 'Not Found',
    domain: 'global',
  }))

test('15.10, 2.2.8 a secondary calendar cannot be cleared', () =>
  expectError(post('clear'), 400, { reason: 'invalid', message: 'Cannot clear a secondary calendar.' }))

test('15.9, 2.2.8 a primary calendar cannot be deleted', async () => {
  const answer = await del('/calendars/primary')
  await expectStatus(answer, 403, {
    error: { errors: [{ domain: 'calendar', reason: 'cannotDeletePrimaryCalendar' }] },
  })
})

test('15.19 working hours of a secondary calendar are rejected', () =>
  expectError(
    patch(`/calendars/${calendarId()}`, { workingHours: { workingHoursEnabled: true, availableTimes: [] } }),
    400,
  ))

test('3.4.1, 3.4.2, 3.4.5 an insert of a calendar stores its zone, and PATCH changes it', async () => {
  const id = await createCalendar({ timeZone: 'Asia/Tokyo' })
  await expectOk(get(`/calendars/${id}`), { timeZone: 'Asia/Tokyo' })
  await expectOk(patch(`/calendars/${id}`, { timeZone: 'Asia/Kolkata' }), { timeZone: 'Asia/Kolkata' })
  await expectOk(get(`/calendars/${id}/events`), { timeZone: 'Asia/Kolkata' })
})

test('2.2.4 DELETE of a calendar that does not exist is 404', () =>
  expectError(del('/calendars/fake-calendar-nobody@group.calendar.google.com'), 404, { reason: 'notFound' }))
