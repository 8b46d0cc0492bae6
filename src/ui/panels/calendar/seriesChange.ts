import { getEvent, pathOfEvents } from '../../api/calendar.ts'
import { collectPages } from '../../api/client.ts'
import {
  fieldsWhere,
  formatICalStart,
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
import { ask } from '../../components/ask.tsx'
import {
  addMs,
  dateOf,
  eventInstant,
  eventWallTime,
  isWholeDay,
  timesFrom,
  wallTimeIn,
  wallToMs,
} from '../../time/wallTime.ts'
import { createId, deleteWrite, insertWrite, type Plan, patchWrite } from './eventWrites.ts'
import type { GivenResponse } from './Guests.tsx'

export type Scope = 'this' | 'following' | 'all'

const SCOPES = { this: 'This event', following: 'This and following events', all: 'All events' } as const

/**
 * Resolves to undefined on Cancel, and to `this` without a question if the event is no instance. A guest cannot change the
 * following events, because their new series would be a meeting of the guest.
 */
export async function askScope(
  event: ServiceEvent,
  title: string,
  allowed: readonly Scope[] = ['this', 'following', 'all'],
): Promise<Scope | undefined> {
  if (event.recurringEventId === undefined) return 'this'
  const isGuest = event.organizer !== undefined && !event.organizer.self && event.attendees !== undefined
  const scopes = allowed.filter((scope) => scope !== 'following' || !isGuest)
  return ask(
    `${title}: which events of the series?`,
    scopes.map((scope) => ({ value: scope, title: SCOPES[scope] })),
  )
}

/**
 * Resolves to the query of the write: without mail it is empty. Resolves to undefined on Cancel. Asks only if the account invites
 * other guests.
 */
export async function askMail(event: ServiceEvent, title: string): Promise<Query | undefined> {
  const hasGuests = event.attendees?.some(({ self, resource }) => !self && !resource)
  if (!hasGuests || isGuestCopy(event)) return {}
  return ask<Query>(`${title}: send mail to the guests?`, [
    { value: {}, title: "Don't send" },
    { value: { sendUpdates: 'all' }, title: 'Send', rank: 'primary' },
  ])
}

/** Returns true for a guest's copy, whose times do not change those of the organizer's event (behaviour 7.3). */
export const isGuestCopy = ({ organizer, attendees, guestsCanModify }: ServiceEvent): boolean =>
  organizer !== undefined && !organizer.self && !guestsCanModify && attendees?.some(({ self }) => self) === true

type EventPatch = Readonly<Record<string, unknown>> & { start?: EventTime; end?: EventTime }
type Query = Record<string, string>

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
  query: Query = {},
): Promise<Plan> {
  if (scope === 'this') return [patchWrite(calendarId, instance, change, query)]
  const { master, zone } = await readMaster(calendarId, instance)
  const split = scope === 'following' ? splitOf(master, instance, zone) : undefined
  if (!split) return [patchWrite(calendarId, master, changeOfSeries(change, instance, master, zone), query)]
  const { start = instance.start, end = instance.end, ...rest } = change
  if (!start || !end) return []
  const next = seriesStart(start, zone)
  const moved = moveRecurrence(split.after, split.start, split.slot, next)
  const exceptions = await listExceptions(calendarId, master, split.slot, zone)
  const move = moveOfStarts(split.start, split.slot, next)
  const id = createId()
  const lines = formatRecurrence(moved, isWholeDay(start))
  const series = openSeries(next, lines)
  // A rule that the user has changed may not have the days of the exceptions.
  const copies = (rest.recurrence ? [] : exceptions).flatMap((exception) => {
    const slot = move(slotOf(exception.originalStartTime ?? {}, zone))
    if (series.between(slot, slot + 1, 1).length === 0) return []
    const copy = { id: `${id}_${formatICalStart(slot, isWholeDay(start))}` }
    if (exception.status === 'cancelled') return [deleteWrite(calendarId, copy)]
    const fields = fieldsOfException(exception, master, exception.id === instance.id ? change : {})
    return Object.keys(fields).length > 0 ? [patchWrite(calendarId, copy, fields, WITH_ALL_FIELDS)] : []
  })
  const body = {
    ...copiedFields(master),
    ...rest,
    ...timesFrom(eventWallTime(start, zone), lengthOf(start, end, zone), zone),
    recurrence: rest.recurrence ?? lines,
  }
  return [
    ...planEnd(calendarId, master, split, exceptions, query),
    insertWrite(calendarId, body, { ...query, ...WITH_ALL_FIELDS }, id),
    // The undo of the insert deletes them with their series.
    ...copies.map(({ request }) => ({ request })),
  ]
}

export async function planDelete(
  calendarId: string,
  event: ServiceEvent,
  scope: Scope,
  query: Query = {},
): Promise<Plan> {
  if (scope === 'this') return [deleteWrite(calendarId, event, query)]
  const { master, zone } = await readMaster(calendarId, event)
  const split = scope === 'following' ? splitOf(master, event, zone) : undefined
  if (!split) return [deleteWrite(calendarId, master, query)]
  return planEnd(calendarId, master, split, await listExceptions(calendarId, master, split.slot, zone), query)
}

