import { eventPath, eventsPath, getEvent } from '../../api/calendar.ts'
import { callService, type Request, type Result } from '../../api/client.ts'
import { RequestError, toRequestError } from '../../api/errors.ts'
import type { ServiceEvent } from '../../api/types.ts'
import type { WorldSession } from '../../session.ts'
import { dismissToast, showToast } from '../../toast.ts'

/** Without `undo`, it cannot be undone. */
export type UndoableWrite = { request: Request; undo?(result: Result<ServiceEvent>): Request | Promise<Request> }
/** Writes that depend on the result of the write before them. */
export type NextWrites = (result: Result<ServiceEvent>) => Promise<UndoableWrite[]>
export type Plan = readonly (UndoableWrite | NextWrites)[]

export type SendUpdatesOption = 'all' | 'externalOnly' | 'none'

export function inversePatch(before: ServiceEvent, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const values = before as Record<string, unknown>
  return Object.fromEntries(Object.keys(body).map((name) => [name, restoredValue(name, values[name])]))
}

/** In a start or end, parts that did not exist are null, so that a patch removes them. */
function restoredValue(name: string, value: unknown): unknown {
  if (value === undefined) return null
  return name === 'start' || name === 'end' ? { date: null, dateTime: null, timeZone: null, ...Object(value) } : value
}

/** Fails with 412 if the event is no longer the version `before`. */
export const patchWrite = (
  calendarId: string,
  before: ServiceEvent,
  body: Record<string, unknown>,
  query: Request['query'] = {},
): UndoableWrite => {
  const request = { method: 'events.patch', verb: 'PATCH', path: eventPath(calendarId, before.id), query }
  return {
    request: { ...request, body, ifMatch: before.etag },
    undo: ({ etag }) => ({ ...request, body: inversePatch(before, body), ifMatch: etag }),
  }
}

/** Undo deletes the event, unless it was changed since. */
export const insertWrite = (calendarId: string, body: object, query: Request['query'] = {}): UndoableWrite => ({
  request: { method: 'events.insert', verb: 'POST', path: eventsPath(calendarId), query, body },
  undo: ({ data, etag }) => ({
    ...{ method: 'events.delete', verb: 'DELETE', path: eventPath(calendarId, data.id) },
    ifMatch: etag,
  }),
})

/**
 * Fails with 412 if the event is no longer the version `before`. A deleted event still exists with the status `cancelled`, so
 * undo patches the status and the times.
 */
export const deleteWrite = (calendarId: string, before: ServiceEvent, query: Request['query'] = {}): UndoableWrite => {
  const path = eventPath(calendarId, before.id)
  return {
    request: { method: 'events.delete', verb: 'DELETE', path, query, ifMatch: before.etag },
    undo: async () => ({
      ...{ method: 'events.patch', verb: 'PATCH', path, query },
      body: { status: before.status ?? 'confirmed', ...inversePatch(before, { start: 0, end: 0 }) },
      ifMatch: (await getEvent(calendarId, before.id)).etag,
    }),
  }
}

export const moveWrite = (calendarId: string, eventId: string, destination: string): UndoableWrite => {
  const move = (from: string, to: string): Request => ({
    ...{ method: 'events.move', verb: 'POST', path: `${eventPath(from, eventId)}/move`, query: { destination: to } },
  })
  return { request: move(calendarId, destination), undo: () => move(destination, calendarId) }
}

/** If a write fails, the earlier ones are undone. Such an undo overwrites changes of others, and its own failures are ignored. */
export async function runPlan(session: WorldSession, text: string, plan: Plan): Promise<Result<ServiceEvent>[]> {
  const results: Result<ServiceEvent>[] = []
  const undos: Request[] = []
  const queue: (UndoableWrite | NextWrites)[] = [...plan]
  try {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const last = results.at(-1)
      if (typeof next === 'function') {
        if (last) queue.unshift(...(await next(last)))
        continue
      }
      const result = await callService<ServiceEvent>(next.request)
      results.push(result)
      const undo = await next.undo?.(result)
      if (undo) undos.unshift(undo)
    }
  } catch (error) {
    for (const request of undos) await callService({ ...request, ifMatch: undefined }).catch(() => undefined)
    throw error
  } finally {
    session.reportChange()
  }
  const undo = {
    title: 'Undo',
    async run() {
      await undoPlan(session, text, undos)
      dismissToast(session, toastId)
    },
  }
  const ownCount = plan.filter((one) => typeof one !== 'function').length
  const main = results.slice(0, ownCount).at(-1)
  const toastId = showToast(session, { text, sent: main?.sent, ...(undos.length > 0 && { action: undo }) })
  return results
}

export async function tryPlan(session: WorldSession, text: string, makePlan: () => Promise<Plan>): Promise<boolean> {
  try {
    await runPlan(session, text, await makePlan())
    return true
  } catch (error) {
    showToast(session, { text: `Failed: ${text}`, error: toRequestError(error) })
    session.reportChange()
    return false
  }
}

/** Status of a request whose `If-Match` is not the current ETag. */
export const PRECONDITION_FAILED = 412

/** If the event was changed since (412), a toast offers to undo anyway. */
async function undoPlan(session: WorldSession, text: string, requests: readonly Request[]): Promise<void> {
  try {
    await callUndo(session, text, requests)
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== PRECONDITION_FAILED) throw error
    // It would overwrite later changes of other accounts, so it needs a second click.
    const unconditional = requests.map(({ ifMatch: _, ...request }) => request)
    showToast(session, {
      text: `Not undone: ${text}. The event was changed meanwhile.`,
      action: { title: 'Undo anyway', run: () => callUndo(session, text, unconditional) },
      error,
    })
  }
}

/** Rejects with the first failure; later requests are not sent then. */
async function callUndo(session: WorldSession, text: string, requests: readonly Request[]): Promise<void> {
  let last: Result<unknown> | undefined
  try {
    for (const request of requests) last = await callService(request)
  } finally {
    session.reportChange()
  }
  showToast(session, { text: `Undone: ${text}`, sent: last?.sent })
}
