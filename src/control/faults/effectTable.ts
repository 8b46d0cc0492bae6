import { Store } from '../../db/store.ts'
import { type BodyFault, ConnectionLost } from '../../http/bodyFault.ts'
import { type ApiResponse, type Awaitable, jsonResponse } from '../../http/reply.ts'
import { parseDuration, WorldClock } from '../../model/clock.ts'
import { WorldData } from '../../model/worldData.ts'
import { ApiError, type ErrorDetails, type ErrorItem, PROJECT } from '../../schema/apiErrors.ts'
import { errorOfFault } from '../../schema/faultNames.ts'
import { addressOf } from '../../schema/values/address.ts'
import { requestedPageToken } from '../../sync/paging.ts'
import type { ObservedRequest } from '../request.ts'
import type { Delays } from './delays.ts'
import { type AnyEffect, type EffectName, listEffectNames } from './effects.ts'
import { withDeletedCopies, withTrimmedSeries } from './lingering.ts'
import type { PastStates } from './pastStates.ts'

export type FaultyRequest = {
  readonly record: ObservedRequest
  readonly data: WorldData
  readonly controls: { readonly delays: Delays; readonly pastStates: PastStates }
  readonly now: number
  readonly signal: AbortSignal
  /** The query of the list, of which an empty page repeats the page. */
  readonly listQuery: URLSearchParams
  readonly referer: string | null
}

export type InjectedReply =
  | {
      readonly error: ApiError
      readonly status: number | undefined
      readonly headers: Record<string, string> | undefined
    }
  | { readonly response: ApiResponse }

/** `result` is the data of the response. ConnectionLost ends the request without a response. */
type Phases = {
  request(effect: AnyEffect, request: FaultyRequest): Awaitable<InjectedReply>
  world<R>(effect: AnyEffect, request: FaultyRequest, handle: (world: WorldData) => R): R
  result(effect: AnyEffect, request: FaultyRequest, result: object): object
  bytes(effect: AnyEffect, request: FaultyRequest, response: ApiResponse): { response: ApiResponse; fault?: BodyFault }
}
export type Phase = keyof Phases

type LimitedMethods = { includes(method: string): boolean; words: string }

type EffectRow = { [P in Phase]: { phase: P; methods?: LimitedMethods; apply: Phases[P] } }[Phase]

const LIST = /\.(?:list|instances)$/
const LISTS: LimitedMethods = { includes: (method) => LIST.test(method), words: 'lists' }

const EVENT_LIST: LimitedMethods = { includes: (method) => method === 'events.list', words: 'events.list' }

/** A server that handles no fault loads no zod, so no schemas are here. */
export const EFFECTS: { readonly [N in EffectName]: EffectRow } = {
  fail: {
    phase: 'request',
    apply({ fail = 'backendError', status, retryAfter }, request) {
      const details = { ...EXAMPLES, ...collectMessageDetails(request) }
      return {
        error: new ApiError([{ name: errorOfFault(fail), details } as ErrorItem]),
        status,
        headers: retryAfter === undefined ? undefined : { 'Retry-After': String(toSeconds(retryAfter)) },
      }
    },
  },
  status: {
    phase: 'request',
    apply: (effect, { now }) => ({ response: createFixedResponse(effect, now) }),
  },
  hang: {
    phase: 'request',
    apply: (_, { controls, signal }) => controls.delays.waitForever(signal),
  },
  reset: { phase: 'request', apply: () => loseConnection() },
  answerLost: { phase: 'bytes', apply: () => loseConnection() },
  stall: {
    phase: 'bytes',
    apply({ stall }, { controls, signal }, response) {
      const pause = () => controls.delays.waitReal(parseDuration(stall?.for ?? 0), signal)
      return { response, fault: { after: stall?.after ?? 0, pause } }
    },
  },
  truncate: {
    phase: 'bytes',
    apply: ({ truncate = 0 }, _, response) => ({ response, fault: { after: truncate } }),
  },
  empty: {
    phase: 'bytes',
    apply(_, __, { status, headers: { 'Content-Type': ___, ...headers } }) {
      return { response: { status, headers: { ...headers, 'Content-Length': '0' }, text: null } }
    },
  },
  emptyPage: {
    phase: 'result',
    methods: LISTS,
    apply(_effect, { data, record: { path }, listQuery }, page) {
      const { items: _, nextPageToken: __, nextSyncToken: ___, ...rest } = page as Record<string, unknown>
      return { ...rest, nextPageToken: requestedPageToken(data, path, listQuery), items: [] }
    },
  },
  stale: {
    phase: 'world',
    methods: {
      includes: (method) => LISTS.includes(method) || method === 'freebusy.query',
      words: 'lists and free/busy',
    },
    apply: ({ stale = 0 }, { data, controls }, handle) =>
      handle(worldAgo(data, controls.pastStates, parseDuration(stale))),
  },
  deletedCopies: {
    phase: 'result',
    methods: EVENT_LIST,
    apply: (_, request, page) => withDeletedCopies(request, page),
  },
  trimmedSeries: {
    phase: 'result',
    methods: EVENT_LIST,
    apply: (_, request, page) => withTrimmedSeries(request, page),
  },
  calendarListLag: {
    phase: 'world',
    methods: { includes: (method) => method === 'calendars.delete', words: 'calendars.delete' },
    apply(_, { data, record: { account = '', pathParams } }, handle) {
      const { calendarId = '' } = pathParams
      // A deletion removes the calendar from the lists that the index of subscribers names.
      const key = ['entry', addressOf(calendarId), account] as const
      const isListed = data.subscribers.get(key) === true
      if (isListed) data.subscribers.delete(key)
      const result = handle(data)
      if (isListed) data.subscribers.set(key, true)
      return result
    },
  },
}

