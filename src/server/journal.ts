import { Journal } from '../control/journal/journal.ts'
import { findReason, toApiError } from '../http/errors.ts'
import type { ApiError } from '../schema/apiErrors.ts'
import type { RequestContext } from './requestContext.ts'

/** Without `reply` the connection was lost. */
export function recordCall(context: RequestContext, reply?: Response): void {
  const { record, registry, worldName } = context
  if (!record.route) return
  const journal =
    record.controls?.journal ??
    record.ownBatch?.journal ??
    new Journal(worldName, { now: () => registry.now(worldName) }, 0, registry.options.log) // only a log
  const fault = record.fault?.fault
  const { reason, hints, response } = record.outcome
  const outcome = { status: response?.status ?? reply?.status, text: response?.text ?? null, reason, hints, fault }
  journal.record(record, reply ? outcome : { fault }, record.startedAt)
}

/** Any error but an ApiError is printed as one of the server. */
export function recordError({ record, verb, path }: RequestContext, error: unknown): ApiError {
  const source = record.endpoint?.id ?? (record.ownBatch ? 'a batch' : `${verb} ${path}`)
  const apiError = toApiError(error, source)
  Object.assign(record.outcome, { error: apiError, reason: findReason(apiError) })
  return apiError
}
