import type { RequestListener } from 'node:http'
import { forwardedHeaders, relay } from './relay.ts'

/**
 * Forwards requests to a server that runs elsewhere, under the host names that the client used, so that the addresses in
 * replies are the service's own. Without a response, the client's connection breaks with an error that names the server.
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
      path: server.pathname.replace(/\/$/, '') + (url.startsWith('/') ? url : `/${url}`),
      headers: [...forwardedHeaders(incoming), 'X-Forwarded-Proto', scheme],
    })
    relay(incoming, outgoing, upstream, ({ message }) =>
      socket.destroy(
        new Error(`fake-calendar: no answer from ${server.origin}, which FAKE_CALENDAR_URL names: ${message}`),
      ),
    )
  }
}
