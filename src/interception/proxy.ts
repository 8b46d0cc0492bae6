import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { Connection } from '../http/compression.ts'
import { createHttpServer, createSocketListener } from '../http/listen.ts'
import type { ProxyCertificates } from './authority.ts'
import { toOriginForm } from './forward.ts'
import { classifyHost, type HostForwards, type HostList, normalizeHost } from './hosts.ts'
import { emitConnection } from './inMemoryServer.ts'
import { joinConnections, relay, toForwardedHeaders } from './relay.ts'

export type ProxyBackend = {
  fetch(request: Request, how: Connection & { Response: typeof Response }): Promise<Response>
  /** Epoch milliseconds. */
  now(): number
}

export type ProxyOptions = {
  port?: number
  certificates: ProxyCertificates
  allowed: HostList
  forwards?: HostForwards
  world?: string | undefined
  /** One line for each rejected host, and for each client that does not accept the certificate. */
  report(line: string): void
}

export type ForwardProxy = {
  url: string
  port: number
  acceptConnection(socket: net.Socket): void
  close(): Promise<void>
}

/**
 * Opens a forward proxy on 127.0.0.1. It answers for the service's hosts itself, and sends requests for the hosts of `forwards` to
 * their fakes, over TLS with its own certificate. It forwards requests for this machine and for allowed hosts, and rejects all
 * others (502). Rejects with the error of Node if the port is
 * taken.
 */
export async function openProxy(backend: ProxyBackend, options: ProxyOptions): Promise<ForwardProxy> {
  const { port = 0, certificates, allowed, forwards = new Map(), world, report } = options
  const listener = await createSocketListener(
    (request, Response, connection) => backend.fetch(request, { Response, ...connection }),
    backend.now,
  )
  const answer: http.RequestListener = (incoming, outgoing) => {
    if (world !== undefined) addWorldHeader(incoming, world)
    listener.handle(incoming, outgoing)
  }
  const findFake = (host: string): URL | undefined => forwards.get(normalizeHost(host))
  // A client for which the names of hosts resolve to this proxy sends paths, as to any server.
  const hostOf = (target: URL | undefined, { headers }: IncomingMessage) => target?.hostname ?? headers.host ?? ''
  /** A URL in a tunnel to the service that is of another host is for another server (RFC 9110, 15.5.20). */
  const answerTunnelled: http.RequestListener = (incoming, outgoing) => {
    const target = parseTarget(incoming)
    if (target === INVALID) return sendText(outgoing, 400, NOT_A_URL)
    const fake = findFake(hostOf(target, incoming))
    if (fake) forwardToFake(fake, 'https', incoming, outgoing)
    else if (target && classifyHost(target.hostname) !== 'service')
      sendText(outgoing, 421, `fake-calendar: the connection is for the service, not for ${target.hostname}`)
    else answer(incoming, outgoing)
  }
  const service = createHttpServer({ ...listener, handle: answerTunnelled })
  const { cert, key } = certificates
  const secured = tls
    .createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (socket) => emitConnection(service, socket))
    .on('tlsClientError', (error, { servername }) => {
      // A client that only disconnects has not rejected the certificate.
      if ('code' in error && String(error.code).startsWith('ERR_SSL'))
        report(`${servername || 'a host of the service'}: its certificate was not accepted: ${error.message}`)
    })
  const isForwarded = (host: string): boolean =>
    classifyHost(host) === 'local' || (classifyHost(host) !== 'service' && allowed.has(host))
  const reject = (host: string): string => {
    report(`${host} is not called (--allow ${host} lets it through)`)
    return `fake-calendar: ${escapeNonAscii(host)} is not called`
  }

  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const target = parseTarget(incoming)
    if (target === INVALID) return sendText(outgoing, 400, NOT_A_URL)
    const host = hostOf(target, incoming)
    const fake = findFake(host)
    if (fake) forwardToFake(fake, target?.protocol.slice(0, -1) ?? 'http', incoming, outgoing)
    else if (classifyHost(host) === 'service') answer(incoming, outgoing)
    else if (!target) sendText(outgoing, 404, 'fake-calendar: this is a proxy, not a server')
    else if (isForwarded(target.hostname)) forwardToHost(target, incoming, outgoing)
    else sendText(outgoing, 502, reject(target.hostname))
  }
  /** TLS of the service's hosts and of those of `forwards` ends here, and other hosts get a tunnel. */
  const onConnect = ({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const target = parseConnectTarget(url)
    if (!target)
      return rejectConnect(socket, '400 Bad Request', `fake-calendar: not a host and a port: ${escapeNonAscii(url)}`)
    const { host, port: targetPort } = target
    const endsHere = classifyHost(host) === 'service' || findFake(host) !== undefined
    if (!endsHere && !isForwarded(host)) return rejectConnect(socket, '502 Bad Gateway', reject(host))
    if (head.length > 0) socket.unshift(head)
    if (!endsHere) return openTunnel(socket, host, targetPort)
    socket.write(ESTABLISHED)
    secured.emit('connection', socket)
  }
  const server = http.createServer(onRequest).on('connect', onConnect)
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const { port: bound } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  const url = `http://127.0.0.1:${bound}`
  return { url, port: bound, acceptConnection: (socket) => void emitConnection(server, socket), close }
}

