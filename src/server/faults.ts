import type { AnyEffect } from '../control/faults/effects.ts'
import { findApplication } from '../control/faults/effectTable.ts'
import { type BodyFault, corruptBody } from '../http/bodyFault.ts'
import { errorResponse, findReason } from '../http/errors.ts'
import { type ApiResponse, type Awaitable, toResponse, whenReady } from '../http/reply.ts'
import { type Text, toText } from '../http/texts.ts'
import type { WorldData } from '../model/worldData.ts'
import type { Batch, RequestContext } from './requestContext.ts'

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
  return applyToRequest(context).then((injected) => injected ?? handle())
}

/** Sets `context.fault`, and waits for delays. Returns the response that replaces the service's, or undefined. */
async function applyToRequest(context: RequestContext): Promise<ApiResponse | undefined> {
  const { controls, method } = context
  context.fault = controls?.faults.match(context)
  if (!controls || !context.fault) return undefined
  const { delays, effect = {} } = context.fault
  for (const { durationMs, clock } of delays)
    await (clock === 'world'
      ? controls.delays.waitWorld(durationMs, method, context.signal)
      : controls.delays.waitReal(durationMs))
  const apply = findApplication(effect, 'request')
  if (!apply) return undefined
  context.injected = await apply(effect, context)
  if ('response' in context.injected) return context.injected.response
  const { error, status, headers } = context.injected
  context.error = error
  context.reason = findReason(error)
  return errorResponse(error, { ...toErrorContext(context), status, headers })
}

/** Returns the fields of a request that `errorResponse` needs. Without an endpoint only the time. */
export const toErrorContext = ({ endpoint, query, now }: RequestContext) => ({
  now,
  ...(endpoint && { method: endpoint.id, scopes: endpoint.scopes, pretty: query.get('prettyPrint') !== 'false' }),
})

/** Returns the result of `handle`, which gets the world of the request, or the one that a fault replaces it by. */
export function applyToWorld<R>(context: RequestContext, handle: (world: WorldData) => R): R {
  const { effect = {} } = context.fault ?? {}
  const apply = findApplication(effect, 'world')
  return apply ? apply(effect, context, handle) : handle(context.data)
}

export function applyToResult(context: RequestContext, result: object): object {
  const { effect = {} } = context.fault ?? {}
  return findApplication(effect, 'result')?.(effect, context, result) ?? result
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
    const faulty = fault.effect ? applyToBytes(context, fault.effect, reply) : reply
    return whenReady(faulty, (response) => {
      response.headers.set(FAULT, fault.fault)
      return response
    })
  })

/**
 * Applies an effect on the bytes of a response; another effect leaves it as it is. A pause in a part of a batch is added
 * to the batch, because parts have no connection of their own.
 */
async function applyToBytes(context: RequestContext, effect: AnyEffect, reply: Response): Promise<Response> {
  const { partOf, transport, verb } = context
  const whole = context.response ?? (await toApiResponse(reply))
  const { response, fault } = findApplication(effect, 'bytes')?.(effect, context, whole) ?? { response: whole }
  if (!fault || response.text === null || verb === 'HEAD')
    return toResponse(verb === 'HEAD' ? { ...response, text: null } : response, transport)
  if (partOf && fault.pause) partOf.stalls.push(fault)
  if (partOf) return toResponse(fault.pause ? response : truncateText(response, response.text, fault.after), transport)
  return createFaultyResponse(context, response, response.text, fault)
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
  text: reply.body === null ? null : await reply.text(),
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
