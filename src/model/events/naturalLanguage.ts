import type { ParsedComponents, ParsedResult } from 'chrono-node'
import { parse } from 'chrono-node/en'
import { DAY_MS, dayOf } from '../../recurrence/days.ts'
import { formatDate } from '../../recurrence/format.ts'
import { instantOf, localMsAt, toLocalDay } from '../../recurrence/zone.ts'
import { throwApiError } from '../../schema/apiErrors.ts'
import type { EventDraft } from '../../schema/event.ts'
import { formatUtc } from './times.ts'

const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE

/** `length` is the default of an event in milliseconds. */
export type SentenceContext = { now: number; length: number; zone: string }
type Times = Pick<EventDraft, 'start' | 'end'>
type Duration = { minutes: number; whole: boolean }

/** Times and place, and the rest as summary (behaviour 7.9). Throws `badTimestamp` (400) outside the years 1 to 9999. */
export function parseSentence(text: string, context: SentenceContext): EventDraft {
  const { rule, rest } = takeRepetition(text)
  return { ...parseSingle(rest, context), ...(rule && { recurrence: [`RRULE:${rule}`] }) }
}

const FREQUENCIES: readonly (readonly [words: RegExp, rule: string])[] = [
  [/\s(?:daily|every\s+day)$/i, 'FREQ=DAILY'],
  [/\s(?:every\s+weekday)$/i, 'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR'],
  [/\s(?:weekly|every\s+week)$/i, 'FREQ=WEEKLY'],
  [/\s(?:monthly|every\s+month)$/i, 'FREQ=MONTHLY'],
  [/\s(?:yearly|annually|every\s+year)$/i, 'FREQ=YEARLY'],
]
const EVERY_WEEKDAY = /\bevery\s+((?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?)\b/i

/**
 * Removes the words of the repetition from the text (behaviour 7.9). A weekday stays, because it is the day of the first event.
 */
function takeRepetition(text: string): { rule?: string; rest: string } {
  const trimmed = text.trim()
  const [every, weekday] = EVERY_WEEKDAY.exec(trimmed) ?? []
  if (every && weekday) {
    return { rule: `FREQ=WEEKLY;BYDAY=${weekday.slice(0, 2).toUpperCase()}`, rest: trimmed.replace(every, weekday) }
  }
  const [words, rule] = FREQUENCIES.find(([words]) => words.test(trimmed)) ?? []
  return words && rule ? { rule, rest: trimmed.replace(words, '') } : { rest: text }
}

function parseSingle(text: string, context: SentenceContext): EventDraft {
  const { duration, wait, rest } = takeDurations(text)
  if (wait) return { ...splitLocation(removeTimes(rest, [])), ...timesAfterWait(context, wait, duration) }
  const results = parse(rest, hostsDate(context), { forwardDate: true }).filter((result) => !isMonthAlone(result))
  const [first, second] = results
  const times = first && second && areOneTime(first, second) ? [first, second] : results.slice(0, 1)
  const { summary, location } = splitLocation(removeTimes(rest, times))
  return { ...(summary && { summary }), ...(location && { location }), ...composeTimes(times, context, duration) }
}

/**
 * The grammar uses the host's time zone, so its reference date is an instant at which the host's clock shows the present wall
 * time of the calendar. Results are then read in the calendar's zone.
 */
function hostsDate({ now, zone }: SentenceContext): Date {
  const wall = new Date(localMsAt(now, zone))
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()]
  return new Date(year, month, day, wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds())
}

const isMonthAlone = ({ text, start }: ParsedResult): boolean =>
  /^[a-z]+$/i.test(text) && start.isCertain('month') && !start.isCertain('day')

/** One has the day and the other the hour. */
const areOneTime = (a: ParsedResult, b: ParsedResult): boolean =>
  a.start.isCertain('hour') !== b.start.isCertain('hour') && hasDay(a.start) !== hasDay(b.start)

const hasDay = (at: ParsedComponents): boolean => at.isCertain('day') || at.isCertain('weekday')

/** Starts at the first day and the first hour that were found, or else at the next half hour. */
function composeTimes(times: ParsedResult[], context: SentenceContext, duration: Duration | undefined): Times {
  const { now, length, zone } = context
  const localNow = localMsAt(now, zone)
  const today = toLocalDay(now, zone)
  const day = times.find(({ start }) => hasDay(start))
  const hour = times.find(({ start }) => start.isCertain('hour'))
  const lengthMs = duration ? duration.minutes * MINUTE : length
  if (hour) {
    const date = day ? midnightOf(day.start) : today
    const from = onOrAfter(day ? Number.NEGATIVE_INFINITY : now, date, hour, hour.start, zone)
    const { end } = hour
    if (!end || duration) return toTimedRange(from, from + lengthMs, zone)
    const until = onOrAfter(from + 1, hasDay(end) ? midnightOf(end) : toLocalDay(from, zone), hour, end, zone)
    return toTimedRange(from, until, zone)
  }
  const match = day ?? times[0]
  if (!match && !duration?.whole) {
    const start = now - localNow + Math.ceil(localNow / HALF_HOUR) * HALF_HOUR
    return toTimedRange(start, start + lengthMs, zone)
  }
  const date = match ? midnightOf(match.start) : today
  const last = match?.end ? midnightOf(match.end) : date + Math.ceil((duration?.minutes ?? 1) / (24 * 60) - 1) * DAY_MS
  return {
    start: { date: formatSupportedDate(date) },
    end: { date: formatSupportedDate(Math.max(last, date) + DAY_MS) },
  }
}