/** Each exception has guests of its own. Mail is sent to all guests. Rejects with an Error if the account is not a guest. */
export async function planResponse(
  calendarId: string,
  event: ServiceEvent,
  responseStatus: GivenResponse,
  scope: Scope,
): Promise<Plan> {
  const respond = (target: ServiceEvent) => {
    const attendees = target.attendees?.map((guest) => (guest.self ? { ...guest, responseStatus } : guest))
    return patchWrite(calendarId, target, { attendees }, { sendUpdates: 'all' })
  }
  if (scope === 'this') return [respond(event)]
  const { master, zone } = await readMaster(calendarId, event)
  const exceptions = await listExceptions(calendarId, master, Number.NEGATIVE_INFINITY, zone)
  const ownGuest = ({ attendees }: ServiceEvent) => attendees?.find(({ self }) => self)
  if (!ownGuest(master)) throw new Error('The account is not a guest of the series.')
  const changed = exceptions.filter((exception) => {
    const guest = ownGuest(exception)
    return exception.status !== 'cancelled' && guest && guest.responseStatus !== responseStatus
  })
  return [respond(master), ...changed.map(respond)]
}

async function readMaster(calendarId: string, instance: ServiceEvent): Promise<{ master: ServiceEvent; zone: string }> {
  const master = await getEvent(calendarId, instance.recurringEventId ?? instance.id)
  return { master, zone: master.start?.timeZone ?? instance.start?.timeZone ?? 'UTC' }
}

/** Ends a series before the second half. Exceptions of that half would stay, although the rule ends before. */
function planEnd(
  calendarId: string,
  master: ServiceEvent,
  split: Split,
  exceptions: readonly ServiceEvent[],
  query: Query = {},
): Plan {
  const obsolete = exceptions.filter(({ status }) => status !== 'cancelled')
  return [
    ...obsolete.map((exception) => deleteWrite(calendarId, exception, { sendUpdates: 'none' })),
    patchWrite(calendarId, master, { recurrence: split.before }, query),
  ]
}

/** Cancelled ones are included. `from` is the first original start, in milliseconds. */
async function listExceptions(
  calendarId: string,
  { id, iCalUID }: ServiceEvent,
  from: number,
  zone: string,
): Promise<ServiceEvent[]> {
  const request = { method: 'events.list', path: pathOfEvents(calendarId), query: { iCalUID, showDeleted: true } }
  return (await collectPages<ServiceEvent>(request)).filter(
    ({ recurringEventId, originalStartTime }) =>
      recurringEventId === id && originalStartTime && slotOf(originalStartTime, zone) >= from,
  )
}

/** A conference is copied, not requested, and no request creates an event of the type `fromGmail`. */
function copiedFields(event: ServiceEvent): Record<string, unknown> {
  const values = event as Record<string, unknown>
  const copied = SPLIT_FIELDS.filter(
    (name) => values[name] !== undefined && !(name === 'eventType' && values[name] === 'fromGmail'),
  ).map((name) => [name, values[name]] as const)
  const { createRequest: _, ...conferenceData } = event.conferenceData ?? {}
  return { ...Object.fromEntries(copied), ...(event.conferenceData && { conferenceData }) }
}

/** Leaves out the fields that the user changes. */
function fieldsOfException(exception: ServiceEvent, master: ServiceEvent, change: EventPatch) {
  const [own, series] = [copiedFields(exception), copiedFields(master)]
  const names = SPLIT_FIELDS.filter(
    (name) => !(name in change) && JSON.stringify(own[name]) !== JSON.stringify(series[name]),
  )
  const { start, end, originalStartTime } = exception
  const isMoved = start?.dateTime !== originalStartTime?.dateTime || start?.date !== originalStartTime?.date
  return {
    ...Object.fromEntries(names.map((name) => [name, own[name] ?? null])),
    ...(isMoved && !change.start && { start, end }),
  }
}

function seriesStart(time: EventTime, zone: string): Start {
  if (isWholeDay(time)) return { date: time.date }
  const instant = eventInstant(time, zone)
  return { wall: wallTimeIn(zone, instant), zone, instant }
}

/** Days of all-day series count from UTC midnights. */
const slotOf = (time: EventTime, zone: string): number =>
  isWholeDay(time) ? wallToMs(time.date) : eventInstant(time, zone)

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
  return {
    start,
    slot,
    before: isTrim ? [...before.rules, ...dates] : formatRecurrence(before, isWholeDay(time)),
    after,
  }
}

/** Milliseconds by the local clock. */
const lengthOf = (start: EventTime, end: EventTime, zone: string): number =>
  wallToMs(eventWallTime(end, zone)) - wallToMs(eventWallTime(start, zone))

function changeOfSeries(change: EventPatch, instance: ServiceEvent, master: ServiceEvent, zone: string) {
  const { start, end, ...rest } = change
  if (!start || !end || !instance.start || !master.start) return change
  const first = eventWallTime(master.start, zone)
  const [to, from] = [eventWallTime(start, zone), eventWallTime(instance.start, zone)]
  const begin =
    isWholeDay(start) === isWholeDay(master.start)
      ? addMs(first, wallToMs(to) - wallToMs(from))
      : `${dateOf(first)}${isWholeDay(start) ? '' : `T${to.slice(11)}`}`
  const times = timesFrom(begin, lengthOf(start, end, zone), zone)
  const recurrence = rest.recurrence ?? movedRecurrence(master, times.start, zone)
  return { ...rest, ...times, ...(recurrence !== undefined && { recurrence }) }
}

function movedRecurrence({ start, recurrence }: ServiceEvent, next: EventTime, zone: string): string[] | undefined {
  if (!start || !recurrence) return undefined
  const from = seriesStart(start, zone)
  const parts = parseRecurrence(recurrence, from)
  const moved = moveRecurrence(parts, from, slotOf(start, zone), seriesStart(next, zone))
  const lines = formatRecurrence(moved, isWholeDay(next))
  return moved === parts || lines.join() === recurrence.join() ? undefined : lines
}
