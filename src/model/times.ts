import type { Span, Window } from '../db/byInterval.ts'
import { momentText, offsetText, readUtc } from '../recurrence/written.ts'
import { instantAt, instantOf, isZone, offsetAt } from '../recurrence/zone.ts'
import type { Event, EventDateTime } from '../wire/event.ts'
import { isDate } from '../wire/params.ts'
import { type Fault, refuse, refuseAll } from '../wire/refusals.ts'

/** A time as stored: a date, or an instant in UTC and the zone that it was given in. */
export type StoredTime = { date: string; dateTime?: never } | { date?: never; dateTime: string; timeZone: string }
export type Times = Pick<Event, 'start' | 'end'>
type Which = 'start' | 'end'

/** The times of an event as they are stored, or the service's refusal (behaviour 2.2.2, 3.2.11, 13.2). */
export function readTimes(
  { start, end, recurring }: { start: EventDateTime | undefined; end: EventDateTime | undefined; recurring: boolean },
  calendarZone: string,
): { start: StoredTime; end: StoredTime } {
  if (!end) return refuse('missingTime', { which: 'end' })
  if (!start) return end.date ? refuse('mixedTimes') : refuse('missingTime', { which: 'start' })
  // Of the two only the first is told of (behaviour 2.1.5).
  refuseAll(both('invalidTime', start, end, isTwofold).slice(0, 1))
  const kinds = [kindOf(start), kindOf(end)]
  if (kinds[0] !== kinds[1] || !kinds[0]) refuse('mixedTimes')
  if (kinds[0] === 'dateTime') {
    refuseAll([...badZone('start', start), ...badZone('end', end)])
    if (recurring) refuseAll(both('missingZone', start, end, isZoneless))
  }
  const read = { start: storedTime(start, calendarZone), end: storedTime(end, calendarZone) }
  const [from, to] = [instantOfTime(read.start), instantOfTime(read.end)]
  if (to < from || (to === from && read.start.date !== undefined)) refuse('timeRangeEmpty')
  return read
}

const isTwofold = ({ date, dateTime }: EventDateTime): boolean => date !== undefined && dateTime !== undefined
const isZoneless = ({ timeZone }: EventDateTime): boolean => timeZone === undefined

const kindOf = ({ date, dateTime }: EventDateTime) =>
  date !== undefined ? 'date' : dateTime !== undefined ? 'dateTime' : undefined

/** A zone that is none leaves a time without an offset with no zone at all, which is told of too (behaviour 2.1.5, 13.2). */
function badZone(which: Which, { dateTime = '', timeZone }: EventDateTime): Fault[] {
  if (timeZone === undefined || isZone(timeZone)) return []
  const fault = (named: Fault['named']): Fault => ({ named, details: { which } })
  return [fault('invalidZone'), ...(OFFSET.test(dateTime) ? [] : [fault('missingZone')])]
}

function both(
  named: Fault['named'],
  start: EventDateTime,
  end: EventDateTime,
  isBad: (time: EventDateTime) => boolean,
): Fault[] {
  const faults: Fault[] = []
  if (isBad(start)) faults.push({ named, details: { which: 'start' } })
  if (isBad(end)) faults.push({ named, details: { which: 'end' } })
  return faults
}

const DATE = /^(\d{4})-(\d{1,2})-(\d{1,2})$/
const OFFSET = /([Zz]|[+-]\d\d:?\d\d)$/
const DATE_TIME = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d:\d\d)(?:\.\d+)?([Zz]|[+-]\d\d:?\d\d)?$/

/** Years have four digits: what lies beyond, in UTC, is no time. */
const EARLIEST = Date.parse('0000-01-01T00:00:00Z')
export const LATEST = Date.parse('9999-12-31T23:59:59Z')
const inRange = (instant: number): boolean => instant >= EARLIEST && instant <= LATEST

