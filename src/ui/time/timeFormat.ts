import { addDays } from '../api/shared.ts'
import type { EventTime } from '../api/types.ts'
import { dateOf, eventInstant, isWholeDay, wallToMs } from './wallTime.ts'

/** An `instant` is a text in RFC 3339. */
export type TimeFormat = {
  zone: string
  /** `Mon 2 Mar 2026, 09:00 GMT-5` */
  instant(text: string): string
  /** `2 Mar 09:00:15 GMT-5`, for lists of requests. */
  clock(text: string): string
  /**
   * `Mon 2 Mar 2026, 09:00–10:00 GMT-5`; an all-day event has its last day if it has several. `No time` if the start or the end
   * is missing.
   */
  range(start: EventTime | null | undefined, end: EventTime | null | undefined): string
}

/** `New York` */
export const placeOf = (zone: string): string => zone.replace(/^.*\//, '').replaceAll('_', ' ')

const DATE = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const
const dateFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...DATE })

/** Removes commas after weekdays, and writes the spaces of a keyboard. */
const tidy = (text: string): string =>
  text
    .replace(/\b(\w{3}),/g, '$1')
    .replace(/\s?–\s?/g, '–')
    .replace(/\s/g, ' ')

/** `Mon 2 Mar 2026` */
export const showDate = (date: string): string => tidy(dateFormat.format(wallToMs(dateOf(date))))

/** Throws a RangeError for an unknown zone. */
export function createTimeFormat(zone: string, hour12: boolean): TimeFormat {
  const time = { hour: hour12 ? 'numeric' : '2-digit', minute: '2-digit', hourCycle: hour12 ? 'h12' : 'h23' } as const
  const options = { timeZone: zone, timeZoneName: 'short', ...time } as const
  const instantFormat = new Intl.DateTimeFormat('en-GB', { ...options, ...DATE })
  const clockFormat = new Intl.DateTimeFormat('en-GB', {
    ...options,
    day: 'numeric',
    month: 'short',
    second: '2-digit',
  })
  return {
    zone,
    instant: (text) => tidy(instantFormat.format(Date.parse(text))),
    clock: (text) => tidy(clockFormat.format(Date.parse(text))),
    range(start, end) {
      if (!start || !end) return 'No time'
      if (!isWholeDay(start)) return tidy(instantFormat.formatRange(eventInstant(start, zone), eventInstant(end, zone)))
      const last = addDays(end.date ?? addDays(start.date, 1), -1)
      return tidy(dateFormat.formatRange(wallToMs(start.date), wallToMs(last > start.date ? last : start.date)))
    },
  }
}
