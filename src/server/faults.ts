import type { AnyEffect } from '../control/faults/effects.ts'
import type { PastStates } from '../control/faults/faults.ts'
import { Store } from '../db/store.ts'
import { type BodyFault, ConnectionLost, corruptBody } from '../http/bodyFault.ts'
import { errorResponse, findReason } from '../http/errors.ts'
import { type ApiResponse, type Awaitable, jsonResponse, toResponse, whenReady } from '../http/reply.ts'
import { type Text, toText } from '../http/texts.ts'
import { parseDuration, WorldClock } from '../model/clock.ts'
import { WorldData } from '../model/worldData.ts'
import { ApiError, type ErrorDetails, type ErrorItem, PROJECT } from '../schema/apiErrors.ts'
import { errorOfFault, type FaultName } from '../schema/errors/faultNames.ts'
import type { Batch, RequestContext } from './requestContext.ts'

// A fault is an error, a delay or a broken connection that a test author adds for certain requests. Its effect (`fail`,
// `status`, `hang`, …) is a field of AnyEffect.

/**
 * Applies the faults that match a request, then returns the result of `handle`, unless a fault replaced the response.
 * Without faults it calls `handle` at once. Errors of `handle` are thrown. Rejects with ConnectionLost if a fault
 * resets the connection. Call it once the caller is known, because faults select requests by account.
 */
export function withRequestFault(
  context: RequestContext,
  handle: () => Awaitable<ApiResponse | Response>,
): Awaitable<ApiResponse | Response> {
  if (context.controls?.faults.isEmpty !== false) return handle()
  return applyRequestFault(context).then((injected) => injected ?? handle())
}

/**
 * Matches the request with the faults of its world, sets `context.fault`, and waits for delays. Returns the response
 * that replaces the service's, or undefined. Rejects with ConnectionLost for `reset`, and for `hang` and a delay that
 * end without a response.
 */
async function applyRequestFault(context: RequestContext): Promise<ApiResponse | undefined> {
  const { controls, method } = context
  if (!controls) return undefined
  context.fault = controls.faults.match(context)
  if (!context.fault) return undefined
  const { delays, effect } = context.fault
  for (const { durationMs, clock } of delays)
    await (clock === 'world'
      ? controls.delays.waitWorld(durationMs, method, context.signal)
      : controls.delays.waitReal(durationMs))
  if (effect?.hang) return controls.delays.waitForever(context.signal)
  if (effect?.reset) throw new ConnectionLost()
  if (effect?.fail !== undefined) return createInjectedError(context, effect, effect.fail)
  if (effect?.status === undefined) return undefined
  context.isInjected = true
  return createFixedResponse(effect, effect.status, context.now)
}

function createInjectedError(context: RequestContext, { status, retryAfter }: AnyEffect, name: FaultName): ApiResponse {
  const error = new ApiError([
    { name: errorOfFault(name), details: { ...EXAMPLES, ...collectMessageDetails(context) } } as ErrorItem,
  ])
  const headers = retryAfter === undefined ? undefined : { 'Retry-After': String(toSeconds(retryAfter)) }
  context.isInjected = true
  context.error = error
  context.reason = findReason(error)
  return errorResponse(error, { ...toErrorContext(context), status, headers })
}

/** Returns the fields of a request that `errorResponse` needs. Without an endpoint only the time. */
export const toErrorContext = ({ endpoint, query, now }: RequestContext) => ({
  now,
  ...(endpoint && { method: endpoint.id, scopes: endpoint.scopes, pretty: query.get('prettyPrint') !== 'false' }),
})

const toSeconds = (retryAfter: number | string): number =>
  typeof retryAfter === 'number' ? Math.ceil(retryAfter) : Math.ceil(parseDuration(retryAfter) / 1000)

const EXAMPLES: ErrorDetails = {
  ...{ limit: 'Queries per minute per user', project: PROJECT, role: 'writer', scopes: '' },
  ...{ location: 'timeMin', field: 'timeMin', value: '', problem: 'not good', allowed: '', least: 1, most: 1 },
  ...{ which: 'start', what: 'Setting start', properties: 'focusTimeProperties' },
  ...{ id: 'unknown', type: 'unknown', url: 'https://example.com/notifications', grant: 'unknown' },
  ...{ referer: '<empty>' },
}

const collectMessageDetails = ({ pathParams, query }: RequestContext): ErrorDetails => ({
  ...(pathParams.eventId !== undefined && { id: pathParams.eventId }),
  ...(query.has('timeMin') && { value: query.get('timeMin') ?? '' }),
})

const STATUS_WITHOUT_BODY = [204, 205, 304]

/**
 * Returns the response of `{ status, headers, body }`. A text is sent as it is, other bodies as JSON, and no body as an
 * empty one. The given headers replace those of the service, without regard to case.
 */
