import { UNCHANGED_ETAG } from '../../../api/settings/settings.ts'
import { isObject } from '../../../schema/values/json.ts'
import type { Fetch } from '../retryingFetch.ts'
import { compareJson } from './compareJson.ts'
import { IdMap } from './idMap.ts'
import type { InitialState } from './initialState.ts'
import { type Exchange, listAt, textAt } from './recording.ts'
import type { RecordedRequest } from './requests.ts'

/**
 * The result of one request of a recording. `request` is its method, its path below `/calendar/v3` and its query. `how`
 * has a sentence for each difference.
 */
export type ReplayOutcome = { request: string; verdict: 'agrees' | 'differs'; how: string[] }

/** The request headers that are sent to the fake, because they affect the response. */
const FORWARDED_HEADERS = ['content-type', 'if-match', 'if-none-match', 'x-http-method-override', 'origin']

/**
 * Sends requests in order to `fetch`, a fake in the initial state, and compares the responses with the recorded ones.
 * `onProgress` receives the number of each request, from 1, before it is sent. Returns an outcome for each request, in order.
 * Rejects with the error of `fetch`.
 */
export async function replay(
  requests: readonly RecordedRequest[],
  initialState: InitialState,
  fetch: Fetch,
  onProgress: (requestNumber: number) => void,
): Promise<ReplayOutcome[]> {
  const ids = new IdMap()
  const ignored = unknownFields(requests)
  const outcomes: ReplayOutcome[] = []
  for (const [at, one] of requests.entries()) {
    onProgress(at + 1)
    const { exchange } = one
    await learnCurrentEtag(one, ids, initialState, fetch)
    const response = await fetch(urlOf(one, ids), requestInit(one, ids, initialState))
    const text = await response.text()
    const ours = withoutDefaultSettings(one, withoutFields(jsonOf(text), ignored))
    ids.learn(exchange.responseJson, ours)
    const recordedEtag = exchange.responseHeaders.get('etag')
    const ourEtag = response.headers.get('ETag')
    if (recordedEtag !== undefined && ourEtag !== null) ids.add(recordedEtag, ourEtag)
    const how = [...compareStatus(exchange, response.status), ...compareBodies(exchange, ours, text, ids)]
    const path = exchange.url.pathname.slice(exchange.url.pathname.indexOf('/calendar/v3') + '/calendar/v3'.length)
    const request = `${exchange.verb} ${path}${exchange.url.search}`
    outcomes.push({ request, verdict: how.length > 0 ? 'differs' : 'agrees', how })
  }
  return outcomes
}

/**
 * Maps the etag of a condition that held, but that no earlier response contained, to the current etag of the fake's
 * resource: of `If-None-Match` with a 304, or of `If-Match` with a success.
 */
async function learnCurrentEtag(
  request: RecordedRequest,
  ids: IdMap,
  initialState: InitialState,
  fetch: Fetch,
): Promise<void> {
  const { requestHeaders, status } = request.exchange
  const etag = requestHeaders.get(status === 304 ? 'if-none-match' : 'if-match')
  if ((status !== 304 && status >= 300) || etag === undefined || etag === '*' || ids.has(etag)) return
  const headers = { Authorization: `Bearer ${initialState.emailOf(request.credential)}` }
  const response = await fetch(urlOf(request, ids), { headers })
  const current = response.headers.get('ETag') ?? textAt(jsonOf(await response.text()), 'etag')
  if (current !== undefined) ids.add(etag, current)
}

/**
 * Returns a complete list of settings without those that nobody changed and that the recorded list does not contain.
 * The service may leave out settings with their default values (behaviour 3.7).
 */
function withoutDefaultSettings({ exchange, segments }: RecordedRequest, ours: unknown): unknown {
  const { responseJson, url } = exchange
  const isComplete = textAt(responseJson, 'nextPageToken') === undefined && !url.searchParams.has('pageToken')
  if (segments.join('/') !== 'users/me/settings' || !isComplete || !isObject(ours)) return ours
  const recorded = listAt(responseJson, 'items').map((item) => textAt(item, 'id'))
  const items = listAt(ours, 'items').filter(
    (item) => recorded.includes(textAt(item, 'id')) || textAt(item, 'etag') !== UNCHANGED_ETAG,
  )
  return { ...ours, items }
}

