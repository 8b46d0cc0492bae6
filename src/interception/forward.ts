import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

/** What is about one connection alone, and is not handed on. */
const OF_A_HOP = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te', 'trailer']

/** A head as it is handed on: as it came, but for what is about the connection. */
export function handedOn(raw: readonly string[]): string[] {
  return raw.filter((_, at) => !OF_A_HOP.includes((raw[at - (at % 2)] ?? '').toLowerCase()))
}

/**
 * Hands requests on to a server that runs elsewhere, under the names by which they were sent: the addresses in its replies
 * are then the service's own. Where there is none, the client's connection breaks with an error that says so.
 */
export function forwarding(server: URL): RequestListener {
  const { Agent, request } = process.getBuiltinModule('node:http')
  const agent = new Agent({ keepAlive: true })
  return (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method, url = '/', rawHeaders, socket } = incoming
    const scheme = 'encrypted' in socket && socket.encrypted ? 'https' : 'http'
    const path = server.pathname.replace(/\/$/, '') + (url.startsWith('/') ? url : `/${url}`)
    const headers = [...handedOn(rawHeaders), 'X-Forwarded-Proto', scheme]
    const asked = request({
      host: server.hostname.replace(/^\[|\]$/g, ''),
      port: server.port || 80,
      agent,
      method,
      path,
      headers,
    })
    asked.once('response', (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.statusMessage, handedOn(reply.rawHeaders))
      reply.pipe(outgoing)
      reply.once('error', (error) => socket.destroy(error))
    })
    asked.once('error', ({ message }) =>
      socket.destroy(
        new Error(`fake-calendar: no answer from ${server.origin}, which FAKE_CALENDAR_URL names: ${message}`),
      ),
    )
    outgoing.once('close', () => outgoing.writableFinished || asked.destroy())
    incoming.pipe(asked)
  }
}
