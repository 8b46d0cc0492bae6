import { connect } from 'node:net'
import { leadFetch } from './fetch.ts'
import { forwarding } from './forward.ts'
import { kindOf, Passing } from './hosts.ts'
import { type Guide, leadSockets } from './sockets.ts'

/** What `fake-calendar exec` tells a program of Node's by its surroundings, beside where its server is. */
export const ENV = {
  url: 'FAKE_CALENDAR_URL',
  /** The proxy that is told of hosts that are refused, so that it can name them. */
  proxy: 'FAKE_CALENDAR_PROXY',
  /** Hosts that are let through, between commas. */
  allow: 'FAKE_CALENDAR_ALLOW',
} as const

type Env = Readonly<Record<string, string | undefined>>

/** Leads what this whole program sends to the service's hosts to a server that runs elsewhere. */
export function leadToServer(server: URL, env: Env): void {
  const { createServer } = process.getBuiltinModule('node:http')
  const http = createServer(forwarding(server))
  const proxy = env[ENV.proxy] === undefined ? undefined : new URL(env[ENV.proxy] ?? '')
  const passing = new Passing((env[ENV.allow] ?? '').split(',').filter(Boolean))
  const isRefused = (host: string): boolean => {
    const kind = kindOf(host)
    return kind !== 'service' && !passing.has(host) && (kind === 'google' || (proxy !== undefined && kind === 'other'))
  }
  const guide: Guide = (host) => {
    if (isRefused(host)) return { refused: (port) => refusal(host, port, proxy) }
    return kindOf(host) === 'service' ? { line: (end) => void http.emit('connection', end) } : undefined
  }
  leadSockets(guide)
  leadFetch(({ hostname, port }) => (isRefused(hostname) ? refusal(hostname, Number(port) || 443, proxy) : undefined))
}

/** Why a host is not called; the proxy, where there is one, has been told by then and has named it. */
async function refusal(host: string, port: number, proxy: URL | undefined): Promise<Error> {
  if (!proxy) return new Error(`fake-calendar: ${host} is no host of the calendar service, and is not called`)
  await new Promise<void>((resolve) => {
    const socket = connect(Number(proxy.port), proxy.hostname)
    socket.once('close', resolve).once('error', () => {})
    socket.resume().end(`CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`)
  })
  return new Error(`fake-calendar: ${host} is not called (fake-calendar exec --allow ${host} lets it through)`)
}
