import { InvalidRecurrence, openSeries, type Series } from '../../recurrence/series.ts'
import { instantOf, readingAt, wallTimeAt } from '../../recurrence/zone.ts'
import { type Component, findProperties } from './components.ts'
import type { Property } from './contentLines.ts'
import { formatDate, formatUtc, parseDateTime } from './icalDateTime.ts'
import { quote, type Report, UnsupportedEventError } from './report.ts'
import { readRule } from './rules.ts'
import { DATE_WITH_TIME } from './times.ts'
import { dayOfMoment, localDay, type Moment, type Zones } from './zones.ts'

/** What an event recurs by: rules as lines, and single starts that are added and taken away. */
export type Recurrence = { rules: string[]; added: number[]; excluded: number[] }

/** More are longer than the service lets a recurrence be (behaviour 14.22). */
const MAX_DATES = 4000

const emptyRecurrence = (): Recurrence => ({ rules: [], added: [], excluded: [] })

/** The recurrence of an event; nothing where it has none. What the service has no words for leaves the event out. */
export function readRecurrence(event: Component, start: Moment, zones: Zones, report: Report): Recurrence | undefined {
  const read = emptyRecurrence()
  for (const rule of findProperties(event, 'rrule', 'exrule')) {
    const lines = rule.value.trim() === '' ? [] : [readRule(rule, start, zones, report)]
    read.rules.push(...lines)
  }
  for (const dates of findProperties(event, 'rdate')) read.added.push(...parseSlots(dates, start, zones, report))
  for (const dates of findProperties(event, 'exdate')) read.excluded.push(...parseSlots(dates, start, zones, report))
  if (read.added.length + read.excluded.length > MAX_DATES) {
    throw new UnsupportedEventError(event.line, `the service holds no series with more than ${MAX_DATES} single dates`)
  }
  return read.rules.length + read.added.length > 0 ? read : undefined
}

/** The starts that a line of dates names, whatever their kind: a period by its start, a date by the time of the series. */
function parseSlots(
  { value, type, parameters, line }: Property,
  start: Moment,
  zones: Zones,
  report: Report,
): number[] {
  // vCalendar 1.0 has semicolons between them.
  return value.split(/[,;]/).flatMap((text) => {
    const [from = ''] = text.split('/')
    const stamp = parseDateTime(from)
    if (!stamp) {
      if (from.trim() !== '') report(line, `no date or time, and passed over: ${quote(from)}`)
      return []
    }
    if (type === 'date' && stamp.kind !== 'date') report(line, DATE_WITH_TIME)
    const governing = start.dated ? undefined : (start.zone ?? 'UTC')
    return nearestSlot(
      zones.place(stamp, { zone: parameters.get('tzid'), governing, recurring: true, line, report }),
      start,
      zones,
    )
  })
}

/** A moment as a start of a series: of its day where the series has days, at its time of day where the moment has none. */
export function nearestSlot(moment: Moment, start: Moment, zones: Zones): number {
  if (moment.dated === start.dated) return moment.at
  if (start.dated) return moment.dated ? moment.at : dayOfMoment(moment, zones)
  const zone = start.zone ?? 'UTC'
  return instantOf(moment.at + timeOfDay(start.at, zone), zone)
}

const timeOfDay = (instant: number, zone: string): number => readingAt(instant, zone) - localDay(instant, zone)

/** Years have four digits. */
const hasFourDigitYear = (start: number): boolean => /^\d/.test(new Date(start).toISOString())

/** The lines of a recurrence, as an event of the service has them. */
export function toRecurrenceLines({ rules, added, excluded }: Recurrence, { dated }: Moment): string[] {
  const dates = (name: string, starts: number[]) => {
    const stamps = [...new Set(starts)]
      .filter(hasFourDigitYear)
      .sort((a, b) => a - b)
      .map(dated ? formatDate : formatUtc)
    return stamps.length > 0 ? [`${name}${dated ? ';VALUE=DATE' : ''}:${stamps.join(',')}`] : []
  }
  return [...rules, ...dates('RDATE', added), ...dates('EXDATE', excluded)]
}

export function requireSeries(recurrence: Recurrence, start: Moment, line: number): Series {
  const zone = start.dated ? 'UTC' : (start.zone ?? 'UTC')
  const begins = start.dated
    ? { date: new Date(start.at).toISOString().slice(0, 10) }
    : { wall: wallTimeAt(start.at, zone), zone, instant: start.at }
  try {
    return openSeries(begins, toRecurrenceLines(recurrence, start))
  } catch (error) {
    if (error instanceof InvalidRecurrence)
      throw new UnsupportedEventError(line, `no series of the service: ${error.message}`)
    throw error
  }
}
