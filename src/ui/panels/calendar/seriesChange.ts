import { eventPath, eventsPath, getEvent, listInstances } from '../../api/calendar.ts'
import { listAll } from '../../api/client.ts'
import {
  fieldsWhere,
  formatRecurrence,
  isRule,
  moveOfStarts,
  moveRecurrence,
  openSeries,
  parseRecurrence,
  type RecurrenceParts,
  type Start,
  splitRecurrence,
} from '../../api/shared.ts'
import type { EventTime, ServiceEvent } from '../../api/types.ts'
import { addMs, dateOf, eventInstant, eventWallTime, isDate, wallTimeIn, wallToMs } from '../../time/wallTime.ts'
import { deleteWrite, insertWrite, type NextWrites, type Plan, patchWrite, type UndoableWrite } from './eventWrites.ts'

export type Scope = 'this' | 'following' | 'all'

export type EventPatch = Readonly<Record<string, unknown>> & { start?: EventTime; end?: EventTime }

type ChangeOptions = {
  query?: Record<string, string>
  /** Without it, a change of several instances leaves the exceptions as they are. */
  changeException?: (exception: ServiceEvent) => EventPatch
}

/** Fields that each half of a split series has for itself, and those that no request of the inspector sets. */
const NOT_SPLIT = ['start', 'end', 'recurrence', 'sequence', 'hangoutLink', 'endTimeUnspecified']
const SPLIT_FIELDS = fieldsWhere(({ owner, body }) => owner !== 'service' && body !== 'ignored').filter(
  (name) => !NOT_SPLIT.includes(name),
)
const WITH_ALL_FIELDS = { conferenceDataVersion: '1', eventLabelVersion: '1', supportsAttachments: 'true' }

/**
 * The following instances become a new series, because the service has no such change. Reads the series and its exceptions, and
 * writes nothing.
 */
export async function planChange(
  calendarId: string,
  instance: ServiceEvent,
  change: EventPatch,
  scope: Scope,
  { query = {}, changeException }: ChangeOptions = {},
): Promise<Plan> {
  if (scope === 'this') return [patchWrite(calendarId, instance, change, query)]
  const { master, zone } = await readMaster(calendarId, instance)
  const split = scope === 'following' ? splitOf(master, instance, zone) : undefined
  if (!split)
    return [
      patchWrite(calendarId, master, changeOfSeries(change, instance, master, zone), query),
      ...(changeException ? [patchExceptions(calendarId, master, { zone, query, changeException })] : []),
    ]
  const { start = instance.start, end = instance.end, ...rest } = change
  if (!start || !end) return []
  const next = seriesStart(start, zone)
  const exceptions = await listExceptions(calendarId, master, split.slot, zone)
  const body = {
    ...copiedFields(master),
    ...rest,
    ...withoutNulls(timesFrom(eventWallTime(start, zone), lengthOf(start, end, zone), zone)),
    recurrence:
      rest.recurrence ?? formatRecurrence(moveRecurrence(split.after, split.start, split.slot, next), isDate(start)),
  }
  const move = moveOfStarts(split.start, split.slot, next)
  // An instance that was changed would stay in the first half, although its rule ends before.
  const obsolete = exceptions.filter(({ status }) => status !== 'cancelled')
  return [
    ...obsolete.map((exception) => deleteWrite(calendarId, { ...exception, etag: undefined }, { sendUpdates: 'none' })),
    patchWrite(
      calendarId,
      { ...master, ...(obsolete.length > 0 && { etag: undefined }) },
      { recurrence: split.before },
      query,
    ),
    insertWrite(calendarId, body, { ...query, ...WITH_ALL_FIELDS }),
    changeException
      ? copyExceptions(
          calendarId,
          { ...master, ...change },
          exceptions.map((one) => ({ ...one, ...changeException(one) })),
          { edited: { id: instance.id, change: {} }, move, zone },
        )
      : copyExceptions(calendarId, master, exceptions, { edited: { id: instance.id, change }, move, zone }),
  ]
}

export type GivenResponse = 'accepted' | 'tentative' | 'declined'

/**
 * The guests of the series and those of each exception stay, because they may differ. Mail is sent to all guests. Rejects with an
 * Error if the account is not a guest of the series.
 */