/** Returns the URL of a request on an invented host, with the fake's ids and without keys and access tokens. */
function urlOf({ exchange: { url }, segments }: RecordedRequest, ids: IdMap): string {
  const ours = new URL('http://fake-calendar.localhost')
  ours.pathname = `/calendar/v3/${segments.map((part) => encodeURIComponent(ids.translate(part))).join('/')}`
  // Recorders remove keys and tokens, and the remainders would be invalid.
  for (const [name, value] of url.searchParams)
    if (!/^(key|access_token|oauth_token)$/.test(name)) ours.searchParams.append(name, ids.translate(value))
  return ours.href
}

/** Returns the method, headers and body of a request, with the fake's ids, as the account that sent it. */
function requestInit({ exchange, credential }: RecordedRequest, ids: IdMap, initialState: InitialState): RequestInit {
  const { verb, requestHeaders, requestBody, status } = exchange
  const sent = new Headers()
  for (const name of FORWARDED_HEADERS) {
    const value = requestHeaders.get(name)
    if (value !== undefined) sent.set(name, ids.translate(value))
  }
  // The fake accepts any token, so a request with a recorded 401 is sent without one.
  if (status !== 401) sent.set('Authorization', `Bearer ${initialState.emailOf(credential)}`)
  const json = requestBody === undefined ? undefined : jsonOf(requestBody)
  const translated = json === undefined ? requestBody : JSON.stringify(ids.translateAll(json))
  if (json !== undefined && !sent.has('content-type')) sent.set('Content-Type', 'application/json')
  return {
    method: verb,
    headers: sent,
    ...(translated !== undefined && !/^(GET|HEAD)$/.test(verb) && { body: translated }),
  }
}

/** Returns a sentence if the status differs, else none. */
const compareStatus = ({ status }: Exchange, ours: number): string[] =>
  status === ours ? [] : [`status: recorded ${status}, here ${ours}`]

/** Returns a sentence for each difference between the recorded body and the fake's: `ourText`, parsed as `ours`. */
function compareBodies(
  { status, responseJson, responseText }: Exchange,
  ours: unknown,
  ourText: string,
  ids: IdMap,
): string[] {
  if (responseJson === undefined) {
    // Recorders store other bodies than JSON in many ways, so only their presence is compared.
    return status !== 204 && status !== 304 && responseText !== '' && ourText === ''
      ? ['body: recorded one, here none']
      : []
  }
  const recorded = ids.translateAll(responseJson)
  // An invalid token has another message than a missing one.
  if (status === 401) return []
  // Of an error, only the status, reasons and messages are compared, because many other texts are unknown.
  return isObject(recorded) && isObject(recorded.error)
    ? compareJson(errorOf(recorded), errorOf(ours))
    : compareJson(recorded, ours)
}

/** Returns the fields that no response of a recording contains and that are ignored: `dataOwner`, added in November 2025. */
const unknownFields = (requests: readonly RecordedRequest[]): ReadonlySet<string> =>
  new Set(requests.some(({ exchange }) => exchange.responseText.includes('"dataOwner"')) ? [] : ['dataOwner'])

/** Returns a copy of the data without the fields of these names at any depth. */
function withoutFields(data: unknown, names: ReadonlySet<string>): unknown {
  if (names.size === 0) return data
  if (Array.isArray(data)) return data.map((item) => withoutFields(item, names))
  if (!isObject(data)) return data
  return Object.fromEntries(
    Object.entries(data).flatMap(([name, value]) => (names.has(name) ? [] : [[name, withoutFields(value, names)]])),
  )
}

/** Returns the compared part of an error body: code, message, and the domain, reason and message of each item. */
function errorOf(body: unknown): { error: unknown } {
  const error = isObject(body) ? body.error : undefined
  if (!isObject(error)) return { error }
  const { code, message, errors } = error
  const items = Array.isArray(errors) ? errors.filter(isObject) : []
  return { error: { code, message, errors: items.map(({ domain, reason, message }) => ({ domain, reason, message })) } }
}

/** Returns the parsed data; undefined if the text is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
