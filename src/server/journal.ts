import { ConnectionLost } from '../testing/faults/connectionLost.ts'
import { Journal } from '../testing/journal/journal.ts'
import type { RequestContext } from './requestContext.ts'

/** Answers a request and records it with its response. A lost connection is recorded without a status. */
export async function withJournal(context: RequestContext, act: () => Promise<Response>): Promise<Response> {
  try {
    const reply = await act()
    if (context.isRecorded) {
      const { status, text } = context.response ?? { status: reply.status, text: null }
      record(context, { status, text, reason: context.reason, hints: context.hints })
    }
    return reply
  } catch (error) {
    if (context.isRecorded && error instanceof ConnectionLost) record(context, {})
    throw error
  }
}

function record(context: RequestContext, outcome: Parameters<Journal['record']>[1]): void {
  journalOf(context).record(context, { ...outcome, fault: context.fault?.fault }, context.startedAt)
}

/** Returns the journal of the world. A request without a world is only logged. */
const journalOf = (context: RequestContext): Journal => context.journal ?? logOnly(context)

const logOnly = ({ registry, worldName }: RequestContext): Journal =>
  new Journal(worldName, { now: () => registry.now(worldName) }, 0, registry.options.log)