export async function planResponse(
  calendarId: string,
  event: ServiceEvent,
  responseStatus: GivenResponse,
  scope: Scope,
): Promise<Plan> {
  const query = { sendUpdates: 'all' }
  const changeException = ({ attendees }: ServiceEvent): EventPatch => ({
    attendees: attendees?.map((guest) => (guest.self ? { ...guest, responseStatus } : guest)),
  })
  const target = scope === 'this' ? event : (await readMaster(calendarId, event)).master
  if (!target.attendees?.some(({ self }) => self)) throw new Error('The account is not a guest of the series.')
  return planChange(calendarId, event, changeException(target), scope, { query, changeException })
}

/** Runs after the patch of the series. */
const patchExceptions =
  (
    calendarId: string,
    master: ServiceEvent,
    { zone, query, changeException }: Required<ChangeOptions> & { zone: string },
  ): NextWrites =>
  async () =>
    (await listExceptions(calendarId, master, Number.NEGATIVE_INFINITY, zone))
      .filter(({ status }) => status !== 'cancelled')
      .flatMap((exception) => {
        const body = changeException(exception)
        const isChanged = JSON.stringify({ ...exception, ...body }) !== JSON.stringify(exception)
        return isChanged ? [patchWrite(calendarId, exception, body, query)] : []
      })

/** Returns undefined for the first instance. */
export async function planEndBefore(calendarId: string, instance: ServiceEvent): Promise<UndoableWrite | undefined> {
  const { master, zone } = await readMaster(calendarId, instance)
  const split = splitOf(master, instance, zone)
  return split && patchWrite(calendarId, master, { recurrence: split.before })
}

async function readMaster(calendarId: string, instance: ServiceEvent): Promise<{ master: ServiceEvent; zone: string }> {
  const master = await getEvent(calendarId, instance.recurringEventId ?? instance.id)
  return { master, zone: master.start?.timeZone ?? instance.start?.timeZone ?? 'UTC' }
}

/** A conference is copied, not requested, and no request creates an event of the type `fromGmail`. */
const copiedFields = (event: ServiceEvent): Record<string, unknown> => {
  const values = event as Record<string, unknown>
  const copied = SPLIT_FIELDS.filter(
    (name) => values[name] !== undefined && !(name === 'eventType' && values[name] === 'fromGmail'),
  ).map((name) => [name, values[name]] as const)
  return Object.fromEntries(
    copied.map(([name, value]) => {
      if (name !== 'conferenceData') return [name, value]
      const { createRequest: _, ...conference } = value as { createRequest?: unknown }
      return [name, conference]
    }),
  )
}

function seriesStart(time: EventTime, zone: string): Start {
  if (isDate(time)) return { date: time.date }
  const instant = eventInstant(time, zone)
  return { wall: wallTimeIn(zone, instant), zone, instant }
}

/** Days of all-day series count from UTC midnights. */
const slotOf = (time: EventTime, zone: string): number =>
  isDate(time) ? wallToMs(time.date) : eventInstant(time, zone)

/**
 * `slot` is the original start of the first instance of the second half, in milliseconds; `before` are the lines of the first
 * half, `after` those of the second.
 */
type Split = { start: Start; slot: number; before: string[]; after: RecurrenceParts }

/** Returns undefined for the first instance. */
function splitOf(master: ServiceEvent, instance: ServiceEvent, zone: string): Split | undefined {
  const time = instance.originalStartTime ?? instance.start
  if (!time || !master.start) return undefined
  const { recurrence: lines = [] } = master
  const start = seriesStart(master.start, zone)
  const slot = slotOf(time, zone)
  if (openSeries(start, lines).between(Number.NEGATIVE_INFINITY, slot, 1).length === 0) return undefined
  const parts = parseRecurrence(lines, start)
  const [before, after] = splitRecurrence(parts, start, slot)
  // Dates that need not change keep their spelling, so that the series is only trimmed (behaviour 3.2.16).
  const dates = lines.filter((line) => !isRule(line))
  const isTrim = before.added.length === parts.added.length
  return { start, slot, before: isTrim ? [...before.rules, ...dates] : formatRecurrence(before, isDate(time)), after }
}

/** By the local clock, in milliseconds. */
const lengthOf = (start: EventTime, end: EventTime, zone: string): number =>
  wallToMs(eventWallTime(end, zone)) - wallToMs(eventWallTime(start, zone))

// In a patch, a date and a date and time exclude each other only if the other one is null.
const NO_TIME = { dateTime: null, timeZone: null } as unknown as EventTime
const NO_DATE = { date: null } as unknown as EventTime

