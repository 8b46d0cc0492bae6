import { expect, test } from 'vitest'
import { ALICE, BOB, openCalendar, refusal } from '../support/calendar.ts'
import { invalid, NOT_FOUND, needsRole, share } from '../support/sharing.ts'

const WRITES = [
  ['post', '/calendars/primary/acl'],
  ['patch', `/calendars/primary/acl/user:${BOB}`],
  ['put', `/calendars/primary/acl/user:${BOB}`],
  ['post', '/users/me/calendarList'],
  ['patch', '/users/me/calendarList/primary'],
  ['put', `/users/me/calendarList/${ALICE}`],
  ['post', '/calendars'],
  ['patch', '/calendars/primary'],
  ['put', '/calendars/primary'],
] as const

const WRONG = [
  ['{"summary": ', {}, invalid('Parse Error', undefined, 'parseError')],
  ['summary: Team', {}, invalid('Parse Error', undefined, 'parseError')],
  ['[]', {}, invalid('Invalid value for: body: Invalid input: expected object, received array')],
  ['"Team"', {}, invalid('Invalid value for: body: Invalid input: expected object, received string')],
  ['null', {}, invalid('Invalid value for: body: Invalid input: expected object, received null')],
  [
    'summary=Team',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    invalid('This API does not support parsing form-encoded input.', undefined, 'parseError'),
  ],
] as const

test.each(
  WRITES.flatMap(([verb, path]) => WRONG.map(([body, headers, expected]) => ({ verb, path, body, headers, expected }))),
)('$verb $path refuses the body $body and changes nothing', async ({ verb, path, body, headers, expected }) => {
  const { fake, as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'reader')
  const before = fake.state()

  expect(refusal(await as(ALICE)[verb](path, body, headers))).toEqual(expected)
  expect(fake.state()).toEqual(before)
})

// behaviour 11.14
test('a body without a content type, or of another one, is taken as JSON', async () => {
  const { fake } = openCalendar()
  const patch = (headers: Record<string, string>, summary: string) =>
    fake.request('/calendar/v3/calendars/primary', {
      method: 'PATCH',
      headers: { Authorization: `Bearer ${ALICE}`, ...headers },
      body: new Blob([JSON.stringify({ summary })]),
    })

  for (const headers of [{}, { 'Content-Type': 'text/plain' }, { 'Content-Type': 'application/json; charset=utf-8' }]) {
    expect((await patch(headers as Record<string, string>, 'Mine')).status).toBe(200)
  }
})

test('a body above 10 MB is refused unread', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).patch('/calendars/primary', { summary: 'x'.repeat(10 * 1024 * 1024) })

  expect(refusal(reply)).toEqual({
    status: 413,
    domain: 'global',
    reason: 'requestTooLarge',
    message: 'Request body is larger than 10 MB.',
  })
})

// behaviour 2.4
test('checks come in one order: credentials, parameters, body, calendar, role, version, sense', async () => {
  const { as, anybody } = openCalendar()
  const id = (await as(ALICE).post('/calendars', { summary: 'Team' })).body.id
  const rules = `/calendars/${id}/acl`
  const stale = { 'If-Match': '"1"' }

  expect((await anybody.post(`${rules}?sendNotifications=x`, '{')).status).toBe(401)
  expect(refusal(await as(BOB).post(`${rules}?sendNotifications=x`, '{')).reason).toBe('invalidParameter')
  expect(refusal(await as(BOB).post(rules, '{')).reason).toBe('parseError')
  expect(refusal(await as(BOB).patch(`/calendars/${id}`, { timeZone: 'Mars' }, stale))).toEqual(NOT_FOUND)
  await share(as(ALICE), id, BOB, 'reader')
  expect(refusal(await as(BOB).patch(`/calendars/${id}`, { timeZone: 'Mars' }, stale))).toEqual(needsRole('owner'))
  expect(refusal(await as(ALICE).patch(`/calendars/${id}`, { timeZone: 'Mars' }, stale)).status).toBe(412)
  expect(refusal(await as(ALICE).patch(`/calendars/${id}`, { timeZone: 'Mars' })).status).toBe(400)
})
