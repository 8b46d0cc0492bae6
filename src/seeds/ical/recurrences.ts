import { InvalidRecurrenceError, openSeries, type Series } from '../../recurrence/series.ts'
import { instantOf, localMsAt, wallTimeAt } from '../../recurrence/zone.ts'
import { type Component, findProperties } from './components.ts'
import type { Property } from './contentLines.ts'
import { formatDate, formatUtc, parseDateTime, parseICalDuration } from './icalDateTime.ts'
import { quote, type Report, UnsupportedEventError } from './report.ts'
import { readRule } from './rules.ts'
import { addDuration, DATE_WITH_TIME } from './times.ts'
import { dayOfMoment, localDay, type ZonedDateTime, type Zones } from './zones.ts'

/**
 * The recurrence of an event: rule lines, single starts that are added or excluded, and the ends of added starts that
 * are periods. Starts and ends are epoch milliseconds; starts of all-day series are UTC midnights.
 */
export type Recurrence = { rules: string[]; added: number[]; excluded: number[]; ends?: ReadonlyMap<number, number> }

/** Limit of dates, because the service rejects longer recurrences (behaviour 14.22). */
const MAX_DATES = 4000

/** Returns a recurrence without rules and dates. */
const emptyRecurrence = (): Recurrence => ({ rules: [], added: [], excluded: [] })

/**
 * Returns the recurrence of an event; undefined if it has none. Throws an UnsupportedEventError for rules that the
 * service does not support.
 */
export function readRecurrence(
  event: Component,
  start: ZonedDateTime,
  zones: Zones,
  report: Report,
): Recurrence | undefined {
  const read = emptyRecurrence()
  for (const rule of findProperties(event, 'rrule', 'exrule')) {
    const lines = rule.value.trim() === '' ? [] : [readRule(rule, start, zones, report)]
    read.rules.push(...lines)
  }
  const ends = new Map<number, number>()
  for (const dates of findProperties(event, 'rdate')) {
    for (const { slot, end } of parseSlots(dates, start, zones, report)) {
      read.added.push(slot)
      if (end !== undefined && end >= slot && !start.dated) ends.set(slot, end)
    }
  }
  for (const dates of findProperties(event, 'exdate')) {
    read.excluded.push(...parseSlots(dates, start, zones, report).map(({ slot }) => slot))
  }
  if (read.added.length + read.excluded.length > MAX_DATES) {
    throw new UnsupportedEventError(event.line, `the service holds no series with more than ${MAX_DATES} single dates`)
  }
  return read.rules.length + read.added.length > 0 ? { ...read, ...(ends.size > 0 && { ends }) } : undefined
}

/**
 * Returns the starts in a line of dates, a date at the time of day of the series, and the end of each period. Reports
 * values that are no dates or times.
 */
function parseSlots(
  { value, type, parameters, line }: Property,
  start: ZonedDateTime,
  zones: Zones,
  report: Report,
): { slot: number; end: number | undefined }[] {
  // vCalendar 1.0 separates them by semicolons.
  return value.split(/[,;]/).flatMap((text) => {
    const [from = '', to = ''] = text.split('/')
    const stamp = parseDateTime(from)
    if (!stamp) {
      if (from.trim() !== '') report(line, `no date or time, and passed over: ${quote(from)}`)
      return []
    }
    if (type === 'date' && stamp.kind !== 'date') report(line, DATE_WITH_TIME)
    const governing = start.dated ? undefined : (start.zone ?? 'UTC')
    const context = { zone: parameters.get('tzid'), governing, recurring: true, line, report }
    const moment = zones.place(stamp, context)
    const slot = nearestSlot(moment, start, zones)
    const [duration, until] = [parseICalDuration(to), parseDateTime(to)]
    if (duration) return { slot, end: addDuration(moment, duration).at }
    return { slot, end: until && zones.place(until, context).at }
  })
}

/**
 * Converts a date or time to a start of a series: to its day in an all-day series, and to the time of day of the series
 * if it is a date.
 */
export function nearestSlot(moment: ZonedDateTime, start: ZonedDateTime, zones: Zones): number {
  if (moment.dated === start.dated) return moment.at
  if (start.dated) return moment.dated ? moment.at : dayOfMoment(moment, zones)
  const zone = start.zone ?? 'UTC'
  return instantOf(moment.at + timeOfDay(start.at, zone), zone)
}

/** Returns the local time of day of an instant, in milliseconds. */
const timeOfDay = (instant: number, zone: string): number => localMsAt(instant, zone) - localDay(instant, zone)

/** Returns true for instants in years with four digits, which iCalendar can express. */
const hasFourDigitYear = (start: number): boolean => /^\d/.test(new Date(start).toISOString())

/** Returns a recurrence as recurrence lines of an event of the API. */
export function toRecurrenceLines({ rules, added, excluded }: Recurrence, { dated }: ZonedDateTime): string[] {
  /** Returns a line with the starts in ascending order; empty without starts. */
  const dates = (name: string, starts: number[]) => {
    const stamps = [...new Set(starts)]
      .filter(hasFourDigitYear)
      .sort((a, b) => a - b)
      .map(dated ? formatDate : formatUtc)
    return stamps.length > 0 ? [`${name}${dated ? ';VALUE=DATE' : ''}:${stamps.join(',')}`] : []
  }
  return [...rules, ...dates('RDATE', added), ...dates('EXDATE', excluded)]
}

/**
 * Returns a recurrence as a series. `line` is the place of the event in the file. Throws an UnsupportedEventError if it
 * is no series of the service.
 */
export function requireSeries(recurrence: Recurrence, start: ZonedDateTime, line: number): Series {
  const zone = start.dated ? 'UTC' : (start.zone ?? 'UTC')
  const begins = start.dated
    ? { date: new Date(start.at).toISOString().slice(0, 10) }
    : { wall: wallTimeAt(start.at, zone), zone, instant: start.at }
  try {
    return openSeries(begins, toRecurrenceLines(recurrence, start))
  } catch (error) {
    if (error instanceof InvalidRecurrenceError)
      throw new UnsupportedEventError(line, `no series of the service: ${error.message}`)
    throw error
  }
}
