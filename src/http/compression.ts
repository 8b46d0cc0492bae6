import type { FaultySocketResponse } from './bodyFault.ts'
import type { Awaitable } from './reply.ts'

/** The service compresses only if Accept-Encoding and User-Agent both contain gzip (behaviour 11.10). */
const acceptsGzip = ({ headers }: Request): boolean =>
  /gzip/i.test(headers.get('User-Agent') ?? '') &&
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.get('Accept-Encoding') ?? '')

// Loaded with the first compressed response, because it would delay every start.
const gzip = (body: string | ArrayBuffer) => process.getBuiltinModule('node:zlib').gzipSync(body)

/** Answers a request of a socket with a response of the given class. */
export type SocketHandler = (
  request: Request,
  ResponseOf: typeof Response,
  connection: Connection,
) => Awaitable<Response>

/** The connection of a request: its remote address, and the response of the socket. */
export type Connection = { peer: string | undefined; socket: FaultySocketResponse | undefined }

/**
 * Compresses responses for clients that accept it; in process they stay plain. Responses of the given class are compressed on
 * construction, because reading them again would add half of the cost. Others are read again.
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
  const compressed = async (request: Request, connection: Connection): Promise<Response> => {
    const reply = await handle(request, Compressed as typeof Response, connection)
    if (reply instanceof Compressed || reply.headers.has('Content-Encoding') || reply.body === null) return reply
    // An event stream has no end.
    if (reply.headers.get('Content-Type')?.startsWith('text/event-stream')) return reply
    const { 'content-length': _, ...headers } = Object.fromEntries(reply.headers)
    return new Compressed(await reply.arrayBuffer(), { status: reply.status, headers })
  }
  return (request, connection) =>
    acceptsGzip(request) ? compressed(request, connection) : handle(request, Plain, connection)
}
