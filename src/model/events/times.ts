import type { Interval, Window } from '../../db/indexes.ts'
import { formatDateTime, formatOffset } from '../../recurrence/format.ts'
import { instantAt, instantOf, isStoredZone, isZone, offsetAt } from '../../recurrence/zone.ts'
import { ApiError, apiError, type ErrorItem, throwApiError } from '../../schema/apiErrors.ts'
import type { Event, EventBody, EventDateTime } from '../../schema/event.ts'
import { isDate } from '../../schema/params.ts'

/** A date, or an instant in UTC and the zone of the request. */
export type StoredTime = { date: string; dateTime?: never } | { date?: never; dateTime: string; timeZone: string }
export type Times = Pick<Event, 'start' | 'end'>
type TimeBody = NonNullable<EventBody['start']>

/**
 * Throws `missingTime`, `mixedTimes`, `invalidTime`, `invalidZone`, `missingZone`, `badTimestamp` and `timeRangeEmpty`, all 400
 * (behaviour 2.2.2, 3.2.11, 13.2).
 */
export function readTimes(
  { start, end, recurring }: { start: EventDateTime | undefined; end: EventDateTime | undefined; recurring: boolean },
  calendarZone: string,
): { start: StoredTime; end: StoredTime } {
  if (!end) throw apiError('missingTime', { which: 'end' })
  if (!start) return end.date ? throwApiError('mixedTimes') : throwApiError('missingTime', { which: 'start' })
  const times = Object.entries({ start, end })
  // Reported before anything beside it (behaviour 13.2).
  if (times.some(([, { dateTime }]) => dateTime !== undefined && !parseDateTime(dateTime)))
    throw apiError('badTimestamp')
  // Only the first of two errors is reported (behaviour 2.1.5).
  for (const [which, { date, dateTime }] of times)
    if (date !== undefined && dateTime !== undefined) throw apiError('invalidTime', { which })
  const kinds = [kindOf(start), kindOf(end)]
  if (kinds[0] !== kinds[1] || !kinds[0]) throw apiError('mixedTimes')
  if (kinds[0] === 'dateTime') {
    const invalid = times.flatMap(([which, time]) => zoneErrors(which, time))
    const missing = recurring ? times.filter(([, { timeZone }]) => timeZone === undefined) : []
    const errors = invalid.length > 0 ? invalid : missing.map(([which]) => zoneError('missingZone', which))
    if (errors.length > 0) throw new ApiError(errors)
  }
  const read = { start: storedTime(start, calendarZone), end: storedTime(end, calendarZone) }
  const [from, to] = [instantOfTime(read.start), instantOfTime(read.end)]
  if (to < from || (to === from && read.start.date !== undefined))
    throw apiError('timeRangeEmpty', { start: textOf(start), end: textOf(end) })
  return read
}

const textOf = ({ date, dateTime = '' }: EventDateTime): string => date ?? dateTime

const kindOf = ({ date, dateTime }: EventDateTime) =>
  date !== undefined ? 'date' : dateTime !== undefined ? 'dateTime' : undefined

/** A time without an offset then also lacks a zone (behaviour 2.1.5, 13.2). */
function zoneErrors(which: string, { dateTime, timeZone }: TimeBody, isKnown = isStoredZone): ErrorItem[] {
  if (timeZone == null || isKnown(timeZone)) return []
  return [zoneError('invalidZone', which), ...(OFFSET.test(dateTime ?? '') ? [] : [zoneError('missingZone', which)])]
}

/**
 * Throws `invalidZone` and `missingZone` (400) for zones of a body that only existing events have (behaviour 13.1), unless
 * `readTimes` refuses the times of the draft before their zones.
 */
export function requireNamedZones(body: Pick<EventBody, 'start' | 'end'>, draft: Partial<Times>): void {
  const errors = Object.entries({ start: body.start, end: body.end }).flatMap(([which, time]) =>
    time?.timeZone && isStoredZone(time.timeZone) ? zoneErrors(which, time, isZone) : [],
  )
  const isTimed = (time?: EventDateTime) => time && !time.date && parseDateTime(time.dateTime ?? '')
  if (errors.length > 0 && isTimed(draft.start) && isTimed(draft.end)) throw new ApiError(errors)
}

const zoneError = (name: 'invalidZone' | 'missingZone', which: string): ErrorItem => ({ name, details: { which } })

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const OFFSET = /([Zz]|[+-]\d\d:?\d\d)$/
// The hour 24, which Date.parse accepts, is not in RFC 3339.
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt]((?!24)\d\d:\d\d:\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:?\d\d)?$/

