/** The service compresses only for clients that accept gzip and also say so in their name (behaviour 11). */
const wantsGzip = ({ headers }: Request): boolean =>
  /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(headers.get('Accept-Encoding') ?? '') &&
  /gzip/i.test(headers.get('User-Agent') ?? '')

/** A reply as its client can take it: compressed, and for HEAD without its body. */
export async function encoded(request: Request, response: Response): Promise<Response> {
  const { status, headers } = response
  if (request.method === 'HEAD') return new Response(null, { status, headers })
  if (!response.body || !wantsGzip(request)) return response
  const { gzipSync } = await import('node:zlib')
  headers.set('Content-Encoding', 'gzip')
  headers.delete('Content-Length')
  return new Response(gzipSync(new Uint8Array(await response.arrayBuffer())), { status, headers })
}
