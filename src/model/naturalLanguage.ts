import type { ParsedComponents, ParsedResult } from 'chrono-node'
import { parse } from 'chrono-node/en'
import { DAY, dayOf } from '../recurrence/days.ts'
import { instantOf, readingAt, wallTimeOf } from '../recurrence/zone.ts'
import type { EventDraft } from '../wire/event.ts'
import { refuse } from '../wire/refusals.ts'
import { formatUtc } from './times.ts'

const MINUTE = 60_000
const HALF_HOUR = 30 * MINUTE

/** The instant and the zone in which a sentence is read, and how long an event is where it does not say (in milliseconds). */
export type Spoken = { now: number; length: number; zone: string }
type Times = Pick<EventDraft, 'start' | 'end'>
/** A duration that a sentence names. One in `whole` days or weeks makes an all-day event. */
type Duration = { minutes: number; whole: boolean }

/** The event that a sentence describes: its time, length and place, and the rest as its summary (behaviour 7.9). */
export function parseSentence(text: string, spoken: Spoken): EventDraft {
  const { duration, wait, rest } = lengthsIn(text)
  if (wait) return { ...placeIn(cutOut(rest, [])), ...soon(spoken, wait, duration) }
  const found = parse(rest, hostsDate(spoken), { forwardDate: true }).filter((result) => !isMonthAlone(result))
  const [first, second] = found
  const times = first && second && complete(first, second) ? [first, second] : found.slice(0, 1)
  const { summary, location } = placeIn(cutOut(rest, times))
  return { ...(summary && { summary }), ...(location && { location }), ...when(times, spoken, duration) }
}

/**
 * The grammar reckons with the clock of the host. So that the host's zone has no say, it is given a moment at which that
 * clock shows what the calendar's shows now, and what it finds is placed in the calendar's zone.
 */
function hostsDate({ now, zone }: Spoken): Date {
  const wall = new Date(readingAt(now, zone))
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()]
  return new Date(year, month, day, wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds())
}

/** A month without a day is no time: `Lunch with April` names a person. */
const isMonthAlone = ({ text, start }: ParsedResult): boolean =>
  /^[a-z]+$/i.test(text) && start.isCertain('month') && !start.isCertain('day')

/** Whether two results make one time: the day is in one place of the sentence, the hour in another. */
const complete = (a: ParsedResult, b: ParsedResult): boolean =>
  a.start.isCertain('hour') !== b.start.isCertain('hour') && hasDay(a.start) !== hasDay(b.start)

const hasDay = (at: ParsedComponents): boolean => at.isCertain('day') || at.isCertain('weekday')

function when(times: ParsedResult[], spoken: Spoken, duration: Duration | undefined): Times {
  const { now, length, zone } = spoken
  const reading = readingAt(now, zone)
  const today = midnightBefore(now, zone)
  const day = times.find(({ start }) => hasDay(start))
  const hour = times.find(({ start }) => start.isCertain('hour'))
  const lasting = duration ? duration.minutes * MINUTE : length
  if (hour) {
    const date = day ? midnight(day.start) : today
    const from = onOrAfter(day ? Number.NEGATIVE_INFINITY : now, date, hour, hour.start, zone)
    const { end } = hour
    if (!end || duration) return timed(from, from + lasting, zone)
    const until = onOrAfter(from + 1, hasDay(end) ? midnight(end) : midnightBefore(from, zone), hour, end, zone)
    return timed(from, until, zone)
  }
  const said = day ?? times[0]
  if (!said && !duration?.whole) {
    const start = now - reading + Math.ceil(reading / HALF_HOUR) * HALF_HOUR
    return timed(start, start + lasting, zone)
  }
  const date = said ? midnight(said.start) : today
  const last = said?.end ? midnight(said.end) : date + Math.ceil((duration?.minutes ?? 1) / (24 * 60) - 1) * DAY
  return { start: { date: dateOf(date) }, end: { date: dateOf(Math.max(last, date) + DAY) } }
}

/** The midnight that a zone's clock showed last. */
const midnightBefore = (instant: number, zone: string): number => Math.floor(readingAt(instant, zone) / DAY) * DAY

/** A time of day on a date, or on the day after where that would be before some instant. */
function onOrAfter(least: number, date: number, said: ParsedResult, at: ParsedComponents, zone: string): number {
  const instant = instantSaid(date, said, at, zone)
  return instant >= least ? instant : instantSaid(date + DAY, said, at, zone)
}

/** `in 2 hours`: by elapsed time, not by the clock, to the minute. */
function soon({ now, length, zone }: Spoken, wait: Duration, duration: Duration | undefined): Times {
  const start = Math.floor(now / MINUTE) * MINUTE + wait.minutes * MINUTE
  return timed(start, start + (duration ? duration.minutes * MINUTE : length), zone)
}

