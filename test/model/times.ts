/** Times of events and the starts of a series. Every zone here is UTC, so that a day is always 24 hours. */
export type Time = { date: string } | { dateTime: string; timeZone: string }
export type Span = { start: Time; end: Time }

export const DAY_MS = 86_400_000
const YEARS_OF_ENDLESS_SERIES = 2

export const isAllDay = (time: Time): time is { date: string } => 'date' in time
export const msOf = (time: Time): number => Date.parse(isAllDay(time) ? `${time.date}T00:00:00Z` : time.dateTime)
export const isoOf = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z')

/** Returns the time at another instant, of the same kind as `like`. */
export const timeAt = (ms: number, like: Time): Time =>
  isAllDay(like) ? { date: isoOf(ms).slice(0, 10) } : { dateTime: isoOf(ms), timeZone: like.timeZone }

export const lengthOf = ({ start, end }: Span): number => msOf(end) - msOf(start)

/** Returns true if two events have different times. */
export const isRetimed = (a: Span, b: Span): boolean =>
  isAllDay(a.start) !== isAllDay(b.start) || msOf(a.start) !== msOf(b.start) || msOf(a.end) !== msOf(b.end)

/** The id of an instance: the id of its series and its original start in UTC (behaviour 4.1.2). */
export const instanceId = (seriesId: string, slot: number, like: Time): string =>
  `${seriesId}_${isoOf(slot)
    .replace(/[-:]/g, '')
    .slice(0, isAllDay(like) ? 8 : 16)}`

const STEPS = {
  DAILY: (at: Date, n: number) => at.setUTCDate(at.getUTCDate() + n),
  WEEKLY: (at: Date, n: number) => at.setUTCDate(at.getUTCDate() + 7 * n),
  YEARLY: (at: Date, n: number) => at.setUTCFullYear(at.getUTCFullYear() + n),
}

/**
 * The instant two years after another one. An endless series is shown up to it, without the instant itself (behaviour
 * 14.21).
 */
export function horizonAfter(ms: number): number {
  const at = new Date(ms)
  return at.setUTCFullYear(at.getUTCFullYear() + YEARS_OF_ENDLESS_SERIES)
}

/**
 * The original starts of a series before `limit`, in milliseconds. Every start of a rule is counted from the first
 * one.
 */
export function slotsOf(
  { start, recurrence }: { start: Time; recurrence: readonly string[] },
  limit: number,
): number[] {
  const rule = recurrence.find((line) => line.startsWith('RRULE:')) ?? ''
  const part = (name: string) => new RegExp(`[:;]${name}=([^;]+)`).exec(rule)?.[1]
  const step = STEPS[part('FREQ') as keyof typeof STEPS]
  const interval = Number(part('INTERVAL') ?? 1)
  const count = Number(part('COUNT') ?? Number.POSITIVE_INFINITY)
  const until = part('UNTIL') === undefined ? Number.POSITIVE_INFINITY : untilOf(part('UNTIL') ?? '', isAllDay(start))
  const excluded = recurrence.filter((line) => line.startsWith('EXDATE:')).map((line) => untilOf(line.slice(7), false))
  const slots: number[] = []
  for (let n = 0; n < count; n++) {
    const slot = step(new Date(msOf(start)), n * interval)
    if (slot >= limit || slot > until) break
    if (isAllDay(start) || !excluded.includes(slot)) slots.push(slot)
  }
  return slots
}

/** An UNTIL or EXDATE of the form `20260305T090000Z`. All-day series take its date alone (behaviour 4.2.7). */
function untilOf(text: string, datesOnly: boolean): number {
  const [, y, m, d, h, min, s] = /(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/.exec(text) ?? []
  return Date.parse(datesOnly ? `${y}-${m}-${d}T00:00:00Z` : `${y}-${m}-${d}T${h}:${min}:${s}Z`)
}
