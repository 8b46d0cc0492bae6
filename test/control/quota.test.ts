import { expect, test } from 'vitest'
import type { QuotaLimits } from '../../src/index.ts'
import { ALICE, BOB, errorOf, openCalendar } from '../support/calendar.ts'

type Client = { get(path: string): Promise<{ status: number }> }
const statusesOf = async (client: Client, times: number, query = ''): Promise<number[]> => {
  const statuses: number[] = []
  for (let request = 0; request < times; request++) statuses.push((await client.get(`/colors${query}`)).status)
  return statuses
}

test('2.6.1, 12.14.1, 14.14 a quota limits requests of any minute of the world’s clock, with the error of the front end', async () => {
  const { fake, as } = openCalendar()
  expect(await statusesOf(as(ALICE), 70)).not.toContain(403)
  fake.quota({ perUserPerMinute: 2 })

  fake.clock.advance('59s')
  expect(await statusesOf(as(ALICE), 2)).toEqual([200, 200])
  const refused = await as(ALICE).get('/colors')
  expect(errorOf(refused)).toEqual({
    status: 403,
    domain: 'usageLimits',
    reason: 'rateLimitExceeded',
    message:
      "Quota exceeded for quota metric 'Queries' and limit 'Queries per minute per user' of service 'calendar-json.googleapis.com' for consumer 'project_number:100000000001'.",
  })
  expect(refused.body.error).toMatchObject({
    status: 'PERMISSION_DENIED',
    details: [{ reason: 'RATE_LIMIT_EXCEEDED' }],
  })
  fake.clock.advance('59.999s')
  expect(await statusesOf(as(ALICE), 1)).toEqual([403])
  fake.clock.advance(1)
  expect(await statusesOf(as(ALICE), 1)).toEqual([200])
  fake.quota.remove()
  expect(await statusesOf(as(ALICE), 5)).not.toContain(403)
})

test('a quota applies to the project and to each user or quotaUser', async () => {
  const { fake, as } = openCalendar()
  fake.quota({ perMinute: 4, perUserPerMinute: 2 })

  expect(await statusesOf(as(ALICE), 3)).toEqual([200, 200, 403])
  expect(await statusesOf(as(ALICE), 1, '?quotaUser=__proto__')).toEqual([200])
  expect(await statusesOf(as(BOB), 1)).toEqual([200])
  expect(errorOf(await as(BOB).get('/colors'))).toMatchObject({
    status: 403,
    message: expect.stringContaining("limit 'Queries per minute' of"),
  })
  expect(fake.quota.state()).toEqual({
    limits: { perMinute: 4, perUserPerMinute: 2 },
    windowStart: '2026-03-01T11:59:00.000Z',
    spent: 4,
    users: { [ALICE]: 2, ['__proto__']: 1, [BOB]: 1 },
    toolCalls: 0,
  })
})

test('14.14 each request leaves the window a minute later, and the window follows a clock that is set back', async () => {
  const { fake, as } = openCalendar()
  fake.quota({ perUserPerMinute: 2 })
  expect(await statusesOf(as(ALICE), 1)).toEqual([200])
  fake.clock.advance('30s')
  expect(await statusesOf(as(ALICE), 2)).toEqual([200, 403])
  fake.clock.advance('30s')
  expect(await statusesOf(as(ALICE), 2)).toEqual([200, 403])
  expect(fake.quota.state()).toMatchObject({ windowStart: '2026-03-01T12:00:00.000Z', spent: 2 })

  fake.clock.freeze('2026-03-01T12:00:00Z')
  expect(fake.quota.state().spent).toBe(0)
})

test('new limits count what the last minute has spent, as the former ones did', async () => {
  const { fake, as } = openCalendar()
  fake.quota({ perMinute: 2 })
  expect(await statusesOf(as(ALICE), 3)).toEqual([200, 200, 403])

  fake.quota({ perMinute: 3 })
  expect(fake.quota.state()).toMatchObject({ limits: { perMinute: 3 }, spent: 2, users: { [ALICE]: 2 } })
  expect(await statusesOf(as(ALICE), 2)).toEqual([200, 403])
})

