import { DAY_MS, dayOf, type Weekday } from './days.ts'
import { instantOf, type LocalMs } from './zone.ts'

/** Lines that the service rejects as an invalid recurrence rule (behaviour 4.2.1, 4.2.3, 14.18). */
export class InvalidRecurrenceError extends Error {
  override name = 'InvalidRecurrenceError'
}

/** The API does not show the reason; the import of an iCalendar file does. */
export function rejectRecurrence(reason: string): never {
  throw new InvalidRecurrenceError(reason)
}

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** `TU` is every Tuesday; `2TU` is the second of the month or year, `-1TU` the last. */
export type WeekdayRank = { weekday: Weekday; nth?: number }

/**
 * The lists are those of the BY parts, unsorted. They count from 1; a negative number counts from the end, except in `months`.
 */
export type RecurrenceRule = {
  frequency: Frequency
  interval: number
  firstWeekday: Weekday
  count?: number
  /** Itself included, in milliseconds since the epoch. */
  until?: number
  months?: number[]
  monthDays?: number[]
  yearDays?: number[]
  weeks?: number[]
  weekdays?: WeekdayRank[]
  positions?: number[]
}

/** The zone of an all-day series is UTC. */
export type RuleContext = { zone: string; allDay: boolean }

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** The value is in capitals. */
const PARTS: Record<string, (text: string, series: RuleContext) => Partial<RecurrenceRule>> = {
  FREQ: (text) => ({ frequency: parseFrequency(text) }),
  INTERVAL: (text) => ({ interval: parsePositive(text) }),
  COUNT: (text) => ({ count: parsePositive(text) }),
  UNTIL: (text, series) => ({ until: parseUntil(text, series) }),
  WKST: (text) => ({ firstWeekday: parseWeekday(text) }),
  BYMONTH: (text) => ({ months: parseList(text, (item) => parseWithin(1, 12, item)) }),
  BYMONTHDAY: (text) => ({ monthDays: parseList(text, (item) => parseSigned(31, item)) }),
  BYYEARDAY: (text) => ({ yearDays: parseList(text, (item) => parseSigned(366, item)) }),
  BYWEEKNO: (text) => ({ weeks: parseList(text, (item) => parseSigned(53, item)) }),
  BYDAY: (text) => ({ weekdays: parseList(text, parseWeekdayRank) }),
  BYSETPOS: (text) => ({ positions: parseList(text, (item) => parseSigned(366, item)) }),
}

/** Parts that have no meaning at a frequency or together (RFC 5545, 3.3.10). */
const CONFLICTS: [reason: string, isConflict: (rule: RecurrenceRule) => boolean][] = [
  ['COUNT and UNTIL', ({ count, until }) => count !== undefined && until !== undefined],
  ['BYWEEKNO is for YEARLY', ({ weeks, frequency }) => weeks !== undefined && frequency !== 'YEARLY'],
  ['BYYEARDAY is for YEARLY', ({ yearDays, frequency }) => yearDays !== undefined && frequency !== 'YEARLY'],
  ['BYMONTHDAY is not for WEEKLY', ({ monthDays, frequency }) => monthDays !== undefined && frequency === 'WEEKLY'],
  ['Ranked weekdays are for months and years', (rule) => hasRankedWeekday(rule) && /DAILY|WEEKLY/.test(rule.frequency)],
  ['Ranked weekdays do not go with BYWEEKNO', (rule) => hasRankedWeekday(rule) && rule.weeks !== undefined],
  ['BYSETPOS needs a set', (rule) => rule.positions !== undefined && !SETS.some((set) => rule[set] !== undefined)],
]
const SETS = ['months', 'monthDays', 'yearDays', 'weeks', 'weekdays'] as const

/**
 * `FREQ=DAILY;COUNT=3`, case-insensitive; one `;` at the end is ignored. Throws InvalidRecurrenceError for unknown, repeated,
 * conflicting or invalid parts and without FREQ.
 */
export function parseRule(text: string, series: RuleContext): RecurrenceRule {
  const parts = text.toUpperCase().replace(/;$/, '').split(';')
  const parsed = new Map<string, Partial<RecurrenceRule>>()
  for (const part of parts) {
    const [, name = '', value = ''] = /^([A-Z]+)=(.+)/.exec(part) ?? rejectRecurrence(`No rule part: ${part}`)
    if (parsed.has(name)) rejectRecurrence(`${name} twice`)
    if (!Object.hasOwn(PARTS, name)) rejectRecurrence(`Unknown rule part: ${name}`)
    parsed.set(name, PARTS[name]?.(value, series) ?? {})
  }
  if (!parsed.has('FREQ')) rejectRecurrence('No FREQ')
  const rule: RecurrenceRule = Object.assign({ frequency: 'DAILY', interval: 1, firstWeekday: 0 }, ...parsed.values())
  for (const [reason, isConflict] of CONFLICTS) if (isConflict(rule)) rejectRecurrence(reason)
  return rule
}