/** `length` is in milliseconds. Parts of the other kind are null, so that a patch removes them. */
export function timesFrom(start: string, length: number, timeZone: string): { start: EventTime; end: EventTime } {
  const end = addMs(start, length)
  return start.length === 10
    ? { start: { date: start, ...NO_TIME }, end: { date: end, ...NO_TIME } }
    : { start: { dateTime: start, timeZone, ...NO_DATE }, end: { dateTime: end, timeZone, ...NO_DATE } }
}

const withoutNulls = (times: { start: EventTime; end: EventTime }) =>
  Object.fromEntries(
    Object.entries(times).map(([name, time]) => [
      name,
      Object.fromEntries(Object.entries(time).filter(([, value]) => value !== null)),
    ]),
  )

function changeOfSeries(change: EventPatch, instance: ServiceEvent, master: ServiceEvent, zone: string) {
  const { start, end, ...rest } = change
  if (!start || !end || !instance.start || !master.start) return change
  const first = eventWallTime(master.start, zone)
  const [to, from] = [eventWallTime(start, zone), eventWallTime(instance.start, zone)]
  const begin =
    isDate(start) === isDate(master.start)
      ? addMs(first, wallToMs(to) - wallToMs(from))
      : `${dateOf(first)}${isDate(start) ? '' : `T${to.slice(11)}`}`
  const times = timesFrom(begin, lengthOf(start, end, zone), zone)
  const recurrence = rest.recurrence ?? movedRecurrence(master, times.start, zone)
  return { ...rest, ...times, ...(recurrence && { recurrence }) }
}

function movedRecurrence({ start, recurrence }: ServiceEvent, next: EventTime, zone: string): string[] | undefined {
  if (!start || !recurrence) return undefined
  const from = seriesStart(start, zone)
  const parts = parseRecurrence(recurrence, from)
  const moved = moveRecurrence(parts, from, slotOf(start, zone), seriesStart(next, zone))
  const lines = formatRecurrence(moved, isDate(next))
  return moved === parts || lines.join() === recurrence.join() ? undefined : lines
}

/** Lists exceptions whose original start is at or after `from` (milliseconds). */
async function listExceptions(calendarId: string, master: ServiceEvent, from: number, zone: string) {
  const events = await listAll<ServiceEvent>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { showDeleted: true, maxResults: 2500 },
  })
  return events.filter(
    ({ recurringEventId, originalStartTime }) =>
      recurringEventId === master.id && originalStartTime && slotOf(originalStartTime, zone) >= from,
  )
}

/**
 * `edited` is the instance that the user edits. `move` returns the start in the new series for an original start, both in
 * milliseconds.
 */
type CopyOptions = { edited: { id: string; change: EventPatch }; move(slot: number): number; zone: string }

/** An exception without an instance in the new series is left out. */
function copyExceptions(
  calendarId: string,
  master: ServiceEvent,
  exceptions: readonly ServiceEvent[],
  { edited, move, zone }: CopyOptions,
): NextWrites {
  return async ({ data: series }) => {
    if (exceptions.length === 0) return []
    const instances = await listInstances(calendarId, series.id)
    return exceptions.flatMap((exception) => {
      const slot = move(slotOf(exception.originalStartTime ?? {}, zone))
      const instance = instances.find((one) => slotOf(one.originalStartTime ?? one.start ?? {}, zone) === slot)
      if (!instance) return []
      const path = eventPath(calendarId, instance.id)
      if (exception.status === 'cancelled') return [{ request: { method: 'events.delete', verb: 'DELETE', path } }]
      const body = changedFields(exception, master, exception.id === edited.id ? edited.change : {})
      if (Object.keys(body).length === 0) return []
      return [{ request: { method: 'events.patch', verb: 'PATCH', path, body, query: WITH_ALL_FIELDS } }]
    })
  }
}

function changedFields(exception: ServiceEvent, master: ServiceEvent, change: EventPatch) {
  const [own, series] = [copiedFields(exception), copiedFields(master)]
  const names = SPLIT_FIELDS.filter(
    (name) => !(name in change) && JSON.stringify(own[name]) !== JSON.stringify(series[name]),
  )
  const body: Record<string, unknown> = Object.fromEntries(names.map((name) => [name, own[name] ?? null]))
  const { start, end, originalStartTime } = exception
  const hasOwnTimes = start?.dateTime !== originalStartTime?.dateTime || start?.date !== originalStartTime?.date
  return { ...body, ...(hasOwnTimes && !change.start && { start, end }) }
}
