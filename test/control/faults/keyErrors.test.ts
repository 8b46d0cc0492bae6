import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../../support/calendar.ts'

test.each([
  [
    'API_KEY_SERVICE_BLOCKED',
    403,
    'PERMISSION_DENIED',
    'Requests to this API calendar-json.googleapis.com are blocked.',
  ],
  ['API_KEY_HTTP_REFERRER_BLOCKED', 403, 'PERMISSION_DENIED', 'Requests from referer <empty> are blocked.'],
  ['API_KEY_INVALID', 400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.'],
] as const)('2.6.2, 2.2.10 a fault can be the error %s of an API key', async (fail, code, status, message) => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: 'colors.get', do: { fail } })
  const reply = await as(ALICE).get('/colors')
  const { error } = reply.body

  expect(reply.status).toBe(code)
  expect(error).toMatchObject({ code, status, message })
  expect(error.details).toContainEqual(expect.objectContaining({ reason: fail }))
})

test.each([
  ['unregisteredCaller', 403, "Method doesn't allow unregistered callers"],
  ['missingZone', 400, 'Missing time zone definition for start time.'],
] as const)('1.1.1, 13.4.1 a fault can be the error %s', async (fail, code, message) => {
  const { fake, as } = openCalendar()
  fake.faults.add({ on: 'colors.get', do: { fail } })
  const reply = await as(ALICE).get('/colors')
  const { error } = reply.body

  expect(reply.status).toBe(code)
  expect(error).toMatchObject({ code, message: expect.stringContaining(message) })
})

test('2.6.2 the message of a key that is limited to other pages names the referer of the request', async () => {
  const { fake } = openCalendar()
  fake.faults.add({ on: 'colors.get', do: { fail: 'API_KEY_HTTP_REFERRER_BLOCKED' } })
  const headers = { Referer: 'https://example.com/calendar' }
  const reply = await fake.request('/calendar/v3/colors?key=key', { headers })
  const { error } = await reply.json()

  expect(error).toMatchObject({ message: 'Requests from referer https://example.com/calendar are blocked.' })
})
