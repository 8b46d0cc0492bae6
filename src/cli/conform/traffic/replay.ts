import { isObject } from '../matchers.ts'
import type { Fetch } from '../retryingFetch.ts'
import { compareJson } from './compareJson.ts'
import { IdMap } from './idMap.ts'
import type { InitialState } from './initialState.ts'
import type { Exchange } from './recording.ts'
import type { RecordedRequest } from './requests.ts'

/** The result of one request of a recording. */
export type ReplayOutcome = { request: string; verdict: 'agrees' | 'differs'; how: string[] }

/** The request headers that affect the response. */
const FORWARDED_HEADERS = ['content-type', 'if-match', 'if-none-match', 'x-http-method-override', 'origin']

/** Replays requests in order, and compares the responses with the recorded ones. */
export async function replay(
  requests: readonly RecordedRequest[],
  initialState: InitialState,
  fetch: Fetch,
  onProgress: (at: number) => void,
): Promise<ReplayOutcome[]> {
  const ids = new IdMap()
  const ignored = unknownFields(requests)
  const outcomes: ReplayOutcome[] = []
  for (const [at, one] of requests.entries()) {
    onProgress(at + 1)
    const { exchange } = one
    const answer = await fetch(urlOf(one, ids), requestInit(one, ids, initialState))
    const text = await answer.text()
    const ours = without(jsonOf(text), ignored)
    ids.learn(exchange.answer, ours)
    const etag = exchange.responseHeaders.get('etag')
    const our = answer.headers.get('ETag')
    if (etag !== undefined && our !== null) ids.name(etag, our)
    const how = [...compareStatus(exchange, answer.status), ...compareBodies(exchange, ours, text, ids)]
    const path = exchange.url.pathname.slice(exchange.url.pathname.indexOf('/calendar/v3') + '/calendar/v3'.length)
    const request = `${exchange.verb} ${path}${exchange.url.search}`
    outcomes.push({ request: request, verdict: how.length > 0 ? 'differs' : 'agrees', how })
  }
  return outcomes
}

/** Returns the URL of a request with translated names, on an arbitrary host. */
function urlOf({ exchange: { url }, path }: RecordedRequest, ids: IdMap): string {
  const here = new URL('http://fake-calendar.localhost')
  here.pathname = `/calendar/v3/${path.map((part) => encodeURIComponent(ids.translate(part))).join('/')}`
  // Recorders remove keys and tokens, and the remainders would be invalid.
  for (const [name, value] of url.searchParams)
    if (!/^(key|access_token|oauth_token)$/.test(name)) here.searchParams.append(name, ids.translate(value))
  return here.href
}

function requestInit({ exchange, caller }: RecordedRequest, ids: IdMap, initialState: InitialState): RequestInit {
  const { verb, headers, body, status } = exchange
  const sent = new Headers()
  for (const name of FORWARDED_HEADERS) {
    const value = headers.get(name)
    if (value !== undefined) sent.set(name, ids.translate(value))
  }
  // The fake accepts any token, so a request with a recorded 401 is sent without one.
  if (status !== 401) sent.set('Authorization', `Bearer ${initialState.emailOf(caller)}`)
  const json = body === undefined ? undefined : jsonOf(body)
  const translated = json === undefined ? body : JSON.stringify(ids.translateAll(json))
  if (json !== undefined && !sent.has('content-type')) sent.set('Content-Type', 'application/json')
  return {
    method: verb,
    headers: sent,
    ...(translated !== undefined && !/^(GET|HEAD)$/.test(verb) && { body: translated }),
  }
}

const compareStatus = ({ status }: Exchange, ours: number): string[] =>
  status === ours ? [] : [`status: recorded ${status}, here ${ours}`]

function compareBodies({ status, answer, text }: Exchange, ours: unknown, ourText: string, ids: IdMap): string[] {
  if (answer === undefined) {
    // Recorders store other bodies than JSON in many ways, so only their presence is compared.
    return status !== 204 && status !== 304 && text !== '' && ourText === '' ? ['body: recorded one, here none'] : []
  }
  const recorded = ids.translateAll(answer)
  // An invalid token has another message than a missing one.
  if (status === 401) return []
  // Of an error, only the status, reasons and messages are compared, because many other texts are unknown.
  return isObject(recorded) && isObject(recorded.error)
    ? compareJson(errorOf(recorded), errorOf(ours))
    : compareJson(recorded, ours)
}

/**
 * Returns the fields that the service did not have when a recording was made: `dataOwner` was added in November 2025.
 */
const unknownFields = (requests: readonly RecordedRequest[]): ReadonlySet<string> =>
  new Set(requests.some(({ exchange }) => exchange.text.includes('"dataOwner"')) ? [] : ['dataOwner'])

/** Returns data without fields of some names. */
function without(data: unknown, names: ReadonlySet<string>): unknown {
  if (names.size === 0) return data
  if (Array.isArray(data)) return data.map((item) => without(item, names))
  if (!isObject(data)) return data
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (names.has(name) ? [] : [[name, without(value, names)]])),
  )
}

function errorOf(refusal: unknown): unknown {
  const error = isObject(refusal) ? refusal.error : undefined
  if (!isObject(error)) return { error }
  const { code, message, errors } = error
  const items = Array.isArray(errors) ? errors.filter(isObject) : []
  return { error: { code, message, errors: items.map(({ domain, reason, message }) => ({ domain, reason, message })) } }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
