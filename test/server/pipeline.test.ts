import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { Server } from '../../src/server/server.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

const BEARER = { Authorization: `Bearer ${ALICE}` }
const EVENTS = '/calendar/v3/calendars/primary/events'
const JSON_BODY = { ...BEARER, 'Content-Type': 'application/json' }

test('a POST to /token with malformed JSON is in the journal', async () => {
  const { fake } = openCalendar()
  const headers = { 'Content-Type': 'application/json' }

  const reply = await fake.request('/token', { method: 'POST', headers, body: '{"client_secret":"hush"' })

  expect(reply.status).toBe(400)
  expect((await reply.json()).error).toBe('invalid_request')
  const [call, ...others] = fake.calls()
  expect(others).toEqual([])
  expect(call).toMatchObject({ method: 'oauth.token', verb: 'POST', status: 400, reason: 'invalid_request' })
  expect(JSON.stringify(call)).not.toContain('hush')
})

test('a part of a batch whose path names another world stays in the world of the batch', async () => {
  const { fake } = openCalendar()
  const event = '{"id":"there0","start":{"date":"2026-03-02"},"end":{"date":"2026-03-03"}}'
  const part = `--b\r\n\r\nPOST /w/other${EVENTS}\r\nContent-Type: application/json\r\n\r\n${event}\r\n--b--`

  const reply = await fake.request('/batch/calendar/v3', {
    method: 'POST',
    headers: { ...BEARER, 'Content-Type': 'multipart/mixed; boundary=b' },
    body: part,
  })

  expect(await reply.text()).toContain('HTTP/1.1 200')
  expect(fake.worlds()).toEqual(['default'])
  expect((await fake.request(`${EVENTS}/there0`, { headers: BEARER })).status).toBe(200)
})

test('the fault hang ends when the client of a compressed request disconnects', async () => {
  const server = new Server({ seeds: [{ accounts: [{ email: ALICE }] }], auth: { mode: 'open' }, webhooks: 'loopback' })
  const fault = server.world('default').controls.faults.add({ on: 'events.insert', do: { hang: true } })
  const client = new AbortController()
  const pending = server.fetch(
    new Request(`http://127.0.0.1${EVENTS}`, {
      method: 'POST',
      headers: { ...JSON_BODY, 'Content-Encoding': 'gzip' },
      body: gzipSync('{}'),
      signal: client.signal,
    }),
  )
  await fault.until()
  client.abort()

  await expect(pending).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  await server.close()
})

test.each([
  ['/_control/calls', 'metod', 'method'],
  ['/_control/calls/stream', 'metod', 'method'],
  ['/_control/mail', 'too', 'to'],
  ['/_control/notifications', 'channelID', 'channelId'],
])('GET %s refuses the unknown parameter %s', async (path, unknown, nearest) => {
  const { anonymous } = openCalendar()

  const { status, body } = await anonymous.get(`${path}?${unknown}=x`)

  expect(status).toBe(400)
  expect(body.error.message).toContain(`for: query: there is no "${unknown}"; did you mean "${nearest}"?`)
})

test('an operation without input refuses fields', async () => {
  const { anonymous } = openCalendar()

  expect((await anonymous.post('/_control/reset', { bogus: 1 })).status).toBe(400)
  expect((await anonymous.post('/_control/reset', {})).status).toBe(200)
})

test('the first of several values of a query parameter under /_control applies', async () => {
  const { fake, as, anonymous } = openCalendar()
  await as(ALICE).get('/colors')
  await as(ALICE).get('/calendars/primary')

  const { body } = await anonymous.get('/_control/calls?method=colors.get&method=calendars.get')

  expect(body.calls.map(({ method }: { method: string }) => method)).toEqual(['colors.get'])
  expect(fake.calls()).toHaveLength(2)
})

test.each([
  ['/_control/health', 'cross-site', 403],
  ['/_control/health', 'same-site', 403],
  ['/_ui/', 'cross-site', 403],
  ['/_control/health', 'cross-site, none', 403],
  ['/_control/health', 'same-origin', 200],
  ['/_control/health', 'none', 200],
])('GET %s from a %s page is %i', async (path, site, status) => {
  const { fake } = openCalendar()

  expect((await fake.request(path, { headers: { 'Sec-Fetch-Site': site } })).status).toBe(status)
})

test('a field mask above 64 kB is refused before it is parsed', async () => {
  const { fake } = openCalendar()
  const mask = (length: number) => `id${',id'.repeat((length - 2) / 3)}`.padEnd(length, ' ')

  const read = async (length: number) => {
    const headers = {
      Authorization: `Bearer ${ALICE}`,
      'Content-Type': 'application/x-www-form-urlencoded',
      'X-HTTP-Method-Override': 'GET',
    }
    const init = { method: 'POST', headers, body: `fields=${encodeURIComponent(mask(length))}` }
    const reply = await fake.request('/calendar/v3/calendars/primary', init)
    return { status: reply.status, body: await reply.json() }
  }
  const { status, body } = await read(64 * 1024 + 1)

  expect(status).toBe(400)
  expect(body.error.message.length).toBeLessThan(1000)
  expect((await read(64 * 1024)).status).toBe(200)
})

test('12.18 parameters of more than 128 kB in a form are refused', async () => {
  const { fake } = openCalendar()
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/x-www-form-urlencoded' }
  const quickAdd = async (length: number) => {
    const init = { method: 'POST', headers, body: `text=${'a'.repeat(length - 5)}` }
    return (await fake.request('/calendar/v3/calendars/primary/events/quickAdd', init)).status
  }

  expect(await quickAdd(128 * 1024)).not.toBe(413)
  expect(await quickAdd(128 * 1024 + 1)).toBe(413)
})

test('retryAfter has an upper bound', () => {
  const { fake } = openCalendar()
  const add = (retryAfter: number | string) =>
    fake.faults.add({ on: '*', do: { fail: 'rateLimitExceeded', retryAfter } })

  expect(() => add(1e300)).toThrow('retryAfter')
  expect(() => add(86_400 * 365 + 1)).toThrow('retryAfter')
  expect(add(86_400).fired).toBe(0)
})