function onOrAfter(least: number, date: number, match: ParsedResult, at: ParsedComponents, zone: string): number {
  const instant = instantOfMatch(date, match, at, zone)
  return instant >= least ? instant : instantOfMatch(date + DAY_MS, match, at, zone)
}

function timesAfterWait({ now, length, zone }: SentenceContext, wait: Duration, duration: Duration | undefined): Times {
  const start = Math.floor(now / MINUTE) * MINUTE + wait.minutes * MINUTE
  return toTimedRange(start, start + (duration ? duration.minutes * MINUTE : length), zone)
}

/** Years have four digits (behaviour 14.32). */
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T00:00:00Z')
const requireSupportedYear = (instant: number): number =>
  instant >= FIRST && instant <= LAST ? instant : throwApiError('badTimestamp')

const toTimedRange = (start: number, end: number, timeZone: string): Times => ({
  start: { dateTime: formatUtc(requireSupportedYear(start)), timeZone },
  end: { dateTime: formatUtc(requireSupportedYear(end)), timeZone },
})

function instantOfMatch(date: number, { text }: ParsedResult, at: ParsedComponents, zone: string): number {
  const localMs = date + ((hourOf(text, at) * 60 + (at.get('minute') ?? 0)) * 60 + (at.get('second') ?? 0)) * 1000
  const hasOffset = at.isCertain('timezoneOffset') && ![...at.tags()].some((tag) => /relative|now/.test(tag))
  if (hasOffset) return localMs - (at.get('timezoneOffset') ?? 0) * MINUTE
  return instantOf(localMs, zone)
}

/** One to six without am or pm is in the afternoon; `05:30` is a 24-hour time. */
function hourOf(text: string, at: ParsedComponents): number {
  const hour = at.get('hour') ?? 0
  const afternoon = !at.isCertain('meridiem') && hour >= 1 && hour <= 6 && !/\b0\d|\dT\d/.test(text)
  return afternoon ? hour + 12 : hour
}

const midnightOf = (at: ParsedComponents): number =>
  dayOf(at.get('year') ?? 0, at.get('month') ?? 1, at.get('day') ?? 1) * DAY_MS
const formatSupportedDate = (localMs: number): string => formatDate(requireSupportedYear(localMs))

/** Minutes by the first letter of a unit. */
const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 }
const COUNTS: Readonly<Record<string, number>> = {
  a: 1, an: 1, 'half a': 0.5, 'half an': 0.5, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8,
} // biome-ignore format: a table
const COUNT = String.raw`\d+(?:\.\d+)?|half an?|an?|${Object.keys(COUNTS)
  .filter((name) => name.length > 2)
  .join('|')}`
const PIECE = String.raw`(${COUNT})\s*(weeks?|days?|hours?|hrs?|h|minutes?|mins?|m)\b`
/** One or two durations after a word, such as `for 1 hour and 30 minutes`. */
const durationPattern = (word: string) => new RegExp(String.raw`\b${word}\s+${PIECE}(?:\s*(?:and\s+)?${PIECE})?`, 'i')
const FOR = durationPattern('for')
const IN = durationPattern('in')

type Lengths = { duration?: Duration | undefined; wait?: Duration | undefined; rest: string }

/** `for 1h 30m`, `in 20 minutes`, but not `in 3 days`. */
function takeDurations(text: string): Lengths {
  const { duration, rest } = takeDuration(FOR, text)
  const { duration: wait, rest: afterWait } = takeDuration(IN, rest)
  return wait && !wait.whole ? { duration, wait, rest: afterWait } : { duration, rest }
}

function takeDuration(pattern: RegExp, text: string): { duration?: Duration; rest: string } {
  const match = pattern.exec(text)
  if (!match) return { rest: text }
  const [matched, count, unit, count2, unit2] = match
  const minutes = toMinutes(count, unit) + toMinutes(count2, unit2)
  const whole = [unit, unit2].every((one) => !/[hm]/i.test(one ?? ''))
  return { duration: { minutes, whole }, rest: text.replace(matched, '') }
}

const toMinutes = (count = '', unit = ''): number =>
  (COUNTS[count.toLowerCase()] ?? Number(count)) * (UNITS[unit.charAt(0).toLowerCase()] ?? 0)

function removeTimes(text: string, times: ParsedResult[]): string {
  const cut = times.reduceRight((left, { index, text: match }) => {
    const before = left.slice(0, index).replace(/\b(?:on|at|from|by|this|every)(?:\s+the)?\s*$|@\s*$/i, '')
    return `${before} ${left.slice(index + match.length)}`
  }, text)
  return cut
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;])/g, '$1')
    .replace(/^[\s,;:-]+|[\s,;:-]+$/g, '')
}

function splitLocation(text: string): { summary: string; location?: string } {
  const [, summary, location] = /^(.+?) (?:at|in|@) (?!(?:at|in) )(.+)/i.exec(text) ?? []
  return summary && location ? { summary, location } : { summary: text }
}
