import { DAY_MS } from '../../recurrence/days.ts'
import { formatICalDate } from '../../recurrence/format.ts'
import { instantOf, localMsAt } from '../../recurrence/zone.ts'
import { shorten } from '../../schema/values/shownText.ts'
import { formatICalUtc, parseFileDateTime } from './icalDateTime.ts'
import { UnsupportedEventError } from './remarks.ts'
import type { Property } from './syntax.ts'
import { describeInvalidTime } from './times.ts'
import { type ReadContext, toDay, type ZonedDateTime, type Zones } from './zones.ts'

type RuleParts = Map<string, string>

const KNOWN_PARTS = 'FREQ UNTIL COUNT INTERVAL WKST BYMONTH BYMONTHDAY BYYEARDAY BYWEEKNO BYDAY BYSETPOS'.split(' ')
const SET_PARTS = ['BYMONTH', 'BYMONTHDAY', 'BYYEARDAY', 'BYWEEKNO', 'BYDAY']
const TIME_PARTS = { BYHOUR: 11, BYMINUTE: 14, BYSECOND: 17 }

/** The service rejects these parts, and calendar programs ignore them. */
const IGNORED_PARTS: readonly [part: string, isIgnored: (parts: RuleParts) => boolean, reason: string][] = [
  ['COUNT', (parts) => Number(parts.get('COUNT')) === 0, 'it must be at least 1'],
  ['INTERVAL', (parts) => Number(parts.get('INTERVAL')) === 0, 'it must be at least 1'],
  ['UNTIL', (parts) => parts.has('COUNT'), 'the rule also has COUNT'],
  ['BYWEEKNO', (parts) => parts.get('FREQ') !== 'YEARLY', 'it applies only with FREQ=YEARLY'],
  ['BYYEARDAY', (parts) => parts.get('FREQ') !== 'YEARLY', 'it applies only with FREQ=YEARLY'],
  ['BYMONTHDAY', (parts) => parts.get('FREQ') === 'WEEKLY', 'it does not apply with FREQ=WEEKLY'],
  ['BYSETPOS', (parts) => !SET_PARTS.some((set) => parts.has(set)), `the rule has none of ${SET_PARTS.join(', ')}`],
]

/**
 * Returns an RRULE or EXRULE, of vCalendar 1.0 as well, in a form that the service accepts. The time of day must be that of
 * the start.
 */
export function parseICalRule({ name, value, line }: Property, start: ZonedDateTime, context: ReadContext): string {
  const pairs = toICalendarRule(value.replaceAll('\\', '').toUpperCase())
    .split(';')
    .map((part) => part.split('=', 2).map((piece) => piece.trim()))
  const parts: RuleParts = new Map(pairs.flatMap(([key = '', one = '']) => (key && one ? [[key, one] as const] : [])))
  checkSupported(parts, start, line)
  for (const part of Object.keys(TIME_PARTS)) parts.delete(part)
  const ignorePart = (part: string, reason: string) => {
    const text = `${part}=${shorten(parts.get(part) ?? '')}`
    context.report(line, `${text} was ignored, because ${reason}; remove it from the rule`)
    parts.delete(part)
  }
  for (const part of parts.keys()) if (!KNOWN_PARTS.includes(part)) ignorePart(part, 'it is not a part of a rule')
  for (const [part, isIgnored, reason] of IGNORED_PARTS)
    if (parts.has(part) && isIgnored(parts)) ignorePart(part, reason)
  const days = parts.get('BYDAY')
  if (days !== undefined && /\d/.test(days) && /DAILY|WEEKLY/.test(parts.get('FREQ') ?? '')) {
    const reason = `the numbers in BYDAY=${shorten(days)} were ignored, because they apply only with FREQ=MONTHLY or YEARLY`
    context.report(line, `${reason}; remove them`)
    parts.set('BYDAY', days.replace(/[+-]?\d+/g, ''))
  }
  const until = parts.get('UNTIL')
  if (until !== undefined) parts.set('UNTIL', convertUntil(until, start, context.zones, line))
  return `${name.toUpperCase()}:${[...parts].map(([key, one]) => `${key}=${one.replaceAll(' ', '')}`).join(';')}`
}