function createFixedResponse({ headers = {}, body }: AnyEffect, status: number, now: number): ApiResponse {
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

export const FAULT = 'X-Fake-Calendar-Fault'

/**
 * Calls `answer`, and applies the fault that `withRequestFault` matched meanwhile to the response. The header FAULT
 * names the fault. Without one it returns the response unchanged. Rejects with ConnectionLost for `answerLost`, and
 * passes on the errors of `answer`.
 */
export const withResponseFault = (context: RequestContext, answer: () => Awaitable<Response>): Awaitable<Response> =>
  whenReady(answer(), (reply) => {
    const { fault } = context
    if (!fault) return reply
    const faulty = fault.effect ? applyResponseFault(context, fault.effect, reply) : reply
    return whenReady(faulty, (response) => {
      response.headers.set(FAULT, fault.fault)
      return response
    })
  })

async function applyResponseFault(context: RequestContext, effect: AnyEffect, reply: Response): Promise<Response> {
  const faulty = applyEffect(context, effect, context.response ?? (await toApiResponse(reply)))
  return context.verb === 'HEAD' ? new Response(null, faulty) : faulty
}

/**
 * Applies `answerLost`, `empty`, `truncate` and `stall`; other effects leave the response as it is. The stall of a part
 * of a batch is added to the batch, because parts have no connection of their own. Throws ConnectionLost for
 * `answerLost`.
 */
function applyEffect(context: RequestContext, effect: AnyEffect, response: ApiResponse): Response {
  const { partOf, transport, controls } = context
  if (effect.answerLost) throw new ConnectionLost()
  if (effect.empty) return toResponse(removeBody(response), transport)
  const fault = toBodyFault(effect, (pauseMs) => controls?.delays.waitReal(pauseMs) ?? Promise.resolve())
  if (!fault || response.text === null) return toResponse(response, transport)
  if (partOf && fault.pause) partOf.stalls.push(fault)
  if (partOf) return toResponse(fault.pause ? response : truncateText(response, response.text, fault.after), transport)
  return createFaultyResponse(context, response, response.text, fault)
}

function removeBody({ status, headers }: ApiResponse): ApiResponse {
  const { 'Content-Type': _, ...others } = headers
  return { status, headers: { ...others, 'Content-Length': '0' }, text: null }
}

/**
 * Returns the body fault of `truncate` or `stall`, or undefined for other effects. `wait` resolves after so many
 * milliseconds of real time.
 */
function toBodyFault({ truncate, stall }: AnyEffect, wait: (pauseMs: number) => Promise<void>): BodyFault | undefined {
  if (truncate !== undefined) return { after: truncate }
  return stall && { after: stall.after, pause: () => wait(parseDuration(stall.for)) }
}

const truncateText = (response: ApiResponse, text: Text, after: number): ApiResponse => ({
  ...response,
  text: Buffer.from(toText(text)).subarray(0, after).toString(),
})

/**
 * Returns a response with a body fault. On a socket it sets the fault on node's response, which applies it when the
 * body is written. In process the stream of the body has the fault.
 */
function createFaultyResponse(context: RequestContext, response: ApiResponse, text: Text, fault: BodyFault): Response {
  const { socket } = context.transport
  if (!socket) return corruptBody(response, toText(text), fault, context.signal)
  socket.applyBodyFault(fault)
  return toResponse(response, context.transport)
}

const toApiResponse = async (reply: Response): Promise<ApiResponse> => ({
  status: reply.status,
  headers: Object.fromEntries(reply.headers),
  text: STATUS_WITHOUT_BODY.includes(reply.status) ? null : await reply.text(),
})

/**
 * Resolves to the response of a batch with the first stall among its parts: the body pauses once. Without a stall it is
 * the response itself.
 */
export async function applyStall({ context, stalls: [first] }: Batch, reply: Response): Promise<Response> {
  if (!first) return reply
  const response = await toApiResponse(reply)
  return createFaultyResponse(context, response, response.text ?? '', first)
}

/**
 * Returns a copy of a world as it was `age` milliseconds ago by its clock. The clock of the copy is frozen at that
 * time, so the copy issues sync tokens of that time. Writes to it do not change the world. `PastStates.stateAt` states
 * the precision.
 */
export function worldAgo({ clock, changes }: WorldData, past: PastStates, age: number): WorldData {
  const instant = clock.now() - age
  const store = new Store(past.stateAt(instant))
  store.counters.clock = { mode: 'frozen', base: instant }
  const then = new WorldData(store, new WorldClock(store))
  then.changes.originRevision = changes.latest
  return then
}

/**
 * Resolves to the response of `answer`. If the signal of the request aborts before, it rejects with the reason, as
 * fetch does; `answer` continues all the same. If the signal is aborted already, `answer` is not called.
 */
export async function unlessAborted({ signal }: Request, answer: () => Promise<Response>): Promise<Response> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
    answer()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
