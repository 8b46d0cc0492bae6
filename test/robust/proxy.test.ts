import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import tls from 'node:tls'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createFakeCalendar } from '../../src/index.ts'
import type { ProxyCertificates } from '../../src/interception/authority.ts'
import { HostList } from '../../src/interception/hosts.ts'
import { openProxy } from '../../src/interception/proxy.ts'
import { selfSigned } from '../support/certificate.ts'

let certificates: ProxyCertificates
beforeAll(() => {
  const { cert, key } = selfSigned()
  certificates = { authority: cert, cert, key }
})

async function startProxy() {
  const fake = createFakeCalendar()
  const backend = { fetch: (request: Request) => fake.fetch(request), now: () => fake.clock.now() }
  const proxy = await openProxy(backend, { certificates, allowed: new HostList([]), report: () => {} })
  onTestFinished(async () => {
    await proxy.close()
    await fake.close()
  })
  return proxy
}

/** A server that handles raw connections. */
async function startServer(handle: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    handle(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** Sends bytes to a proxy, and returns its response. */
async function exchange(port: number, bytes: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').on('error', () => {})
  socket.write(bytes)
  return text(socket)
}

const CLOSE = 'Host: x\r\nConnection: close\r\n\r\n'
const KEEP = 'Host: x\r\n\r\n'
const COLORS = 'calendar/v3/colors?key=any'

/** A server that answers with the lines and the body of each request. */
async function startEcho(): Promise<number> {
  const server = http.createServer(async (incoming, outgoing) => {
    const { method, url, headers } = incoming
    outgoing.end(`${method} ${url} for ${headers.host}: ${await text(incoming)}`)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Returns true while the proxy responds. */
const isAlive = async (port: number): Promise<boolean> =>
  (
    await exchange(
      port,
      'GET http://www.googleapis.com/calendar/v3/colors?key=any HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    )
  ).startsWith('HTTP/1.1 200')

test.each([
  ['a port above 65535', 'CONNECT 127.0.0.1:65536 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['port 0', 'CONNECT 127.0.0.1:0 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['an unclosed IPv6 address', 'CONNECT [::1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['an empty bracket', 'CONNECT ]:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['an invalid IPv6 address', 'CONNECT [::zz]:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['an IPv6 address without brackets', 'CONNECT ::1:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a port without a host', 'CONNECT :443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a host without a port', 'CONNECT 127.0.0.1 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a port that is not a number', 'CONNECT 127.0.0.1:http HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['a URL', 'CONNECT http://127.0.0.1:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['an IPv6 address without a listener', 'CONNECT [::1]:1 HTTP/1.1\r\nHost: x\r\n\r\n', 502],
  ['a port without a listener', 'CONNECT 127.0.0.1:1 HTTP/1.1\r\nHost: x\r\n\r\n', 502],
  [
    'a user name that cannot be decoded',
    'GET http://%zz@127.0.0.1:1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
    502,
  ],
  ['a host that is not allowed', 'CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n', 502],
])('a proxy answers a request for %s, and continues', async (_, bytes, status) => {
  const { port } = await startProxy()

  expect(await exchange(port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(await isAlive(port)).toBe(true)
})

test.each([
  ['the status 099', 'HTTP/1.1 099 Low\r\nContent-Length: 0\r\n\r\n', 502],
  ['a control character in its reason', 'HTTP/1.1 200 O\u0001K\r\nContent-Length: 0\r\n\r\n', 200],
  ['no response', '', 502],
  ['bytes that are not HTTP', 'hello\r\n\r\n', 502],
])('an upstream with %s does not end the proxy', async (_, bytes, status) => {
  const { port } = await startProxy()
  const upstream = await startServer((socket) => void socket.once('data', () => socket.end(bytes, 'latin1')))
  const reply = await exchange(
    port,
    `GET http://127.0.0.1:${upstream}/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  )

  expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(await isAlive(port)).toBe(true)
})

test('an upstream that breaks off in its body ends the response of the client', async () => {
  const { port } = await startProxy()
  const upstream = await startServer(
    (socket) =>
      void socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () => socket.resetAndDestroy())
      }),
  )
  const request = http.get({ host: '127.0.0.1', port, path: `http://127.0.0.1:${upstream}/`, agent: false })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]

  await expect(text(response)).rejects.toThrow('aborted')
})

test('a client that leaves ends the request to the upstream', async () => {
  const { port } = await startProxy()
  let accepted: (socket: Socket) => void = () => {}
  const connection = new Promise<Socket>((resolve) => {
    accepted = resolve
  })
  const upstream = await startServer((socket) => accepted(socket))
  const client = net.connect(port, '127.0.0.1')
  client.write(`GET http://127.0.0.1:${upstream}/ HTTP/1.1\r\nHost: x\r\n\r\n`)
  const socket = await connection
  await once(socket, 'data')
  const closed = once(socket, 'close')
  client.destroy()

  await closed
  expect(socket.destroyed).toBe(true)
})

test('an error after a tunnel is open closes it without bytes', async () => {
  const { port } = await startProxy()
  const upstream = await startServer((socket) => void socket.once('data', () => socket.resetAndDestroy()))
  const client = net.connect(port, '127.0.0.1').on('error', () => {})
  client.write(`CONNECT 127.0.0.1:${upstream} HTTP/1.1\r\nHost: x\r\n\r\n`)
  const [established] = (await once(client, 'data')) as [Buffer]
  let more = ''
  client.on('data', (chunk) => {
    more += chunk
  })
  client.write('x')
  await once(client, 'close')

  expect(String(established)).toMatch(/^HTTP\/1\.1 200 /)
  expect(more).toBe('')
})

test.each(['GET', 'DELETE', 'OPTIONS', 'POST'])('the body of a chunked %s is framed anew', async (method) => {
  const { port } = await startProxy()
  const requests: string[] = []
  const server = http.createServer(async (incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url} ${await text(incoming)}`)
    outgoing.end('ok')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void server.close())
  const { port: upstream } = server.address() as AddressInfo
  const body = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
  await exchange(
    port,
    `${method} http://127.0.0.1:${upstream}/first HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`,
  )

  expect(requests).toEqual([`${method} /first ${body}`])
})

test.each([
  ['with port 443', `http://www.googleapis.com:443/${COLORS}`, 200],
  ['with another port', `http://www.googleapis.com:8080/${COLORS}`, 200],
  ['with a user', `http://user:password@www.googleapis.com/${COLORS}`, 200],
  ['with another host as its user', `http://example.com:80@www.googleapis.com/${COLORS}`, 200],
  ['with https', `https://www.googleapis.com/${COLORS}`, 200],
  ['in capitals', `HTTP://WWW.GOOGLEAPIS.COM/${COLORS}`, 200],
  ['of another host', `http://example.com/${COLORS}`, 502],
  ['of another host, with the service as its user', `http://www.googleapis.com@example.com/${COLORS}`, 502],
  ['of another host on a port', `http://example.com:8080/${COLORS}`, 502],
  ['with a port above 65535', `http://www.googleapis.com:99999/${COLORS}`, 400],
  ['with a port that is no number', `http://www.googleapis.com:http/${COLORS}`, 400],
  ['without a host', `http://:80/${COLORS}`, 400],
  ['of another scheme', `ftp://www.googleapis.com/${COLORS}`, 400],
  ['of another scheme and host', 'ftp://example.com/', 400],
])('a proxy answers a URL %s', async (_, url, status) => {
  const { port } = await startProxy()

  expect(await exchange(port, `GET ${url} HTTP/1.1\r\n${CLOSE}`)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  expect(await exchange(port, `GET ${url} HTTP/1.0\r\n\r\n`)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
})

test.each([
  ['of the service', `https://www.googleapis.com/${COLORS}`, 200],
  ['of another host of the service', `https://calendar.google.com/${COLORS}`, 200],
  ['of another host', `https://example.com/${COLORS}`, 421],
  ['of this machine', `http://127.0.0.1:1/${COLORS}`, 421],
  ['with a port above 65535', `https://www.googleapis.com:99999/${COLORS}`, 400],
  ['of another scheme', `ftp://www.googleapis.com/${COLORS}`, 400],
])('a tunnel to the service answers a URL %s, and continues', async (_, url, status) => {
  const { port } = await startProxy()
  const socket = net.connect(port, '127.0.0.1')
  socket.write(`CONNECT www.googleapis.com:443 HTTP/1.1\r\n${KEEP}`)
  await once(socket, 'data')
  const secured = tls.connect({ socket, rejectUnauthorized: false, servername: 'www.googleapis.com' })
  secured.write(`GET ${url} HTTP/1.1\r\n${KEEP}GET /${COLORS} HTTP/1.1\r\n${CLOSE}`)

  expect((await text(secured)).match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, 'HTTP/1.1 200'])
})

test.each([
  ['another Host', `HTTP/1.1\r\n${CLOSE}`],
  ['HTTP/1.0 without a Host', 'HTTP/1.0\r\n\r\n'],
])('a forwarded request with %s has the Host of its URL', async (_, rest) => {
  const { port } = await startProxy()
  const upstream = await startEcho()

  for (const url of [`http://127.0.0.1:${upstream}/a?b=c`, `HTTP://user@127.0.0.1:${upstream}/a?b=c#d`])
    expect(await exchange(port, `GET ${url} ${rest}`)).toContain(`GET /a?b=c for 127.0.0.1:${upstream}: `)
})

test.each([
  ['a host that is not called', 'http://example.com/', 502],
  ['a port without a listener', 'http://127.0.0.1:1/', 502],
  ['a path', '/none', 404],
])('a connection continues after an error for %s, with a URL and a tunnel', async (_, url, status) => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const { port } = await startProxy()
  const upstream = await startEcho()
  const replies = await exchange(
    port,
    [
      `POST ${url} HTTP/1.1\r\nContent-Length: 5\r\n${KEEP}hello`,
      `GET http://www.googleapis.com/${COLORS} HTTP/1.1\r\n${KEEP}`,
      `CONNECT 127.0.0.1:${upstream} HTTP/1.1\r\n${KEEP}`,
      `GET /tunnelled HTTP/1.1\r\n${CLOSE}`,
    ].join(''),
  )

  expect(replies.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`, ...Array(3).fill('HTTP/1.1 200')])
  expect(replies).toContain('GET /tunnelled for x: ')
  expect(warnings).toEqual([])
})
