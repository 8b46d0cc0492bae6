import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import type { Store } from '../db/store.ts'
import type { WriteLog } from '../db/writeLog.ts'
import { checked } from '../http/body.ts'
import type { Journal } from '../rig/journal.ts'
import { picked, type Which } from '../rig/search.ts'
import type { Beside } from './beside.ts'
import { kept, looked, lookedFor } from './calls.ts'
import { refusing } from './endpoint.ts'

/**
 * The journal as it is written, and before it what was written after a number. A reader that is slow is never waited for:
 * what was dropped before it came to it is told by how many it was.
 */
export function stream({ c, query, visit }: Beside): Promise<Response> {
  const last = c.req.raw.headers.get('Last-Event-ID')
  const asked = checked(lookedFor, { ...Object.fromEntries(query), ...(last && { since: last }) })
  return visit(async (realm) => {
    const [journal, which] = refusing(() => [kept({ realm }), looked(asked)] as const)
    if (c.req.method === 'HEAD') return new Response(null, { headers: { 'Content-Type': 'text/event-stream' } })
    const { store, changes } = realm.world
    const watched = query.get('changes') === 'true' ? { store, writes: changes.writes } : undefined
    return streamSSE(c as Context, (out) => written(out, journal, which, watched))
  })
}

/** Where a reader also wants to know that the world has changed, whoever changed it. */
type Watched = { store: Store; writes: WriteLog }

async function written(
  out: SSEStreamingApi,
  journal: Journal,
  which: Which,
  watched: Watched | undefined,
): Promise<void> {
  const told: string[] = []
  let wake = () => {}
  let ended = false
  const end = () => {
    ended = true
    wake()
  }
  const stop = journal.listen({
    called: () => wake(),
    told(name) {
      if (name === 'changed' && !watched) return
      told.push(name)
      wake()
    },
    closed: end,
  })
  let revision = watched?.store.counters.revision
  const unlisten = watched?.writes.listen(() => wake())
  out.onAbort(end)
  let seen = which.since === undefined ? journal.after(0).seen : 0
  let last = which.since ?? 0
  await out.write(': the journal\n\n') // so that whoever waits for an answer has one
  while (!ended) {
    const waking = new Promise<void>((resolve) => {
      wake = resolve
    })
    const more = journal.after(seen)
    seen = more.seen
    // Of those that were dropped some may be known: numbers rise, so that no more are missing than there are between two.
    const missed = Math.min(more.missed, (more.notes[0]?.n ?? Number.POSITIVE_INFINITY) - 1 - last)
    if (missed > 0) await out.writeSSE({ event: 'evicted', data: JSON.stringify({ evicted: missed }) })
    last = more.notes.at(-1)?.n ?? last
    // What was written and taken back is no change.
    if (watched && watched.store.counters.revision !== revision) told.push('changed')
    revision = watched?.store.counters.revision
    for (const name of new Set(told.splice(0)))
      await out.writeSSE({ event: name, data: JSON.stringify({ world: journal.world }) })
    for (const note of more.notes) {
      const call = picked(note, journal.world, which)
      if (call) await out.writeSSE({ event: 'call', id: String(call.n), data: JSON.stringify(call) })
      if (ended) break
    }
    if (!ended) await waking
  }
  stop()
  unlisten?.()
}
