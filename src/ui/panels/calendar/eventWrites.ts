import { pathOfEvent, pathOfEvents } from '../../api/calendar.ts'
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

/** Parts of a start or end that did not exist are null, so that a patch removes them. */
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
  const request = { method: 'events.patch', verb: 'PATCH', path: pathOfEvent(calendarId, before.id), query }
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
  request: { method: 'events.insert', verb: 'POST', path: pathOfEvents(calendarId), query, id, body },
  undo: { method: 'events.delete', verb: 'DELETE', path: pathOfEvent(calendarId, id) },
})

/** A deleted event still exists with the status `cancelled`. */
export const deleteWrite = (
  calendarId: string,
  before: ServiceEvent,
  query: Request['query'] = {},
): Required<Write> => {
  const path = pathOfEvent(calendarId, before.id)
  const body = { status: before.status ?? 'confirmed', ...inversePatch(before, { start: 0, end: 0 }) }
  return {
    request: { method: 'events.delete', verb: 'DELETE', path, query },
    undo: { method: 'events.patch', verb: 'PATCH', path, query, body },
  }
}

export const moveWrite = (calendarId: string, eventId: string, destination: string): Required<Write> => {
  const move = (from: string, to: string): Request => ({
    ...{ method: 'events.move', verb: 'POST', path: `${pathOfEvent(from, eventId)}/move`, query: { destination: to } },
  })
  return { request: move(calendarId, destination), undo: move(destination, calendarId) }
}

/** The latest etag of each event by its id. All events of a series share one (behaviour 5.2), under the id of the series. */
type Etags = Map<string, string>

/** The instances of `abc_R20260305T090000` have ids like `abc_20260306T090000Z` (behaviour 4.12.1). */
const seriesIdOf = (eventId: string): string => eventId.replace(/_R?\d{8}(T\d{6}Z?)?$/, '')

/** Finds the id in the path `/calendars/<calendarId>/events/<eventId>`, or from an insert. */
const eventIdOf = ({ path, id = path.split('/')[4] ?? '' }: Request): string => id
const targetOf = (request: Request): string => seriesIdOf(eventIdOf(request))

/** The path of the event after a write. */
const resultPath = (request: Request): string => {
  const { path, query, id } = request
  if (id !== undefined) return `${path}/${id}`
  return isMove(request) ? pathOfEvent(String(query?.destination), eventIdOf(request)) : path
}

const isMove = ({ method }: Request): boolean => method === 'events.move'

const readEvent = async (path: string): Promise<ServiceEvent | undefined> =>
  (await callService<ServiceEvent>({ method: 'events.get', path }).catch(() => undefined))?.data

const CONFLICT = 412

export const isConflict = (error: unknown): boolean => error instanceof RequestError && error.status === CONFLICT

const conflict = (): RequestError =>
  new RequestError('The event was changed since it was loaded.', { status: CONFLICT })

/** Reads each event at its first request. */
async function requireUnchanged(requests: readonly Request[], etags: Etags): Promise<void> {
  for (const [target, etag] of etags) {
    const first = requests.find((request) => targetOf(request) === target)
    const current = first && (await readEvent(first.path.replace(/\/move$/, '')))
    if (current && current.etag !== etag) throw conflict()
  }
}

/** Sends the known etag as If-Match, and stores the new one. An insert whose response was lost succeeds if its event exists. */
async function sendWrite(request: Request, etags: Etags): Promise<void> {
  const target = targetOf(request)
  // The service does not compare If-Match of a move.
  if (isMove(request)) await requireUnchanged([request], etags)
  let event: ServiceEvent | undefined
  try {
    event = (await callService<ServiceEvent | undefined>({ ...request, etag: etags.get(target) })).data
  } catch (error) {
    if (isConflict(error)) throw conflict()
    if (request.method === 'events.insert' && isLostResponse(error)) event = await readEvent(resultPath(request))
    if (!event) throw error
  }
  // A deletion returns no event, and a move the former etag.
  const { etag } = (isMove(request) ? undefined : event) ?? (await readEvent(resultPath(request))) ?? {}
  if (etag) etags.set(target, etag)
  else etags.delete(target)
}

/** No response arrived, or the browser has sent the request again. */
const isLostResponse = (error: unknown): boolean =>
  error instanceof RequestError ? error.status === 409 && error.reason === 'duplicate' : true

/**
 * `loaded` is the event as the user saw it: a later change of it is a conflict. If a write fails, the earlier ones are undone.
 * Failures of such an undo are ignored.
 */
export async function runPlan(session: WorldSession, text: string, plan: Plan, loaded?: ServiceEvent): Promise<void> {
  const etags: Etags = new Map(loaded?.etag ? [[seriesIdOf(loaded.id), loaded.etag]] : [])
  const undos: Request[] = []
  try {
    for (const { request, undo } of plan) {
      await sendWrite(request, etags)
      if (undo) undos.unshift(undo)
    }
  } catch (error) {
    for (const request of undos) await sendWrite(request, etags).catch(() => undefined)
    throw error
  } finally {
    session.reportChange()
  }
  /** Continues, after a failure, with the write that failed. */
  const undo = async () => {
    try {
      // If-Match alone would refuse a later write after an earlier one is undone.
      await requireUnchanged(undos, etags)
      for (let request = undos[0]; request; request = undos[0]) {
        await sendWrite(request, etags)
        undos.shift()
      }
    } catch (error) {
      throw isConflict(error) ? new Error('Not undone, because the event was changed since.') : error
    }
    showToast(session, { text: `Undone: ${text}` })
    dismissToast(session, toastId)
    session.reportChange()
  }
  const main = plan.findLast((write) => write.undo)?.request
  const toastId = showToast(session, { text, sent: main && toSentRequest(main), action: { title: 'Undo', run: undo } })
}

/** The calendar shows the event as it is now after a conflict. */
export async function tryPlan(
  session: WorldSession,
  text: string,
  loaded: ServiceEvent,
  makePlan: () => Promise<Plan>,
): Promise<boolean> {
  try {
    await runPlan(session, text, await makePlan(), loaded)
    return true
  } catch (error) {
    showToast(session, { text: `Failed: ${text}`, error: toRequestError(error) })
    session.reportChange()
    return false
  }
}
