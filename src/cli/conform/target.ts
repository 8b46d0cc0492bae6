import { describeResponse, InconclusiveError, type ReceivedBody, type ReceivedResponse } from './expect.ts'
import { describeNetworkError, type Fetch } from './retryingFetch.ts'

/** The caller of a request: the account of the first or of the second token, or none. */
export type RequestCaller = 'owner' | 'guest' | 'nobody'
export type HttpVerb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
/** Query parameters. Undefined ones are left out, and lists are repeated. */
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** The query, the headers and the caller of a request. */
export type RequestOptions = {
  query?: Query
  headers?: Readonly<Record<string, string>>
  /** The caller; `owner` by default. */
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

/**
 * Sends one request. The path is relative to the base URL, or begins with `//` for another path of the same host. `body` is
 * sent as JSON, or as it is if it is text. Redirects are not followed. Rejects with an InconclusiveError if the server cannot
 * be reached or is busy, or a guest has no token, and with the reason of `target.stop` if that is aborted.
 */
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
    .fetch(resolveTargetUrl(target, path) + formatQuery(how.query), {
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
      throw new InconclusiveError(`${request}: ${describeNetworkError(error)}`)
    })
  const { status, headers } = answer
  const text = await answer.text()
  const read: ReceivedResponse = { request, status, headers, text, body: parseReceivedBody(headers, text) }
  if (isBusy(read)) throw new InconclusiveError(`${request}: ${describeResponse(read)}`)
  return read
}

/** Returns true for a response of a busy or failing server (429, 5xx, or a rate limit), which proves nothing. */
const isBusy = (answer: ReceivedResponse): boolean =>
  answer.status === 429 ||
  answer.status >= 500 ||
  (answer.status === 403 && /(rateLimitExceeded|quotaExceeded|dailyLimitExceeded)/i.test(answer.text))

/** Returns the base URL without `/calendar/v3`. Paths such as that of batches are relative to it. */
export const getServerRoot = ({ baseUrl }: Target): string => baseUrl.replace(/\/calendar\/v3$/, '')

/** Returns the URL of a path; one that begins with `//` is relative to the root of the server. */
const resolveTargetUrl = (target: Target, path: string): string =>
  path.startsWith('//') ? getServerRoot(target) + path.slice(1) : target.baseUrl + path

/** Formats a query that begins with `?`; empty without parameters. */
function formatQuery(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

/** Returns the data of a JSON body; an empty object for any other body. */
function parseReceivedBody(headers: Headers, text: string): ReceivedBody {
  try {
    if (headers.get('Content-Type')?.startsWith('application/json') && text) return JSON.parse(text)
  } catch {
    // A body that is not JSON stays available as text.
  }
  return EMPTY_BODY
}

/** Stands for a body that is not JSON: each of its fields is missing. */
const EMPTY_BODY = Object.freeze({}) as ReceivedBody
