import type { RequestListener } from 'node:http'
import { relay, toForwardedHeaders } from './relay.ts'

/**
 * The URL of the server may name a world in its path. The Host header stays that of the client, so that the addresses in replies
 * are the service's own. Without a response, the client's connection breaks with an error that names the server.
 */
export function createForwarder(server: URL): RequestListener {
  const { Agent, request } = process.getBuiltinModule('node:http')
  const agent = new Agent({ keepAlive: true })
  return (incoming, outgoing) => {
    const { method, url = '/', socket } = incoming
    const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
    const upstream = request({
      host: server.hostname.replace(/^\[|\]$/g, ''),
      port: server.port || 80,
      agent,
      method,
      path: server.pathname.replace(/\/$/, '') + toOriginForm(url),
      headers: [...toForwardedHeaders(incoming), 'X-Forwarded-Proto', scheme],
    })
    relay(incoming, outgoing, upstream, ({ message }) =>
      socket.destroy(
        new Error(`fake-calendar: no response from ${server.origin} (the server of FAKE_CALENDAR_URL): ${message}`),
      ),
    )
  }
}

/** A request target is a whole URL if the client assumes a proxy (RFC 9112, section 3.2.2). */
function toOriginForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}
