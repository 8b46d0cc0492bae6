import { Journal } from '../testing/journal/journal.ts'
import type { RequestContext } from './requestContext.ts'

/** Records a request with its response. */
export function recordCall(context: RequestContext, reply: Response): void {
  if (!context.isRecorded) return
  const { status, text } = context.response ?? { status: reply.status, text: null }
  record(context, { status, text, reason: context.reason, hints: context.hints })
}

/** Records a request without a response. */
export function recordLostConnection(context: RequestContext): void {
  if (context.isRecorded) record(context, {})
}

function record(context: RequestContext, outcome: Parameters<Journal['record']>[1]): void {
  journalOf(context).record(context, { ...outcome, fault: context.fault?.fault }, context.startedAt)
}

/** Returns the journal of the world. A request without a world is only logged. */
const journalOf = (context: RequestContext): Journal => context.journal ?? logOnly(context)

const logOnly = ({ registry, worldName }: RequestContext): Journal =>
  new Journal(worldName, { now: () => registry.now(worldName) }, 0, registry.options.log)
