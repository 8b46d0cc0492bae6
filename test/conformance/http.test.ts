import { expect, test } from 'vitest'
import { calendarId, createEvent, del, get, hour, instant, patch, post, thisWeek, useCalendar } from './calendar.ts'
import { type Answer, exactKeys, expectError, expectOk, expectShape, expectStatus } from './expect.ts'

const ORIGIN = 'https://example.com'

/** Expects headers: by a text for equality, or by a pattern. */
function expectHeaders({ request, headers }: Answer, expected: Record<string, string | RegExp>): void {
  for (const [name, value] of Object.entries(expected))
    if (typeof value === 'string') expect(headers.get(name), `${request}: ${name}`).toBe(value)
    else expect(headers.get(name), `${request}: ${name}`).toMatch(value)
}

const NEVER = 'Mon, 01 Jan 1990 00:00:00 GMT'
const NOT_STORED = {
  'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
  Pragma: 'no-cache',
  Expires: NEVER,
}

useCalendar()

test('11.11 fields selects the parts of the reply to a write', async () => {
  await expectOk(post('events', hour(9), { query: { fields: 'id,status' } }), exactKeys('id', 'status'))
})

test('2.1.1, 11.6 an error has errors, code and message', async () => {
  const answer = await get('events/nothing')
  await expectError(answer, 404, { reason: 'notFound', message: 'Not Found', domain: 'global' })
  expectShape(answer.body, { error: exactKeys('errors', 'code', 'message') })
  expectShape(answer.body.error.errors, [exactKeys('domain', 'reason', 'message')])
  expect(answer.text).toMatch(/^\{\n "error"/)
})

test('2.7 the reply to an unknown path is an HTML page', async () => {
  const answer = await get('/nothing/of/the/kind')
  await expectStatus(answer, 404)
  expect(answer.headers.get('Content-Type')).toMatch(/^text\/html/)
})

test('2.4 an unknown calendar is reported before an invalid body', async () => {
  await expectStatus(post('/calendars/fake-calendar-nobody@group.calendar.google.com/events', {}), 404)
})

test('2.2.1 an insert whose body is not JSON is rejected', () =>
  expectError(post('events', '{"summary":'), 400, { reason: 'parseError', message: 'Parse Error' }))

test('11.15 sequence and minutes are JSON numbers', async () => {
  const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] }
  const { sequence } = await expectOk(post('events', { ...hour(9), reminders }), { reminders })
  expect(typeof sequence).toBe('number')
})

