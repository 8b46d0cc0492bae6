import * as namespace from 'rrule'
import { DAY_MS, type Day, dayOf, type Weekday, weekdayOf, weekOf } from './days.ts'
import { parseICalDateTime } from './icalDateTime.ts'
import { rejectRecurrence } from './invalidRecurrence.ts'
import { instantOf } from './zone.ts'

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
 * In a timed series, a date includes its whole day in the zone, and a date-time must be in UTC. In an all-day series, a date-time
 * counts as its date, a midnight in UTC (behaviour 4.2.4, 4.2.7). Throws InvalidRecurrenceError.
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
 * A function, because the built package loads the module on first use. Node sees its CommonJS as a default export; a bundler may
 * see ES modules without one.
 */
const rrule = () => ('default' in namespace ? namespace.default : namespace)

/** No second year before 9999 exists at this interval, so that rrule expands one year only. */
const ONE_YEAR_ONLY = 10_000

/** The days of a yearly rule, counted from 0, by the kind of the year. */
type DaysByKind = Map<string, readonly number[]>

const daysByRule = new Map<string, DaysByKind>()
const MAX_CACHED_RULES = 1000

/** Returns the days that were expanded before for a rule with the same parts. */
export function cachedDays({ months, monthDays, yearDays, weeks, weekdays, firstWeekday }: RecurrenceRule): DaysByKind {
  const key = JSON.stringify([months, monthDays, yearDays, weeks, weekdays, firstWeekday])
  const days: DaysByKind = daysByRule.get(key) ?? new Map()
  if (daysByRule.size >= MAX_CACHED_RULES) daysByRule.clear()
  daysByRule.set(key, days)
  return days
}

/**
 * For a yearly rule with BYYEARDAY, BYWEEKNO or ranked weekdays of the year. rrule receives midnights in UTC and no zone, because
 * it would use the machine's zone. It expands one year at a time, because it would search until the year 9999 for a rule without
 * occurrences. `known` are its `cachedDays`.
 */
export function daysOfYear(rule: RecurrenceRule, year: number, known: DaysByKind): Day[] {
  const kind = yearKind(year)
  const days = known.get(kind) ?? expandYear(rule, equivalentYear(year))
  known.set(kind, days)
  const first = dayOf(year, 1, 1)
  return days.map((day) => first + day)
}

/** Years of a kind begin on the same weekday, and they and their neighbours have the same lengths. */
const yearKind = (year: number): string =>
  [weekdayOf(dayOf(year, 1, 1)), ...[year - 1, year, year + 1].map(lengthOfYear)].join()

/**
 * rrule reads the years 1 to 99 as 1901 to 1999. The year 2000 later has the same days, because the calendar repeats every 400
 * years.
 */
const equivalentYear = (year: number): number => (year < 100 ? year + 2000 : year)

const lengthOfYear = (year: number): number => dayOf(year + 1, 1, 1) - dayOf(year, 1, 1)

function expandYear(rule: RecurrenceRule, year: number): number[] {
  const yearDays = rule.weeks ? daysOfWeeks(rule, year) : rule.yearDays
  if (yearDays?.length === 0) return []
  const first = dayOf(year, 1, 1)
  const { RRule, Weekday } = rrule()
  const days = new RRule({
    freq: RRule.YEARLY,
    interval: ONE_YEAR_ONLY,
    dtstart: new Date(first * DAY_MS),
    bymonth: rule.months ?? null,
    bymonthday: rule.monthDays ?? null,
    byyearday: yearDays ?? null,
    byweekday: expandRanks(rule).map(({ weekday, nth }) => new Weekday(weekday, nth)),
  })
  return days.all().map((midnight) => midnight.getTime() / DAY_MS - first)
}

/**
 * Days of the year from 1. rrule assigns the first days of some years to another week: it puts 1 January 2022 into week 52, and
 * RFC 5545 into no week of 2022.
 */
function daysOfWeeks({ weeks = [], yearDays, firstWeekday }: RecurrenceRule, year: number): number[] {
  const firstDay = dayOf(year, 1, 1)
  const length = dayOf(year + 1, 1, 1) - firstDay
  const firstWeekOf = (someYear: number) => weekOf(dayOf(someYear, 1, 4), firstWeekday)
  const isIn = (week: number, someYear: number) => {
    const [first, next] = [firstWeekOf(someYear), firstWeekOf(someYear + 1)]
    return week >= first && week < next && (weeks.includes(week - first + 1) || weeks.includes(week - next))
  }
  return Array.from({ length }, (_, index) => index + 1).filter((yearDay) => {
    const week = weekOf(firstDay + yearDay - 1, firstWeekday)
    const listed = !yearDays || yearDays.includes(yearDay) || yearDays.includes(yearDay - length - 1)
    return listed && [year - 1, year, year + 1].some((someYear) => isIn(week, someYear))
  })
}

/** rrule intersects `MO,2TU` and RFC 5545 unites them, so that `MO` beside a rank becomes all its ranks. */
function expandRanks(rule: RecurrenceRule) {
  const { weekdays = [] } = rule
  if (!hasRankedWeekday(rule)) return weekdays
  const ranks = Array.from({ length: 53 }, (_, index) => index + 1)
  return weekdays.flatMap(({ weekday, nth }) => (nth ? { weekday, nth } : ranks.map((nth) => ({ weekday, nth }))))
}
