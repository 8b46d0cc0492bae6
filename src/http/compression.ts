import type { FaultySocketResponse } from './bodyFault.ts'
import type { Awaitable } from './reply.ts'

/** Returns true if Accept-Encoding and User-Agent both contain gzip. The service requires both (behaviour 11.10). */
const acceptsGzip = ({ headers }: Request): boolean =>
  /gzip/i.test(headers.get('User-Agent') ?? '') &&
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.get('Accept-Encoding') ?? '')

/** Compresses a body. Loads zlib with the first one, because importing it would delay every start. */
const gzip = (body: string | ArrayBuffer) => process.getBuiltinModule('node:zlib').gzipSync(body)

/** Answers a request of a socket with a response of the class `ResponseOf`. Throws or rejects if there is no response. */
export type SocketHandler = (
  request: Request,
  ResponseOf: typeof Response,
  connection: Connection,
) => Awaitable<Response>

/** The connection of a request: its remote address (undefined if unknown), and the response of the socket. */
export type Connection = { peer: string | undefined; socket: FaultySocketResponse | undefined }

/**
 * Returns a function that answers as `handle` does, and compresses the responses of clients that accept gzip. `handle`
 * gets a subclass of `Plain` whose bodies are compressed on construction, because reading a response again adds half of
 * the cost. Other responses are read again. Event streams and encoded responses stay as they are. The errors of
 * `handle` are thrown.
 */
export function withCompression(
  handle: SocketHandler,
  Plain: typeof Response,
): (request: Request, connection: Connection) => Awaitable<Response> {
  class Compressed extends Plain {
    constructor(body: string | ArrayBuffer | null, init: { status: number; headers: Record<string, string> }) {
      if (body === null) super(null, init)
      else super(gzip(body), { ...init, headers: { ...init.headers, 'Content-Encoding': 'gzip' } })
    }
  }
  const answerCompressed = async (request: Request, connection: Connection): Promise<Response> => {
    const reply = await handle(request, Compressed as typeof Response, connection)
    if (reply instanceof Compressed || reply.headers.has('Content-Encoding') || reply.body === null) return reply
    if (reply.headers.get('Content-Type')?.startsWith('text/event-stream')) return reply
    const { 'content-length': _, ...headers } = Object.fromEntries(reply.headers)
    return new Compressed(await reply.arrayBuffer(), { status: reply.status, headers })
  }
  return (request, connection) =>
    acceptsGzip(request) ? answerCompressed(request, connection) : handle(request, Plain, connection)
}
