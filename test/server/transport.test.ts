import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, openCalendar } from '../support/calendar.ts'

const ORIGIN = { Origin: 'http://127.0.0.1:3000' }
const BEARER = { Authorization: `Bearer ${ALICE}` }
const COLORS = '/calendar/v3/colors'
const EVENTS = '/calendar/v3/calendars/primary/events'

const send = (path: string, init: RequestInit = {}) => openCalendar().fake.request(path, init)

test.each([
  ['a success', COLORS, BEARER, 200],
  ['no credentials', COLORS, {}, 401],
  ['a 404', '/calendar/v3/calendars/none@example.com', BEARER, 404],
  ['an unknown path', '/calendar/v3/nothing', BEARER, 404],
  ['an unknown world', '/w/no%20world/calendar/v3/colors', BEARER, 404],
  ['discovery', '/$discovery/rest', {}, 200],
  ['an invalid batch', '/batch', {}, 404],
])('11.16 CORS allows a page to read a response of %s', async (_, path, headers, status) => {
  const reply = await send(path, { headers: { ...ORIGIN, ...headers } })

  expect(reply.status).toBe(status)
  expect(reply.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN.Origin)
  expect(reply.headers.get('Access-Control-Expose-Headers')).toContain('ETag')
})

test('without an Origin there are no CORS headers', async () => {
  expect((await send(COLORS, { headers: BEARER })).headers.has('Access-Control-Allow-Origin')).toBe(false)
})

test.each([EVENTS, '/batch/calendar/v3', '/token', '/anything'])(
  '11.16 a preflight for %s allows the requested method and headers',
  async (path) => {
    const headers = {
      ...ORIGIN,
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'authorization,if-match,x-whatever',
    }
    const reply = await send(path, { method: 'OPTIONS', headers })

    expect(reply.status).toBe(200)
    expect(reply.headers.get('Access-Control-Allow-Origin')).toBe(ORIGIN.Origin)
    expect(reply.headers.get('Access-Control-Allow-Methods')).toContain('PATCH')
    expect(reply.headers.get('Access-Control-Allow-Headers')).toBe('authorization,if-match,x-whatever')
  },
)

test.each(['GET', 'OPTIONS'])('%s under /_control has no CORS headers for another origin', async (method) => {
  const reply = await send('/_control/state', { method, headers: ORIGIN })

  expect([403, 404]).toContain(reply.status)
  expect(reply.headers.has('Access-Control-Allow-Origin')).toBe(false)
})

test.each([
  [{ 'Accept-Encoding': 'gzip', 'User-Agent': 'client (gzip)' }, true],
  [{ 'Accept-Encoding': 'br, GZIP;q=0.5', 'User-Agent': 'x Gzip' }, true],
  [{ 'Accept-Encoding': 'gzip', 'User-Agent': 'client' }, false],
  [{ 'Accept-Encoding': 'br', 'User-Agent': 'client (gzip)' }, false],
  [{ 'Accept-Encoding': 'gzip;q=0', 'User-Agent': 'client (gzip)' }, false],
])('11.10, 11.24 on a socket %j is compressed: %s', async (headers, compressed) => {
  const { fake } = openCalendar()
  const { port } = await fake.listen()
  for (const path of [COLORS, '/$discovery/rest', '/calendar/v3/nothing']) {
    const plain = await (await fake.request(path, { headers: BEARER })).text()
    const outgoing = get({ port, path, headers: { ...BEARER, ...headers }, host: '127.0.0.1', agent: false })
    const [reply] = (await once(outgoing, 'response')) as [IncomingMessage]
    const bytes = Buffer.concat(await reply.toArray())

    expect(reply.headers['content-encoding']).toBe(compressed ? 'gzip' : undefined)
    expect(reply.headers['content-length']).toBe(String(bytes.length))
    if (!path.startsWith('/$')) expect((compressed ? gunzipSync(bytes) : bytes).toString()).toBe(plain)
  }
  await fake.close()
})

test('11.13 HEAD is GET without the body', async () => {
  const [get, head] = [await send(COLORS, { headers: BEARER }), await send(COLORS, { method: 'HEAD', headers: BEARER })]

  expect([head.status, await head.text()]).toEqual([200, ''])
  expect([...head.headers]).toEqual([...get.headers])
  expect((await send(COLORS, { method: 'HEAD' })).status).toBe(401)
})

test.each(['/calendar/v3', '/v3', '', '/w/default', '/w/default/v3', '/w/default/calendar/v3'])(
  '1.3 the service is available at %s/',
  async (base) => {
    expect((await send(`${base}/users/me/calendarList`, { headers: BEARER })).status).toBe(200)
    expect((await send(`${base}/users/me/calendarList/`, { headers: BEARER })).status).toBe(200)
    expect((await send(`${base}/users/me/calendarList//`, { headers: BEARER })).status).toBe(404)
  },
)

test.each(['PATCH', 'patch', ' PATCH '])('11.13 a POST can be overridden as %s', async (verb) => {
  const { fake } = openCalendar()
  const headers = { ...BEARER, 'Content-Type': 'application/json', 'X-HTTP-Method-Override': verb }
  const reply = await fake.request('/calendar/v3/calendars/primary', {
    method: 'POST',
    headers,
    body: '{"summary":"Mine"}',
  })

  expect((await reply.json()).summary).toBe('Mine')
})

test.each([
  ['POST', `${EVENTS}/`, 200],
  ['GET', '/$discovery/rest/', 200],
  ['GET', '/.well-known/openid-configuration/', 200],
  ['GET', '/_control/health/', 200],
  ['GET', '/w/blue/', 200],
])('14.50 %s %s ignores the trailing slash', async (method, path, status) => {
  const body = JSON.stringify(allDay('2026-03-02', '2026-03-03'))
  const reply = await send(path, { method, headers: BEARER, ...(method === 'POST' && { body }) })

  expect(reply.status).toBe(status)
})