/** Years have four digits: no event is said to be further off (behaviour 14.32). */
const FIRST = Date.parse('0001-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T00:00:00Z')
const near = (instant: number): number => (instant >= FIRST && instant <= LAST ? instant : refuse('badTimestamp'))

const timed = (start: number, end: number, timeZone: string): Times => ({
  start: { dateTime: formatUtc(near(start)), timeZone },
  end: { dateTime: formatUtc(near(end)), timeZone },
})

/** The instant of a time of day on a date: by the calendar's clock, unless the sentence names an offset (`3pm UTC`). */
function instantSaid(date: number, { text }: ParsedResult, at: ParsedComponents, zone: string): number {
  const reading = date + ((hourOf(text, at) * 60 + (at.get('minute') ?? 0)) * 60 + (at.get('second') ?? 0)) * 1000
  const named = at.isCertain('timezoneOffset') && ![...at.tags()].some((tag) => /relative|now/.test(tag))
  if (named) return reading - (at.get('timezoneOffset') ?? 0) * MINUTE
  return instantOf(reading, zone)
}

/** Said without am or pm, one to six o'clock is in the afternoon; `05:30` is by a clock of 24 hours. */
function hourOf(text: string, at: ParsedComponents): number {
  const hour = at.get('hour') ?? 0
  const afternoon = !at.isCertain('meridiem') && hour >= 1 && hour <= 6 && !/\b0\d|\dT\d/.test(text)
  return afternoon ? hour + 12 : hour
}

const midnight = (at: ParsedComponents): number =>
  dayOf(at.get('year') ?? 0, at.get('month') ?? 1, at.get('day') ?? 1) * DAY
const dateOf = (reading: number): string => wallTimeOf(near(reading)).slice(0, 10)

/** Units by their first letter, in minutes. */
const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, d: 24 * 60, w: 7 * 24 * 60 }
const COUNTS: Readonly<Record<string, number>> = {
  a: 1, an: 1, 'half a': 0.5, 'half an': 0.5, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8,
} // biome-ignore format: a table
const COUNT = String.raw`\d+(?:\.\d+)?|half an?|an?|${Object.keys(COUNTS)
  .filter((name) => name.length > 2)
  .join('|')}`
const PIECE = String.raw`(${COUNT})\s*(weeks?|days?|hours?|hrs?|h|minutes?|mins?|m)\b`
const lengthAfter = (word: string) => new RegExp(String.raw`\b${word}\s+${PIECE}(?:\s*(?:and\s+)?${PIECE})?`, 'i')
const FOR = lengthAfter('for')
const IN = lengthAfter('in')

type Lengths = { duration?: Duration | undefined; wait?: Duration | undefined; rest: string }

/** `for 2 hours`, `for 1h 30m`, `for half an hour`; `in 20 minutes`, but not in days; and the sentence without them. */
function lengthsIn(text: string): Lengths {
  const { found: duration, rest } = lengthIn(FOR, text)
  const waiting = lengthIn(IN, rest)
  return waiting.found && !waiting.found.whole
    ? { duration, wait: waiting.found, rest: waiting.rest }
    : { duration, rest }
}

function lengthIn(form: RegExp, text: string): { found?: Duration; rest: string } {
  const match = form.exec(text)
  if (!match) return { rest: text }
  const [said, count, unit, count2, unit2] = match
  const minutes = lengthOf(count, unit) + lengthOf(count2, unit2)
  const whole = [unit, unit2].every((one) => !/[hm]/i.test(one ?? ''))
  return { found: { minutes, whole }, rest: text.replace(said, '') }
}

const lengthOf = (count = '', unit = ''): number =>
  (COUNTS[count.toLowerCase()] ?? Number(count)) * (UNITS[unit.charAt(0).toLowerCase()] ?? 0)

/** A sentence without its times and the words that led to them. */
function cutOut(text: string, times: ParsedResult[]): string {
  const cut = times.reduceRight((left, { index, text: said }) => {
    const before = left.slice(0, index).replace(/\b(?:on|at|from|by|this|every)(?:\s+the)?\s*$|@\s*$/i, '')
    return `${before} ${left.slice(index + said.length)}`
  }, text)
  return cut
    .replace(/\s+/g, ' ')
    .replace(/ ([,.;])/g, '$1')
    .replace(/^[\s,;:-]+|[\s,;:-]+$/g, '')
}

/** What follows the first `at` or `in` is the place, but not in `check in at the airport`, where another one follows. */
function placeIn(text: string): { summary: string; location?: string } {
  const [, summary, location] = /^(.+?) (?:at|in|@) (?!(?:at|in) )(.+)/i.exec(text) ?? []
  return summary && location ? { summary, location } : { summary: text }
}
