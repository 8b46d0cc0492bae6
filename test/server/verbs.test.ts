import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { api } from '../../src/api/index.ts'
import type { Seed } from '../../src/index.ts'
import { ALICE, allDay, BOB, openCalendar } from '../support/calendar.ts'

/** Behaviour of every method of the service over a socket. */
const WORLD: Seed = {
  accounts: [{ email: ALICE }, { email: BOB }],
  calendars: [
    { id: ALICE, events: [{ id: 'daa110', ...allDay('2026-03-02', '2026-03-03'), recurrence: ['RRULE:FREQ=DAILY'] }] },
  ],
}
const THERE = new Map([
  ['calendarId', 'primary'],
  ['eventId', 'daa110'],
  ['setting', 'locale'],
  ['ruleId', `user:${ALICE}`],
])
const pathOf = ({ path }: { path: string }) =>
  `/calendar/v3${path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(THERE.get(name) ?? ''))}`

type RequestOptions = { method?: string; headers?: Record<string, string>; body?: unknown; agent?: Agent }

async function listening<T>(act: (send: ReturnType<typeof openSender>, port: number) => Promise<T>): Promise<T> {
  const { fake } = openCalendar({ seed: WORLD })
  try {
    const { port } = await fake.listen()
    return await act(openSender(port), port)
  } finally {
    await fake.close()
  }
}

const openSender =
  (port: number) =>
  async (path: string, { method = 'GET', headers = {}, body, agent }: RequestOptions = {}) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent })
    if (!('Authorization' in headers)) sent.setHeader('Authorization', `Bearer ${ALICE}`)
    if (headers.Authorization === '') sent.removeHeader('Authorization')
    sent.end(body === undefined ? undefined : JSON.stringify(body))
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    const text = Buffer.concat(await reply.toArray()).toString()
    return { status: reply.statusCode, raw: reply.rawHeaders, headers: reply.headers, text }
  }

/** Headers as they are written, but for those of the connection and the time of day. */
function written(raw: readonly string[]): Record<string, string> {
  const pairs = raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as const] : []))
  return Object.fromEntries(pairs.filter(([name]) => !/^(connection|keep-alive)$/i.test(name)))
}

/** Headers without those of the connection, the length, and the second in which a page is sent. */
const apart = (headers: IncomingMessage['headers']) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !/^(connection|keep-alive|content-length)$/.test(name) && (name !== 'date' || 'vary' in headers),
    ),
  )

const paths = [...new Set(api.map(pathOf))]

test('11.13 HEAD on the path of every method is GET without the body', async () => {
  await listening(async (send) => {
    for (const path of paths) {
      const [get, head] = [await send(path), await send(path, { method: 'HEAD' })]

      expect([head.status, head.text], path).toEqual([get.status, ''])
      // The headers are equal in any case, except for Content-Length, which is optional.
      expect(apart(head.headers), path).toEqual(apart(get.headers))
    }
    const readable = api.filter(({ verb }) => verb === 'GET').map(pathOf)
    for (const path of new Set(readable)) expect((await send(path, { method: 'HEAD' })).status, path).toBe(200)
  })
})

test('11.16 OPTIONS on the path of every method has no effect', async () => {
  await listening(async (send) => {
    const before = (await send('/_control/state')).text
    for (const { verb, ...row } of api) {
      const headers = { Origin: 'http://page.example', 'Access-Control-Request-Method': verb, Authorization: '' }
      const { status, headers: allowed, text } = await send(pathOf(row), { method: 'OPTIONS', headers })

      expect([status, text], row.id).toEqual([200, ''])
      expect(allowed['access-control-allow-methods'], row.id).toContain(verb)
      expect(allowed['access-control-allow-origin'], row.id).toBe('http://page.example')
      expect(allowed.allow, row.id).toContain(verb)
    }
    expect((await send('/_control/state')).text).toBe(before)
  })
})

test('concurrent keep-alive connections get their own responses', async () => {
  await listening(async (send) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 4 })
    const sockets = new Set<unknown>()
    agent.on('free', (socket) => sockets.add(socket))
    const requests = Array.from({ length: 200 }, (_, at) => async () => {
      const id = `side${String(at).padStart(5, '0')}`
      const body = { id, summary: `One of many ${at}`, ...allDay('2026-03-02', '2026-03-03') }
      const path = '/calendar/v3/calendars/primary/events'
      const made = await send(path, { method: 'POST', body, agent, headers: { 'Content-Type': 'application/json' } })
      const read = await send(`${path}/${id}`, { agent })
      const missing = await send(`${path}/none${id}`, { agent })
      return [made.status, JSON.parse(made.text).summary, JSON.parse(read.text).summary, missing.status]
    })
    const answered = await Promise.all(requests.map((one) => one()))
    agent.destroy()

    expect(answered).toEqual(requests.map((_, at) => [200, `One of many ${at}`, `One of many ${at}`, 404]))
    expect(sockets.size).toBeLessThanOrEqual(4)
  })
})

