import { DAY } from '../../recurrence/days.ts'
import { instantOf, readingAt } from '../../recurrence/zone.ts'
import type { Property } from './contentLines.ts'
import { formatDate, formatUtc, parseDateTime } from './icalDateTime.ts'
import { quote, type Report, UnsupportedEventError } from './report.ts'
import { toICalendarRule } from './vcalendar.ts'
import { dayOfMoment, type Moment, type Zones } from './zones.ts'

type Parts = Map<string, string>

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const KNOWN_PARTS = 'FREQ UNTIL COUNT INTERVAL WKST BYMONTH BYMONTHDAY BYYEARDAY BYWEEKNO BYDAY BYSETPOS'.split(' ')
const SET_PARTS = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYDAY']

/** Parts that mean nothing where they stand, which the service refuses and calendars pass over. */
const MEANINGLESS_PARTS: readonly [part: string, idle: (parts: Parts) => boolean][] = [
  ['COUNT', (parts) => Number(parts.get('COUNT')) === 0],
  ['INTERVAL', (parts) => Number(parts.get('INTERVAL')) === 0],
  ['UNTIL', (parts) => parts.has('COUNT')],
  ['BYWEEKNO', (parts) => parts.get('FREQ') !== 'YEARLY'],
  ['BYYEARDAY', (parts) => parts.get('FREQ') !== 'YEARLY'],
  ['BYMONTHDAY', (parts) => parts.get('FREQ') === 'WEEKLY'],
  ['BYSETPOS', (parts) => !SET_PARTS.some((set) => parts.has(set))],
]

/** A rule as the service takes it. One that it has no words for leaves the event out. */
export function readRule({ name, value, line }: Property, start: Moment, zones: Zones, report: Report): string {
  const text = toICalendarRule(value)
  const parts: Parts = new Map(
    text
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2).map((piece) => piece.trim()))
      .flatMap(([key = '', said = '']) => (key && said ? [[key, said] as const] : [])),
  )
  const drop = (part: string) => {
    report(line, `${part}=${quote(parts.get(part) ?? '')} means nothing here, and was passed over`)
    parts.delete(part)
  }
  requireSupported(parts, start, line)
  for (const part of ['BYHOUR', 'BYMINUTE', 'BYSECOND']) parts.delete(part)
  for (const part of parts.keys()) if (!KNOWN_PARTS.includes(part)) drop(part)
  for (const [part, idle] of MEANINGLESS_PARTS) if (parts.has(part) && idle(parts)) drop(part)
  const days = parts.get('BYDAY')
  if (days !== undefined && /\d/.test(days) && /DAILY|WEEKLY/.test(parts.get('FREQ') ?? '')) {
    report(line, `BYDAY=${quote(days)}: its numbers mean nothing here, and were passed over`)
    parts.set('BYDAY', days.replace(/[+-]?\d+/g, ''))
  }
  const until = parts.get('UNTIL')
  if (until !== undefined) parts.set('UNTIL', parseUntil(until, { start, zones, line }))
  return `${name.toUpperCase()}:${[...parts].map(([key, said]) => `${key}=${said.replaceAll(' ', '')}`).join(';')}`
}

function requireSupported(parts: Parts, start: Moment, line: number): void {
  const frequency = parts.get('FREQ') ?? ''
  if (!FREQUENCIES.includes(frequency))
    throw new UnsupportedEventError(line, `the service has no series of FREQ=${quote(frequency)}`)
  if (parts.has('RSCALE'))
    throw new UnsupportedEventError(line, `the service has no series of RSCALE=${quote(parts.get('RSCALE') ?? '')}`)
  if (start.dated) return
  const [hour, minute, second] = new Date(readingAt(start.at, start.zone ?? 'UTC'))
    .toISOString()
    .slice(11, 19)
    .split(':')
  for (const [part, own] of [
    ['BYHOUR', hour],
    ['BYMINUTE', minute],
    ['BYSECOND', second],
  ] as const) {
    const said = parts.get(part)
    if (said !== undefined && !(/^\d+$/.test(said) && Number(said) === Number(own))) {
      throw new UnsupportedEventError(line, `the service has no series of ${part}=${quote(said)}`)
    }
  }
}

/** UNTIL of the kind of the start, and in UTC; one that names no zone is in that of the start. */
function parseUntil(until: string, { start, zones, line }: { start: Moment; zones: Zones; line: number }): string {
  const stamp = parseDateTime(until)
  if (!stamp) throw new UnsupportedEventError(line, `UNTIL is no date or time: ${quote(until)}`)
  const { kind, reading } = stamp
  if (start.dated) return formatDate(kind === 'utc' ? dayOfMoment({ at: reading }, zones) : reading)
  const zone = start.zone ?? 'UTC'
  if (kind === 'utc') return formatUtc(reading)
  return formatUtc(kind === 'date' ? instantOf(reading + DAY, zone) - 1000 : instantOf(reading, zone))
}
