import type { Wire } from './bodyFault.ts'

/** The service compresses only for clients that accept gzip and also say so in their name (behaviour 11.10). */
const wantsGzip = ({ headers }: Request): boolean =>
  /gzip/i.test(headers.get('User-Agent') ?? '') &&
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.get('Accept-Encoding') ?? '')

// Loaded with the first reply that is compressed: every start would wait for it.
const gzip = (body: string | ArrayBuffer) => process.getBuiltinModule('node:zlib').gzipSync(body)

/** Answers a request that came from an address, with what is to be made of the class given. */
export type Answer = (request: Request, Made: typeof Response, carried: Carried) => Response | Promise<Response>

/** What comes with a request off a socket: the address that it came from, and where its reply is written. */
export type Carried = { peer: string | undefined; wire: Wire | undefined }

/**
 * Answers on a socket as its client can take them: compressing is for the wire alone. What is made of the Response given
 * is compressed as it is made, since reading it again would cost half as much as all else; the rest is read again.
 */
export function encoding(
  answer: Answer,
  Plain: typeof Response,
): (request: Request, carried: Carried) => Response | Promise<Response> {
  class Compressed extends Plain {
    constructor(body: string | ArrayBuffer | null, init: { status: number; headers: Record<string, string> }) {
      if (body === null) super(null, init)
      else super(gzip(body), { ...init, headers: { ...init.headers, 'Content-Encoding': 'gzip' } })
    }
  }
  const compressed = async (request: Request, carried: Carried): Promise<Response> => {
    const reply = await answer(request, Compressed as typeof Response, carried)
    if (reply instanceof Compressed || reply.headers.has('Content-Encoding') || reply.body === null) return reply
    // A stream has no end to wait for.
    if (reply.headers.get('Content-Type')?.startsWith('text/event-stream')) return reply
    const { 'content-length': _, ...headers } = Object.fromEntries(reply.headers)
    return new Compressed(await reply.arrayBuffer(), { status: reply.status, headers })
  }
  return (request, carried) => (wantsGzip(request) ? compressed(request, carried) : answer(request, Plain, carried))
}
