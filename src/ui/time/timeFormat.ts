import type { EventTime } from '../api/types.ts'
import { addDays, dateOf, eventWallTime, type FloatingTime, isDate, timeOf, wallTimeIn, wallToMs } from './wallTime.ts'

/** An `instant` is a text in RFC 3339. */
export type TimeFormat = {
  zone: string
  hour12: boolean
  /** `Mon 2 Mar 2026, 09:00 GMT-5` */
  instant(text: string): string
  /** `2 Mar 09:00:15 GMT-5`, for lists of requests. */
  clock(text: string): string
  /** `9:00 am` or `09:00` */
  time(wall: FloatingTime): string
  /** `9 am` or `09:00`, for an hour from 0 to 23. */
  hour(hour: number): string
  /**
   * `Mon 2 Mar 2026, 09:00–10:00 GMT-5`; an all-day event has its last day if it has several. `No time` if the start or the end
   * is missing.
   */
  range(start: EventTime | null | undefined, end: EventTime | null | undefined): string
}

/** `New York` */
export const placeOf = (zone: string): string => zone.replace(/^.*\//, '').replaceAll('_', ' ')

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'UTC', weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' },
})
/** `Mon 2 Mar 2026` */
export const formatDate = (date: string): string => dateFormat.format(wallToMs(dateOf(date))).replace(',', '')

const longDateFormat = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
})
/** `Monday 2 March 2026` */
export const formatLongDate = (date: string): string => longDateFormat.format(wallToMs(dateOf(date))).replace(',', '')

const plainDateFormat = new Intl.DateTimeFormat('en-GB', {
  ...{ timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' },
})
/** `2 March 2026` */
export const formatPlainDate = (date: string): string => plainDateFormat.format(wallToMs(dateOf(date)))

const shortDateFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' })

/** Throws a RangeError for an unknown zone. */
export function createTimeFormat(zone: string, hour12: boolean): TimeFormat {
  const names = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'short' })
  const zoneName = (instant: number): string =>
    names.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? zone
  const time = (wall: FloatingTime): string => {
    const [hour = 0, minute = 0] = timeOf(wall).split(':').map(Number)
    if (!hour12) return timeOf(wall)
    return `${hour % 12 || 12}:${String(minute).padStart(2, '0')} ${hour < 12 ? 'am' : 'pm'}`
  }
  return {
    zone,
    hour12,
    time,
    hour: (hour) => (hour12 ? `${hour % 12 || 12} ${hour < 12 ? 'am' : 'pm'}` : `${String(hour).padStart(2, '0')}:00`),
    instant(text) {
      const instant = Date.parse(text)
      const wall = wallTimeIn(zone, instant)
      return `${formatDate(wall)}, ${time(wall)} ${zoneName(instant)}`
    },
    clock(text) {
      const instant = Date.parse(text)
      const wall = wallTimeIn(zone, instant)
      const [hours, suffix = ''] = hour12 ? time(wall).split(' ') : [time(wall)]
      const seconds = `${hours}:${wall.slice(17, 19)}${suffix && ` ${suffix}`}`
      return `${shortDateFormat.format(wallToMs(wall))} ${seconds} ${zoneName(instant)}`
    },
    range(start, end) {
      if (!start || !end) return 'No time'
      if (isDate(start)) {
        const last = end.date === undefined ? start.date : addDays(end.date, -1)
        return last <= start.date ? formatDate(start.date) : `${formatDate(start.date)} – ${formatDate(last)}`
      }
      const [from, to] = [eventWallTime(start, zone), eventWallTime(end, zone)]
      const until = dateOf(from) === dateOf(to) ? time(to) : `${formatDate(to)}, ${time(to)}`
      const instant = Date.parse(start.dateTime ?? '')
      return `${formatDate(from)}, ${time(from)}–${until} ${zoneName(Number.isNaN(instant) ? wallToMs(from) : instant)}`
    },
  }
}
