import { DAY_MS } from '../../recurrence/days.ts'
import { instantOf, localMsAt } from '../../recurrence/zone.ts'
import type { Property } from './contentLines.ts'
import { formatDate, formatUtc, parseDateTime } from './icalDateTime.ts'
import { quote, type Report, UnsupportedEventError } from './report.ts'
import { toICalendarRule } from './vcalendar.ts'
import { dayOfMoment, type ZonedDateTime, type Zones } from './zones.ts'

type RuleParts = Map<string, string>

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const KNOWN_PARTS = 'FREQ UNTIL COUNT INTERVAL WKST BYMONTH BYMONTHDAY BYYEARDAY BYWEEKNO BYDAY BYSETPOS'.split(' ')
const SET_PARTS = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYDAY']

/** Parts without a meaning in their context. The service rejects them, and calendar programs ignore them. */
const MEANINGLESS_PARTS: readonly [part: string, idle: (parts: RuleParts) => boolean][] = [
  ['COUNT', (parts) => Number(parts.get('COUNT')) === 0],
  ['INTERVAL', (parts) => Number(parts.get('INTERVAL')) === 0],
  ['UNTIL', (parts) => parts.has('COUNT')],
  ['BYWEEKNO', (parts) => parts.get('FREQ') !== 'YEARLY'],
  ['BYYEARDAY', (parts) => parts.get('FREQ') !== 'YEARLY'],
  ['BYMONTHDAY', (parts) => parts.get('FREQ') === 'WEEKLY'],
  ['BYSETPOS', (parts) => !SET_PARTS.some((set) => parts.has(set))],
]

/**
 * Returns a rule as a recurrence line in a form that the service accepts. Reports parts that are removed. Throws an
 * UnsupportedEventError for unsupported parts.
 */
export function readRule({ name, value, line }: Property, start: ZonedDateTime, zones: Zones, report: Report): string {
  // Some programs escape the separators like those of a text.
  const text = toICalendarRule(value.replaceAll('\\', ''))
  const parts: RuleParts = new Map(
    text
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2).map((piece) => piece.trim()))
      .flatMap(([key = '', value = '']) => (key && value ? [[key, value] as const] : [])),
  )
  /** Removes a part of the rule and reports it. */
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
  return `${name.toUpperCase()}:${[...parts].map(([key, value]) => `${key}=${value.replaceAll(' ', '')}`).join(';')}`
}

/**
 * Throws an UnsupportedEventError for a frequency or a part that the service does not support. BYHOUR, BYMINUTE and
 * BYSECOND must be those of the start.
 */
function requireSupported(parts: RuleParts, start: ZonedDateTime, line: number): void {
  const frequency = parts.get('FREQ') ?? ''
  if (!FREQUENCIES.includes(frequency))
    throw new UnsupportedEventError(line, `the service has no series of FREQ=${quote(frequency)}`)
  if (parts.has('RSCALE'))
    throw new UnsupportedEventError(line, `the service has no series of RSCALE=${quote(parts.get('RSCALE') ?? '')}`)
  if (start.dated) return
  const [hour, minute, second] = new Date(localMsAt(start.at, start.zone ?? 'UTC'))
    .toISOString()
    .slice(11, 19)
    .split(':')
  for (const [part, own] of [
    ['BYHOUR', hour],
    ['BYMINUTE', minute],
    ['BYSECOND', second],
  ] as const) {
    const value = parts.get(part)
    if (value !== undefined && !(/^\d+$/.test(value) && Number(value) === Number(own))) {
      throw new UnsupportedEventError(line, `the service has no series of ${part}=${quote(value)}`)
    }
  }
}

/**
 * Returns UNTIL in UTC, as a date or a date-time like the start. Without a zone, it is in the zone of the start. Throws
 * an UnsupportedEventError for any other text.
 */
function parseUntil(
  until: string,
  { start, zones, line }: { start: ZonedDateTime; zones: Zones; line: number },
): string {
  const stamp = parseDateTime(until)
  if (!stamp) throw new UnsupportedEventError(line, `UNTIL is no date or time: ${quote(until)}`)
  const { kind, localMs } = stamp
  if (start.dated) return formatDate(kind === 'utc' ? dayOfMoment({ at: localMs }, zones) : localMs)
  const zone = start.zone ?? 'UTC'
  if (kind === 'utc') return formatUtc(localMs)
  return formatUtc(kind === 'date' ? instantOf(localMs + DAY_MS, zone) - 1000 : instantOf(localMs, zone))
}