test('an empty X-Fake-World counts as missing', async () => {
  const reply = await send('/w/blue/_control/health', { headers: { 'X-Fake-World': '' } })

  expect((await reply.json()).world).toBe('blue')
})

test.each(['', '/w/blue'])('%s/ lists the routes', async (base) => {
  const { fake } = openCalendar()
  const { name, links } = await (await fake.request(`${base}/`)).json()

  expect(name).toBe('fake-calendar')
  for (const link of ['methods', 'oauth', 'control', 'health']) {
    expect(links[link]).toMatch(`http://fake-calendar.localhost${base}/`)
    expect((await fake.fetch(links[link])).status).toBe(200)
  }
  expect((await fake.request(`${base}/`, { method: 'HEAD' })).status).toBe(200)
})

test.each(['/$discovery/rest', '/oauth2/v3/certs', '/_control/health', '/_control', '/'])(
  'HEAD %s returns the headers of GET without the body',
  async (path) => {
    const { fake } = openCalendar()
    const [get, head] = [await fake.request(path), await fake.request(path, { method: 'HEAD' })]

    expect([head.status, await head.text()]).toEqual([200, ''])
    expect([...head.headers]).toEqual([...get.headers])
  },
)

test.each(['/discovery/v1/apis/calendar/v3/rest', '/$discovery/rest?version=v3', '/discovery/v1/apis'])(
  '11.13 a POST overridden as GET reads %s',
  async (path) => {
    const { fake } = openCalendar()
    const post = (headers: Record<string, string>) => fake.request(path, { method: 'POST', headers, body: '' })
    const overridden = await post({ 'X-HTTP-Method-Override': 'GET' })

    expect(overridden.status).toBe(200)
    expect(await overridden.text()).toBe(await (await fake.request(path)).text())
    expect((await post({})).status).toBe(404)
    expect((await post({ 'X-HTTP-Method-Override': 'DELETE' })).status).toBe(404)
  },
)

test('a long GET can be sent as a form', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post('/calendars/primary/events', { id: 'lunch0', ...allDay('2026-03-02', '2026-03-03') })
  const headers = { ...BEARER, 'X-HTTP-Method-Override': 'GET', 'Content-Type': 'application/x-www-form-urlencoded' }
  const reply = await fake.request(`${EVENTS}?fields=items/id`, {
    method: 'POST',
    headers,
    body: 'maxResults=1&iCalUID=lunch0%40google.com',
  })

  expect(await reply.json()).toEqual({ items: [{ id: 'lunch0' }] })
})

test.each([
  ['fields=kind', { kind: 'calendar#events' }],
  ['fields=nothing', { code: 400, location: 'fields' }],
  ['alt=media', { code: 400, location: 'alt' }],
  [`quotaUser=${'u'.repeat(41)}`, { code: 400, location: 'quotaUser' }],
])('11.13 the form of a long GET can contain %s', async (body, expected) => {
  const headers = { ...BEARER, 'X-HTTP-Method-Override': 'GET', 'Content-Type': 'application/x-www-form-urlencoded' }
  const { fake } = openCalendar()
  const reply = await (await fake.request(EVENTS, { method: 'POST', headers, body })).json()
  const { code, errors } = reply.error ?? {}

  expect(reply.error ? { code, location: errors[0].location } : reply).toEqual(expected)
})

test('11.13 the form of a long GET can contain the API key', async () => {
  const { fake } = openCalendar()
  const form = { 'X-HTTP-Method-Override': 'GET', 'Content-Type': 'application/x-www-form-urlencoded' }
  const read = async (body: string) => (await fake.request(COLORS, { method: 'POST', headers: form, body })).status

  expect([await read('key=any'), await read('prettyPrint=true')]).toEqual([200, 401])
})

test('only a POST can override its method, and only with a known method', async () => {
  const override = (method: string, verb: string) =>
    send('/calendar/v3/calendars/primary', { method, headers: { ...BEARER, 'X-HTTP-Method-Override': verb } })

  expect((await override('GET', 'DELETE')).status).toBe(200)
  expect((await override('POST', 'BREW')).status).toBe(404)
})

const seed = { accounts: [{ email: ALICE }, { email: BOB }], apiKeys: ['AIzaGood'] }
const public_ = { ...seed, calendars: [{ id: BOB, acl: [{ scope: { type: 'default' }, role: 'reader' }] }] }
test.each([
  ['any key reads a public calendar', {}, `/calendars/${BOB}/events?key=x`, 200],
  ['any key gets 404 for a calendar that is not public', {}, `/calendars/${ALICE}/events?key=x`, 404],
  ['any key gets 401 for the calendar list', {}, '/users/me/calendarList?key=x', 401],
  ['an empty key is refused', {}, `/calendars/${BOB}/events?key=`, 403],
  ['a request without a key is refused', {}, `/calendars/${BOB}/events`, 401],
  ['a key of the seed is accepted', seed, `/calendars/${BOB}/events?key=AIzaGood`, 200],
  ['an unknown key is refused', seed, `/calendars/${BOB}/events?key=AIzaBad`, 400],
])('%s', async (_, { apiKeys }: { apiKeys?: string[] }, path, status) => {
  const { anonymous } = openCalendar({ seed: { ...public_, ...(apiKeys ? { apiKeys } : { apiKeys: [] }) } })
  const reply = await anonymous.get(path)

  expect(reply.status).toBe(status)
  if (status === 400) {
    expect(reply.body.error).toMatchObject({ status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] })
  }
})
