import { HeaderLines, Reply } from './message.ts'
/**
 * How long a reply may be kept: a read for a moment, colours for an hour, anything else not at all (behaviour 11.4).
 */
export type Cache = 'private' | 'hour' | 'none'

const COMMON: readonly (readonly [string, string])[] = [
  ['Vary', 'Origin'],
  ['Vary', 'X-Origin'],
  ['Vary', 'Referer'],
  ['X-Content-Type-Options', 'nosniff'],
  ['X-Frame-Options', 'SAMEORIGIN'],
  ['X-XSS-Protection', '0'],
  ['Server', 'ESF'],
]

const LONG_AGO = 'Mon, 01 Jan 1990 00:00:00 GMT'

function headersOf(cache: Cache, now: number): HeaderLines {
  const headers = new HeaderLines()
  for (const [name, value] of COMMON) headers.append(name, value)
  const date = new Date(now).toUTCString()
  headers.set('Date', date)
  if (cache === 'none') {
    headers.set('Cache-Control', 'no-cache, no-store, max-age=0, must-revalidate')
    headers.set('Pragma', 'no-cache')
    headers.set('Expires', LONG_AGO)
  } else {
    headers.set('Cache-Control', `private, max-age=${cache === 'hour' ? 3600 : 0}, must-revalidate, no-transform`)
    headers.set('Expires', cache === 'hour' ? new Date(now + 3_600_000).toUTCString() : date)
  }
  return headers
}

export type ReplyOptions = {
  status?: number
  now: number
  cache: Cache
  indent: number
  headers?: Record<string, string>
}

/** A JSON reply with the service's headers (behaviour 11.3). */
export function jsonReply(body: object, { status = 200, now, cache, indent, headers: more = {} }: ReplyOptions): Reply {
  const headers = headersOf(cache, now)
  headers.set('Content-Type', 'application/json; charset=UTF-8')
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return new Reply(`${JSON.stringify(body, null, indent)}\n`, { status, headers })
}

/**
 * No body: 204 says so in its length, which some clients ask for (behaviour 11.7); 304 names the version that stands.
 */
export function emptyReply(status: 204 | 304, now: number, etag?: string): Reply {
  const headers = headersOf(status === 204 ? 'none' : 'private', now)
  if (status === 204) headers.set('Content-Length', '0')
  if (etag) headers.set('ETag', etag)
  return new Reply(null, { status, headers })
}