const EARLIEST = Date.parse('0000-01-01T00:00:00Z')
export const LATEST = Date.parse('9999-12-31T23:59:59Z')
const inRange = (instant: number): boolean => instant >= EARLIEST && instant <= LATEST

function parseDateTime(text: string): { local: string; offset: string | undefined } | undefined {
  const [, day = '', time = '', offset] = DATE_TIME.exec(text) ?? []
  const local = `${day}T${time}`
  // JavaScript alone would read 30 February as 2 March.
  return new Date(`${local}Z`).getUTCDate() === Number(day.slice(8)) ? { local, offset } : undefined
}

/**
 * A time without an offset is read in its `timeZone`, else in the calendar's (behaviour 13.3, 13.4). Throws
 * `badTimestamp` (400) for no date or time.
 */
export function storedTime({ date, dateTime = '', timeZone }: EventDateTime, calendarZone: string): StoredTime {
  if (date !== undefined) return { date: storedDate(date) }
  const { local = '', offset } = parseDateTime(dateTime) ?? {}
  if (!local || (!offset && timeZone === undefined)) throw apiError('badTimestamp')
  if (timeZone !== undefined && !isStoredZone(timeZone)) throw apiError('invalidZone', { which: 'start' })
  const instant = offset
    ? Date.parse(local + offset.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2'))
    : instantAt(local, timeZone ?? calendarZone)
  if (!inRange(instant)) throw apiError('badTimestamp')
  return { dateTime: formatUtc(instant), timeZone: timeZone ?? calendarZone }
}

/** Four digits of the year and two of month and day. Throws `badTimestamp` (400) for no date. */
function storedDate(date: string): string {
  const [, year = '', month = '', day = ''] = DATE.exec(date) ?? []
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(text) ? text : throwApiError('badTimestamp')
}

/** Formats whole seconds. Years before 0 and after 9999 have six digits and a sign. */
export const formatUtc = (instant: number): string => `${formatDateTime(instant)}Z`

export const instantOfTime = ({ date, dateTime }: EventDateTime): number =>
  Date.parse(date !== undefined ? `${date}T00:00:00Z` : (dateTime ?? ''))

export const spanOfTimes = ({ start, end }: Times): Interval => ({
  dated: start.date !== undefined,
  start: instantOfTime(start),
  end: instantOfTime(end),
})

export const instantIn = (time: EventDateTime, zone: string): number =>
  instantInZone({ dated: time.date !== undefined, start: instantOfTime(time) }, zone)

export const instantInZone = ({ dated, start }: Pick<Interval, 'dated' | 'start'>, zone: string): number =>
  dated ? instantOf(start, zone) : start

const sameTime = (a: EventDateTime, b: EventDateTime): boolean => a.date === b.date && a.dateTime === b.dateTime

export const isMoved = (before: Times | undefined, after: Times): boolean =>
  before !== undefined && !(sameTime(before.start, after.start) && sameTime(before.end, after.end))

const IN_UTC = '2026-03-09T13:00:00Z'.length

/** Formatted in a zone, with the event's own `timeZone` (behaviour 13.5, 13.6). */
export function toShownTime(time: EventDateTime, zone: string): EventDateTime {
  if (time.dateTime === undefined) return time
  if (zone === 'UTC' && time.dateTime.length === IN_UTC) return time
  const dateTime = formatInZone(Date.parse(time.dateTime), zone)
  return dateTime === time.dateTime ? time : { ...time, dateTime }
}

/** `Z` if the offset is 0, or if the local year has no four digits. */
export function formatInZone(instant: number, zone: string): string {
  const offset = offsetAt(instant, zone)
  if (offset === 0 || !inRange(instant + offset)) return formatUtc(instant)
  return formatDateTime(instant + offset) + formatOffset(offset)
}

/** Dates are read in the zone. An undefined bound is open. */
export function windowOf(from: number | undefined, to: number | undefined, zone: string): Window {
  return {
    from: from ?? Number.NEGATIVE_INFINITY,
    to: to ?? Number.POSITIVE_INFINITY,
    wallFrom: from === undefined ? Number.NEGATIVE_INFINITY : from + offsetAt(from, zone),
    wallTo: to === undefined ? Number.POSITIVE_INFINITY : to + offsetAt(to, zone),
  }
}