test('11.3, 11.6 a reply is JSON in UTF-8, indented by one space', async () => {
  const answer = await get('events', thisWeek())
  const type = answer.headers.get('Content-Type')
  expect(type).toBe('application/json; charset=UTF-8')
  expect(answer.text).toMatch(/^\{\n "kind"/)
  expect(answer.headers.get('X-Content-Type-Options')).toBe('nosniff')
  const vary = (answer.headers.get('Vary') ?? '').toLowerCase()
  expect(['origin', 'x-origin', 'referer'].every((name) => vary.includes(name))).toBe(true)
})

test('1.10, 11.6 prettyPrint=false returns compact JSON', async () => {
  const { text } = await get('events', { ...thisWeek(), prettyPrint: false })
  expect(text).toMatch(/^\{"kind":"calendar#events"/)
})

test('11.13 a POST with X-HTTP-Method-Override: GET reads', async () => {
  const { id } = await createEvent()
  const headers = { 'X-HTTP-Method-Override': 'GET' }
  await expectOk(post(`events/${id}`, undefined, { headers }), { id })
})

test('14.12, 2.1.1, 2.1.2 errors are indented by one space, and those of the front end by two', async () => {
  const backend = await get('events/nothing')
  const frontEnd = await get('events', {}, { as: 'nobody' })
  const found = [backend, frontEnd].map(({ text }) => /^\{\n( *)"/.exec(text)?.[1]?.length).join()
  expect(found).toBe('1,2')
})

test('11.13 X-HTTP-Method-Override replaces the verb of a POST', async () => {
  const { id } = await createEvent({ summary: 'Old', location: 'Here' })
  const headers = { 'X-HTTP-Method-Override': 'PATCH' }
  const shape = { summary: 'New', location: 'Here' }
  await expectOk(post(`events/${id}`, { summary: 'New' }, { headers }), shape)
})

test('11.2, 1.6 ids in a path may be escaped or not', async () => {
  const { id } = await createEvent()
  await expectOk(get(`/calendars/${calendarId().replace('@', '%40')}/events/${id}`), { id })
  await expectOk(get(`events/${id}?`), { id })
})

test('11.16 scripts of web pages may read replies', async () => {
  const headers = { Origin: 'https://example.com' }
  const answer = await get('events', thisWeek(), { headers })
  const allowed = answer.headers.get('Access-Control-Allow-Origin')
  expect(allowed).toBe(headers.Origin)
})

test('11.11, 3.2.1 fields of an event are returned in the order of the event', async () => {
  const { id } = await createEvent({ summary: 'A' })
  await expectOk(get(`events/${id}`, { fields: 'summary,id,etag' }), exactKeys('etag', 'id', 'summary'))
  const made = await post('events', hour(9), { query: { fields: 'id' } })
  await expectOk(made, exactKeys('id'))
})

test('11.4, 11.7 a write may not be stored', async () => {
  const made = await post('events', hour(9))
  expectHeaders(made, NOT_STORED)
  expectHeaders(await patch(`events/${made.body.id}`, { summary: 'A' }), NOT_STORED)
  const removed = await del(`events/${made.body.id}`)
  expectHeaders(removed, { ...NOT_STORED, 'Content-Length': '0' })
})

test('11.4 an error of the backend may not be stored', async () =>
  expectHeaders(await get('events/nothing'), NOT_STORED))

test('11.16 scripts of web pages may send credentials and read etags, also of errors', async () => {
  for (const one of ['events', 'events/nothing'])
    expectHeaders(await get(one, {}, { headers: { Origin: ORIGIN } }), {
      'Access-Control-Allow-Origin': ORIGIN,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': /\bETag\b/i,
    })
  const nobody = await get('events', {}, { as: 'nobody', headers: { Origin: ORIGIN } })
  expectHeaders(nobody, { 'Access-Control-Allow-Origin': ORIGIN })
})

test('2.7 the page of an unknown path has the title of the service', async () => {
  const answer = await get('/nothing/of/the/kind')
  expect(answer.text).toContain('<title>Error 404 (Not Found)!!1</title>')
})

test('11.3, 11.6, 3.2.12 texts are UTF-8 and are returned as sent', async () => {
  const texts = { summary: 'Grüße, 日本 🎉 "x" <b>', description: '<p>a & b</p>\nC:\\d' }
  const { id } = await expectOk(post('events', { ...hour(9), ...texts }), texts)
  await expectOk(get(`events/${id}`), texts)
})

test('11.14 a key that is repeated with null keeps its value', async () => {
  const { start, end } = hour(9)
  const body = `{"summary":"A","summary":null,"start":${JSON.stringify(start)},"end":${JSON.stringify(end)}}`
  await expectOk(post('events', body), { summary: 'A' })
})

test('2.1.1 the message of an error is that of its first item', async () => {
  const answer = await get('events', { timeMin: instant(9), timeMax: instant(8) })
  const item = { message: 'The specified time range is empty.', locationType: 'parameter', location: 'timeMax' }
  expectShape(answer.body, { error: { code: 400, message: item.message } })
  expectShape(answer.body.error.errors, [item])
})

test('11.14, 2.2.1 a form instead of a JSON body is rejected', () =>
  expectError(post('events', 'summary=A', { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }), 400, {
    reason: 'parseError',
    message: 'This API does not support parsing form-encoded input.',
  }))

test('1.7, 2.7 DELETE of a path without an event id returns an HTML page', async () => {
  const answer = await del('events/')
  await expectStatus(answer, 404)
  expect(answer.text).toContain('<title>')
})

test('11.11, 3.3 fields of a list omits items unless it names them', async () => {
  await expectOk(get('events', { fields: 'nextSyncToken,kind' }), exactKeys('kind', 'nextSyncToken'))
})

test('2.2.1 PATCH with a body that is not JSON is rejected', async () =>
  expectError(patch(`events/${(await createEvent()).id}`, '{'), 400, { reason: 'parseError' }))

test.each([
  [
    '11.11, 2.2.1 an unknown field in fields is rejected',
    { fields: 'foo' },
    { reason: 'invalidParameter', location: 'fields', message: 'Invalid field selection foo' },
  ],
  ['1.10 an alt other than json is rejected', { alt: 'atom' }, { reason: 'invalidParameter', location: 'alt' }],
  [
    '11.11 an unknown field of items in fields is rejected',
    { fields: 'items(foo)' },
    { reason: 'invalidParameter', location: 'fields' },
  ],
])('%s', (_, query, error) => expectError(get('events', query), 400, error))

test('10.2, 11.4 freeBusy has no header ETag, and the cache headers of a write', async () => {
  const answer = await post('/freeBusy', { ...thisWeek(), items: [] })
  expectHeaders(answer, NOT_STORED)
  expect(answer.headers.has('ETag')).toBe(false)
})