export function hasRankedWeekday({ weekdays }: RecurrenceRule): boolean {
  return weekdays?.some(({ nth }) => nth !== undefined) ?? false
}

/** Throws InvalidRecurrenceError for HOURLY and shorter, as the service does (behaviour 4.2.3, 14.18). */
function parseFrequency(text: string): Frequency {
  return /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(text)
    ? (text as Frequency)
    : rejectRecurrence(`Unsupported FREQ: ${text}`)
}

/**
 * A date in a timed series includes its whole day in the zone, and a date-time must be in UTC. In an all-day series,
 * a date-time counts as its date, a midnight in UTC (behaviour 4.2.4, 4.2.7). Throws InvalidRecurrenceError.
 */
function parseUntil(text: string, { zone, allDay }: RuleContext): number {
  const dateTime = parseICalDateTime(text)
  if (allDay) return Math.floor(dateTime.localMs / DAY_MS) * DAY_MS
  if (dateTime.kind === 'wall') rejectRecurrence(`UNTIL without Z: ${text}`)
  return dateTime.kind === 'date' ? instantOf(dateTime.localMs + DAY_MS, zone) - 1 : dateTime.localMs
}

function parseWeekday(text: string): Weekday {
  const weekday = WEEKDAYS.indexOf(text)
  return weekday < 0 ? rejectRecurrence(`No weekday: ${text}`) : weekday
}

/** `TU`, `2TU`, `+2TU` or `-1TU`. Throws InvalidRecurrenceError for others and for ranks above 53. */
function parseWeekdayRank(text: string): WeekdayRank {
  const [, rank = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? rejectRecurrence(`No weekday: ${text}`)
  return rank ? { weekday: parseWeekday(name), nth: parseSigned(53, rank) } : { weekday: parseWeekday(name) }
}

function parseList<T>(text: string, parseItem: (item: string) => T): T[] {
  return text.split(',').map(parseItem)
}

function parsePositive(text: string): number {
  return parseWithin(1, Number.MAX_SAFE_INTEGER, text)
}

function parseSigned(max: number, text: string): number {
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text) || value === 0 || Math.abs(value) > max) rejectRecurrence(`Out of range: ${text}`)
  return value
}

function parseWithin(min: number, max: number, text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < min || value > max) rejectRecurrence(`Out of range: ${text}`)
  return value
}

/**
 * RFC 5545: `20260306`, `20260306T090000` and `20260306T140000Z`. A date has the `localMs` of its midnight; that of `utc` is an
 * instant.
 */
export type ICalDateTime = { kind: 'date' | 'wall' | 'utc'; localMs: LocalMs }

const DATE_TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/

/** Throws InvalidRecurrenceError for other forms, and for dates and times that do not exist, such as 30 February. */
export function parseICalDateTime(text: string): ICalDateTime {
  const [, year, month, date, hour, minute, second, utc] =
    DATE_TIME.exec(text) ?? rejectRecurrence(`No date or date-time: ${text}`)
  const day = dayOf(Number(year), Number(month), Number(date))
  const canonical = new Date(day * DAY_MS).toISOString().slice(0, 10)
  if (canonical !== `${year}-${month}-${date}`) rejectRecurrence(`No such date: ${text}`)
  if (hour === undefined) return { kind: 'date', localMs: day * DAY_MS }
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  if (h > 23 || m > 59 || s > 59) rejectRecurrence(`No such time of day: ${text}`)
  return { kind: utc ? 'utc' : 'wall', localMs: day * DAY_MS + ((h * 60 + m) * 60 + s) * 1000 }
}

/** A date is the midnight of the zone, and `utc` ignores the zone. */
export function instantOfICal({ kind, localMs }: ICalDateTime, zone: string): number {
  return kind === 'utc' ? localMs : instantOf(localMs, zone)
}

/** `rest` is the rule without its end (`RRULE:FREQ=DAILY`), the others are values as they are written. */
export type SplitRule = { rest: string; count?: string; until?: string }

const RULE = /^\s*((?:RRULE|EXRULE):)?(.*)$/is
const END = /^(COUNT|UNTIL)=(.*)$/i

/** The rest keeps its spelling and order. Checks nothing. Of repeated parts the last one counts. */
export function splitRuleEnd(rule: string): SplitRule {
  const [, property = '', value = ''] = RULE.exec(rule) ?? []
  const split: SplitRule = { rest: '' }
  const rest = value.split(';').filter((part) => {
    const [, name = '', end = ''] = END.exec(part.trim()) ?? []
    if (name !== '') split[name.toLowerCase() as 'count' | 'until'] = end
    return part !== '' && name === ''
  })
  split.rest = property + rest.join(';')
  return split
}

/** `until` is in the form of UNTIL, such as `20260309T130000Z`. */
export const withRuleEnd = (rule: string, end: { count: number } | { until: string }): string =>
  `${splitRuleEnd(rule).rest};${'count' in end ? `COUNT=${end.count}` : `UNTIL=${end.until}`}`