function checkSupported(parts: RuleParts, start: ZonedDateTime, line: number): void {
  const rejectPart = (part: string, advice: string) => {
    const text = `${part}=${shorten(parts.get(part) ?? '')}`
    throw new UnsupportedEventError(line, `the service has no series with ${text}; ${advice}`)
  }
  if (!/^(DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(parts.get('FREQ') ?? ''))
    rejectPart('FREQ', 'use DAILY, WEEKLY, MONTHLY or YEARLY')
  if (parts.has('RSCALE')) rejectPart('RSCALE', 'write a rule without RSCALE')
  if (start.dated) return
  const own = new Date(localMsAt(start.at, start.zone ?? 'UTC')).toISOString()
  for (const [part, at] of Object.entries(TIME_PARTS)) {
    const value = parts.get(part) ?? own.slice(at, at + 2)
    if (!/^\d+$/.test(value) || Number(value) !== Number(own.slice(at, at + 2)))
      rejectPart(part, 'write one series for each time of day')
  }
}

/** UNTIL becomes a date or a date-time in UTC, like the start. Without a zone, it is in the zone of the start. */
function convertUntil(until: string, start: ZonedDateTime, zones: Zones, line: number): string {
  const stamp = parseFileDateTime(until)
  if (!stamp) throw new UnsupportedEventError(line, describeInvalidTime('UNTIL', until))
  const { kind, localMs } = stamp
  if (start.dated) return formatICalDate(kind === 'utc' ? toDay({ at: localMs }, zones) : localMs)
  if (kind === 'utc') return formatICalUtc(localMs)
  const zone = start.zone ?? 'UTC'
  return formatICalUtc(kind === 'date' ? instantOf(localMs + DAY_MS, zone) - 1000 : instantOf(localMs, zone))
}

const VCALENDAR_RULE = /^(D|W|MP|MD|YM|YD)(\d{1,4})((?: +[^#\s]+)*?)(?: +#(\d+))?(?: +(\d{8}T\d{6}Z?))?$/
const VCALENDAR_KINDS: Readonly<Record<string, readonly [frequency: string, part: string]>> = {
  D: ['DAILY', 'BYDAY'],
  W: ['WEEKLY', 'BYDAY'],
  MP: ['MONTHLY', 'BYDAY'],
  MD: ['MONTHLY', 'BYMONTHDAY'],
  YM: ['YEARLY', 'BYMONTH'],
  YD: ['YEARLY', 'BYYEARDAY'],
}

/** Converts a rule of vCalendar 1.0 in upper case, such as `MP1 2+ TU #3`. Other texts stay unchanged. */
export function toICalendarRule(text: string): string {
  const [, kind = '', interval, terms = '', count = '2', until] = VCALENDAR_RULE.exec(text.trim()) ?? []
  const [frequency, part] = VCALENDAR_KINDS[kind] ?? []
  if (!frequency) return text
  let rank = ''
  const values: string[] = []
  for (const word of terms.split(/\s+/).filter(Boolean)) {
    const isRank = kind === 'MP' && /^\d/.test(word)
    if (isRank) rank = parseSignedNumber(word)
    else values.push(rank + parseSignedNumber(word))
  }
  const end = until ? `UNTIL=${until}` : `COUNT=${count}`
  const parts = [`FREQ=${frequency}`, `INTERVAL=${interval}`, values.length > 0 && `${part}=${values.join(',')}`]
  return [...parts, end !== 'COUNT=0' && end].filter(Boolean).join(';')
}

/** `15-` counts from the end, and `LD` is the last day. Other words stay unchanged. */
const parseSignedNumber = (word: string): string =>
  word === 'LD' ? '-1' : word.replace(/^(\d+)-$/, '-$1').replace(/^(\d+)\+$/, '$1')
