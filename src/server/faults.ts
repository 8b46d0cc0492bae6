import type { AnyEffect } from '../control/faults/effects.ts'
import { type FaultyRequest, findApplication } from '../control/faults/effectTable.ts'
import type { FaultMatch } from '../control/faults/faults.ts'
import type { World } from '../control/worlds/world.ts'
import { type BodyFault, corruptBody } from '../http/bodyFault.ts'
import { errorResponse } from '../http/errors.ts'
import { type ApiResponse, readAsText, type Text, toResponse } from '../http/reply.ts'
import type { WorldData } from '../model/worldData.ts'
import { type Batch, type RequestContext, recordError } from './requestContext.ts'

const toFaultyRequest = (
  { record, now, signal, query, request }: RequestContext,
  { data, controls }: World,
  listQuery = query,
): FaultyRequest => ({
  record,
  data,
  controls,
  now,
  signal,
  listQuery,
  referer: request.headers.get('Referer'),
})

/**
 * Waits for delays. Returns the response that replaces the service's. Rejects with ConnectionLost if a fault resets the
 * connection. Call it once the caller is known, because faults select requests by account.
 */
export async function applyRequestFault(
  context: RequestContext,
  { isWrite = (context.record.endpoint?.verb ?? context.verb) !== 'GET' } = {},
): Promise<ApiResponse | undefined> {
  const { record, signal } = context
  const { world } = record.hosted ?? {}
  if (!world?.controls.hasFaults) return undefined
  const { faults, delays: waits } = world.controls
  record.fault = faults.match(record)
  if (!record.fault) return undefined
  const { delays, effect = {} } = record.fault
  for (const { durationMs, clock, isDetached } of delays) {
    const leaving = isDetached && isWrite ? undefined : signal
    await (clock === 'world'
      ? waits.waitWorld(durationMs, record.method, leaving)
      : waits.waitReal(durationMs, leaving, { isWrite }))
  }
  const apply = findApplication(effect, 'request')
  if (!apply) return undefined
  record.injected = await apply(effect, toFaultyRequest(context, world))
  if ('response' in record.injected) return record.injected.response
  const { error, status, headers } = record.injected
  recordError(context, error)
  return errorResponse(error, { ...toErrorContext(context), status, headers })
}

/** Only the time is known without an endpoint. */
export const toErrorContext = ({ record: { endpoint }, query, now }: RequestContext) => ({
  now,
  ...(endpoint && { method: endpoint.id, scopes: endpoint.scopes, pretty: query.get('prettyPrint') !== 'false' }),
})

/** `handle` gets the world of the request, or the one that a fault replaces it by. */
export function applyToWorld<R>(context: RequestContext, world: World, handle: (data: WorldData) => R): R {
  const { effect = {} } = context.record.fault ?? {}
  const apply = findApplication(effect, 'world')
  return apply ? apply(effect, toFaultyRequest(context, world), handle) : handle(world.data)
}

export function applyToResult(context: RequestContext, result: object, listQuery: URLSearchParams): object {
  const { fault, hosted } = context.record
  const { effect = {} } = fault ?? {}
  const apply = findApplication(effect, 'result')
  return apply && hosted ? apply(effect, toFaultyRequest(context, hosted.world, listQuery), result) : result
}

export const FAULT = 'X-Fake-Calendar-Fault'

/** Names the fault in the header FAULT. Rejects with ConnectionLost for `answerLost`. */
export async function applyResponseFault(
  context: RequestContext,
  { fault, effect }: FaultMatch,
  reply: Response,
): Promise<Response> {
  const answered = effect ? await applyToBytes(context, effect, reply) : reply
  answered.headers.set(FAULT, fault)
  return answered
}

/** A pause in a part of a batch is added to the batch, because parts have no connection of their own. */
async function applyToBytes(context: RequestContext, effect: AnyEffect, reply: Response): Promise<Response> {
  const { partOf, transport, verb, record } = context
  const { hosted } = record
  const whole = record.response ?? (await readReply(reply))
  const apply = findApplication(effect, 'bytes')
  const { response, fault = undefined } =
    apply && hosted ? apply(effect, toFaultyRequest(context, hosted.world), whole) : { response: whole }
  if (!fault || response.text === null || verb === 'HEAD')
    return toResponse(verb === 'HEAD' ? { ...response, text: null } : response, transport)
  if (partOf && fault.pause) partOf.stalls.push(fault)
  if (partOf) return toResponse(fault.pause ? response : truncateText(response, response.text, fault.after), transport)
  return createFaultyResponse(context, response, response.text, fault)
}

const truncateText = (response: ApiResponse, text: Text, after: number): ApiResponse => ({
  ...response,
  text: Buffer.from(readAsText(text)).subarray(0, after).toString(),
})

/** Node's response on a socket applies the fault when the body is written, in process the stream of the body. */
function createFaultyResponse(context: RequestContext, response: ApiResponse, text: Text, fault: BodyFault): Response {
  const { socket } = context.transport
  if (!socket) return corruptBody(response, readAsText(text), fault, context.signal)
  socket.applyBodyFault(fault)
  return toResponse(response, context.transport)
}

const readReply = async (reply: Response): Promise<ApiResponse> => ({
  status: reply.status,
  headers: Object.fromEntries(reply.headers),
  text: reply.body === null ? null : await reply.text(),
})

/** The body of the batch pauses once, for the first stall among its parts. */
export async function applyStall({ context, stalls: [first] }: Batch, reply: Response): Promise<Response> {
  if (!first) return reply
  const response = await readReply(reply)
  return createFaultyResponse(context, response, response.text ?? '', first)
}

/** Rejects with the reason when the signal aborts, as fetch does. `answer` continues, unless it was not yet called. */
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
