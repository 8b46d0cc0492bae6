import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import tls from 'node:tls'
import { auth, calendar } from '@googleapis/calendar'
import axios from 'axios'
import { Agent, fetch as undiciFetch, request as undiciRequest } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { InMemorySocket } from '../../src/interception/inMemorySocket.ts'
import { type InterceptOptions, intercept } from '../../src/interception/intercept.ts'
import { ALICE, openCalendar } from '../support/calendar.ts'

const ROOT = 'https://www.googleapis.com'
const HOLIDAYS = 'en.usa#holiday@group.v.calendar.google.com'
const COLORS = `${ROOT}/calendar/v3/colors`
const LIST = `${ROOT}/calendar/v3/users/me/calendarList`
const AS_ALICE = { Authorization: `Bearer ${ALICE}` }

/** Intercepts the service for the duration of a test. */
function openIntercepted(options?: InterceptOptions) {
  const { fake, as } = openCalendar()
  const stop = intercept(fake, options)
  onTestFinished(() => {
    stop()
    return fake.close()
  })
  return { fake, as, stop }
}

async function textOf(request: http.ClientRequest): Promise<string> {
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  return text
}

/** Starts an unrelated server on this machine. */
async function startOtherServer() {
  const server = http.createServer((_, response) => response.end('next door')).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** Clients in Node that request the calendar list as JSON. */
const CLIENTS: Record<string, (url: string) => Promise<unknown>> = {
  'global fetch': async (url) => (await fetch(url, { headers: AS_ALICE })).json(),
  'global fetch of a Request': async (url) => (await fetch(new Request(url, { headers: AS_ALICE }))).json(),
  'node:https request': async (url) => JSON.parse(await textOf(https.request(url, { headers: AS_ALICE }).end())),
  'node:https get': async (url) => JSON.parse(await textOf(https.get(url, { headers: AS_ALICE }))),
  'node:https with its own agent': async (url) => {
    const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    return JSON.parse(await textOf(https.get(url, { headers: AS_ALICE, agent })))
  },
  'node:https without an agent': async (url) =>
    JSON.parse(await textOf(https.get(url, { headers: AS_ALICE, agent: false }))),
  'node:https with headers as a raw list': async (url) =>
    JSON.parse(
      await textOf(https.get(url, { headers: ['Authorization', `Bearer ${ALICE}`, 'Host', 'www.googleapis.com'] })),
    ),
  'node:http, without TLS': async (url) =>
    JSON.parse(await textOf(http.get(url.replace('https:', 'http:'), { headers: AS_ALICE }))),
  'the request of undici': async (url) => (await undiciRequest(url, { headers: AS_ALICE })).body.json(),
  'the fetch of undici': async (url) => (await undiciFetch(url, { headers: AS_ALICE })).json(),
  'an agent of undici': async (url) => {
    const dispatcher = new Agent({ allowH2: true, connections: 1 })
    onTestFinished(() => dispatcher.close())
    return (await undiciRequest(url, { headers: AS_ALICE, dispatcher })).body.json()
  },
  axios: async (url) => (await axios.get(url, { headers: AS_ALICE })).data,
  'axios with fetch': async (url) => (await axios.get(url, { headers: AS_ALICE, adapter: 'fetch' })).data,
  'a socket of tls.connect': async (url) => {
    const { host, pathname } = new URL(url)
    const socket = tls.connect({ host, port: 443, servername: host })
    await once(socket, 'secureConnect')
    socket.write(
      `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${ALICE}\r\nConnection: close\r\n\r\n`,
    )
    let text = ''
    for await (const chunk of socket.setEncoding('utf8')) text += chunk
    return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  },
}

test.each(Object.entries(CLIENTS))('%s reaches the fake, and no other server', async (_, send) => {
  openIntercepted({ others: 'refuse' })

  expect(await send(LIST)).toMatchObject({ kind: 'calendar#calendarList', items: [{ id: ALICE }] })
  expect(await send(LIST)).toMatchObject({ items: [{ id: ALICE }] })
})

test('a body of hundreds of kilobytes is sent and returned unchanged', async () => {
  openIntercepted({ others: 'refuse' })
  const event = { description: 'x'.repeat(8000), start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
  const part = [
    ...['--part', 'Content-Type: application/http', '', 'POST /calendar/v3/calendars/primary/events HTTP/1.1'],
    ...['Content-Type: application/json', '', JSON.stringify(event), ''],
  ].join('\r\n')
  const response = await fetch(`${ROOT}/batch/calendar/v3`, {
    method: 'POST',
    headers: { ...AS_ALICE, 'Content-Type': 'multipart/mixed; boundary=part' },
    body: `${part.repeat(50)}--part--\r\n`,
  })
  const text = await response.text()

  expect(response.status).toBe(200)
  expect(text.match(/HTTP\/1.1 200 OK/g)).toHaveLength(50)
  expect(text.length).toBeGreaterThan(400_000)
})

test.each([
  ['the API', `${ROOT}/calendar/v3/colors?key=any`],
  ['discovery', `${ROOT}/discovery/v1/apis/calendar/v3/rest`],
  ['discovery at its newer address', 'https://calendar.googleapis.com/$discovery/rest?version=v3'],
  ['discovery at its older address', 'https://calendar-json.googleapis.com/$discovery/rest?version=v3'],
  ['the configuration of OpenID Connect', 'https://accounts.google.com/.well-known/openid-configuration'],
  ['certificates', 'https://www.googleapis.com/oauth2/v1/certs'],
  ['keys', 'https://www.googleapis.com/oauth2/v3/certs'],
  ['userinfo', 'https://openidconnect.googleapis.com/v1/userinfo'],
  ['userinfo at its older address', 'https://www.googleapis.com/oauth2/v3/userinfo'],
  ['a calendar file', `https://calendar.google.com/calendar/ical/${encodeURIComponent(HOLIDAYS)}/public/basic.ics`],
  ['token information', `https://oauth2.googleapis.com/tokeninfo?access_token=${ALICE}`],
])('%s is answered', async (_, url) => {
  openIntercepted({ others: 'refuse' })

  expect((await fetch(url, { headers: AS_ALICE })).status).toBe(200)
})

test('addresses in replies are the service’s own', async () => {
  openIntercepted()
  const { rootUrl } = (await (await fetch(`${ROOT}/discovery/v1/apis/calendar/v3/rest`)).json()) as { rootUrl: string }

  expect(rootUrl).toBe('https://www.googleapis.com/')
})

test('the official client reaches the fake without options, and refreshes its token there', async () => {
  const { fake, as } = openIntercepted({ others: 'refuse' })
  const scopes = ['https://www.googleapis.com/auth/calendar']
  fake.seed({
    oauth: {
      clients: [{ id: 'web', secret: 'shh' }],
      grants: [{ account: ALICE, client: 'web', scopes, refreshToken: 'again' }],
    },
  })
  const credentials = new auth.OAuth2({ clientId: 'web', clientSecret: 'shh' })
  credentials.setCredentials({ refresh_token: 'again' })
  const api = calendar({ version: 'v3', auth: credentials })
  await api.events.quickAdd({ calendarId: 'primary', text: 'Lunch on March 2 at noon' })
  const { data } = await api.events.list({ calendarId: 'primary' })

  expect(data.items).toMatchObject([{ summary: 'Lunch', creator: { email: ALICE } }])
  expect((await as(ALICE).get('/calendars/primary/events')).body.items).toHaveLength(1)
})

test('a service account of the official client gets its token from the fake, also in another world', async () => {
  const { fake } = openIntercepted({ others: 'refuse' })
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const ids = async (email: string) => {
    const jwt = new auth.JWT({ email, key, scopes: ['https://www.googleapis.com/auth/calendar'] })
    const { data } = await calendar({ version: 'v3', auth: jwt }).calendarList.list()
    return data.items?.map(({ id }) => id)
  }
  const blue = fake.world('blue')

  expect(await ids('robot@project.iam.gserviceaccount.com')).toEqual(['robot@project.iam.gserviceaccount.com'])
  expect(await blue.run(() => ids('blue@project.iam.gserviceaccount.com'))).toEqual([
    'blue@project.iam.gserviceaccount.com',
  ])
  expect(blue.state().accounts?.map(({ email }) => email)).toContain('blue@project.iam.gserviceaccount.com')
  expect(fake.state().accounts?.map(({ email }) => email)).not.toContain('blue@project.iam.gserviceaccount.com')
})

test.each([
  ['global fetch', (url: string) => fetch(url)],
  ['node:https', (url: string) => textOf(https.get(url))],
  ['undici', (url: string) => undiciRequest(url)],
  ['axios', (url: string) => axios.get(url)],
  ['tls', (url: string) => once(tls.connect({ host: new URL(url).host, port: 443 }), 'secureConnect')],
])('another host of Google is rejected by an error that names it: %s', async (_, send) => {
  openIntercepted()

  await expect(send('https://storage.googleapis.com/bucket')).rejects.toThrow(
    'fake-calendar: storage.googleapis.com is no host of the calendar service, and is not called',
  )
  await expect(send('https://oauth2.accounts.google.com/')).rejects.toThrow('oauth2.accounts.google.com')
})

test('requests to other hosts are sent to them', async () => {
  const next = await startOtherServer()
  openIntercepted()

  expect(await (await fetch(next)).text()).toBe('next door')
  expect(await textOf(http.get(next))).toBe('next door')
})

test('forward sends a host to another fake, and no host that it does not name', async () => {
  const echo = http.createServer((request, response) => {
    const { method, url, headers } = request
    response.end(`${method} ${headers['x-forwarded-proto']}://${headers.host}${url}`)
  })
  await once(echo.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void echo.close())
  const { port } = echo.address() as AddressInfo
  openIntercepted({ others: 'refuse', forward: { 'Gmail.googleapis.com': `http://127.0.0.1:${port}/base/` } })
  const mail = 'https://gmail.googleapis.com/gmail/v1/users?q=1'

  expect(await (await fetch(mail, { method: 'POST', body: 'x' })).text()).toBe(
    'POST https://gmail.googleapis.com/base/gmail/v1/users?q=1',
  )
  expect(await textOf(https.get(mail))).toBe('GET https://gmail.googleapis.com/base/gmail/v1/users?q=1')
  expect(await (await fetch('http://gmail.googleapis.com:81/')).text()).toBe('GET http://gmail.googleapis.com:81/base/')
  for (const other of ['mail.googleapis.com', 'x.gmail.googleapis.com', 'example.com'])
    await expect(fetch(`https://${other}/`)).rejects.toThrow(`fake-calendar: ${other} is no`)
  expect((await fetch(`${COLORS}?key=any`)).status).toBe(200)
})

test('others: "refuse" rejects other hosts, except those in passthrough', async () => {
  const next = await startOtherServer()
  const { stop } = openIntercepted({ others: 'refuse' })
  const refused = "fake-calendar: 127.0.0.1 is not called, because of others: 'refuse'"
  await expect(fetch(next)).rejects.toThrow(refused)
  await expect(textOf(http.get(next))).rejects.toThrow(refused)
  await expect(once(net.connect(Number(new URL(next).port), '127.0.0.1'), 'connect')).rejects.toThrow(refused)
  await expect(once(new net.Socket().connect({ host: '127.0.0.1', port: 9 }), 'connect')).rejects.toThrow(refused)
  const [error] = await once(http2.connect(next), 'error')
  expect(error.message).toContain(refused)
  stop()
  openIntercepted({ others: 'refuse', passthrough: ['127.0.0.1'] })

  expect(await textOf(http.get(next))).toBe('next door')
})

test('a socket that the program creates itself cannot reach the service', async () => {
  openIntercepted()
  const socket = new net.Socket().connect(443, 'www.googleapis.com')

  await expect(once(socket, 'connect')).rejects.toThrow('fake-calendar: www.googleapis.com was called by a socket')
})

test('a client that only speaks HTTP/2 gets an error', async () => {
  openIntercepted()
  const [error] = await once(http2.connect('https://www.googleapis.com'), 'error')

  expect(error.message).toBe(
    'fake-calendar: www.googleapis.com was called by HTTP/2 only, which the fake does not support: use HTTP/1.1 (node:https or fetch; with googleapis leave out http2: true)',
  )
})

test('requests sent in the run of a world go to that world, also on reused connections', async () => {
  const { fake } = openIntercepted({ others: 'refuse' })
  const { fake: other } = openCalendar()
  onTestFinished(() => other.close())
  const agent = new https.Agent({ keepAlive: true, maxSockets: 1 })
  const dispatcher = new Agent({ connections: 1 })
  onTestFinished(() => agent.destroy())
  onTestFinished(() => dispatcher.close())
  const add: ((summary: string) => Promise<unknown>)[] = [
    (text) =>
      fetch(`${ROOT}/calendar/v3/calendars/primary/events/quickAdd?text=${text}`, {
        method: 'POST',
        headers: AS_ALICE,
      }),
    (text) =>
      textOf(
        https
          .request(`${ROOT}/calendar/v3/calendars/primary/events/quickAdd?text=${text}`, {
            ...{ method: 'POST', headers: AS_ALICE, agent },
          })
          .end(),
      ),
    (text) =>
      undiciRequest(`${ROOT}/calendar/v3/calendars/primary/events/quickAdd?text=${text}`, {
        ...{ method: 'POST', headers: AS_ALICE, dispatcher },
      }).then(({ body }) => body.text()),
  ]
  const worlds = { one: fake.world('one'), two: fake.world('two'), other, none: undefined }
  await Promise.all(
    [1, 2, 3].flatMap((round) =>
      Object.entries(worlds).flatMap(([name, world]) =>
        add.map((way) => (world ? world.run(() => way(`${name}${round}`)) : way(`${name}${round}`))),
      ),
    ),
  )
  const summaries = async (world = fake as Pick<typeof fake, 'request'>) => {
    const { items } = (await (
      await world.request('/calendar/v3/calendars/primary/events', { headers: AS_ALICE })
    ).json()) as { items: { summary: string }[] }
    return new Set(items.map(({ summary }) => summary))
  }

  expect(await summaries(worlds.one)).toEqual(new Set(['one1', 'one2', 'one3']))
  expect(await summaries(worlds.two)).toEqual(new Set(['two1', 'two2', 'two3']))
  expect(await summaries(other)).toEqual(new Set(['other1', 'other2', 'other3']))
  expect(await summaries()).toEqual(new Set(['none1', 'none2', 'none3']))
})

test('run returns the result and passes errors on', async () => {
  const { fake } = openCalendar()

  expect(fake.run(() => 1)).toBe(1)
  expect(await fake.world('w').run(async () => 2)).toBe(2)
  expect(() =>
    fake.run(() => {
      throw new Error('thrown')
    }),
  ).toThrow('thrown')
})

test('of two fakes, the last one answers until it stops', async () => {
  const { fake: first } = openIntercepted()
  const { stop } = openIntercepted()
  await fetch(`${ROOT}/calendar/v3/calendars/primary/events/quickAdd?text=x`, { method: 'POST', headers: AS_ALICE })
  stop()
  const url = `${ROOT}/calendar/v3/calendars/primary/events`
  const { items } = (await (await fetch(url, { headers: AS_ALICE })).json()) as { items: object[] }

  expect(first.worlds()).toEqual(['default'])
  expect(items).toEqual([])
})

test('after stop, everything is restored, and open connections are closed', async () => {
  const before = [tls.connect, net.connect, net.createConnection, globalThis.fetch, net.Socket.prototype.connect]
  const { stop } = openIntercepted()
  const agent = new https.Agent({ keepAlive: true })
  await textOf(https.get(COLORS, { agent, headers: AS_ALICE }))
  const [freeSocket] = Object.values(agent.freeSockets).flat()
  stop()
  stop()

  expect([tls.connect, net.connect, net.createConnection, globalThis.fetch, net.Socket.prototype.connect]).toEqual(
    before,
  )
  expect(freeSocket?.destroyed).toBe(true)
})

test('a client timeout fires, and an aborted request ends', async () => {
  openIntercepted()
  const request = https.request(LIST, { method: 'POST', headers: { ...AS_ALICE, 'Content-Length': 10 } })
  request.setTimeout(20)
  request.write('{')
  await once(request, 'timeout')
  request.destroy(new Error('given up'))
  await expect(once(request, 'response')).rejects.toThrow('given up')
  const aborted = fetch(LIST, { headers: AS_ALICE, signal: AbortSignal.abort(new Error('too late')) })

  await expect(aborted).rejects.toThrow('too late')
})

test.each([
  [() => intercept({} as never), 'fake: not a fake'],
  [() => openIntercepted({ other: 'refuse' } as never), 'intercept has no option "other"; did you mean "others"?'],
  [() => openIntercepted({ passthrough: '127.0.0.1' } as never), 'passthrough: expected a list of hosts'],
  [() => openIntercepted({ forward: null } as never), 'forward: expected the URL of each host'],
  [() => openIntercepted({ forward: { 'a.example': 'b' } }), 'forward: not the address of a server: b (expected'],
  [
    () => openIntercepted({ forward: { 'a.example': 'https://a.example/x' } }),
    'forward: requests to a.example are forwarded, so that it can be no fake',
  ],
  [() => openIntercepted({ others: 'block' } as never), "others: expected 'pass' or 'refuse'"],
  [
    () => openIntercepted({ passthrough: ['WWW.googleapis.com.'] }),
    'passthrough: "WWW.googleapis.com." cannot be let through',
  ],
  [
    () => openIntercepted({ passthrough: ['*.googleapis.com'] }),
    'passthrough: "*.googleapis.com" cannot be let through',
  ],
])('invalid options are rejected: %#', (act, message) => {
  const before = tls.connect
  expect(act).toThrow(message)
  expect(tls.connect).toBe(before)
})

test('a fetch in flight is rejected when interception ends', async () => {
  const { stop } = openIntercepted()
  const pending = fetch(COLORS, { headers: AS_ALICE })
  stop()

  await expect(pending).rejects.toThrow('fake-calendar: interception was stopped before the reply')
})

test('a connecting request of node:https fails when interception ends', async () => {
  const { stop } = openIntercepted()
  const request = https.get(COLORS, { agent: false, headers: AS_ALICE })
  stop()
  const [error] = await once(request, 'error')

  expect(error.message).toContain('fake-calendar: interception was stopped before the reply')
})

test.each(['Bun', 'Deno'])('fetch of %s, which opens no socket of Node, is answered by the fake', async (runtime) => {
  const { fetch: original } = globalThis
  globalThis.fetch = () => Promise.reject(new Error('sent to the real service'))
  Object.defineProperty(globalThis, runtime, { configurable: true, value: {} })
  onTestFinished(() => {
    globalThis.fetch = original
    Reflect.deleteProperty(globalThis, runtime)
  })
  openIntercepted()
  const reply = await fetch(LIST, { headers: AS_ALICE })

  expect(await reply.json()).toMatchObject({ items: [{ id: ALICE }] })
  await expect(fetch('https://storage.googleapis.com/')).rejects.toThrow('is no host of the calendar service')
  await expect(fetch('https://example.com/')).rejects.toThrow('sent to the real service')
})

test.each(['Bun', 'Deno'])('stop() rejects requests in flight in %s', async (runtime) => {
  Object.defineProperty(globalThis, runtime, { configurable: true, value: {} })
  onTestFinished(() => void Reflect.deleteProperty(globalThis, runtime))
  const { fake, stop } = openIntercepted()
  const hang = fake.faults.add({ on: 'calendarList.list', do: { hang: true } })
  const reply = fetch(LIST, { headers: AS_ALICE })
  await hang.until()

  stop()

  await expect(reply).rejects.toThrow('interception was stopped before the reply')
})

test('a connection that the server ends is closed without an error if nothing listens to errors', async () => {
  const [near, far] = InMemorySocket.createPair({ secure: true, host: 'www.googleapis.com' })
  const closed = new Promise((resolve) => near.once('close', resolve))
  near.resume()
  far.destroy()
  await closed

  expect(near.errored).toBeNull()
})
