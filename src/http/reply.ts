import { formatJson, type Text, toPayload } from './texts.ts'

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

/** Formats an instant (epoch milliseconds) as in the header `Date`. */
const formatHttpDate = (instant: number): string => new Date(instant).toUTCString()

/** The headers of each kind of caching, at an instant in epoch milliseconds. */
const CACHING: Record<Cache, (now: number) => Record<string, string>> = {
  private: (now) => ({
    'Cache-Control': 'private, max-age=0, must-revalidate, no-transform',
    Expires: formatHttpDate(now),
  }),
  hour: (now) => ({
    'Cache-Control': 'private, max-age=3600, must-revalidate, no-transform',
    Expires: formatHttpDate(now), // the service sends this although max-age is an hour (behaviour 11.4.1)
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
 * Returns the headers of a response at `now` (epoch milliseconds), with an etag if given. They are shared: do not write
 * to them. An etag gets a copy of `tagged`, because replacing a field of a copy is twenty times faster than adding one.
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

/** A response as data, before a Response is constructed. Hints and faults change it. A null text is no body. */
export type ApiResponse = { readonly status: number; readonly headers: Headers; readonly text: Text | null }

type ResponseClass = { Response?: typeof Response | undefined }

/** Returns a response as a Response. On a socket its class is the adapter's own, which is written without being read. */
export const toResponse = (
  { status, headers, text }: ApiResponse,
  { Response: SocketResponse }: ResponseClass = {},
): Response =>
  SocketResponse
    ? new SocketResponse(text === null ? null : toPayload(text), { status, headers })
    : new Response(text === null ? null : toPayload(text), { status, headers })

export type ResponseOptions = {
  status?: number
  /** The time by the world's clock, in epoch milliseconds. */
  now: number
  cache: Cache
  indent: number
  etag?: string | undefined
  headers?: Headers
}

/**
 * Returns a response with `body` as JSON and the service's headers (behaviour 11.3). `headers` replace those of the
 * service. They are a plain record, because a Headers adds half of the cost.
 */
export function jsonResponse(
  body: object,
  { status = 200, now, cache, indent, etag, headers: more }: ResponseOptions,
): ApiResponse {
  const headers = createHeaders(cache, now, etag)
  return { status, headers: more ? { ...headers, ...more } : headers, text: formatJson(body, indent) }
}

/**
 * Returns a response without body. 204 has a Content-Length, which some clients need (behaviour 11.7); 304 has the
 * etag.
 */
export function emptyResponse(status: 204 | 304, { now, etag }: { now: number; etag?: string }): ApiResponse {
  const { 'Content-Type': _, ...headers } = createHeaders(status === 204 ? 'none' : 'private', now)
  return {
    status,
    headers: { ...headers, ...(status === 204 && { 'Content-Length': '0' }), ...(etag && { ETag: etag }) },
    text: null,
  }
}

/** Returns true if the value of If-None-Match (null without one) contains the etag or is `*`. Weak etags match too. */
export const matchesEtag = (etag: string, header: string | null): boolean =>
  header !== null && (header === '*' || header.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))

export type Awaitable<T> = T | Promise<T>

/**
 * Passes a value to `next` and returns its result: at once, or when the promise of the value resolves. A rejection is
 * passed on. It takes the place of `await` on the path of every request, because a response that waits for nothing must
 * stay synchronous: Hono's adapter writes it without a promise.
 */
export const whenReady = <T, U>(value: Awaitable<T>, next: (value: T) => Awaitable<U>): Awaitable<U> =>
  value instanceof Promise ? value.then(next) : next(value)

/**
 * Calls `act`, passes its value to `onValue` or its error (thrown or rejected) to `onError`, and returns their result.
 * Errors of these two are thrown. Like `whenReady`, it stays synchronous unless `act` returns a promise.
 */
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