/** The clock of the test is frozen at this instant. */
const NOW = 'Sun, 01 Mar 2026 12:00:00 GMT'
const ANY = {
  Vary: 'Origin, X-Origin, Referer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '0',
  Server: 'ESF',
  Date: NOW,
}
const JSON_TYPE = { 'Content-Type': 'application/json; charset=UTF-8' }
const READ = { 'Cache-Control': 'private, max-age=0, must-revalidate, no-transform', Expires: NOW }
const HOUR = { 'Cache-Control': 'private, max-age=3600, must-revalidate, no-transform', Expires: 'any' }
const NOT_KEPT = {
  'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
  Pragma: 'no-cache',
  Expires: 'Mon, 01 Jan 1990 00:00:00 GMT',
}
const TAGGED = { ETag: 'of the body' }

type Kind = [kind: string, path: string, sent: RequestOptions, status: number, headers: Record<string, string>]
const EVENTS = '/calendars/primary/events'
const HOOK = { id: 'mine', type: 'web_hook', address: 'http://127.0.0.1:9/' }
const KINDS: Kind[] = [
  ['one resource', `${EVENTS}/daa110`, {}, 200, { ...READ, ...JSON_TYPE, ...TAGGED }],
  ['a calendar', '/calendars/primary', {}, 200, { ...READ, ...JSON_TYPE, ...TAGGED }],
  ['a list entry', '/users/me/calendarList/primary', {}, 200, { ...READ, ...JSON_TYPE, ...TAGGED }],
  ['a rule', `/calendars/primary/acl/user:${ALICE}`, {}, 200, { ...READ, ...JSON_TYPE, ...TAGGED }],
  ['a setting', '/users/me/settings/locale', {}, 200, { ...READ, ...JSON_TYPE, ...TAGGED }],
  ['a list', EVENTS, {}, 200, { ...READ, ...JSON_TYPE }],
  ['colours', '/colors', {}, 200, { ...HOUR, ...JSON_TYPE }],
  ['an insert', EVENTS, { method: 'POST', body: allDay('2026-03-02', '2026-03-03') }, 200, { ...NOT_KEPT, ...JSON_TYPE, ...TAGGED }],
  ['a patch', '/calendars/primary', { method: 'PATCH', body: { summary: 'Mine' } }, 200, { ...NOT_KEPT, ...JSON_TYPE, ...TAGGED }],
  ['an update', '/calendars/primary', { method: 'PUT', body: { summary: 'Mine' } }, 200, { ...NOT_KEPT, ...JSON_TYPE, ...TAGGED }],
  ['free/busy', '/freeBusy', { method: 'POST', body: { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-02T00:00:00Z', items: [{ id: ALICE }] } }, 200, { ...NOT_KEPT, ...JSON_TYPE }],
  ['a watch', `${EVENTS}/watch`, { method: 'POST', body: HOOK }, 200, { ...NOT_KEPT, ...JSON_TYPE }],
  ['a deletion', `${EVENTS}/daa110`, { method: 'DELETE' }, 204, { ...NOT_KEPT, 'Content-Length': '0' }],
  ['an error of the backend', `${EVENTS}/none00`, {}, 404, { ...NOT_KEPT, ...JSON_TYPE, 'X-Fake-Calendar-Hint': expect.any(String) }],
] // biome-ignore format: a table

test.each(KINDS)(
  '11.3, 11.4, 11.5, 11.6, 11.7 the headers of %s are as recorded',
  async (_, path, sent, status, recorded) => {
    const headers = { ...(sent.body !== undefined && { 'Content-Type': 'application/json' }) }
    const { raw, text, status: got } = await listening((send) => send(`/calendar/v3${path}`, { ...sent, headers }))
    const message = written(raw)
    const body = text === '' ? undefined : JSON.parse(text)

    expect(got).toBe(status)
    expect(message).toEqual({
      ...ANY,
      'Content-Length': String(Buffer.byteLength(text)),
      ...recorded,
      ...(recorded.Expires === 'any' && { Expires: expect.stringMatching(/ GMT$/) }),
      ...(recorded.ETag && { ETag: body?.etag }),
    })
    if (body) expect(text).toBe(`${JSON.stringify(body, null, 1)}\n`)
  },
)

test('11.4, 11.6, 11.7 the headers of a 304 and of a front end error are as recorded', async () => {
  await listening(async (send) => {
    const first = await send('/calendar/v3/calendars/primary')
    const etag = String(first.headers.etag)
    const same = await send('/calendar/v3/calendars/primary', { headers: { 'If-None-Match': etag } })
    const nobody = await send('/calendar/v3/colors', { headers: { Authorization: '' } })

    expect([same.status, same.text]).toEqual([304, ''])
    expect(written(same.raw)).toEqual({ ...ANY, ...READ, ETag: etag })
    expect(nobody.status).toBe(401)
    expect(written(nobody.raw)).toMatchObject({ ...ANY, ...NOT_KEPT, ...JSON_TYPE })
    expect(nobody.text).toBe(`${JSON.stringify(JSON.parse(nobody.text), null, 2)}\n`)
  })
})
