import { connect } from 'node:net'
import { hasOwnNetworkStack, interceptFetch } from './fetch.ts'
import { createForwarder } from './forward.ts'
import { classifyHost, HostList } from './hosts.ts'
import { interceptSockets, type SocketRouter } from './sockets.ts'

/** `fake-calendar exec` and `proxy` configure a Node program by these. */
export const ENV = {
  url: 'FAKE_CALENDAR_URL',
  proxy: 'FAKE_CALENDAR_PROXY',
  allow: 'FAKE_CALENDAR_ALLOW',
} as const

type RedirectEnv = Readonly<Record<string, string | undefined>>

/** Rejects requests to other hosts of Google, and with a proxy in `env` to all hosts that are neither local nor allowed. */
export function redirectToServer(server: URL, env: RedirectEnv): void {
  const { createServer } = process.getBuiltinModule('node:http')
  const http = createServer(createForwarder(server))
  const proxy = env[ENV.proxy] === undefined ? undefined : new URL(env[ENV.proxy] ?? '')
  const allowed = new HostList((env[ENV.allow] ?? '').split(',').filter(Boolean))
  const isRefused = (host: string): boolean => {
    const kind = classifyHost(host)
    return kind !== 'service' && !allowed.has(host) && (kind === 'google' || (proxy !== undefined && kind === 'other'))
  }
  const router: SocketRouter = (host) => {
    if (isRefused(host)) return { refused: (port) => reportRefusal(host, port, proxy) }
    return classifyHost(host) === 'service' ? { serve: (socket) => void http.emit('connection', socket) } : undefined
  }
  const answer = (request: Request) => forwardRequest(server, request)
  interceptSockets(router)
  interceptFetch(({ hostname, port }) => {
    if (isRefused(hostname)) return { refused: reportRefusal(hostname, Number(port) || 443, proxy) }
    if (classifyHost(hostname) !== 'service') return undefined
    return hasOwnNetworkStack() ? { answer } : {}
  })
}

/**
 * Keeps the host and scheme of the request, so that the addresses in its response are the service's own. In Deno they are the
 * server's, because Deno sends no other Host header.
 */
export function forwardRequest(server: URL, request: Request): Promise<Response> {
  const { pathname, search, protocol, host } = new URL(request.url)
  const forwarded = new Request(server.origin + server.pathname.replace(/\/$/, '') + pathname + search, request)
  if (!('Deno' in globalThis)) {
    forwarded.headers.set('Host', host)
    forwarded.headers.set('X-Forwarded-Proto', protocol.replace(':', ''))
  }
  return fetch(forwarded)
}

/** If there is a proxy, sends it a CONNECT for the host, so that it prints the host on the terminal. */
async function reportRefusal(host: string, port: number, proxy: URL | undefined): Promise<Error> {
  if (!proxy) return new Error(`fake-calendar: ${host} is no host of the calendar service, and is not called`)
  await new Promise<void>((resolve) => {
    const socket = connect(Number(proxy.port), proxy.hostname)
    socket.once('close', resolve).once('error', () => {})
    socket.resume().end(`CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`)
  })
  return new Error(`fake-calendar: ${host} is not called (fake-calendar exec --allow ${host} lets it through)`)
}
