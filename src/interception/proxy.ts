import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import https from 'node:https'
import net, { type AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import tls from 'node:tls'
import type { Carried } from '../http/encoding.ts'
import { serverOf, socketListener } from '../http/listen.ts'
import type { Authority } from './authority.ts'
import { handedOn } from './forward.ts'
import { kindOf, type Passing } from './hosts.ts'
import { accept } from './inMemoryServer.ts'

/** What a proxy answers for the service with. */
export type Behind = {
  fetch(request: Request, how: Carried & { Response: typeof Response }): Promise<Response>
  now(): number
}

export type ProxyOptions = {
  port?: number
  authority: Authority
  passing: Passing
  /** Is told what a client is not shown: which host was refused, and who does not know our authority. */
  tell(line: string): void
}

export type Proxy = {
  url: string
  port: number
  /** Takes a connection that did not come by the port. */
  take(socket: net.Socket): void
  close(): Promise<void>
}

/**
 * A forward proxy on this machine: it answers for the service's hosts itself, by TLS with a certificate of our own, leads on
 * to this machine and to hosts that are let through, and refuses any other.
 */
export async function openProxy(behind: Behind, { port = 0, authority, passing, tell }: ProxyOptions): Promise<Proxy> {
  const listener = await socketListener(
    (request, Response, carried) => behind.fetch(request, { Response, ...carried }),
    behind.now,
  )
  const service = serverOf(listener)
  const { cert, key } = authority
  const secured = tls
    .createServer({ cert, key, ALPNProtocols: ['http/1.1'] }, (socket) => accept(service, socket))
    .on('tlsClientError', (error, { servername }) => {
      // A client that leaves without a word has nothing against the certificate.
      if ('code' in error && String(error.code).startsWith('ERR_SSL'))
        tell(`${servername || 'a host of the service'}: its certificate was not taken: ${error.message}`)
    })
  const lets = (host: string): boolean => kindOf(host) === 'local' || (kindOf(host) !== 'service' && passing.has(host))
  const refused = (host: string): string => {
    tell(`${host} is not called (--allow ${host} lets it through)`)
    return `fake-calendar: ${host} is not called\n`
  }

  /** A request that was sent to us in plain, with the whole address that it is for. */
  const onRequest = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { url = '' } = incoming
    const target = /^https?:\/\//.test(url) && URL.canParse(url) ? new URL(url) : undefined
    // Where names lead here, a client does not know that it speaks to a proxy.
    if (!target && kindOf(incoming.headers.host ?? '') === 'service') listener.handle(incoming, outgoing)
    else if (!target) outgoing.writeHead(404).end('fake-calendar: this is a proxy, and no server of its own\n')
    else if (kindOf(target.hostname) === 'service') listener.handle(incoming, outgoing)
    else if (lets(target.hostname)) handOn(target, incoming, outgoing)
    else outgoing.writeHead(502, { 'Content-Type': 'text/plain' }).end(refused(target.hostname))
  }
  const onConnect = ({ url = '' }: IncomingMessage, socket: Duplex, head: Buffer) => {
    const [, host = '', at = '443'] = /^\[?(.*?)\]?:(\d+)$/.exec(url) ?? [url, url]
    socket.on('error', () => socket.destroy())
    if (kindOf(host) !== 'service' && !lets(host)) {
      const said = refused(host)
      socket.end(
        `HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/plain\r\nContent-Length: ${said.length}\r\nConnection: close\r\n\r\n${said}`,
      )
      return
    }
    if (head.length > 0) socket.unshift(head)
    if (kindOf(host) !== 'service') return tunnel(socket, host, Number(at))
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
  const take = (socket: net.Socket) => void accept(server, socket)
  return { url: `http://127.0.0.1:${bound}`, port: bound, take, close }
}

const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n'

/** Leads a connection on as it is: nobody looks into it. */
function tunnel(socket: Duplex, host: string, port: number): void {
  const onward = net.connect(port, host)
  onward.once('connect', () => {
    socket.write(ESTABLISHED)
    socket.pipe(onward).pipe(socket)
  })
  onward.once('error', ({ message }) => socket.end(`HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\n\r\n${message}\n`))
  onward.once('close', () => socket.destroy())
  socket.once('close', () => onward.destroy())
}

function handOn(target: URL, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, rawHeaders } = incoming
  const { request } = target.protocol === 'https:' ? https : http
  const asked = request(target, { method, headers: handedOn(rawHeaders), agent: false })
  asked.once('response', (reply) => {
    outgoing.writeHead(reply.statusCode ?? 502, reply.statusMessage, handedOn(reply.rawHeaders))
    reply.pipe(outgoing)
  })
  asked.once('error', ({ message }) =>
    outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end(message),
  )
  incoming.pipe(asked)
}
