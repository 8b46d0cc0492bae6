import { expect, test } from 'vitest'
import {
  createCalendar,
  createEvent,
  del,
  get,
  hour,
  patch,
  post,
  put,
  send,
  thisWeek,
  useCalendar,
} from './calendar.ts'
import { type Answer, contains, everyItem, expectError, expectOk, expectShape, expectStatus } from './expect.ts'

const LIST = '/users/me/calendarList'
const SETTINGS = '/users/me/settings'
const PUBLIC = { role: 'reader', scope: { type: 'default' } }
const SILENT = { query: { sendNotifications: false } }

/** Creates a calendar with a rule for the public. Returns the paths of the calendar, its list entry and the rule. */
async function createResources() {
  const id = await createCalendar()
  await expectOk(post(`/calendars/${id}/acl`, PUBLIC, SILENT))
  return { calendar: `/calendars/${id}`, entry: `${LIST}/${id}`, rule: `/calendars/${id}/acl/default` }
}

/** Expects that the header ETag is the etag of the body. */
async function expectEtagHeader(answer: Promise<Answer>): Promise<void> {
  const { headers } = await answer
  const { etag } = await expectOk(answer, { etag: /^".+"$/ })
  expect(headers.get('ETag')).toBe(etag)
}

/** Expects that a second read of a path with the etag of the first one is 304. */
async function expectNotModified(path: string): Promise<void> {
  const { etag } = await expectOk(get(path))
  await expectStatus(get(path, {}, { headers: { 'If-None-Match': etag } }), 304)
}

/** Expects that a write with another etag is 412, and one with the current etag succeeds. */
async function expectCondition(kind: 'calendar' | 'entry' | 'rule', method: 'PATCH' | 'PUT' | 'DELETE', body?: object) {
  const path = (await createResources())[kind]
  const send412 = send(method, path, body, { headers: { 'If-Match': '"1"' } })
  await expectError(send412, 412, { reason: 'conditionNotMet', locationType: 'header', location: 'If-Match' })
  const { etag } = await expectOk(get(path))
  await expectStatus(send(method, path, body, { headers: { 'If-Match': etag } }), method === 'DELETE' ? 204 : 200)
}

useCalendar()

test('11.5 the etag of an event is its header ETag, with the quotes', async () => {
  const made = await post('events', hour(9))
  const { etag, id } = await expectOk(made, { etag: /^"\d+"$/ })
  for (const answer of [made, await get(`events/${id}`)]) expect(answer.headers.get('ETag')).toBe(etag)
})

test('11.5, 3.11 a list of events has an etag in its body and no header ETag', async () => {
  const answer = await get('events', thisWeek())
  await expectOk(answer, { etag: /^".+"$/ })
  expect(answer.headers.has('ETag')).toBe(false)
})

test('11.8, 2.2.4 a write with a former etag is 412', async () => {
  const { etag, id } = await createEvent()
  const path = `events/${id}`
  await expectOk(patch(path, { summary: 'Other' }))
  const refusal = { reason: 'conditionNotMet', message: 'Precondition Failed', location: 'If-Match' }
  const headers = { 'If-Match': etag }
  await expectError(patch(path, { summary: 'Late' }, { headers }), 412, refusal)
  await expectError(put(path, hour(9), { headers }), 412, refusal)
  await expectError(del(path, { headers }), 412, refusal)
  await expectOk(get(path), { summary: 'Other' })
})

test('11.8 a write with the current etag or * is accepted', async () => {
  const { etag, id } = await createEvent()
  const path = `events/${id}`
  await expectOk(patch(path, { summary: 'One' }, { headers: { 'If-Match': etag } }), { summary: 'One' })
  await expectOk(patch(path, { summary: 'Two' }, { headers: { 'If-Match': '*' } }), { summary: 'Two' })
})

test('11.9, 11.7 a read of an event with its current etag is 304, and with a former one 200', async () => {
  const { etag, id } = await createEvent()
  const path = `events/${id}`
  const headers = { 'If-None-Match': etag }
  const same = await get(path, {}, { headers })
  await expectStatus(same, 304)
  expect(same.text).toBe('')
  await expectOk(patch(path, { summary: 'Other' }))
  await expectOk(get(path, {}, { headers }), { summary: 'Other' })
})

test('11.9 a read of a setting with its current etag is 304', () => expectNotModified(`${SETTINGS}/timezone`))

test('11.9, 3.11 a read of a list with a former etag returns a new event', async () => {
  const { etag } = await expectOk(get('events', thisWeek()))
  const { id } = await createEvent()
  const headers = { 'If-None-Match': etag }
  await expectOk(get('events', thisWeek(), { headers }), { items: contains({ id }) })
})

test('3.10.2 settings have etags of 16 digits', async () => {
  const { items } = await expectOk(get(SETTINGS))
  expectShape(items, everyItem({ etag: /^"\d{16}"$/ }))
})

test.each(['calendar', 'entry', 'rule'] as const)(
  '11.5, 11.9 a %s has its etag as a header, and a read with it is 304',
  async (kind) => {
    const path = (await createResources())[kind]
    await expectEtagHeader(get(path))
    await expectNotModified(path)
  },
)

test.each([
  ['11.5 writes of a calendar return its etag as a header', 'calendar', { summary: 'Late' }],
  ['11.5 writes of a list entry return its etag as a header', 'entry', { colorId: '3' }],
  ['11.5 writes of a rule return its etag as a header', 'rule', { ...PUBLIC, role: 'freeBusyReader' }],
] as const)('%s', async (_, kind, body) => {
  const path = (await createResources())[kind]
  await expectEtagHeader(patch(path, body))
  await expectEtagHeader(put(path, body))
})

test.each([LIST, SETTINGS, 'acl'])('11.9 a read of the list %s with its current etag is 304', expectNotModified)

test.each([
  ['11.8, 2.2.4 PATCH of a calendar with a former etag is 412', 'calendar', 'PATCH', { description: 'Late' }],
  ['11.8, 2.2.4 PUT of a calendar with a former etag is 412', 'calendar', 'PUT', { summary: 'Late' }],
  ['11.8, 2.2.4 DELETE of a calendar with a former etag is 412', 'calendar', 'DELETE', undefined],
  ['11.8, 2.2.4 PATCH of a list entry with a former etag is 412', 'entry', 'PATCH', { colorId: '3' }],
  ['11.8, 2.2.4 PUT of a list entry with a former etag is 412', 'entry', 'PUT', { colorId: '3' }],
  ['11.8, 2.2.4 PATCH of a rule with a former etag is 412', 'rule', 'PATCH', { role: 'freeBusyReader' }],
  ['11.8, 2.2.4 PUT of a rule with a former etag is 412', 'rule', 'PUT', { ...PUBLIC, role: 'freeBusyReader' }],
  ['11.8, 2.2.4 DELETE of a rule with a former etag is 412', 'rule', 'DELETE', undefined],
] as const)('%s', (_, kind, method, body) => expectCondition(kind, method, body))
