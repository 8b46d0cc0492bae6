import { DAY, type Weekday } from './days.ts'
import { invalid } from './invalid.ts'
import { readStamp } from './stamp.ts'
import { instantOf } from './zone.ts'

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** `TU` is every Tuesday; `2TU` and `-1TU` are one of them, counted from either end of the month or year. */
export type WeekdayRank = { weekday: Weekday; nth?: number }

export type Rule = {
  frequency: Frequency
  interval: number
  firstWeekday: Weekday
  count?: number
  /** The last instant at which there may be an occurrence. */
  until?: number
  months?: number[]
  monthDays?: number[]
  yearDays?: number[]
  weeks?: number[]
  weekdays?: WeekdayRank[]
  positions?: number[]
}

/** What a rule is read against. */
export type Anchor = { zone: string; allDay: boolean }

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

const PARTS: Record<string, (text: string, anchor: Anchor) => Partial<Rule>> = {
  FREQ: (text) => ({ frequency: frequency(text) }),
  INTERVAL: (text) => ({ interval: positive(text) }),
  COUNT: (text) => ({ count: positive(text) }),
  UNTIL: (text, anchor) => ({ until: until(text, anchor) }),
  WKST: (text) => ({ firstWeekday: weekday(text) }),
  BYMONTH: (text) => ({ months: list(text, (item) => within(1, 12, item)) }),
  BYMONTHDAY: (text) => ({ monthDays: list(text, (item) => signed(31, item)) }),
  BYYEARDAY: (text) => ({ yearDays: list(text, (item) => signed(366, item)) }),
  BYWEEKNO: (text) => ({ weeks: list(text, (item) => signed(53, item)) }),
  BYDAY: (text) => ({ weekdays: list(text, weekdayRank) }),
  BYSETPOS: (text) => ({ positions: list(text, (item) => signed(366, item)) }),
}

/** RFC 5545, 3.3.10: parts that mean nothing at a frequency, or beside one another. */
const MISFITS: [reason: string, misfit: (rule: Rule) => boolean][] = [
  ['COUNT and UNTIL', ({ count, until }) => count !== undefined && until !== undefined],
  ['BYWEEKNO is for YEARLY', ({ weeks, frequency }) => weeks !== undefined && frequency !== 'YEARLY'],
  ['BYYEARDAY is for YEARLY', ({ yearDays, frequency }) => yearDays !== undefined && frequency !== 'YEARLY'],
  ['BYMONTHDAY is not for WEEKLY', ({ monthDays, frequency }) => monthDays !== undefined && frequency === 'WEEKLY'],
  ['Ranked weekdays are for months and years', (rule) => ranked(rule) && /DAILY|WEEKLY/.test(rule.frequency)],
  ['Ranked weekdays do not go with BYWEEKNO', (rule) => ranked(rule) && rule.weeks !== undefined],
  ['BYSETPOS needs a set', (rule) => rule.positions !== undefined && !SETS.some((set) => rule[set] !== undefined)],
]
const SETS = ['months', 'monthDays', 'yearDays', 'weeks', 'weekdays'] as const

/** Part names and values are case-insensitive; one `;` at the end is forgiven. */
export function readRule(text: string, anchor: Anchor): Rule {
  const parts = text.toUpperCase().replace(/;$/, '').split(';')
  const read = new Map<string, Partial<Rule>>()
  for (const part of parts) {
    const [, name = '', value = ''] = /^([A-Z]+)=(.+)/.exec(part) ?? invalid(`No rule part: ${part}`)
    if (read.has(name)) invalid(`${name} twice`)
    if (!Object.hasOwn(PARTS, name)) invalid(`Unknown rule part: ${name}`)
    read.set(name, PARTS[name]?.(value, anchor) ?? {})
  }
  if (!read.has('FREQ')) invalid('No FREQ')
  const rule: Rule = Object.assign({ frequency: 'DAILY', interval: 1, firstWeekday: 0 }, ...read.values())
  for (const [reason, misfit] of MISFITS) if (misfit(rule)) invalid(reason)
  return rule
}

export function ranked({ weekdays }: Rule): boolean {
  return weekdays?.some(({ nth }) => nth !== undefined) ?? false
}

/** HOURLY and shorter are not supported by the service (behaviour 4.2.3, 14.18). */
function frequency(text: string): Frequency {
  return /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/.test(text) ? (text as Frequency) : invalid(`Unsupported FREQ: ${text}`)
}

/**
 * Inclusive. A date takes in all of that day in the zone of a timed series; a date-time is cut to its date where the
 * series is all-day, and must be in UTC where it is not (behaviour 4.2.4, 4.2.7).
 */
function until(text: string, { zone, allDay }: Anchor): number {
  const stamp = readStamp(text)
  if (allDay) return Math.floor(stamp.reading / DAY) * DAY
  if (stamp.kind === 'wall') invalid(`UNTIL without Z: ${text}`)
  return stamp.kind === 'date' ? instantOf(stamp.reading + DAY, zone) - 1 : stamp.reading
}

function weekday(text: string): Weekday {
  const found = WEEKDAYS.indexOf(text)
  return found < 0 ? invalid(`No weekday: ${text}`) : found
}

function weekdayRank(text: string): WeekdayRank {
  const [, rank = '', name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? invalid(`No weekday: ${text}`)
  return rank ? { weekday: weekday(name), nth: signed(53, rank) } : { weekday: weekday(name) }
}

function list<T>(text: string, read: (item: string) => T): T[] {
  return text.split(',').map(read)
}

function positive(text: string): number {
  return within(1, Number.MAX_SAFE_INTEGER, text)
}

function signed(most: number, text: string): number {
  const value = Number(text)
  if (!/^[+-]?\d+$/.test(text) || value === 0 || Math.abs(value) > most) invalid(`Out of range: ${text}`)
  return value
}

function within(least: number, most: number, text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < least || value > most) invalid(`Out of range: ${text}`)
  return value
}
