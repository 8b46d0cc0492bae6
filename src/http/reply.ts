/** An answer as data, for the socket to write or for a Response to be made of. */
export type Reply = { status: number; headers: Header[]; body: string | null }
export type Header = [name: string, value: string]

/** How long a reply may be kept: a read for a moment, colours for an hour, anything else not at all (behaviour 00). */
export type Cache = 'private' | 'hour' | 'none'

const COMMON: readonly Header[] = [
  ['Vary', 'Origin'],
  ['Vary', 'X-Origin'],
  ['Vary', 'Referer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-XSS-Protection', '0'],
  ['Server', 'ESF'],
]

const LONG_AGO = 'Mon, 01 Jan 1990 00:00:00 GMT'

function headersOf(cache: Cache, now: number): Header[] {
  const date = new Date(now).toUTCString()
  const fresh = `private, max-age=${cache === 'hour' ? 3600 : 0}, must-revalidate, no-transform`
  const kept: Header[] =
    cache === 'none'
      ? [
          ['Cache-Control', 'no-cache, no-store, max-age=0, must-revalidate'],
          ['Pragma', 'no-cache'],
          ['Expires', LONG_AGO],
        ]
      : [
          ['Cache-Control', fresh],
          ['Expires', cache === 'hour' ? new Date(now + 3_600_000).toUTCString() : date],
        ]
  return [...COMMON, ['Date', date], ...kept]
}

export type ReplyOptions = {
  status?: number
  now: number
  cache: Cache
  indent: number
  headers?: Record<string, string>
}

/** A JSON reply with the service's headers (behaviour 00). */
export function jsonReply(body: object, { status = 200, now, cache, indent, headers = {} }: ReplyOptions): Reply {
  return {
    status,
    headers: [
      ...headersOf(cache, now),
      ['Content-Type', 'application/json; charset=UTF-8'],
      ...Object.entries(headers),
    ],
    body: `${JSON.stringify(body, null, indent)}\n`,
  }
}

/** No body: 204 says so in its length, which some clients ask for (clients 6); 304 names the version that stands. */
export function emptyReply(status: 204 | 304, now: number, etag?: string): Reply {
  const headers = headersOf(status === 204 ? 'none' : 'private', now)
  if (status === 204) headers.push(['Content-Length', '0'])
  if (etag) headers.push(['ETag', etag])
  return { status, headers, body: null }
}

export const responseOf = ({ status, headers, body }: Reply): Response => new Response(body, { status, headers })
