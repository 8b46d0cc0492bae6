import type { FaultySocketResponse } from './bodyFault.ts'

/** The service requires gzip in Accept-Encoding and in User-Agent (behaviour 11.10). */
const acceptsGzip = ({ headers }: Request): boolean =>
  /gzip/i.test(headers.get('User-Agent') ?? '') &&
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.get('Accept-Encoding') ?? '')

/** Importing zlib would delay every start. */
const gzip = (body: string | ArrayBuffer) => process.getBuiltinModule('node:zlib').gzipSync(body)

/** Throws or rejects if there is no response. */
export type SocketHandler = (request: Request, ResponseOf: typeof Response, connection: Connection) => Promise<Response>

/** `peer` is the remote address. */
export type Connection = { peer: string | undefined; socket: FaultySocketResponse | undefined }

/**
 * `handle` gets a subclass of `Plain` whose bodies are compressed on construction, because reading a response again adds half of
 * the cost. Other responses are read again. Event streams and encoded responses stay as they are.
 */
export function withCompression(
  handle: SocketHandler,
  Plain: typeof Response,
): (request: Request, connection: Connection) => Promise<Response> {
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
