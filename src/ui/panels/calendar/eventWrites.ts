import { eventPath, eventsPath } from '../../api/calendar.ts'
import { callService, type Request, toSentRequest } from '../../api/client.ts'
import { RequestError, toRequestError } from '../../api/errors.ts'
import type { ServiceEvent } from '../../api/types.ts'
import type { WorldSession } from '../../session.ts'
import { dismissToast, showToast } from '../../toast.ts'

/** `undo` puts the event back. A write has none if the undo of an earlier write covers it. */
type Write = { request: Request; undo?: Request }
export type Plan = readonly Write[]

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

export const patchWrite = (
  calendarId: string,
  before: ServiceEvent,
  body: Record<string, unknown>,
  query: Request['query'] = {},
): Required<Write> => {
  const request = { method: 'events.patch', verb: 'PATCH', path: eventPath(calendarId, before.id), query }
  return { request: { ...request, body }, undo: { ...request, body: inversePatch(before, body) } }
}

/**
 * The page chooses the id, because browsers send a request again if its connection ends before the response: the second one is
 * then refused.
 */
export const insertWrite = (
  calendarId: string,
  body: object,
  query: Request['query'] = {},
  id: string = createId(),
): Required<Write> => ({
  request: { method: 'events.insert', verb: 'POST', path: eventsPath(calendarId), query, id, body },
  undo: { method: 'events.delete', verb: 'DELETE', path: eventPath(calendarId, id) },
})

/** A deleted event still exists with the status `cancelled`. */
export const deleteWrite = (
  calendarId: string,
  before: ServiceEvent,
  query: Request['query'] = {},
): Required<Write> => {
  const path = eventPath(calendarId, before.id)
  const body = { status: before.status ?? 'confirmed', ...inversePatch(before, { start: 0, end: 0 }) }
  return {
    request: { method: 'events.delete', verb: 'DELETE', path, query },
    undo: { method: 'events.patch', verb: 'PATCH', path, query, body },
  }
}

export const moveWrite = (calendarId: string, eventId: string, destination: string): Required<Write> => {
  const move = (from: string, to: string): Request => ({
    ...{ method: 'events.move', verb: 'POST', path: `${eventPath(from, eventId)}/move`, query: { destination: to } },
  })
  return { request: move(calendarId, destination), undo: move(destination, calendarId) }
}

/** An insert whose response was lost succeeds if its event exists. */
async function sendWrite(request: Request): Promise<void> {
  try {
    await callService(request)
  } catch (error) {
    const { method, path, id } = request
    if (method !== 'events.insert' || !isLostResponse(error)) throw error
    const created = await callService({ method: 'events.get', path: `${path}/${id}` }).catch(() => undefined)
    if (!created) throw error
  }
}

/** No response arrived, or the browser has sent the request again. */
const isLostResponse = (error: unknown): boolean =>
  error instanceof RequestError ? error.status === 409 && error.reason === 'duplicate' : true

/** An event that cannot be read has none. */
const readEtags = (requests: readonly Request[]): Promise<(string | undefined)[]> =>
  Promise.all(
    requests.map(async ({ path }) => {
      const read = { method: 'events.get', path: path.replace(/\/move$/, '') }
      return (await callService<ServiceEvent>(read).catch(() => undefined))?.data.etag
    }),
  )

/** If a write fails, the earlier ones are undone. Failures of such an undo are ignored. */
export async function runPlan(session: WorldSession, text: string, plan: Plan): Promise<void> {
  const undos: Request[] = []
  try {
    for (const { request, undo } of plan) {
      await sendWrite(request)
      if (undo) undos.unshift(undo)
    }
  } catch (error) {
    for (const request of undos) await callService(request).catch(() => undefined)
    throw error
  } finally {
    session.reportChange()
  }
  const etags = await readEtags(undos)
  /** After a failure it continues with the write that failed. Refuses, without a write, if an event was changed since. */
  const undo = async () => {
    const current = undos.length < etags.length ? etags : await readEtags(undos)
    if (current.some((etag, at) => etag && etags[at] && etag !== etags[at]))
      throw new Error('Not undone, because the event was changed since.')
    for (let request = undos[0]; request; request = undos[0]) {
      await callService(request)
      undos.shift()
    }
    showToast(session, { text: `Undone: ${text}` })
    dismissToast(session, toastId)
    session.reportChange()
  }
  const main = plan.findLast((write) => write.undo)?.request
  const toastId = showToast(session, { text, sent: main && toSentRequest(main), action: { title: 'Undo', run: undo } })
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
