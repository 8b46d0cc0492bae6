import { Journal } from '../control/journal/journal.ts'
import { ConnectionLost } from '../http/bodyFault.ts'
import { type Awaitable, settle } from '../http/reply.ts'
import type { RequestContext } from './requestContext.ts'

/**
 * Returns the response of `answer`, after it recorded the request in the journal of its world (if the route is
 * recorded) and left the world. A new world is kept if the status is below 400. Errors of `answer` are thrown; a
 * ConnectionLost is recorded without a status.
 */
export function withJournal(context: RequestContext, answer: () => Awaitable<Response>): Awaitable<Response> {
  return settle(
    answer,
    (reply) => {
      try {
        recordCall(context, reply)
      } finally {
        context.visit?.leave(reply.status < 400 && context.createsWorld)
      }
      return reply
    },
    (error) => {
      if (error instanceof ConnectionLost) recordCall(context)
      context.visit?.leave(false)
      throw error
    },
  )
}

/**
 * Records a request in the journal of its world, with the fault that fired and its duration, unless its route is not
 * recorded. Without `reply` the connection was lost.
 */
function recordCall(context: RequestContext, reply?: Response): void {
  if (!context.isRecorded) return
  const journal = context.journal ?? createLogOnlyJournal(context)
  const fault = context.fault?.fault
  const { reason, hints, response, startedAt } = context
  if (reply)
    journal.record(
      context,
      { status: response?.status ?? reply.status, text: response?.text ?? null, reason, hints, fault },
      startedAt,
    )
  else journal.record(context, { fault }, startedAt)
}

const createLogOnlyJournal = ({ registry, worldName }: RequestContext): Journal =>
  new Journal(worldName, { now: () => registry.now(worldName) }, 0, registry.options.log)
