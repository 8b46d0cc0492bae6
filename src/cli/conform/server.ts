import { type Answer, type Body, CouldNotTell, told } from './answer.ts'
import type { Fetch } from './patient.ts'

/** Who asks: whose token, or nobody's. */
export type Who = 'owner' | 'guest' | 'nobody'
export type Verb = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export type How = {
  query?: Query
  headers?: Readonly<Record<string, string>>
  as?: Who
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
export async function ask(target: Target, verb: Verb, path: string, body?: unknown, how: How = {}): Promise<Answer> {
  const to = `${verb} ${path}${search(how.query)}`
  const token = how.as === 'nobody' ? undefined : target.tokens[how.as ?? 'owner']
  if (how.as === 'guest' && token === undefined) throw new CouldNotTell('needs a second account: a second --token')
  target.stop?.throwIfAborted()
  const answer = await target
    .fetch(addressOf(target, path) + search(how.query), {
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
      throw new CouldNotTell(`${to}: ${causeOf(error)}`)
    })
  const { status, headers } = answer
  const text = await answer.text()
  const read: Answer = { to, status, headers, text, body: bodyOf(headers, text) }
  if (isOverdone(read)) throw new CouldNotTell(`${to}: ${told(read)}`)
  return read
}

/** A server that is busy, or broken, says nothing of how the service behaves. */
const isOverdone = (answer: Answer): boolean =>
  answer.status === 429 ||
  answer.status >= 500 ||
  (answer.status === 403 && /(rateLimitExceeded|quotaExceeded|dailyLimitExceeded)/i.test(answer.text))

/** The host's own paths, such as that of batches, lie beside the base. */
export const rootOf = ({ baseUrl }: Target): string => baseUrl.replace(/\/calendar\/v3$/, '')

const addressOf = (target: Target, path: string): string =>
  path.startsWith('//') ? rootOf(target) + path.slice(1) : target.baseUrl + path

function search(query: Query = {}): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)]),
  )
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : ''
}

function bodyOf(headers: Headers, text: string): Body {
  try {
    if (headers.get('Content-Type')?.startsWith('application/json') && text) return JSON.parse(text)
  } catch {
    // What is no JSON has no body to look at, and its text is there.
  }
  return NONE
}

/** Where there is no JSON, each part of it is missing too. */
const NONE = Object.freeze({}) as Body

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
}
