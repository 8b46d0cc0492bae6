import { formatJson, type Text, toPayload } from './texts.ts'

/** `private` must be revalidated, `hour` is for colours, `none` is not cached (behaviour 11.4). */
export type Cache = 'private' | 'hour' | 'none'

const COMMON = {
  Vary: 'Origin, X-Origin, Referer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '0',
  Server: 'ESF',
}

const LONG_AGO = 'Mon, 01 Jan 1990 00:00:00 GMT'

/** As in the header `Date`. */
const formatHttpDate = (instant: number): string => new Date(instant).toUTCString()

/** At an instant in epoch milliseconds. */
const CACHING: Record<Cache, (now: number) => Record<string, string>> = {
  private: (now) => ({
    'Cache-Control': 'private, max-age=0, must-revalidate, no-transform',
    Expires: formatHttpDate(now),
  }),
  hour: (now) => ({
    'Cache-Control': 'private, max-age=3600, must-revalidate, no-transform',
    Expires: formatHttpDate(now), // The service sends this although max-age is an hour (behaviour 11.4.1).
  }),
  none: () => ({
    'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
    Pragma: 'no-cache',
    Expires: LONG_AGO,
  }),
}

type Headers = Readonly<Record<string, string>>

type CachedHeaders = { second: number; headers: Headers; tagged: Headers }

const cachedHeaders = new Map<Cache, CachedHeaders>()

/**
 * The headers are shared: do not write to them. An etag gets a copy of `tagged`, because replacing a field of a copy is twenty
 * times faster than adding one.
 */
function createHeaders(cache: Cache, now: number, etag?: string): Headers {
  const second = Math.floor(now / 1000)
  const known = cachedHeaders.get(cache)
  const { headers, tagged } = known?.second === second ? known : renewHeaders(cache, now, second)
  return etag === undefined ? headers : { ...tagged, ETag: etag }
}

function renewHeaders(cache: Cache, now: number, second: number): CachedHeaders {
  const headers = {
    ...COMMON,
    Date: formatHttpDate(now),
    ...CACHING[cache](now),
    'Content-Type': 'application/json; charset=UTF-8',
  }
  const made = { second, headers, tagged: { ...headers, ETag: '' } }
  cachedHeaders.set(cache, made)
  return made
}

/** Hints and faults change it before a Response is constructed. A null text is no body. */
export type ApiResponse = { readonly status: number; readonly headers: Headers; readonly text: Text | null }

type ResponseClass = { Response?: typeof Response | undefined }

/** On a socket the class is the adapter's own, which is written without being read. */
export const toResponse = (
  { status, headers, text }: ApiResponse,
  { Response: SocketResponse }: ResponseClass = {},
): Response =>
  SocketResponse
    ? new SocketResponse(text === null ? null : toPayload(text), { status, headers })
    : new Response(text === null ? null : toPayload(text), { status, headers })

export type ResponseOptions = {
  status?: number
  /** By the world's clock, in epoch milliseconds. */
  now: number
  cache: Cache
  indent: number
  etag?: string | undefined
  headers?: Headers
}

/** `headers` replace those of the service (behaviour 11.3). They are a plain record, because a Headers adds half of the cost. */
export function jsonResponse(
  body: object,
  { status = 200, now, cache, indent, etag, headers: more }: ResponseOptions,
): ApiResponse {
  const headers = createHeaders(cache, now, etag)
  return { status, headers: more ? { ...headers, ...more } : headers, text: formatJson(body, indent) }
}

/** 204 has a Content-Length, which some clients need (behaviour 11.7); 304 has the etag. */
export function emptyResponse(status: 204 | 304, { now, etag }: { now: number; etag?: string }): ApiResponse {
  const { 'Content-Type': _, ...headers } = createHeaders(status === 204 ? 'none' : 'private', now)
  return {
    status,
    headers: { ...headers, ...(status === 204 && { 'Content-Length': '0' }), ...(etag && { ETag: etag }) },
    text: null,
  }
}

/** `*` and weak etags match too. */
export const matchesEtag = (etag: string, header: string | null): boolean =>
  header !== null && (header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))

export type Awaitable<T> = T | Promise<T>
