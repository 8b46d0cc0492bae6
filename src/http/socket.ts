import type { IncomingMessage, ServerResponse } from 'node:http'
import { type HeaderLine, HeaderLines, type Incoming, Reply } from './message.ts'

/** A listener for node's server over whatever answers requests. */
export const socketListener =
  (answer: (request: Incoming) => Promise<Reply>) =>
  async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = urlOf(message)
    const reply = url === undefined ? new Reply(null, { status: 400 }) : await answer(read(message, url)).catch(broken)
    const { status, headers, body } = reply
    if (body !== null) headers.set('Content-Length', String(Buffer.byteLength(body)))
    // As raw pairs, so that a header with several values keeps a line for each.
    response.writeHead(status, [...headers].flat()).end(body ?? undefined)
    message.resume() // whatever of the request nobody read is let go by, so that the client sees its answer
  }

/** A fault of ours is told to the one who asked, and ends nobody else's day. */
const broken = (error: unknown): Reply => {
  console.error(error)
  return new Reply(null, { status: 500 })
}

/** Where the client thinks that the request goes: proxies name it whole, others leave the host to its header. */
function urlOf({ url = '/', headers: { host = 'localhost' } }: IncomingMessage): string | undefined {
  const whole = url.startsWith('/') ? `http://${host}${url}` : url
  return URL.canParse(whole) ? whole : undefined
}

const read = (message: IncomingMessage, url: string): Incoming => ({
  method: message.method ?? 'GET',
  url,
  headers: new HeaderLines(linesOf(message.rawHeaders)),
  // Reading may stop early where a body is too long; the connection has still to carry the answer.
  body: message.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>,
})

const linesOf = (raw: readonly string[]): HeaderLine[] =>
  raw.flatMap((name, at): HeaderLine[] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []))
