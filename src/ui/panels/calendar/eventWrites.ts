import { eventPath, eventsPath, getEvent } from '../../api/calendar.ts'
import { callService, type Request, type Result, toSentRequest } from '../../api/client.ts'
import { RequestError, toRequestError } from '../../api/errors.ts'
import type { ServiceEvent } from '../../api/types.ts'
import type { WorldSession } from '../../session.ts'
import { dismissToast, showToast } from '../../toast.ts'

type UndoableWrite = { request: Request; undo(result: Result<ServiceEvent>): Request | Promise<Request> }
/** A write may have no `undo`, if the undo of an earlier write covers it. */
export type Plan = readonly (Pick<UndoableWrite, 'request'> & Partial<UndoableWrite>)[]

/** Valid as the id of an event, and of a conference request. */
export const createId = (): string =>
  [...crypto.getRandomValues(new Uint32Array(4))].map((word) => word.toString(32)).join('')

function inversePatch(before: ServiceEvent, body: Readonly<Record<string, unknown>>): Record<string, unknown> {
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

/**
 * Undo deletes the event, unless it was changed since. The page chooses the id, because browsers send a request again if its
 * connection ends before the response: the second one is then refused.
 */
export const insertWrite = (
  calendarId: string,
  body: object,
  query: Request['query'] = {},
  id: string = createId(),
): UndoableWrite => ({
  request: { method: 'events.insert', verb: 'POST', path: eventsPath(calendarId), query, id, body },
  undo: ({ data, etag }) => ({
    ...{ method: 'events.delete', verb: 'DELETE', path: eventPath(calendarId, data.id) },
    ifMatch: etag,
  }),
})

/** Undo overwrites later changes. */
export const withUnconditionalUndo = ({ request, undo }: UndoableWrite): UndoableWrite => ({
  request,
  undo: async (result) => ({ ...(await undo(result)), ifMatch: undefined }),
})

/**
 * Fails with 412 if the event is no longer the version `before`. A deleted event still exists with the status `cancelled`, and
 * with an ETag that the response does not have. Undo overwrites later changes if `before` has no ETag or the new one cannot be read.
 */
export const deleteWrite = (calendarId: string, before: ServiceEvent, query: Request['query'] = {}): UndoableWrite => {
  const path = eventPath(calendarId, before.id)
  const restored = { status: before.status ?? 'confirmed', ...inversePatch(before, { start: 0, end: 0 }) }
  return {
    request: { method: 'events.delete', verb: 'DELETE', path, query, ifMatch: before.etag },
    undo: async () => {
      const deleted = before.etag ? await getEvent(calendarId, before.id).catch(() => undefined) : undefined
      return { method: 'events.patch', verb: 'PATCH', path, query, body: restored, ifMatch: deleted?.etag }
    },
  }
}

export const moveWrite = (calendarId: string, eventId: string, destination: string): UndoableWrite => {
  const move = (from: string, to: string): Request => ({
    ...{ method: 'events.move', verb: 'POST', path: `${eventPath(from, eventId)}/move`, query: { destination: to } },
  })
  return { request: move(calendarId, destination), undo: () => move(destination, calendarId) }
}

/** An insert whose response was lost resolves to the event that it has created. */
async function sendWrite(request: Request): Promise<Result<ServiceEvent>> {
  try {
    return await callService<ServiceEvent>(request)
  } catch (error) {
    const { method, path, id } = request
    if (method !== 'events.insert' || id === undefined || !isLostResponse(error)) throw error
    const read = { method: 'events.get', path: `${path}/${id}` }
    const created = await callService<ServiceEvent>(read).catch(() => undefined)
    if (!created) throw error
    return { ...created, sent: toSentRequest(request) }
  }
}

/** No response arrived, or the browser has sent the request again. */
const isLostResponse = (error: unknown): boolean =>
  error instanceof RequestError ? error.status === 409 && error.reason === 'duplicate' : true

/** If a write fails, the earlier ones are undone. Such an undo overwrites changes of others, and its own failures are ignored. */
export async function runPlan(session: WorldSession, text: string, plan: Plan): Promise<Result<ServiceEvent>[]> {
  const results: Result<ServiceEvent>[] = []
  const undos: Request[] = []
  try {
    for (const { request, undo } of plan) {
      const result = await sendWrite(request)
      results.push(result)
      if (undo) undos.unshift(await undo(result))
    }
  } catch (error) {
    for (const request of undos) await callService({ ...request, ifMatch: undefined }).catch(() => undefined)
    throw error
  } finally {
    session.reportChange()
  }
  const undo = async () => {
    await undoWrites(session, text, undos)
    dismissToast(session, toastId)
  }
  const sent = results.findLast((_, index) => plan[index]?.undo)?.sent
  const toastId = showToast(session, { text, sent, action: { title: 'Undo', run: undo } })
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

/** Never rejects. A toast offers to repeat what failed: without a condition if the event was changed since (412). */
async function undoWrites(session: WorldSession, text: string, requests: readonly Request[]): Promise<void> {
  let last: Result<unknown> | undefined
  const left = [...requests]
  try {
    for (let request = left[0]; request; request = left[0]) {
      last = await callService(request)
      left.shift()
    }
    showToast(session, { text: `Undone: ${text}`, sent: last?.sent })
  } catch (thrown) {
    const error = toRequestError(thrown)
    const isChanged = error.status === PRECONDITION_FAILED
    const retried = isChanged ? left.map(({ ifMatch: _, ...request }) => request) : left
    const toastId = showToast(session, {
      text: `Not undone: ${text}${isChanged ? '. The event was changed meanwhile.' : ''}`,
      action: {
        title: isChanged ? 'Undo anyway' : 'Undo',
        async run() {
          await undoWrites(session, text, retried)
          dismissToast(session, toastId)
        },
      },
      error,
    })
  }
  session.reportChange()
}
