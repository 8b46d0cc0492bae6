import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { Connection } from '../http/compression.ts'
import { serverOf, socketListener } from '../http/listen.ts'
import type { Authority } from './authority.ts'
import { type HostList, hostKind } from './hosts.ts'
import { acceptConnection } from './inMemoryServer.ts'
import { forwardedHeaders, joinConnections, relay } from './relay.ts'

/** The fake that answers for the service's hosts. */
export type ProxyBackend = {
  fetch(request: Request, how: Connection & { Response: typeof Response }): Promise<Response>
  /** The time of the fake's clock, in milliseconds. */
  now(): number
}

export type ProxyOptions = {
  /** Port to listen on; 0, the default, takes any free one. */
  port?: number
  authority: Authority
  /** Other hosts to which requests are forwarded. */
  allowed: HostList
  /** The world of requests that name none; without it, the default world of the backend. */
  world?: string | undefined
  /** Receives one line for each rejected host, and for each client that does not accept the certificate. */
  report(line: string): void
}

export type ForwardProxy = {
  url: string
  port: number
  /** Handles a connection that did not come by the port. */
  take(socket: net.Socket): void
  close(): Promise<void>
}

/**
 * A forward proxy on this machine. It answers for the service's hosts itself, over TLS with its own certificate. It forwards
 * requests for this machine and for allowed hosts, and rejects all others.
 */
export async function openProxy(backend: ProxyBackend, options: ProxyOptions): Promise<ForwardProxy> {
  const { port = 0, authority, allowed, world, report } = options
  const listener = await socketListener(
    (request, Response, connection) => backend.fetch(request, { Response, ...connection }),
    backend.now,
  )
  const answer: http.RequestListener = (incoming, outgoing) => {
    if (world !== undefined) selectWorld(incoming, world)
    listener.handle(incoming, outgoing)
  }
  const service = serverOf({ ...listener, handle: answer })
  const { cert, key } = authority
  const secured = tls
    .createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (socket) => acceptConnection(service, socket))
    .on('tlsClientError', (error, { servername }) => {
      // A client that only disconnects has not rejected the certificate.
      if ('code' in error && String(error.code).startsWith('ERR_SSL'))
        report(`${servername || 'a host of the service'}: its certificate was not accepted: ${error.message}`)
    })
  const isForwarded = (host: string): boolean =>
    hostKind(host) === 'local' || (hostKind(host) !== 'service' && allowed.has(host))
  const reject = (host: string): string => {
    report(`${host} is not called (--allow ${host} lets it through)`)
    return `fake-calendar: ${escapeNonAscii(host)} is not called`
  }

  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const target = absoluteTarget(incoming.url)
    // A client for which the service's names resolve to this proxy sends paths, as to any server.
    const isService = hostKind(target ? target.hostname : (incoming.headers.host ?? '')) === 'service'
    if (isService) answer(incoming, outgoing)
    else if (!target) respond(outgoing, 404, 'fake-calendar: this is a proxy, not a server')
    else if (isForwarded(target.hostname)) forward(target, incoming, outgoing)
    else respond(outgoing, 502, reject(target.hostname))
  }
  const onConnect = ({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    const target = tunnelTarget(url)
    if (!target)
      return endWith(socket, '400 Bad Request', `fake-calendar: not a host and a port: ${escapeNonAscii(url)}`)
    const { host, port: targetPort } = target
    if (hostKind(host) !== 'service' && !isForwarded(host)) return endWith(socket, '502 Bad Gateway', reject(host))
    if (head.length > 0) socket.unshift(head)
    if (hostKind(host) !== 'service') return tunnel(socket, host, targetPort)
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
  const take = (socket: net.Socket) => void acceptConnection(server, socket)
  return { url: `http://127.0.0.1:${bound}`, port: bound, take, close }
}

// Captured before any patch: the proxy's connections must lead to this machine, also where `exec --isolate` redirects
// the connections of this process into the namespace of a command.
const { connect } = net
const { connect: connectSecurely } = tls

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n'
const WORLD_HEADER = 'X-Fake-World'

/** Names the world of a request that does not name one in its path or header. A world in its token takes precedence. */
function selectWorld({ url = '', headers, rawHeaders }: IncomingMessage, world: string): void {
  const name = WORLD_HEADER.toLowerCase()
  if (headers[name] !== undefined || url.replace(/^https?:\/\/[^/]*/, '').startsWith('/w/')) return
  headers[name] = world
  rawHeaders.push(WORLD_HEADER, world)
}

/** The target of a request that was sent to a proxy without TLS; undefined for a path. */
function absoluteTarget(url = ''): URL | undefined {
  return /^https?:\/\//.test(url) && URL.canParse(url) ? new URL(url) : undefined
}

/** The target of a CONNECT, `host:port` or `[address]:port`; undefined for anything else. */
function tunnelTarget(url: string): { host: string; port: number } | undefined {
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

function respond(outgoing: ServerResponse, status: number, line: string): void {
  outgoing.writeHead(status, { 'Content-Type': 'text/plain' }).end(`${line}\n`)
}

/** Answers a CONNECT that opens no tunnel. */
function endWith(socket: Duplex, status: string, line: string): void {
  const body = `${line}\n`
  const head = `Content-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close`
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n\r\n${body}`)
}

function tunnel(socket: Duplex, host: string, port: number): void {
  const upstream = connect({ host, port, allowHalfOpen: true })
  const onError = ({ message }: Error) => endWith(socket, '502 Bad Gateway', message)
  upstream.once('error', onError)
  socket.once('close', () => upstream.destroy())
  upstream.once('connect', () => {
    upstream.off('error', onError)
    socket.write(ESTABLISHED)
    joinConnections(socket, upstream)
  })
}

function forward(target: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const isSecure = target.protocol === 'https:'
  const host = target.hostname.replace(/^\[|\]$/g, '')
  const port = Number(target.port) || (isSecure ? 443 : 80)
  const upstream = (isSecure ? https : http).request({
    method: incoming.method,
    host,
    port,
    // `host` and `port` instead of the URL: its user name may hold escapes that Node does not decode.
    path: target.pathname + target.search,
    headers: forwardedHeaders(incoming),
    createConnection: () => (isSecure ? connectSecurely({ host, port, servername: host }) : connect({ host, port })),
  })
  relay(incoming, outgoing, upstream, ({ message }) => respond(outgoing, 502, `fake-calendar: ${message}`))
}
