import { InvalidRecurrence, openSeries, type Series } from '../../recurrence/series.ts'
import { instantOf, readingAt, wallTimeAt } from '../../recurrence/zone.ts'
import { type Component, propertiesOf } from './components.ts'
import type { Property } from './contentLines.ts'
import { LeftOut, quoted, type Say } from './report.ts'
import { readRule } from './rules.ts'
import { dateStamp, stampIn, utcStamp } from './stamps.ts'
import { dayIn, dayOf, type Moment, type Zones } from './zones.ts'

/** What an event recurs by: rules as lines, and single starts that are added and taken away. */
export type Recurrence = { rules: string[]; added: number[]; excluded: number[] }

/** More are longer than the service lets a recurrence be (behaviour 14.22). */
const MOST_DATES = 4000

const none = (): Recurrence => ({ rules: [], added: [], excluded: [] })

/** The recurrence of an event; nothing where it has none. What the service has no words for leaves the event out. */
export function readRecurrence(event: Component, start: Moment, zones: Zones, say: Say): Recurrence | undefined {
  const read = none()
  for (const rule of propertiesOf(event, 'rrule', 'exrule')) {
    const lines = rule.value.trim() === '' ? [] : [readRule(rule, start, zones, say)]
    read.rules.push(...lines)
  }
  for (const dates of propertiesOf(event, 'rdate')) read.added.push(...startsIn(dates, start, zones, say))
  for (const dates of propertiesOf(event, 'exdate')) read.excluded.push(...startsIn(dates, start, zones, say))
  if (read.added.length + read.excluded.length > MOST_DATES) {
    throw new LeftOut(event.line, `the service holds no series with more than ${MOST_DATES} single dates`)
  }
  return read.rules.length + read.added.length > 0 ? read : undefined
}

/** The starts that a line of dates names, whatever their kind: a period by its start, a date by the time of the series. */
function startsIn({ value, type, parameters, line }: Property, start: Moment, zones: Zones, say: Say): number[] {
  // vCalendar 1.0 has semicolons between them.
  return value.split(/[,;]/).flatMap((text) => {
    const [from = ''] = text.split('/')
    const stamp = stampIn(from, type)
    if (!stamp) {
      if (from.trim() !== '') say(line, `no date or time, and passed over: ${quoted(from)}`)
      return []
    }
    const governing = start.dated ? undefined : (start.zone ?? 'UTC')
    return slotNear(
      zones.place(stamp, { zone: parameters.get('tzid'), governing, recurring: true, line, say }),
      start,
      zones,
    )
  })
}

/** A moment as a start of a series: of its day where the series has days, at its time of day where the moment has none. */
export function slotNear(moment: Moment, start: Moment, zones: Zones): number {
  if (moment.dated === start.dated) return moment.at
  if (start.dated) return moment.dated ? moment.at : dayOf(moment, zones)
  const zone = start.zone ?? 'UTC'
  return instantOf(moment.at + timeOfDay(start.at, zone), zone)
}

const timeOfDay = (instant: number, zone: string): number => readingAt(instant, zone) - dayIn(instant, zone)

/** Years have four digits. */
const isWritten = (start: number): boolean => /^\d/.test(new Date(start).toISOString())

/** The lines of a recurrence, as an event of the service has them. */
export function linesOf({ rules, added, excluded }: Recurrence, { dated }: Moment): string[] {
  const dates = (name: string, starts: number[]) => {
    const stamps = [...new Set(starts)]
      .filter(isWritten)
      .sort((a, b) => a - b)
      .map(dated ? dateStamp : utcStamp)
    return stamps.length > 0 ? [`${name}${dated ? ';VALUE=DATE' : ''}:${stamps.join(',')}`] : []
  }
  return [...rules, ...dates('RDATE', added), ...dates('EXDATE', excluded)]
}

export function seriesFrom(recurrence: Recurrence, start: Moment, line: number): Series {
  const zone = start.dated ? 'UTC' : (start.zone ?? 'UTC')
  const begins = start.dated
    ? { date: new Date(start.at).toISOString().slice(0, 10) }
    : { wall: wallTimeAt(start.at, zone), zone, instant: start.at }
  try {
    return openSeries(begins, linesOf(recurrence, start))
  } catch (error) {
    if (error instanceof InvalidRecurrence) throw new LeftOut(line, `no series of the service: ${error.message}`)
    throw error
  }
}