/** A time with an offset is that instant; one without is read by the clock of its `timeZone` (behaviour 13.3, 13.4). */
export function storedTime({ date, dateTime = '', timeZone }: EventDateTime, calendarZone: string): StoredTime {
  if (date !== undefined) return { date: storedDate(date) }
  const [, day = '', time = '', offset] = DATE_TIME.exec(dateTime) ?? []
  const asUtc = isDate(day) ? readUtc(`${day}T${time}Z`) : Number.NaN
  if (Number.isNaN(asUtc) || (!offset && timeZone === undefined)) return refuse('badTimestamp')
  if (timeZone !== undefined && !isZone(timeZone)) return refuse('invalidZone', { which: 'start' })
  const instant = !offset
    ? instantAt(`${day}T${time}`, timeZone ?? calendarZone)
    : isUtc(offset)
      ? asUtc
      : Date.parse(`${day}T${time}${withColon(offset)}`)
  if (!inRange(instant)) return refuse('badTimestamp')
  return { dateTime: formatUtc(instant), timeZone: timeZone ?? calendarZone }
}

const isUtc = (offset: string): boolean => offset === 'Z' || offset === 'z'
const withColon = (offset: string) => offset.toUpperCase().replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')

function storedDate(date: string): string {
  const [, year = '', month = '', day = ''] = DATE.exec(date) ?? []
  const padded = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return isDate(padded) ? padded : refuse('badTimestamp')
}

/** An instant in whole seconds, as UTC is written; years before 0 and after 9999 have six digits and a sign. */
export const formatUtc = (instant: number): string => `${momentText(instant)}Z`

/** The instant of a stored time; of a date, its UTC midnight. */
export const instantOfTime = ({ date, dateTime }: EventDateTime): number =>
  readUtc(date !== undefined ? `${date}T00:00:00Z` : (dateTime ?? ''))

export const spanOfTimes = ({ start, end }: Times): Span => ({
  dated: start.date !== undefined,
  start: instantOfTime(start),
  end: instantOfTime(end),
})

/** The instant at which a stored time begins, where dates are read in a zone. */
export const instantIn = (time: EventDateTime, zone: string): number =>
  toInstant({ dated: time.date !== undefined, start: instantOfTime(time) }, zone)

/** The same of what lies in time: a date begins when the clocks of the zone show its midnight. */
export const toInstant = ({ dated, start }: Pick<Span, 'dated' | 'start'>, zone: string): number =>
  dated ? instantOf(start, zone) : start

/** The same date or instant, whatever the zone that it was given in. */
const sameTime = (a: EventDateTime, b: EventDateTime): boolean => a.date === b.date && a.dateTime === b.dateTime

/** Whether an event that was there before lies at another time now. */
export const isMoved = (before: Times | undefined, after: Times): boolean =>
  before !== undefined && !(sameTime(before.start, after.start) && sameTime(before.end, after.end))

const IN_UTC = '2026-03-09T13:00:00Z'.length

/**
 * A stored time as a reply shows it: the instant by a zone's clock, the event's own zone untouched (behaviour 13.5,
 * 13.6).
 */
export function toShownTime(time: EventDateTime, zone: string): EventDateTime {
  if (time.dateTime === undefined) return time
  if (zone === 'UTC' && time.dateTime.length === IN_UTC) return time
  const dateTime = formatInZone(readUtc(time.dateTime), zone)
  return dateTime === time.dateTime ? time : { ...time, dateTime }
}

/** An instant with a zone's offset, `Z` where that is zero, or where the zone is in a year that cannot be written. */
export function formatInZone(instant: number, zone: string): string {
  const offset = offsetAt(instant, zone)
  if (offset === 0 || !inRange(instant + offset)) return formatUtc(instant)
  return momentText(instant + offset) + offsetText(offset)
}

/** A stretch of time between two instants, open at either end, with dates read in a zone. */
export function windowOf(from: number | undefined, to: number | undefined, zone: string): Window {
  return {
    from: from ?? Number.NEGATIVE_INFINITY,
    to: to ?? Number.POSITIVE_INFINITY,
    wallFrom: from === undefined ? Number.NEGATIVE_INFINITY : from + offsetAt(from, zone),
    wallTo: to === undefined ? Number.POSITIVE_INFINITY : to + offsetAt(to, zone),
  }
}
