import { connect } from 'node:net'
import { interceptFetch } from './fetch.ts'
import { createForwarder, forwardRequest } from './forward.ts'
import { classifyHost, HostList } from './hosts.ts'
import { interceptSockets, type Router } from './sockets.ts'

/** `fake-calendar exec` and `proxy` configure a Node program by these. */
export const ENV = {
  url: 'FAKE_CALENDAR_URL',
  proxy: 'FAKE_CALENDAR_PROXY',
  allow: 'FAKE_CALENDAR_ALLOW',
  forward: 'FAKE_CALENDAR_FORWARD',
} as const

type RedirectEnv = Readonly<Record<string, string | undefined>>

/**
 * Rejects requests to other hosts of Google, and with a proxy in `env` to all hosts that are neither local nor allowed. The proxy
 * gets the requests to the hosts that it sends to other fakes.
 */
export function redirectToServer(server: URL, env: RedirectEnv): void {
  const { createServer } = process.getBuiltinModule('node:http')
  const http = createServer(createForwarder(server, 'the server of FAKE_CALENDAR_URL'))
  const proxy = env[ENV.proxy] === undefined ? undefined : new URL(env[ENV.proxy] ?? '')
  const allowed = new HostList((env[ENV.allow] ?? '').split(',').filter(Boolean))
  const forwarded = new HostList(proxy ? (env[ENV.forward] ?? '').split(',').filter(Boolean) : [])
  const relayed = proxy && createServer(createForwarder(proxy, 'the proxy of FAKE_CALENDAR_PROXY', { isProxy: true }))
  const isRefused = (host: string): boolean => {
    const kind = classifyHost(host)
    return (
      kind !== 'service' &&
      !forwarded.has(host) &&
      !allowed.has(host) &&
      (kind === 'google' || (proxy !== undefined && kind === 'other'))
    )
  }
  const router: Router = (host) => {
    if (isRefused(host)) return { refused: (port) => reportRefusal(host, port, proxy) }
    // Other runtimes use the proxy by its variables.
    if (relayed && forwarded.has(host)) return { serve: (socket) => void relayed.emit('connection', socket) }
    if (classifyHost(host) !== 'service') return undefined
    return {
      serve: (socket) => void http.emit('connection', socket),
      answer: (request) => forwardRequest(server, request),
    }
  }
  interceptSockets(router)
  interceptFetch(router)
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
