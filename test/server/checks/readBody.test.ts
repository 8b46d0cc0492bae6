import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { FakeCalendar } from '../../../src/index.ts'
import { ALICE, BOB, errorOf, openCalendar, PEOPLE } from '../../support/calendar.ts'
import { invalid, NOT_FOUND, needsRole, share } from '../../support/sharing.ts'

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
  [
    'summary=Team',
    { 'Content-Type': 'application/x-www-form-urlencoded' },
    invalid('This API does not support parsing form-encoded input.', undefined, 'parseError'),
  ],
] as const

test.each(
  WRITES.flatMap(([verb, path]) => WRONG.map(([body, headers, expected]) => ({ verb, path, body, headers, expected }))),
)('$verb $path rejects the body $body and changes nothing', async ({ verb, path, body, headers, expected }) => {
  const { fake, as } = openCalendar()
  await share(as(ALICE), 'primary', BOB, 'reader')
  const before = fake.state()

  expect(errorOf(await as(ALICE)[verb](path, body, headers))).toEqual(expected)
  expect(fake.state()).toEqual(before)
})

test('11.14 a body without a content type, or with another one, is parsed as JSON', async () => {
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

test('a body above 10 MB is rejected without being read', async () => {
  const { as } = openCalendar()

  const reply = await as(ALICE).patch('/calendars/primary', { summary: 'x'.repeat(10 * 1024 * 1024) })

  expect(errorOf(reply)).toEqual({
    status: 413,
    domain: 'global',
    reason: 'requestTooLarge',
    message: 'Request body is larger than 10 MB.',
  })
})

test('2.4 checks run in one order: credentials, scope, parameters, body, calendar, role, version, values', async () => {
  const tokens = [{ token: 'readonly', account: BOB, scopes: ['https://www.googleapis.com/auth/calendar.readonly'] }]
  const { as, anonymous } = openCalendar({ seed: { ...PEOPLE, tokens } })
  const id = (await as(ALICE).post('/calendars', { summary: 'Team' })).body.id
  const rules = `/calendars/${id}/acl`
  const stale = { 'If-Match': '"1"' }

  expect((await anonymous.post(`${rules}?sendNotifications=x`, '{')).status).toBe(401)
  expect(errorOf(await as('readonly').post(`${rules}?sendNotifications=x`, '{')).reason).toBe('insufficientPermissions')
  expect(errorOf(await as(BOB).post(`${rules}?sendNotifications=x`, '{')).reason).toBe('invalidParameter')
  expect(errorOf(await as(BOB).post(rules, '{')).reason).toBe('parseError')
  expect(errorOf(await as(BOB).patch(`/calendars/${id}`, { timeZone: 'Mars' }, stale))).toEqual(NOT_FOUND)
  await share(as(ALICE), id, BOB, 'reader')
  expect(errorOf(await as(BOB).patch(`/calendars/${id}`, { timeZone: 'Mars' }, stale))).toEqual(needsRole('owner'))
  expect(errorOf(await as(ALICE).patch(`/calendars/${id}`, { timeZone: 'Mars' }, stale)).status).toBe(412)
  expect(errorOf(await as(ALICE).patch(`/calendars/${id}`, { timeZone: 'Mars' })).status).toBe(400)
})

const send = (fake: FakeCalendar, encoding: string, body: BodyInit | null, path = '/calendars', more = {}) =>
  fake.request(`/calendar/v3${path}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${ALICE}`, 'Content-Encoding': encoding, ...more },
    body,
  })
const TEAM = JSON.stringify({ summary: 'Grün' })
const plain = (bytes: Buffer) => new Uint8Array(bytes)

test.each([
  ['gzip', plain(gzipSync(TEAM))],
  ['GZIP', plain(gzipSync(TEAM))],
  ['x-gzip', plain(gzipSync(TEAM))],
  ['deflate', plain(deflateSync(TEAM))],
  ['identity', TEAM],
  ['', TEAM],
])('a body encoded as %j is read', async (encoding, body) => {
  const { fake } = openCalendar()
  const reply = await send(fake, encoding, body)

  expect([reply.status, (await reply.json()).summary]).toEqual([200, 'Grün'])
})

