import { describeResponse, InconclusiveError, type ReceivedBody, type ReceivedResponse } from './expect.ts'
import type { Fetch } from './retryingFetch.ts'

/** The caller of a request: the account of a token, or none. */
export type RequestCaller = 'owner' | 'guest' | 'nobody'
export type HttpVerb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type RequestOptions = {
  query?: Query
  headers?: Readonly<Record<string, string>>
  as?: RequestCaller
}

/** A server to be checked, and the tokens of one or two accounts there. */
export type Target = {
  fetch: Fetch
  /** The base URL; it ends in `/calendar/v3`. */
  baseUrl: string
  tokens: { owner: string; guest?: string | undefined }
  /** Ends the run. Requests in flight are still completed, so that every created resource is known. */
  stop?: AbortSignal | undefined
}

/** Sends one request. The path is relative to the base URL, or begins with `//` for another path of the same host. */
export async function sendRequest(
  target: Target,
  verb: HttpVerb,
  path: string,
  body?: unknown,
  how: RequestOptions = {},
): Promise<ReceivedResponse> {
  const request = `${verb} ${path}${formatQuery(how.query)}`
  const token = how.as === 'nobody' ? undefined : target.tokens[how.as ?? 'owner']
  if (how.as === 'guest' && token === undefined) throw new InconclusiveError('needs a second account: a second --token')
  target.stop?.throwIfAborted()
  const answer = await target
    .fetch(urlOf(target, path) + formatQuery(how.query), {
      method: verb,
      headers: {
        ...(token !== undefined && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...how.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
      ...(target.stop && { signal: target.stop }),
    })
    .catch((error: unknown) => {
      target.stop?.throwIfAborted()
      throw new InconclusiveError(`${request}: ${causeOf(error)}`)
    })
  const { status, headers } = answer
  const text = await answer.text()
  const read: ReceivedResponse = { request, status, headers, text, body: parseBody(headers, text) }
  if (isBusy(read)) throw new InconclusiveError(`${request}: ${describeResponse(read)}`)
  return read
}

/** Returns true for a busy or failing server, whose response proves nothing. */
const isBusy = (answer: ReceivedResponse): boolean =>
  answer.status === 429 ||
  answer.status >= 500 ||
  (answer.status === 403 && /(rateLimitExceeded|quotaExceeded|dailyLimitExceeded)/i.test(answer.text))

/** Returns the origin. Paths such as that of batches are outside of the base URL. */
export const rootOf = ({ baseUrl }: Target): string => baseUrl.replace(/\/calendar\/v3$/, '')

const urlOf = (target: Target, path: string): string =>
  path.startsWith('//') ? rootOf(target) + path.slice(1) : target.baseUrl + path

function formatQuery(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

function parseBody(headers: Headers, text: string): ReceivedBody {
  try {
    if (headers.get('Content-Type')?.startsWith('application/json') && text) return JSON.parse(text)
  } catch {
    // A body that is not JSON stays available as text.
  }
  return NONE
}

/** Stands for a body that is not JSON: each of its fields is missing. */
const NONE = Object.freeze({}) as ReceivedBody

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}