test('an empty quotaUser counts for the account', async () => {
  const { fake, as } = openCalendar()
  fake.quota({ perUserPerMinute: 1 })

  expect(await statusesOf(as(ALICE), 1, '?quotaUser=')).toEqual([200])
  expect(fake.quota.state().users).toEqual({ [ALICE]: 1 })
  expect(await statusesOf(as(ALICE), 1)).toEqual([403])
})

test('12.14.1, 17.8 the limits of the service have the name google', async () => {
  const { fake, as, anonymous } = openCalendar()
  fake.quota('google')
  expect(fake.quota.state().limits).toEqual({ perMinute: 10_000, perUserPerMinute: 600, toolCallsPerDay: 5000 })
  fake.quota.remove()
  expect((await anonymous.put('/_control/quota', '"google"')).body.limits).toEqual({
    perMinute: 10_000,
    perUserPerMinute: 600,
    toolCallsPerDay: 5000,
  })

  const statuses = await statusesOf(as(ALICE), 601)
  expect([statuses.indexOf(403), statuses.lastIndexOf(200)]).toEqual([600, 599])
  expect(await statusesOf(as(BOB), 1)).toEqual([200])
})

test('12.14 a PATCH costs three units, and a batch the sum of its parts', async () => {
  const { fake, as } = openCalendar()
  fake.quota({ perMinute: 5 })
  const parts = ['PATCH /calendar/v3/calendars/primary', 'GET /calendar/v3/colors', 'GET /calendar/v3/colors']
  const text = [
    ...parts.flatMap((part) => ['--b', '', `${part} HTTP/1.1`, 'Content-Type: application/json', '', '{}']),
    '--b--',
  ]
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'multipart/mixed; boundary=b' }
  const batch = await fake.request('/batch/calendar/v3', { method: 'POST', headers, body: text.join('\r\n') })

  expect((await batch.text()).match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 200'])
  expect(fake.quota.state()).toMatchObject({ spent: 5, users: { [ALICE]: 5 } })
  expect(await statusesOf(as(ALICE), 1)).toEqual([403])
})

test('the routes read, set and remove a quota', async () => {
  const { as, anonymous } = openCalendar()
  expect((await anonymous.put('/_control/quota', { perMinute: 1 })).body.limits).toEqual({ perMinute: 1 })
  expect(await statusesOf(as(ALICE), 2)).toEqual([200, 403])
  expect((await anonymous.get('/_control/quota')).body).toMatchObject({ spent: 1, users: { [ALICE]: 1 } })
  expect((await anonymous.delete('/_control/quota')).body).toEqual({ done: true })
  expect((await anonymous.get('/_control/quota')).body.limits).toBeNull()
  expect(await statusesOf(as(ALICE), 2)).toEqual([200, 200])
})

test.each([
  [{}, 'give perMinute, perUserPerMinute or toolCallsPerDay, or "google"'],
  [null, 'give limits, or "google"'],
  ['microsoft', 'give limits, or "google"'],
  [{ perMinutes: 2 }, 'there is no "perMinutes"; did you mean "perMinute"?'],
  [{ perMinute: -1 }, 'perMinute: '],
])('%j is not a valid quota', async (limits, message) => {
  const { fake, anonymous } = openCalendar()
  expect(() => fake.quota(limits as QuotaLimits)).toThrow(RangeError)
  expect(errorOf(await anonymous.put('/_control/quota', JSON.stringify(limits)))).toMatchObject({
    status: 400,
    message: expect.stringContaining(message),
  })
})

test('unauthorized requests and injected errors use no quota', async () => {
  const { fake, as, anonymous } = openCalendar()
  fake.quota({ perMinute: 1 })
  fake.faults.add({ on: '*', do: { fail: 'backendError' } })
  expect((await anonymous.get('/colors')).status).toBe(401)
  expect(await statusesOf(as(ALICE), 3)).toEqual([500, 200, 403])
})
