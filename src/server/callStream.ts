import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { Journal } from '../control/journal/journal.ts'
import { type CallFilter, matchCall } from '../control/journal/search.ts'
import { eventId, expectedCalls, parseCallFilter, requireJournal, streamFilter } from '../control/operations/calls.ts'
import { requireExpectable, withControlErrors } from '../control/operations/operation.ts'
import type { WriteLog } from '../db/changeLog.ts'
import type { Store } from '../db/store.ts'
import { firstValues, parseWith } from './checks/input.ts'
import { enterWorld, type RequestContext } from './requestContext.ts'

const KEEP_ALIVE_COMMENT_MS = 15_000

/**
 * Server-sent events: the calls after the call `since` or the event `Last-Event-ID`, then each new one, until the client disconnects
 * or the world closes. A slow reader does not delay requests: the event `evicted` has the number of calls that were dropped before
 * it could read them. Throws 400 for an invalid filter and a journal that is off, 404 for a world that is not allowed.
 */
export function streamCalls(context: RequestContext, c: Context): Response {
  const { changes, ...filter } = parseWith(streamFilter, firstValues(context.query), 'query')
  const lastEventId = context.request.headers.get('Last-Event-ID')
  const seen = lastEventId ? parseWith(eventId, { 'Last-Event-ID': lastEventId })['Last-Event-ID'] : undefined
  const world = enterWorld(context)
  const [journal, checked] = withControlErrors(() => {
    requireExpectable({ expects: expectedCalls }, { world }, filter)
    return [requireJournal({ world }), parseCallFilter(filter)] as const
  })
  if (context.verb === 'HEAD') return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } })
  const { store, changes: log } = world.data
  return streamSSE(c, (out) =>
    writeCalls(out, journal, { ...checked, seen }, changes ? { store, writes: log.writes } : undefined),
  )
}

type WatchedData = { store: Store; writes: WriteLog }

/** `seen` is the position in the journal after which calls are written. Without it `since` of the filter applies. */
async function writeCalls(
  out: SSEStreamingApi,
  journal: Journal,
  { seen: lastEventId, ...filter }: CallFilter & { seen: number | undefined },
  watched: WatchedData | undefined,
): Promise<void> {
  const events: string[] = []
  let wake = () => {}
  let isEnded = false
  const endStream = () => {
    isEnded = true
    wake()
  }
  const unlistenJournal = journal.listen({
    onCall: () => wake(),
    onWorldChange(name) {
      if (name === 'changed' && !watched) return
      events.push(name)
      wake()
    },
    onClose: endStream,
  })
  let revision = watched?.store.counters.revision
  const unlistenWrites = watched?.writes.subscribe(() => wake())
  const comments = setInterval(() => void out.write(': keep-alive\n\n'), KEEP_ALIVE_COMMENT_MS)
  comments.unref() // a test process must be able to end
  out.onAbort(endStream)
  let seen = filter.since === undefined ? journal.endPosition : journal.findPosition(filter.since)
  if (lastEventId !== undefined) seen = lastEventId > journal.endPosition ? 0 : lastEventId
  await out.write(': the journal\n\n') // so that a client that waits for the response gets one
  while (!isEnded) {
    const waking = new Promise<void>((resolve) => {
      wake = resolve
    })
    const { entries, missed, seen: end } = journal.readAfter(seen)
    seen = end
    if (missed > 0) await out.writeSSE({ event: 'evicted', data: JSON.stringify({ evicted: missed }) })
    if (watched && watched.store.counters.revision !== revision) events.push('changed')
    revision = watched?.store.counters.revision
    for (const name of new Set(events.splice(0)))
      await out.writeSSE({ event: name, data: JSON.stringify({ world: journal.world }) })
    let position = end - entries.length
    for (const entry of entries) {
      position += 1
      const call = matchCall(entry, journal.world, filter)
      if (call) await out.writeSSE({ event: 'call', id: String(position), data: JSON.stringify(call) })
      if (isEnded) break
    }
    if (!isEnded) await waking
  }
  clearInterval(comments)
  unlistenJournal()
  unlistenWrites?.()
}
