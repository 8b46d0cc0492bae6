import { describeResponse, Inconclusive, type ReceivedBody, type ReceivedResponse } from './expect.ts'
import type { Fetch } from './retryingFetch.ts'

/** Who asks: whose token, or nobody's. */
export type Caller = 'owner' | 'guest' | 'nobody'
export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type RequestOptions = {
  query?: Query
  headers?: Readonly<Record<string, string>>
  as?: Caller
}

/** A server that claims to be the service, and the tokens of one or two accounts there. */
export type Target = {
  fetch: Fetch
  /** Ends in `/calendar/v3`. */
  baseUrl: string
  tokens: { owner: string; guest?: string | undefined }
  /** Ends the run: what is on its way is still answered, so that nothing is made that nobody knows of. */
  stop?: AbortSignal | undefined
}

/** Sends one request. What is asked below the base may also be an address of the same host, beginning with `//`. */
export async function sendRequest(
  target: Target,
  verb: Verb,
  path: string,
  body?: unknown,
  how: RequestOptions = {},
): Promise<ReceivedResponse> {
  const request = `${verb} ${path}${formatQuery(how.query)}`
  const token = how.as === 'nobody' ? undefined : target.tokens[how.as ?? 'owner']
  if (how.as === 'guest' && token === undefined) throw new Inconclusive('needs a second account: a second --token')
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
      throw new Inconclusive(`${request}: ${causeOf(error)}`)
    })
  const { status, headers } = answer
  const text = await answer.text()
  const read: ReceivedResponse = { request, status, headers, text, body: parseBody(headers, text) }
  if (isBusy(read)) throw new Inconclusive(`${request}: ${describeResponse(read)}`)
  return read
}

/** A server that is busy, or broken, says nothing of how the service behaves. */
const isBusy = (answer: ReceivedResponse): boolean =>
  answer.status === 429 ||
  answer.status >= 500 ||
  (answer.status === 403 && /(rateLimitExceeded|quotaExceeded|dailyLimitExceeded)/i.test(answer.text))

/** The host's own paths, such as that of batches, lie beside the base. */
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
    // What is no JSON has no body to look at, and its text is there.
  }
  return NONE
}

/** Where there is no JSON, each part of it is missing too. */
const NONE = Object.freeze({}) as ReceivedBody

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}
