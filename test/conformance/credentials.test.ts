import { expect, test } from 'vitest'
import { get, hour, post, thisWeek, tokenOf, useCalendar } from './calendar.ts'
import { exactKeys, expectError, expectOk, expectShape } from './expect.ts'

const LIST = '/users/me/calendarList'
const REALM = 'Bearer realm="https://accounts.google.com/"'

/** Lists calendars without a token, with these headers. */
const getListWithHeaders = (headers: Record<string, string>) => get(LIST, {}, { as: 'nobody', headers })

/** Sends a token that no server issues. fake-calendar rejects one that ends in `~`, because it names a world but no account. */
const sendBadToken = () => getListWithHeaders({ Authorization: 'Bearer default~' })

useCalendar()

test('2.1.2, 2.2.10, 11.12, 2.4 a request without credentials is 401 in the format of the front end', async () => {
  const answer = await get('/users/me/calendarList', {}, { as: 'nobody' })
  await expectError(answer, 401, {
    reason: 'required',
    message: 'Login Required.',
    domain: 'global',
    location: 'Authorization',
  })
  expectShape(answer.body, { error: { status: 'UNAUTHENTICATED', details: [{ reason: 'CREDENTIALS_MISSING' }] } })
  expectShape(answer.body.error, exactKeys('code', 'message', 'errors', 'status', 'details'))
  expect(answer.text).toMatch(/^\{\n {2}"error"/)
})

test('1.1, 2.2.10 a write without a user is 401', async () => {
  const answer = await post('events', hour(9), { as: 'nobody' })
  await expectError(answer, 401, { reason: 'required' })
})

test('11.12 a token in the parameter access_token is accepted', async () => {
  const query = { ...thisWeek(), access_token: tokenOf('owner') }
  await expectOk(get('events', query, { as: 'nobody' }), { kind: 'calendar#events' })
})

test('2.1.3 the WWW-Authenticate of a request without a token names no error', async () => {
  const { headers } = await getListWithHeaders({})
  expect(headers.get('WWW-Authenticate')).toBe(REALM)
})

test('2.1.3 the WWW-Authenticate of an invalid token names invalid_token', async (context) => {
  const { status, headers } = await sendBadToken()
  if (status === 200) context.skip('the server accepts any token')
  expect(headers.get('WWW-Authenticate')).toBe(`${REALM}, error="invalid_token"`)
})

test('2.2.10 credentials of another scheme than Bearer are ignored', () =>
  expectError(getListWithHeaders({ Authorization: 'Basic YTpi' }), 401))

test('2.1.2 an error of the front end names the service and the method', async () => {
  const answer = await getListWithHeaders({})
  const metadata = { service: 'calendar-json.googleapis.com', method: 'calendar.v3.CalendarList.List' }
  expectShape(answer.body, { error: { details: [{ domain: 'googleapis.com', metadata }] } })
})
