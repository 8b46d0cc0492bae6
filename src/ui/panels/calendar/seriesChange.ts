import { eventPath, eventsPath, getEvent, listInstances } from '../../api/calendar.ts'
import { listAll } from '../../api/client.ts'
import { formatICalDate, formatICalDateTime, openSeries, splitRuleEnd, withRuleEnd } from '../../api/shared.ts'
import type { EventTime, ServiceEvent } from '../../api/types.ts'
import {
  addMs,
  dateOf,
  daysBetween,
  eventInstant,
  eventWallTime,
  isDate,
  wallTimeIn,
  wallToMs,
} from '../../time/wallTime.ts'
import { deleteWrite, insertWrite, type NextWrites, type Plan, patchWrite, type UndoableWrite } from './eventWrites.ts'

/** The instances of a series that a change applies to. */
export type Scope = 'this' | 'following' | 'all'

/** The fields of a patch. */
export type EventPatch = Readonly<Record<string, unknown>> & { start?: EventTime; end?: EventTime }

type Query = Record<string, string | boolean>

/** Fields of a series that its second half gets when it is split. */
const SPLIT_FIELDS = [
  ...['summary', 'description', 'location', 'colorId', 'attendees', 'reminders', 'visibility', 'transparency'],
  ...['guestsCanModify', 'guestsCanInviteOthers', 'guestsCanSeeOtherGuests', 'extendedProperties', 'source'],
  ...['conferenceData', 'attachments'],
]
const WITH_ALL_FIELDS = { conferenceDataVersion: '1', supportsAttachments: 'true' }

/** Returns the requests that change one instance, it and the following ones, or the whole series. */
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
  const days = instance.start ? daysBetween(eventWallTime(instance.start, zone), eventWallTime(start, zone)) : 0
  const exceptions = await listExceptions(calendarId, master, split.instant, zone)
  const body = {
    ...copiedFields(master),
    ...rest,
    ...withoutNulls(timesFrom(eventWallTime(start, zone), lengthOf(start, end, zone), zone)),
    recurrence: rest.recurrence ?? shiftWeekdays(split.after, days),
  }
  const slotShift = eventInstant(start, zone) - split.instant
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
    copyExceptions(calendarId, master, exceptions, { edited: { id: instance.id, change }, slotShift, zone }),
  ]
}

/** Returns the request that ends a series before an instance; undefined for the first instance. */
export async function planEndBefore(calendarId: string, instance: ServiceEvent): Promise<UndoableWrite | undefined> {
  const { master, zone } = await readMaster(calendarId, instance)
  const split = splitOf(master, instance, zone)
  return split && patchWrite(calendarId, master, { recurrence: split.before })
}

async function readMaster(calendarId: string, instance: ServiceEvent): Promise<{ master: ServiceEvent; zone: string }> {
  const master = await getEvent(calendarId, instance.recurringEventId ?? instance.id)
  return { master, zone: master.start?.timeZone ?? instance.start?.timeZone ?? 'UTC' }
}

const copiedFields = (event: ServiceEvent): Record<string, unknown> => {
  const values = event as Record<string, unknown>
  const copied = SPLIT_FIELDS.filter((name) => values[name] !== undefined).map((name) => [name, values[name]] as const)
  return Object.fromEntries(
    copied.map(([name, value]) => {
      if (name !== 'conferenceData') return [name, value]
      const { createRequest: _, ...conference } = value as { createRequest?: unknown }
      return [name, conference]
    }),
  )
}

type Split = { instant: number; before: string[]; after: string[] }

/** Returns the recurrence of a series before and from an instance on; undefined if it is the first. */
function splitOf(master: ServiceEvent, instance: ServiceEvent, zone: string): Split | undefined {
  const slot = instance.originalStartTime ?? instance.start
  const { start, recurrence: lines = [] } = master
  if (!slot || !start) return undefined
  const allDay = isDate(start)
  // The recurrence code counts days of all-day series from UTC midnights.
  const instant = allDay ? wallToMs(slot.date ?? '') : eventInstant(slot, zone)
  const first = eventInstant(start, zone)
  const from = allDay ? { date: start.date } : { wall: wallTimeIn(zone, first), zone, instant: first }
  const isRule = (line: string) => /^\s*RRULE\b/i.test(line)
  if (openSeries(from, lines).between(0, instant, 1).length === 0) return undefined
  const rules = lines.filter(isRule)
  const ruleCount = openSeries(from, rules).between(0, instant).length
  const until = allDay ? formatICalDate(instant - 1) : `${formatICalDateTime(instant - 1000)}Z`
  const before = lines.flatMap((line) =>
    isRule(line) ? [withRuleEnd(line, { until })] : datesWhere(line, zone, allDay, (at) => at < instant),
  )
  const after = lines.flatMap((line) =>
    isRule(line) ? [reduceCount(line, ruleCount)] : datesWhere(line, zone, allDay, (at) => at >= instant),
  )
  return { instant: allDay ? eventInstant(slot, zone) : instant, before, after }
}

