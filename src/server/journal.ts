import { Journal } from '../control/journal/journal.ts'
import { ConnectionLost } from '../http/bodyFault.ts'
import { type Awaitable, settle } from '../http/reply.ts'
import type { RequestContext } from './requestContext.ts'

/** Answers a request, records it, and leaves its world. A new world is kept if the response is a success. */
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
      if (error instanceof ConnectionLost) recordLostConnection(context)
      context.visit?.leave(false)
      throw error
    },
  )
}

/** Records a request with its response. */
function recordCall(context: RequestContext, reply: Response): void {
  if (!context.isRecorded) return
  const { status, text } = context.response ?? { status: reply.status, text: null }
  record(context, { status, text, reason: context.reason, hints: context.hints })
}

/** Records a request without a response. */
function recordLostConnection(context: RequestContext): void {
  if (context.isRecorded) record(context, {})
}

/** Adds a call to the journal, with its fault and duration. */
function record(context: RequestContext, outcome: Parameters<Journal['record']>[1]): void {
  journalOf(context).record(context, { ...outcome, fault: context.fault?.fault }, context.startedAt)
}

/** Returns the journal of the world. A request without a world is only logged. */
const journalOf = (context: RequestContext): Journal => context.journal ?? logOnly(context)

/** Returns a journal that keeps nothing and writes the line of the log. */
const logOnly = ({ registry, worldName }: RequestContext): Journal =>
  new Journal(worldName, { now: () => registry.now(worldName) }, 0, registry.options.log)
