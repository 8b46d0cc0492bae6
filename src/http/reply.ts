import { formatJson, type Text, toPayload, toReusablePayload } from '../schema/texts.ts'

/**
 * The caching of a reply: `private` must be revalidated, `hour` is for colours, `none` is not cached (behaviour 11.4).
 */
export type Cache = 'private' | 'hour' | 'none'

const COMMON = {
  Vary: 'Origin, X-Origin, Referer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '0',
  Server: 'ESF',
}

const LONG_AGO = 'Mon, 01 Jan 1990 00:00:00 GMT'

/** Returns an instant in the format of the header `Date`. */
const utc = (instant: number): string => new Date(instant).toUTCString()

const CACHING: Record<Cache, (now: number) => Record<string, string>> = {
  private: (now) => ({ 'Cache-Control': 'private, max-age=0, must-revalidate, no-transform', Expires: utc(now) }),
  hour: (now) => ({
    'Cache-Control': 'private, max-age=3600, must-revalidate, no-transform',
    Expires: utc(now), // the service sends this although max-age is an hour (behaviour 11.4.1)
  }),
  none: () => ({
    'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
    Pragma: 'no-cache',
    Expires: LONG_AGO,
  }),
}

type Headers = Readonly<Record<string, string>>

type CachedHeaders = { second: number; headers: Headers; tagged: Headers }

/** The headers of the latest response of each kind. They change with the second only, and are not written to. */
const cachedHeaders = new Map<Cache, CachedHeaders>()

/** Copies `tagged` for an etag, because replacing a field of a copy is twenty times faster than adding one. */
function headersOf(cache: Cache, now: number, etag?: string): Headers {
  const second = Math.floor(now / 1000)
  const known = cachedHeaders.get(cache)
  const { headers, tagged } = known?.second === second ? known : renewHeaders(cache, now, second)
  return etag === undefined ? headers : { ...tagged, ETag: etag }
}

/** Returns the headers of a kind of response for a second of the world's clock, and caches them. */
function renewHeaders(cache: Cache, now: number, second: number): CachedHeaders {
  const headers = {
    ...COMMON,
    Date: utc(now),
    ...CACHING[cache](now),
    'Content-Type': 'application/json; charset=UTF-8',
  }
  const made = { second, headers, tagged: { ...headers, ETag: '' } }
  cachedHeaders.set(cache, made)
  return made
}

/** A response as data, before a Response is constructed. Hints and faults change it. */
export type ApiResponse = { readonly status: number; readonly headers: Headers; readonly text: Text | null }

type ResponseClass = { Response?: typeof Response | undefined }

/** Constructs a Response. On a socket its class is the adapter's own, which is written without being read again. */
export const toResponse = (
  { status, headers, text }: ApiResponse,
  { Response: SocketResponse }: ResponseClass = {},
): Response =>
  SocketResponse
    ? new SocketResponse(text === null ? null : toReusablePayload(text), { status, headers })
    : new Response(text === null ? null : toPayload(text), { status, headers })

export type ResponseOptions = {
  status?: number
  now: number
  cache: Cache
  indent: number
  etag?: string | undefined
  headers?: Headers
}

/**
 * Returns JSON with the service's headers (behaviour 11.3). Headers are a plain record, because a Headers adds half the
 * cost.
 */
export function jsonResponse(
  body: object,
  { status = 200, now, cache, indent, etag, headers: more }: ResponseOptions,
): ApiResponse {
  const headers = headersOf(cache, now, etag)
  return { status, headers: more ? { ...headers, ...more } : headers, text: formatJson(body, indent) }
}

/**
 * Returns a response without body. 204 has a Content-Length, which some clients need (behaviour 11.7); 304 has the
 * etag.
 */
export function emptyResponse(status: 204 | 304, { now, etag }: { now: number; etag?: string }): ApiResponse {
  const { 'Content-Type': _, ...headers } = headersOf(status === 204 ? 'none' : 'private', now)
  return {
    status,
    headers: { ...headers, ...(status === 204 && { 'Content-Length': '0' }), ...(etag && { ETag: etag }) },
    text: null,
  }
}

/** Returns true if If-None-Match contains the etag. */
export const matchesEtag = (etag: string, header: string | null): boolean =>
  header !== null && (header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))

/** A value, or a promise of it. */
export type Awaitable<T> = T | Promise<T>

/**
 * Passes a value to `next`: at once, or when its promise resolves. It takes the place of `await` on the path of every request,
 * because a response that waits for nothing must stay synchronous: Hono's adapter writes it without a promise.
 */
export const whenReady = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value)

/** Acts, and passes the outcome to one of two functions: the value, or the error that was thrown or rejected. */
export function settle<T, U>(
  act: () => Awaitable<T>,
  onValue: (value: T) => Awaitable<U>,
  onError: (error: unknown) => Awaitable<U>,
): Awaitable<U> {
  let value: Awaitable<T>
  try {
    value = act()
  } catch (error) {
    return onError(error)
  }
  return value instanceof Promise ? value.then(onValue, onError) : onValue(value)
}
