import { DAY } from '../../recurrence/days.ts'
import { instantOf, readingAt } from '../../recurrence/zone.ts'
import type { Property } from './contentLines.ts'
import { LeftOut, quoted, type Say } from './report.ts'
import { dateStamp, stampIn, utcStamp } from './stamps.ts'
import { plainRule } from './vcalendar.ts'
import { dayOf, type Moment, type Zones } from './zones.ts'

type Parts = Map<string, string>

const FREQUENCIES = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY']
const KNOWN = 'FREQ UNTIL COUNT INTERVAL WKST BYMONTH BYMONTHDAY BYYEARDAY BYWEEKNO BYDAY BYSETPOS'.split(' ')
const SETS = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYDAY']

/** Parts that mean nothing where they stand, which the service refuses and calendars pass over. */
const IDLE: readonly [part: string, idle: (parts: Parts) => boolean][] = [
  ['COUNT', (parts) => Number(parts.get('COUNT')) === 0],
  ['INTERVAL', (parts) => Number(parts.get('INTERVAL')) === 0],
  ['UNTIL', (parts) => parts.has('COUNT')],
  ['BYWEEKNO', (parts) => parts.get('FREQ') !== 'YEARLY'],
  ['BYYEARDAY', (parts) => parts.get('FREQ') !== 'YEARLY'],
  ['BYMONTHDAY', (parts) => parts.get('FREQ') === 'WEEKLY'],
  ['BYSETPOS', (parts) => !SETS.some((set) => parts.has(set))],
]

/** A rule as the service takes it. One that it has no words for leaves the event out. */
export function readRule({ name, value, line }: Property, start: Moment, zones: Zones, say: Say): string {
  const text = plainRule(value)
  const parts: Parts = new Map(
    text
      .toUpperCase()
      .split(';')
      .map((part) => part.split('=', 2).map((piece) => piece.trim()))
      .flatMap(([key = '', said = '']) => (key && said ? [[key, said] as const] : [])),
  )
  const drop = (part: string) => {
    say(line, `${part}=${quoted(parts.get(part) ?? '')} means nothing here, and was passed over`)
    parts.delete(part)
  }
  requireSayable(parts, start, line)
  for (const part of ['BYHOUR', 'BYMINUTE', 'BYSECOND']) parts.delete(part)
  for (const part of parts.keys()) if (!KNOWN.includes(part)) drop(part)
  for (const [part, idle] of IDLE) if (parts.has(part) && idle(parts)) drop(part)
  const days = parts.get('BYDAY')
  if (days !== undefined && /\d/.test(days) && /DAILY|WEEKLY/.test(parts.get('FREQ') ?? '')) {
    say(line, `BYDAY=${quoted(days)}: its numbers mean nothing here, and were passed over`)
    parts.set('BYDAY', days.replace(/[+-]?\d+/g, ''))
  }
  const until = parts.get('UNTIL')
  if (until !== undefined) parts.set('UNTIL', lastIn(until, { start, zones, line }))
  return `${name.toUpperCase()}:${[...parts].map(([key, said]) => `${key}=${said.replaceAll(' ', '')}`).join(';')}`
}

function requireSayable(parts: Parts, start: Moment, line: number): void {
  const frequency = parts.get('FREQ') ?? ''
  if (!FREQUENCIES.includes(frequency))
    throw new LeftOut(line, `the service has no series of FREQ=${quoted(frequency)}`)
  if (parts.has('RSCALE'))
    throw new LeftOut(line, `the service has no series of RSCALE=${quoted(parts.get('RSCALE') ?? '')}`)
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
      throw new LeftOut(line, `the service has no series of ${part}=${quoted(said)}`)
    }
  }
}

/** UNTIL of the kind of the start, and in UTC; one that names no zone is in that of the start. */
function lastIn(until: string, { start, zones, line }: { start: Moment; zones: Zones; line: number }): string {
  const stamp = stampIn(until)
  if (!stamp) throw new LeftOut(line, `UNTIL is no date or time: ${quoted(until)}`)
  const { kind, reading } = stamp
  if (start.dated) return dateStamp(kind === 'utc' ? dayOf({ at: reading }, zones) : reading)
  const zone = start.zone ?? 'UTC'
  if (kind === 'utc') return utcStamp(reading)
  return utcStamp(kind === 'date' ? instantOf(reading + DAY, zone) - 1000 : instantOf(reading, zone))
}
