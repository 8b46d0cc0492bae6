import { type Incoming, Reply } from './message.ts'

/** The service compresses only for clients that accept gzip and also say so in their name (behaviour 11.10). */
const wantsGzip = ({ headers }: Incoming): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.get('Accept-Encoding') ?? '') &&
  /gzip/i.test(headers.get('User-Agent') ?? '')

/** A reply as its client can take it: compressed, and for HEAD without its body. */
export async function encoded(request: Incoming, reply: Reply): Promise<Reply> {
  const { status, headers, body } = reply
  if (request.method === 'HEAD') return new Reply(null, { status, headers })
  if (!body || !wantsGzip(request)) return reply
  const { gzipSync } = await import('node:zlib')
  headers.set('Content-Encoding', 'gzip')
  headers.delete('Content-Length')
  return new Reply(gzipSync(body), { status, headers })
}
