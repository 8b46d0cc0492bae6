import type { RequestListener } from 'node:http'
import { relay, toForwardedHeaders } from './relay.ts'

/**
 * The URL of the server may have a path, before that of the request. The Host header stays that of the client, so that the
 * addresses in replies are the real ones. A proxy gets the whole URL of the request. Without a response, the client's connection
 * breaks with an error that names the server, and where its address comes from (`source`).
 */
export function createForwarder(server: URL, source: string, { isProxy = false } = {}): RequestListener {
  const isSecure = server.protocol === 'https:'
  const { Agent, request } = process.getBuiltinModule(isSecure ? 'node:https' : 'node:http')
  const agent = new Agent({ keepAlive: true })
  const base = server.pathname.replace(/\/$/, '')
  return (incoming, outgoing) => {
    const { method, url = '/', socket, headers } = incoming
    const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
    const upstream = request({
      host: server.hostname.replace(/^\[|\]$/g, ''),
      port: server.port || (isSecure ? 443 : 80),
      agent,
      method,
      path: (isProxy ? `${scheme}://${headers.host}` : base) + toOriginForm(url),
      headers: [...toForwardedHeaders(incoming), ...(isProxy ? [] : ['X-Forwarded-Proto', scheme])],
    })
    relay(incoming, outgoing, upstream, ({ message }) =>
      socket.destroy(new Error(`fake-calendar: no response from ${server.origin} (${source}): ${message}`)),
    )
  }
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

/** A request target is a whole URL if the client assumes a proxy (RFC 9112, section 3.2.2). */
export function toOriginForm(target: string): string {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '')
  return path.startsWith('/') ? path : `/${path}`
}