/** Returns a rule with its COUNT reduced by the instances before the split. */
function reduceCount(rule: string, passed: number): string {
  const { count } = splitRuleEnd(rule)
  return count === undefined ? rule : withRuleEnd(rule, { count: Number(count) - passed })
}

/** Returns an RDATE or EXDATE line with some of its dates; nothing if none are left. */
function datesWhere(line: string, zone: string, allDay: boolean, isKept: (instant: number) => boolean): string[] {
  const [, head = '', values = ''] = /^([^:]*):(.*)$/.exec(line) ?? []
  if (!/^\s*(RDATE|EXDATE)/i.test(head)) return [line]
  const [, ownZone = zone] = /TZID=([^;]+)/i.exec(head) ?? []
  const remaining = values.split(',').filter((value) => {
    const wall = value.replace(/^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d))?.*$/, '$1-$2-$3T$4:$5:$6')
    if (wall.length < 19) return isKept(wallToMs(wall.slice(0, 10)))
    return isKept(allDay || value.endsWith('Z') ? wallToMs(wall) : eventInstant({ dateTime: wall }, ownZone))
  })
  return remaining.length > 0 ? [`${head}:${remaining.join(',')}`] : []
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

/** Moves the weekdays of weekly rules by whole days. */
const shiftWeekdays = (lines: readonly string[], days: number): string[] =>
  lines.map((line) =>
    /^RRULE:.*FREQ=WEEKLY/i.test(line)
      ? line.replace(/BYDAY=([A-Z,]+)/i, (_, names: string) => {
          const shifted = names.split(',').map((name) => {
            const index = WEEKDAYS.indexOf(name.toUpperCase())
            return WEEKDAYS[(((index + days) % 7) + 7) % 7] ?? name
          })
          return `BYDAY=${shifted}`
        })
      : line,
  )

const lengthOf = (start: EventTime, end: EventTime, zone: string): number =>
  wallToMs(eventWallTime(end, zone)) - wallToMs(eventWallTime(start, zone))

// In a patch, a date and a date and time exclude each other only if the other one is null.
const NO_TIME = { dateTime: null, timeZone: null } as unknown as EventTime
const NO_DATE = { date: null } as unknown as EventTime

/** Returns the start and end of an event that starts at a local time, or at a date. */
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

/** Returns the change of a series that corresponds to a change of one instance: its times move as far. */
function changeOfSeries(change: EventPatch, instance: ServiceEvent, master: ServiceEvent, zone: string) {
  const { start, end, ...rest } = change
  if (!start || !end || !instance.start || !master.start) return change
  const first = eventWallTime(master.start, zone)
  const [to, from] = [eventWallTime(start, zone), eventWallTime(instance.start, zone)]
  const length = lengthOf(start, end, zone)
  if (isDate(start) !== isDate(master.start)) {
    const begin = isDate(start) ? dateOf(first) : `${dateOf(first)}T${to.slice(11)}`
    return { ...rest, ...timesFrom(begin, length, zone) }
  }
  const days = daysBetween(from, to)
  const rules = rest.recurrence || days === 0 || !master.recurrence ? {} : shiftWeekdays(master.recurrence, days)
  return {
    ...rest,
    ...timesFrom(addMs(first, wallToMs(to) - wallToMs(from)), length, zone),
    ...(Array.isArray(rules) && { recurrence: rules }),
  }
}

/** Lists the changed and cancelled instances of a series from an instant on. */
async function listExceptions(calendarId: string, master: ServiceEvent, from: number, zone: string) {
  const events = await listAll<ServiceEvent>({
    method: 'events.list',
    path: eventsPath(calendarId),
    query: { showDeleted: true, maxResults: 2500 },
  })
  return events.filter(
    ({ recurringEventId, originalStartTime }) =>
      recurringEventId === master.id && originalStartTime && eventInstant(originalStartTime, zone) >= from,
  )
}

type CopyOptions = { edited: { id: string; change: EventPatch }; slotShift: number; zone: string }

/** Repeats the changed and cancelled instances of a series in the new series of its second half. */
function copyExceptions(
  calendarId: string,
  master: ServiceEvent,
  exceptions: readonly ServiceEvent[],
  { edited, slotShift, zone }: CopyOptions,
): NextWrites {
  return async ({ data: series }) => {
    if (exceptions.length === 0) return []
    const instances = await listInstances(calendarId, series.id)
    return exceptions.flatMap((exception) => {
      const slot = eventInstant(exception.originalStartTime ?? {}, zone) + slotShift
      const instance = instances.find((one) => eventInstant(one.originalStartTime ?? one.start ?? {}, zone) === slot)
      if (!instance) return []
      const path = eventPath(calendarId, instance.id)
      if (exception.status === 'cancelled') return [{ request: { method: 'events.delete', verb: 'DELETE', path } }]
      const body = changedFields(exception, master, exception.id === edited.id ? edited.change : {})
      if (Object.keys(body).length === 0) return []
      return [{ request: { method: 'events.patch', verb: 'PATCH', path, body, query: WITH_ALL_FIELDS } }]
    })
  }
}

/** Returns the fields in which an instance differs from its series, except those that the user is changing in it. */
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
