import { sentAs, type Text, written } from '../wire/texts.ts'

/** How long a reply may be kept: a read for a moment, colours for an hour, anything else not at all (behaviour 11.4). */
export type Cache = 'private' | 'hour' | 'none'

const COMMON = {
  Vary: 'Origin, X-Origin, Referer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-XSS-Protection': '0',
  Server: 'ESF',
}

const LONG_AGO = 'Mon, 01 Jan 1990 00:00:00 GMT'

const utc = (instant: number): string => new Date(instant).toUTCString()

const CACHING: Record<Cache, (now: number) => Record<string, string>> = {
  private: (now) => ({ 'Cache-Control': 'private, max-age=0, must-revalidate, no-transform', Expires: utc(now) }),
  hour: (now) => ({
    'Cache-Control': 'private, max-age=3600, must-revalidate, no-transform',
    Expires: utc(now), // although they may be kept for an hour (behaviour 11.4.1)
  }),
  none: () => ({
    'Cache-Control': 'no-cache, no-store, max-age=0, must-revalidate',
    Pragma: 'no-cache',
    Expires: LONG_AGO,
  }),
}

type Headers = Readonly<Record<string, string>>

type Latest = { second: number; headers: Headers; tagged: Headers }

/** The headers of the latest reply of each kind: they change with the second alone, and are never written to. */
const latest = new Map<Cache, Latest>()

/** With a place for an etag where there is one: to add a field to a copy takes twenty times as long as to replace it. */
function headersOf(cache: Cache, now: number, etag?: string): Headers {
  const second = Math.floor(now / 1000)
  const known = latest.get(cache)
  const { headers, tagged } = known?.second === second ? known : newest(cache, now, second)
  return etag === undefined ? headers : { ...tagged, ETag: etag }
}

function newest(cache: Cache, now: number, second: number): Latest {
  const headers = {
    ...COMMON,
    Date: utc(now),
    ...CACHING[cache](now),
    'Content-Type': 'application/json; charset=UTF-8',
  }
  const made = { second, headers, tagged: { ...headers, ETag: '' } }
  latest.set(cache, made)
  return made
}

/** What is answered, as data: what cuts across all methods looks at it, and may change it, before a reply is made of it. */
export type Answer = { readonly status: number; readonly headers: Headers; readonly text: Text | null }

/** What a reply is made of: a Response, or on a socket the adapter's own, which it writes without reading it again. */
export type Made = { Response?: typeof Response | undefined }

export const made = ({ status, headers, text }: Answer, { Response: Made = Response }: Made = {}): Response =>
  new Made(text === null ? null : sentAs(text), { status, headers })

export type AnswerOptions = {
  status?: number
  now: number
  cache: Cache
  indent: number
  etag?: string | undefined
  headers?: Headers
}

/** JSON with the service's headers (behaviour 11.3). They are a plain record: as a Headers each reply costs half as much again. */
export function jsonAnswer(
  body: object,
  { status = 200, now, cache, indent, etag, headers: more }: AnswerOptions,
): Answer {
  const headers = headersOf(cache, now, etag)
  return { status, headers: more ? { ...headers, ...more } : headers, text: written(body, indent) }
}

export const jsonReply = (body: object, options: AnswerOptions & Made): Response =>
  made(jsonAnswer(body, options), options)

/** No body: 204 says so in its length, which some clients ask for (behaviour 11.7); 304 names the version that stands. */
export function emptyAnswer(status: 204 | 304, { now, etag }: { now: number; etag?: string }): Answer {
  const { 'Content-Type': _, ...headers } = headersOf(status === 204 ? 'none' : 'private', now)
  return {
    status,
    headers: { ...headers, ...(status === 204 && { 'Content-Length': '0' }), ...(etag && { ETag: etag }) },
    text: null,
  }
}

/** Whether a client has the version of an etag already. */
export const matches = (etag: string, asked: string | null): boolean =>
  asked !== null && (asked === '*' || asked.split(',').some((one) => one.trim().replace(/^W\//, '') === etag))