test.each([
  ['of another encoding', 'br', plain(brotliCompressSync(TEAM))],
  ['that does not match its encoding', 'gzip', TEAM],
  ['that is truncated', 'gzip', plain(gzipSync(TEAM).subarray(0, -6))],
  ['encoded twice', 'gzip, gzip', plain(gzipSync(gzipSync(TEAM)))],
])('a body %s is a parse error', async (_, encoding, body) => {
  const { fake } = openCalendar()
  const before = fake.state()
  const reply = await send(fake, encoding, body)

  expect([reply.status, (await reply.json()).error.errors[0].reason]).toEqual([400, 'parseError'])
  expect(fake.state()).toEqual(before)
})

test('a compressed body that is above 10 MB when decompressed is rejected', async () => {
  const { fake } = openCalendar()
  const body = plain(gzipSync(Buffer.alloc(40 * 1024 * 1024, ' ')))
  const reply = await send(fake, 'gzip', body)

  expect(body.byteLength).toBeLessThan(100_000)
  expect([reply.status, (await reply.json()).error.errors[0].reason]).toEqual([413, 'requestTooLarge'])
})

test('forms, batches and control routes read compressed bodies', async () => {
  const { fake } = openCalendar()
  const form = { 'Content-Type': 'application/x-www-form-urlencoded', 'X-HTTP-Method-Override': 'GET' }
  const parts = '--b\n\nGET /colors\n\n--b--'
  const batch = await fake.request('/batch', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${ALICE}`,
      'Content-Type': 'multipart/mixed; boundary=b',
      'Content-Encoding': 'gzip',
    },
    body: plain(gzipSync(parts)),
  })
  const advanced = await fake.request('/_control/clock/advance', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Encoding': 'deflate' },
    body: plain(deflateSync('{"by":"1h"}')),
  })
  const listed = await send(fake, 'gzip', plain(gzipSync('fields=kind')), '/users/me/calendarList?maxResults=1', form)

  expect(await batch.text()).toContain('HTTP/1.1 200 OK')
  expect((await advanced.json()).now).toBe('2026-03-01T13:00:00.000Z')
  expect(listed.status).toBe(200)
})

test.each([true, false])(
  'on a socket compressed bodies are read, with a length (%s) or in chunks',
  async (hasLength) => {
    const { fake } = openCalendar()
    const { port } = await fake.listen()
    const bytes = gzipSync(TEAM)
    const send = async (body: Buffer) => {
      const outgoing = request({
        port,
        host: '127.0.0.1',
        method: 'POST',
        path: '/calendar/v3/calendars',
        headers: {
          Authorization: `Bearer ${ALICE}`,
          'Content-Encoding': 'gzip',
          ...(hasLength && { 'Content-Length': body.length }),
        },
      })
      outgoing.write(body.subarray(0, 7))
      outgoing.end(body.subarray(7))
      const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
      return { status: reply.statusCode, text: String(Buffer.concat(await reply.toArray())) }
    }
    const [valid, bad, next] = [await send(bytes), await send(bytes.subarray(0, -5)), await send(bytes)]
    await fake.close()

    expect(JSON.parse(valid.text).summary).toBe('Grün')
    expect([valid.status, bad.status, next.status]).toEqual([200, 400, 200])
  },
)

test.each([
  ['null keeps the first value', '{ "summary": "Lunch", "summary": null }', 'Lunch'],
  ['several nulls keep the first value', '{"summary":"Lunch","summary":null , "summary" : null}', 'Lunch'],
  ['null between two values is ignored', '{"summary":"Lunch","summary":null,"summary":"Dinner"}', 'Dinner'],
  ['the last of two values applies', '{"summary":"Lunch","summary":"Dinner"}', 'Dinner'],
  ['the second can be escaped', '{"summary":"\\"Lunch\\"","s\\u0075mmary":null}', '"Lunch"'],
  ['a text that looks like it is text', '{"summary":"a\\",\\"summary\\":null"}', 'a","summary":null'],
  [
    'the keys of nested objects are separate',
    '{"summary":"Lunch","extendedProperties":{"private":{"summary":null}},"attachments":[{"title":"x","summary":null}]}',
    'Lunch',
  ],
])('11.14 for a repeated key in a body, %s', async (_, sent, summary) => {
  const { fake } = openCalendar()
  const times = '"start":{"date":"2026-03-02","timeZone":null},"end":{"date":"2026-03-03"}'
  const reply = await fake.request('/calendar/v3/calendars/primary/events', {
    method: 'POST',
    headers: { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' },
    body: sent.replace(/}$/, `,${times}}`),
  })

  expect(await reply.json()).toMatchObject({ summary })
})
