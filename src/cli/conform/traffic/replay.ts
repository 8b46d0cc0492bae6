import { isObject } from '../matchers.ts'
import type { Fetch } from '../retryingFetch.ts'
import { compareJson } from './compareJson.ts'
import { IdMap } from './idMap.ts'
import type { InitialState } from './initialState.ts'
import type { Exchange } from './recording.ts'
import type { RecordedRequest } from './requests.ts'

/** What came of one request of a recording. */
export type ReplayOutcome = { request: string; verdict: 'agrees' | 'differs'; how: string[] }

/** What of a request's headers says something of what is asked for. */
const FORWARDED_HEADERS = ['content-type', 'if-match', 'if-none-match', 'x-http-method-override', 'origin']

/** Plays requests to a fake in their order, and holds its answers against the recorded ones. */
export async function replay(
  asked: readonly RecordedRequest[],
  shown: InitialState,
  fetch: Fetch,
  onProgress: (at: number) => void,
): Promise<ReplayOutcome[]> {
  const naming = new IdMap()
  const ignored = unknownFields(asked)
  const outcomes: ReplayOutcome[] = []
  for (const [at, one] of asked.entries()) {
    onProgress(at + 1)
    const { exchange } = one
    const answer = await fetch(urlOf(one, naming), requestInit(one, naming, shown))
    const text = await answer.text()
    const ours = without(jsonOf(text), ignored)
    naming.learn(exchange.answer, ours)
    const etag = exchange.said.get('etag')
    const our = answer.headers.get('ETag')
    if (etag !== undefined && our !== null) naming.name(etag, our)
    const how = [...compareStatus(exchange, answer.status), ...compareBodies(exchange, ours, text, naming)]
    const path = exchange.url.pathname.slice(exchange.url.pathname.indexOf('/calendar/v3') + '/calendar/v3'.length)
    const said = `${exchange.verb} ${path}${exchange.url.search}`
    outcomes.push({ request: said, verdict: how.length > 0 ? 'differs' : 'agrees', how })
  }
  return outcomes
}

/** The path of the API on a host of no importance, with our names in it. */
function urlOf({ exchange: { url }, path }: RecordedRequest, naming: IdMap): string {
  const here = new URL('http://fake-calendar.localhost')
  here.pathname = `/calendar/v3/${path.map((part) => encodeURIComponent(naming.translate(part))).join('/')}`
  // Recorders take keys and tokens out, and what is left of them would be a wrong one.
  for (const [name, value] of url.searchParams)
    if (!/^(key|access_token|oauth_token)$/.test(name)) here.searchParams.append(name, naming.translate(value))
  return here.href
}

function requestInit({ exchange, caller }: RecordedRequest, naming: IdMap, shown: InitialState): RequestInit {
  const { verb, headers, body, status } = exchange
  const sent = new Headers()
  for (const name of FORWARDED_HEADERS) {
    const value = headers.get(name)
    if (value !== undefined) sent.set(name, naming.translate(value))
  }
  // The fake takes any token, so that a recorded 401 is asked for without one.
  if (status !== 401) sent.set('Authorization', `Bearer ${shown.emailOf(caller)}`)
  const json = body === undefined ? undefined : jsonOf(body)
  const translated = json === undefined ? body : JSON.stringify(naming.translateAll(json))
  if (json !== undefined && !sent.has('content-type')) sent.set('Content-Type', 'application/json')
  return {
    method: verb,
    headers: sent,
    ...(translated !== undefined && !/^(GET|HEAD)$/.test(verb) && { body: translated }),
  }
}

const compareStatus = ({ status }: Exchange, ours: number): string[] =>
  status === ours ? [] : [`status: recorded ${status}, here ${ours}`]

function compareBodies({ status, answer, text }: Exchange, ours: unknown, ourText: string, naming: IdMap): string[] {
  if (answer === undefined) {
    // Recorders write what is no JSON in many ways; that there was something is sure.
    return status !== 204 && status !== 304 && text !== '' && ourText === '' ? ['body: recorded one, here none'] : []
  }
  const recorded = naming.translateAll(answer)
  // A refused token has other words than a missing one.
  if (status === 401) return []
  // The rest of a refusal is words, of which many are not known: its status, reasons and messages are what a client meets.
  return isObject(recorded) && isObject(recorded.error)
    ? compareJson(errorOf(recorded), errorOf(ours))
    : compareJson(recorded, ours)
}

/** Fields that the service did not have when a recording was made: `dataOwner` came in November 2025. */
const unknownFields = (asked: readonly RecordedRequest[]): ReadonlySet<string> =>
  new Set(asked.some(({ exchange }) => exchange.text.includes('"dataOwner"')) ? [] : ['dataOwner'])

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