export function findApplication<P extends Phase>(effect: AnyEffect | undefined, phase: P): Phases[P] | undefined {
  const [name] = effect ? listEffectNames(effect) : []
  const row = name && EFFECTS[name]
  return row?.phase === phase ? (row.apply as Phases[P]) : undefined
}

export function effectMethods(effect: AnyEffect): LimitedMethods | undefined {
  const [name] = listEffectNames(effect)
  return name && EFFECTS[name].methods
}

export const canApply = (effect: AnyEffect, method: string): boolean => effectMethods(effect)?.includes(method) ?? true

function loseConnection(): never {
  throw new ConnectionLost()
}

const toSeconds = (retryAfter: number | string): number =>
  typeof retryAfter === 'number' ? Math.ceil(retryAfter) : Math.ceil(parseDuration(retryAfter) / 1000)

const EXAMPLES: ErrorDetails = {
  ...{ limit: 'Queries per minute per user', project: PROJECT, role: 'writer', scopes: '' },
  ...{ location: 'timeMin', field: 'timeMin', value: '', problem: 'not good', allowed: '', least: 1, most: 1 },
  ...{ which: 'start', what: 'Setting start', properties: 'focusTimeProperties' },
  ...{ id: 'unknown', type: 'unknown', url: 'https://example.com/notifications', grant: 'unknown' },
  ...{ referer: '<empty>' },
}

const collectMessageDetails = ({ record: { pathParams, query }, referer }: FaultyRequest): ErrorDetails => ({
  ...(pathParams.eventId !== undefined && { id: pathParams.eventId }),
  ...(referer && { referer }),
  ...(query.has('timeMin') && { value: query.get('timeMin') ?? '' }),
})

const STATUS_WITHOUT_BODY = [204, 205, 304]

/** A text is sent as it is, other bodies as JSON. Given headers replace the service's, without regard to case. */
function createFixedResponse({ status = 200, headers = {}, body }: AnyEffect, now: number): ApiResponse {
  const isData = typeof body === 'object' && body !== null
  const json = jsonResponse(isData ? body : {}, { status, now, cache: 'none', indent: 1 })
  const isText = typeof body === 'string'
  const defaults = isText ? { ...json.headers, 'Content-Type': 'text/plain; charset=UTF-8' } : json.headers
  const given = new Set(Object.keys(headers).map((name) => name.toLowerCase()))
  const others = Object.entries(defaults).filter(([name]) => !given.has(name.toLowerCase()))
  const text = body === undefined ? '' : isText ? body : isData ? json.text : `${JSON.stringify(body)}\n`
  return {
    status,
    headers: { ...Object.fromEntries(others), ...headers },
    text: STATUS_WITHOUT_BODY.includes(status) ? null : text,
  }
}

/** The clock of the copy is frozen at its time, so that it issues sync tokens of that time. */
function worldAgo({ clock, changes }: WorldData, past: PastStates, age: number): WorldData {
  const instant = clock.now() - age
  const store = new Store(past.stateAt(instant))
  store.counters.clock = { mode: 'frozen', base: instant }
  const then = new WorldData(store, new WorldClock(store))
  then.changes.originRevision = changes.latest
  return then
}
