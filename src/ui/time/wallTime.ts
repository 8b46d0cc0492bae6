import { instantAt, wallTimeAt } from '../api/shared.ts'
import type { EventTime } from '../api/types.ts'

/**
 * A floating time of RFC 5545: a local time without a zone, such as `2026-03-02T09:00:00`, or a date such as `2026-03-02`.
 * Arithmetic treats it as UTC, so that each day has 24 hours. Its value in milliseconds is that of the same time in UTC.
 */
export type FloatingTime = string

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

/** Returns the date of a local time: `2026-03-02`. */
export const dateOf = (wall: FloatingTime): string => wall.slice(0, 10)
/** Returns the hours and minutes of a local time: `09:00`; for a date an empty text. */
export const timeOf = (wall: FloatingTime): string => wall.slice(11, 16)
/** Returns a local time in milliseconds; NaN if it is not valid. A date is its midnight. */
export const wallToMs = (wall: FloatingTime): number =>
  Date.parse(`${wall.length === 10 ? `${wall}T00:00:00` : wall.slice(0, 19)}Z`)
/** Returns the local time of a value in milliseconds. Throws a RangeError for NaN. */
export const msToWall = (ms: number): FloatingTime => new Date(ms).toISOString().slice(0, 19)
/** Returns the local date of a value in milliseconds. Throws a RangeError for NaN. */
export const msToDate = (ms: number): string => msToWall(ms).slice(0, 10)
/** Adds milliseconds to a local time. A date stays a date. Throws a RangeError if the time is not valid. */
export const addMs = (wall: FloatingTime, ms: number): FloatingTime =>
  msToWall(wallToMs(wall) + ms).slice(0, wall.length === 10 ? 10 : 19)
/** Adds days to a date. Throws a RangeError if the date is not valid. */
export const addDays = (date: string, days: number): string => addMs(date, days * DAY_MS)
/** Returns the number of days from one local date to another; negative if `to` is earlier. Times of day are ignored. */
export const daysBetween = (from: FloatingTime, to: FloatingTime): number =>
  Math.round((wallToMs(dateOf(to)) - wallToMs(dateOf(from))) / DAY_MS)

/** Returns the local time of a zone at an instant in milliseconds since 1970. */
export const wallTimeIn = (zone: string, instant: number): FloatingTime => wallTimeAt(instant, zone).slice(0, 19)

/** Returns true if an event time is a date, as that of an all-day event is. */
export const isDate = (time: EventTime | null | undefined): time is EventTime & { date: string } => Boolean(time?.date)

/** Returns true if a date and time ends with `Z` or an offset. */
const hasOffset = (dateTime: string): boolean => /(Z|[+-]\d\d:\d\d)$/i.test(dateTime)

/**
 * Returns the instant of an event time in milliseconds since 1970. `zone` applies to a date, which starts at its midnight,
 * and to a time that has neither an offset nor a zone.
 */
export function eventInstant(time: EventTime, zone: string): number {
  if (isDate(time)) return instantAt(`${time.date}T00:00:00`, zone)
  const { dateTime = '' } = time
  return hasOffset(dateTime) ? Date.parse(dateTime) : instantAt(dateTime.slice(0, 19), time.timeZone ?? zone)
}

/** Returns an event time as a local time of a zone. A date stays a date, whatever the zone. */
export const eventWallTime = (time: EventTime, zone: string): FloatingTime =>
  isDate(time) ? time.date : wallTimeIn(zone, eventInstant(time, zone))

/** Returns the IANA names of the zones that the browser knows, with UTC first. */
export const knownZones = (): string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'),
]

/** Returns true if the browser knows a zone of this name. An empty name is not known. */
export function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name !== ''
  } catch {
    return false
  }
}