// Captured before any patch: the proxy's connections must lead to this machine, also where `exec --isolate` redirects
// the connections of this process into the namespace of a command.
const { connect } = net
const { connect: connectSecurely } = tls

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n'
const WORLD_HEADER = 'X-Fake-World'

/** Names the world of a request that names none in its path or header. A world in its token still takes precedence. */
function addWorldHeader({ url = '', headers, rawHeaders }: IncomingMessage, world: string): void {
  const name = WORLD_HEADER.toLowerCase()
  if (headers[name] !== undefined || url.replace(/^https?:\/\/[^/]*/, '').startsWith('/w/')) return
  headers[name] = world
  rawHeaders.push(WORLD_HEADER, world)
}

const INVALID = 'invalid'
const NOT_A_URL = 'fake-calendar: not a URL of http or https'

/** Returns the whole URL of a request, whose scheme it writes in lower case; undefined for a path. */
function parseTarget(incoming: IncomingMessage): URL | typeof INVALID | undefined {
  const { url = '' } = incoming
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(url) ?? []
  if (scheme === undefined) return undefined
  if (!/^https?$/i.test(scheme) || !URL.canParse(url)) return INVALID
  incoming.url = scheme.toLowerCase() + url.slice(scheme.length)
  return new URL(url)
}

function parseConnectTarget(url: string): { host: string; port: number } | undefined {
  const {
    address,
    host = address,
    portText,
  } = /^(?:\[(?<address>[^[\]]+)\]|(?<host>[^[\]:/?#@]+)):(?<portText>\d+)$/.exec(url)?.groups ?? {}
  const port = Number(portText)
  if (host === undefined || (address !== undefined && !net.isIPv6(address))) return undefined
  return port > 0 && port <= 65_535 ? { host, port } : undefined
}

const escapeNonAscii = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?')

function sendText(outgoing: ServerResponse, status: number, line: string): void {
  outgoing.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${line}\n`)
}

function rejectConnect(socket: Duplex, status: string, line: string): void {
  const body = `${line}\n`
  const head = `Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`)
}

function openTunnel(socket: Duplex, host: string, port: number): void {
  const upstream = connect({ host, port, allowHalfOpen: true })
  const onError = ({ message }: Error) => rejectConnect(socket, '502 Bad Gateway', message)
  upstream.once('error', onError)
  socket.once('close', () => upstream.destroy())
  upstream.once('connect', () => {
    upstream.off('error', onError)
    socket.write(ESTABLISHED)
    joinConnections(socket, upstream)
  })
}

/** The URL takes precedence over the header `Host` (RFC 9112, 3.2.2), which HTTP/1.0 may lack. */
const withoutHost = (raw: readonly string[]): string[] =>
  raw.filter((_, at) => raw[at - (at % 2)]?.toLowerCase() !== 'host')

function forwardToHost(target: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const headers = ['Host', target.host, ...withoutHost(toForwardedHeaders(incoming))]
  sendTo(target, { path: target.pathname + target.search, headers }, incoming, outgoing)
}

/** The Host header stays that of the client, so that a fake can use the real addresses in its replies. */
function forwardToFake(fake: URL, scheme: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const path = fake.pathname.replace(/\/$/, '') + toOriginForm(incoming.url ?? '/')
  sendTo(fake, { path, headers: [...toForwardedHeaders(incoming), 'X-Forwarded-Proto', scheme] }, incoming, outgoing)
}

function sendTo(
  server: URL,
  { path, headers }: { path: string; headers: string[] },
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const isSecure = server.protocol === 'https:'
  const host = server.hostname.replace(/^\[|\]$/g, '')
  const port = Number(server.port) || (isSecure ? 443 : 80)
  const upstream = (isSecure ? https : http).request({
    method: incoming.method,
    host,
    port,
    // `host` and `port` instead of the URL: its user name may hold escapes that Node does not decode.
    path,
    headers,
    createConnection: () => (isSecure ? connectSecurely({ host, port, servername: host }) : connect({ host, port })),
  })
  relay(incoming, outgoing, upstream, ({ message }) => sendText(outgoing, 502, `fake-calendar: ${message}`))
}
