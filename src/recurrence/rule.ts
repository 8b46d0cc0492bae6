import { DAY_MS, type Weekday } from './days.ts'
import { parseICalDateTime } from './icalDateTime.ts'
import { rejectRecurrence } from './invalidRecurrence.ts'
import { instantOf } from './zone.ts'

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** A weekday with an optional rank: `TU` is every Tuesday, `2TU` and `-1TU` are one of the month or year. */
export type WeekdayRank = { weekday: Weekday; nth?: number }

export type RecurrenceRule = {
  frequency: Frequency
  interval: number
  firstWeekday: Weekday
  count?: number
  /** The latest instant of an occurrence. */
  until?: number
  months?: number[]
  monthDays?: number[]
  yearDays?: number[]
  weeks?: number[]
  weekdays?: WeekdayRank[]
  positions?: number[]
}

/** The properties of a series that a rule depends on. */
export type RuleContext = { zone: string; allDay: boolean }

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

const PARTS: Record<string, (text: string, anchor: RuleContext) => Partial<RecurrenceRule>> = {
  FREQ: (text) => ({ frequency: parseFrequency(text) }),
  INTERVAL: (text) => ({ interval: parsePositive(text) }),
  COUNT: (text) => ({ count: parsePositive(text) }),
  UNTIL: (text, anchor) => ({ until: parseUntil(text, anchor) }),
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
 * Parses a rule. Part names and values are case-insensitive, and one `;` at the end is ignored. Throws
 * InvalidRecurrenceError.
 */
export function parseRule(text: string, anchor: RuleContext): RecurrenceRule {
  const parts = text.toUpperCase().replace(/;$/, '').split(';')
  const read = new Map<string, Partial<RecurrenceRule>>()
  for (const part of parts) {
    const [, name = '', value = ''] = /^([A-Z]+)=(.+)/.exec(part) ?? rejectRecurrence(`No rule part: ${part}`)
    if (read.has(name)) rejectRecurrence(`${name} twice`)
    if (!Object.hasOwn(PARTS, name)) rejectRecurrence(`Unknown rule part: ${name}`)
    read.set(name, PARTS[name]?.(value, anchor) ?? {})
  }
  if (!read.has('FREQ')) rejectRecurrence('No FREQ')
  const rule: RecurrenceRule = Object.assign({ frequency: 'DAILY', interval: 1, firstWeekday: 0 }, ...read.values())
  for (const [reason, isConflict] of CONFLICTS) if (isConflict(rule)) rejectRecurrence(reason)
  return rule
}

export function hasRankedWeekday({ weekdays }: RecurrenceRule): boolean {
  return weekdays?.some(({ nth }) => nth !== undefined) ?? false
}

/** Parses FREQ. The service does not support HOURLY and shorter (behaviour 4.2.3, 14.18). */
function parseFrequency(text: string): Frequency {
  return /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(text)
    ? (text as Frequency)
    : rejectRecurrence(`Unsupported FREQ: ${text}`)
}

/**
 * Parses UNTIL into its last instant. In a timed series, a date includes its whole day in the zone, and a date-time
 * must be in UTC. In an all-day series, a date-time counts as its date (behaviour 4.2.4, 4.2.7).
 */
function parseUntil(text: string, { zone, allDay }: RuleContext): number {
  const dateTime = parseICalDateTime(text)
  if (allDay) return Math.floor(dateTime.localMs / DAY_MS) * DAY_MS
  if (dateTime.kind === 'wall') rejectRecurrence(`UNTIL without Z: ${text}`)
  return dateTime.kind === 'date' ? instantOf(dateTime.localMs + DAY_MS, zone) - 1 : dateTime.localMs
}

function parseWeekday(text: string): Weekday {
  const found = WEEKDAYS.indexOf(text)
  return found < 0 ? rejectRecurrence(`No weekday: ${text}`) : found
}

function parseWeekdayRank(text: string): WeekdayRank {
  const [, rank = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? rejectRecurrence(`No weekday: ${text}`)
  return rank ? { weekday: parseWeekday(name), nth: parseSigned(53, rank) } : { weekday: parseWeekday(name) }
}

function parseList<T>(text: string, read: (item: string) => T): T[] {
  return text.split(',').map(read)
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
