import type { ParsedComponents, ParsedResult } from 'chrono-node'
import { parse } from 'chrono-node/en'
import { readingAt, wallTimeOf } from '../recurrence/zone.ts'
import type { Event, EventDraft } from '../wire/event.ts'
import type { Access } from './access.ts'
import { insertEvent } from './events.ts'
import type { Sending } from './mail.ts'
import { settingsOf } from './settings.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** An event from a sentence: its time by the calendar's zone and the world's clock (behaviour 7.9). */
export function quickAdd(access: Access, text: string, sending: Sending): Event {
  const { world, calendar, caller } = access
  const length = Number(settingsOf(world, caller.email ?? '').get('defaultEventLength')?.value ?? 60)
  const now = readingAt(world.clock.now(), calendar.timeZone)
  return insertEvent(access, readSentence(text, { now, length: length * MINUTE, zone: calendar.timeZone }), sending)
}

export type Sentence = { now: number; length: number; zone: string }

/** What a sentence says: when, how long, where, and in the rest of it what. `now` is the wall clock, as if it were UTC. */
export function readSentence(text: string, { now, length, zone }: Sentence): EventDraft {
  const { minutes, rest } = durationIn(text)
  const found = parse(rest, { instant: new Date(now), timezone: 0 }, { forwardDate: true }).slice(0, 2)
  const [first, second] = found
  const times = second && complete(first, second) ? found : found.slice(0, 1)
  const { summary, location } = placeIn(without(rest, times))
  return { ...(summary && { summary }), ...(location && { location }), ...when(times, { now, length, zone }, minutes) }
}

/** A day in one place of a sentence and an hour in another belong together. */
const complete = (a: ParsedResult | undefined, b: ParsedResult): boolean =>
  a !== undefined && a.start.isCertain('hour') !== b.start.isCertain('hour') && hasDay(a.start) !== hasDay(b.start)

const hasDay = (at: ParsedComponents): boolean => at.isCertain('day') || at.isCertain('weekday')

function when(
  times: ParsedResult[],
  { now, length, zone }: Sentence,
  minutes: number | undefined,
): Pick<EventDraft, 'start' | 'end'> {
  const day = times.find(({ start }) => hasDay(start)) ?? times[0]
  const hour = times.find(({ start }) => start.isCertain('hour'))
  const timed = (start: number, end: number) => {
    const time = (reading: number) => ({ dateTime: wallTimeOf(reading), timeZone: zone })
    // An end by the clock that is not after its start is the next day's.
    return { start: time(start), end: time(end > start ? end : end + DAY) }
  }
  if (!day) {
    const start = Math.ceil(now / (30 * MINUTE)) * 30 * MINUTE
    return timed(start, start + (minutes ? minutes * MINUTE : length))
  }
  const date = midnight(day.start)
  if (hour) {
    const start = date + clock(hour.start)
    const until = hour.end && (hasDay(hour.end) ? midnight(hour.end) : date) + clock(hour.end)
    return timed(start, minutes ? start + minutes * MINUTE : (until ?? start + length))
  }
  const last = day.end ? midnight(day.end) : date + (Math.ceil((minutes ?? 1) / (DAY / MINUTE)) - 1) * DAY
  return { start: { date: dateOf(date) }, end: { date: dateOf(Math.max(last, date) + DAY) } }
}

const midnight = (at: ParsedComponents): number =>
  Date.UTC(at.get('year') ?? 0, (at.get('month') ?? 1) - 1, at.get('day') ?? 1)
const clock = (at: ParsedComponents): number => ((at.get('hour') ?? 0) * 60 + (at.get('minute') ?? 0)) * MINUTE
const dateOf = (reading: number): string => wallTimeOf(reading).slice(0, 10)

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^d/i, 24 * 60],
  [/^h/i, 60],
  [/^m/i, 1],
]
const PIECE = String.raw`(\d+(?:\.\d+)?|an?|half an)\s*(days?|hours?|hrs?|h|minutes?|mins?|m)\b`
const DURATION = new RegExp(String.raw`\bfor\s+${PIECE}(?:\s*(?:and\s+)?${PIECE})?`, 'i')

/** `for 2 hours`, `for 1h 30m`, `for half an hour`, in minutes; and the sentence without it. */
function durationIn(text: string): { minutes: number | undefined; rest: string } {
  const found = DURATION.exec(text)
  if (!found) return { minutes: undefined, rest: text }
  const piece = (count: string | undefined, unit = '') => {
    const number = count?.toLowerCase().startsWith('half') ? 0.5 : /^an?$/i.test(count ?? '') ? 1 : Number(count ?? 0)
    return number * (UNITS.find(([form]) => form.test(unit))?.[1] ?? 0)
  }
  const minutes = piece(found[1], found[2]) + piece(found[3], found[4])
  return { minutes, rest: text.replace(found[0], ' ') }
}

/** A sentence without its times and the words that led to them. */
function without(text: string, times: ParsedResult[]): string {
  const cut = times.reduceRight((left, { index, text: said }) => {
    const before = left.slice(0, index).replace(/\b(?:on|at|from|by|this|@)\s*$/i, '')
    return `${before} ${left.slice(index + said.length)}`
  }, text)
  return cut
    .replace(/\s+/g, ' ')
    .replace(/\s+([,.;])/g, '$1')
    .replace(/^[\s,;-]+|[\s,;-]+$/g, '')
}

/** What follows `at` or `in` is the place. */
function placeIn(text: string): { summary: string; location?: string } {
  const [, summary, location] = /^(.+?)\s+(?:at|in|@)\s+(\S.*)$/i.exec(text) ?? []
  return summary && location ? { summary, location } : { summary: text }
}
