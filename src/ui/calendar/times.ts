import type { Instant } from './service.ts'

/**
 * Times by the clock on the wall: `2026-03-02T09:00:00`, of which days are the first part. They are reckoned with as if
 * they were of UTC, which is how a clock on the wall goes on.
 */
export type Wall = string

const DAY = 86_400_000
export const HOUR = 3_600_000

export const dayOf = (wall: Wall): string => wall.slice(0, 10)
export const msOf = (wall: Wall): number =>
  Date.parse(`${wall.length === 10 ? `${wall}T00:00:00` : wall.slice(0, 19)}Z`)
export const wallOf = (ms: number): Wall => new Date(ms).toISOString().slice(0, 19)
export const later = (wall: Wall, ms: number): Wall => wallOf(msOf(wall) + ms).slice(0, wall.length === 10 ? 10 : 19)
export const daysLater = (day: string, days: number): string => later(day, days * DAY)
export const daysBetween = (from: Wall, to: Wall): number => Math.round((msOf(dayOf(to)) - msOf(dayOf(from))) / DAY)

const formats = new Map<string, Intl.DateTimeFormat>()

function formatIn(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known) return known
  const made = new Intl.DateTimeFormat('sv-SE', {
    ...{ timeZone, year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' },
  })
  formats.set(timeZone, made)
  return made
}

/** What the clock on the wall of a zone shows at an instant. */
export const wallIn = (timeZone: string, instant: number): Wall =>
  formatIn(timeZone).format(new Date(instant)).replace(' ', 'T')

/** The instant at which the clock of a zone shows a time: of two the first, and of none the one after the gap. */
export function instantOf(wall: Wall, timeZone: string): number {
  const asUtc = msOf(wall)
  const guess = asUtc - offsetAt(timeZone, asUtc)
  const before = asUtc - offsetAt(timeZone, guess - DAY)
  return [before, guess].find((one) => wallIn(timeZone, one) === wallOf(asUtc)) ?? guess
}

const offsetAt = (timeZone: string, instant: number): number => msOf(wallIn(timeZone, instant)) - instant

export const isDay = (at: Instant | null | undefined): at is Instant & { date: string } => Boolean(at?.date)

/** Whether a time says itself how far it is from UTC. */
const hasOffset = (dateTime: string): boolean => /(Z|[+-]\d\d:\d\d)$/i.test(dateTime)

/** The instant of an event's start or end; of a day its first moment in a zone. */
export function instantAt(at: Instant, timeZone: string): number {
  if (isDay(at)) return instantOf(at.date, timeZone)
  const { dateTime = '' } = at
  return hasOffset(dateTime) ? Date.parse(dateTime) : instantOf(dateTime, at.timeZone ?? timeZone)
}

/** When something is, for people: `Mon 2 Mar 2026, 09:00–10:00`. Of days the last is the one before the end. */
export function said(start: Instant | null | undefined, end: Instant | null | undefined, timeZone: string): string {
  if (!start || !end) return 'no time'
  if (isDay(start)) {
    const last = end.date === undefined ? start.date : daysLater(end.date, -1)
    return last <= start.date ? daySaid(start.date) : `${daySaid(start.date)} – ${daySaid(last)}`
  }
  const [from, to] = [wallIn(timeZone, instantAt(start, timeZone)), wallIn(timeZone, instantAt(end, timeZone))]
  const until = dayOf(from) === dayOf(to) ? to.slice(11, 16) : `${daySaid(dayOf(to))}, ${to.slice(11, 16)}`
  return `${daySaid(dayOf(from))}, ${from.slice(11, 16)}–${until}`
}

const DAYS = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
})
export const daySaid = (day: string): string => DAYS.format(new Date(msOf(day))).replace(',', '')
