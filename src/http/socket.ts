import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Incoming } from './incoming.ts'
import type { Reply } from './reply.ts'

/** A listener for node's server over whatever answers requests. */
export const socketListener =
  (answer: (request: Incoming) => Promise<Reply>) =>
  async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = urlOf(message)
    if (url === undefined) {
      response.writeHead(400).end()
      return
    }
    const { status, headers, body } = await answer({ method: message.method ?? 'GET', url, ...contentOf(message) })
    // As raw pairs, so that a header with several values keeps a line for each.
    const lines = headers.flat()
    if (body !== null) lines.push('Content-Length', String(Buffer.byteLength(body)))
    response.writeHead(status, lines).end(body ?? undefined)
  }

/** Where the client thinks that the request goes: proxies name it whole, others leave the host to its header. */
function urlOf({ url = '/', headers: { host = 'localhost' } }: IncomingMessage): string | undefined {
  const whole = url.startsWith('/') ? `http://${host}${url}` : url
  return URL.canParse(whole) ? whole : undefined
}

const contentOf = (message: IncomingMessage): Pick<Incoming, 'headers' | 'body'> => ({
  headers: {
    get: (name) => [message.headers[name.toLowerCase()] ?? null].flat().join(', ') || null,
    has: (name) => name.toLowerCase() in message.headers,
  },
  // Reading may stop early where a body is too long; the connection has still to carry the answer.
  body: message.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>,
})
