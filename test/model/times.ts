/** Times of events and the starts of a series. Every zone here is UTC, so that a day is always 24 hours. */
export type Time = { date: string } | { dateTime: string; timeZone: string }
type Span = { start: Time; end: Time }

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

/** Returns the id of a series without the part that "this and following" adds (behaviour 4.12.1). */
export const stemOf = (seriesId: string): string => seriesId.replace(/_R\d{8}(T\d{6})?$/, '')

/** Returns the id of an instance: the id of its series and its original start in UTC (behaviour 4.1.2, 4.12.1). */
export const instanceId = (seriesId: string, slot: number, like: Time): string =>
  `${stemOf(seriesId)}_${isoOf(slot).replace(/[-:]/g, '')}`.replace(/T.*/, (time) => (isAllDay(like) ? '' : time))

const STEPS = {
  DAILY: (at: Date, n: number) => at.setUTCDate(at.getUTCDate() + n),
  WEEKLY: (at: Date, n: number) => at.setUTCDate(at.getUTCDate() + 7 * n),
  YEARLY: (at: Date, n: number) => at.setUTCFullYear(at.getUTCFullYear() + n),
}

/** Returns the instant two years after another one, before which an endless series is shown (behaviour 14.21). */
export const horizonAfter = (ms: number): number => STEPS.YEARLY(new Date(ms), YEARS_OF_ENDLESS_SERIES)

/**
 * Returns the original starts of a series before `limit`, in milliseconds. Every start of a rule is counted from the
 * first one. All-day series take the date of an UNTIL alone, and no EXDATE with a time (behaviour 4.2.7).
 */
export function slotsOf({ start, recurrence = [] }: { start: Time; recurrence?: string[] }, limit: number): number[] {
  const part = (name: string) => new RegExp(`[:;]${name}=([^;]+)`).exec(recurrence.join('\n'))?.[1]
  const step = STEPS[part('FREQ') as keyof typeof STEPS]
  const until = part('UNTIL')?.replace(/T.*/, (time) => (isAllDay(start) ? 'T000000Z' : time))
  const last = until ? msOfICal(until) : Number.POSITIVE_INFINITY
  const excluded = recurrence.filter((line) => line.startsWith('EXDATE:')).map((line) => msOfICal(line.slice(7)))
  const first = msOf(start)
  const count = Number(part('COUNT') ?? Number.POSITIVE_INFINITY)
  const interval = Number(part('INTERVAL') ?? 1)
  const slots: number[] = []
  const weekday = part('BYDAY')
  // A start on another weekday is shown in addition to the counted ones (behaviour 14.10).
  const isOutside = weekday !== undefined && WEEKDAYS[new Date(first).getUTCDay()] !== weekday
  const origin = isOutside ? nextWeekday(first, weekday) : first
  if (isOutside && first < limit && (isAllDay(start) || !excluded.includes(first))) slots.push(first)
  for (let n = 0; n < count; n++) {
    const slot = step(new Date(origin), n * interval)
    if (slot >= limit || slot > last) break
    if (isAllDay(start) || !excluded.includes(slot)) slots.push(slot)
  }
  return slots
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
const nextWeekday = (ms: number, weekday: string): number =>
  ms + ((WEEKDAYS.indexOf(weekday) - new Date(ms).getUTCDay() + 7) % 7) * DAY_MS

/** Returns the instant of a time of the form `20260305T090000Z`. */
const msOfICal = (time: string): number =>
  Date.parse(time.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'))
