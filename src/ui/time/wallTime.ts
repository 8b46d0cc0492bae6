import { instantAt, wallTimeAt } from '../api/shared.ts'
import type { EventTime } from '../api/types.ts'

/**
 * A floating time of RFC 5545: a local time without a zone, such as `2026-03-02T09:00:00`, or a date such as `2026-03-02`.
 * Arithmetic treats it as UTC, which is how a clock on the wall advances.
 */
export type FloatingTime = string

export const MINUTE_MS = 60_000
export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

export const dateOf = (wall: FloatingTime): string => wall.slice(0, 10)
export const timeOf = (wall: FloatingTime): string => wall.slice(11, 16)
export const wallToMs = (wall: FloatingTime): number =>
  Date.parse(`${wall.length === 10 ? `${wall}T00:00:00` : wall.slice(0, 19)}Z`)
export const msToWall = (ms: number): FloatingTime => new Date(ms).toISOString().slice(0, 19)
export const msToDate = (ms: number): string => msToWall(ms).slice(0, 10)
export const addMs = (wall: FloatingTime, ms: number): FloatingTime =>
  msToWall(wallToMs(wall) + ms).slice(0, wall.length === 10 ? 10 : 19)
export const addDays = (date: string, days: number): string => addMs(date, days * DAY_MS)
export const daysBetween = (from: FloatingTime, to: FloatingTime): number =>
  Math.round((wallToMs(dateOf(to)) - wallToMs(dateOf(from))) / DAY_MS)

/** Returns the local time of a zone at an instant in milliseconds. */
export const wallTimeIn = (zone: string, instant: number): FloatingTime => wallTimeAt(instant, zone).slice(0, 19)

export const isDate = (time: EventTime | null | undefined): time is EventTime & { date: string } => Boolean(time?.date)

const hasOffset = (dateTime: string): boolean => /(Z|[+-]\d\d:\d\d)$/i.test(dateTime)

/** Returns the instant of an event time in milliseconds. A date starts at midnight of the zone. */
export function eventInstant(time: EventTime, zone: string): number {
  if (isDate(time)) return instantAt(`${time.date}T00:00:00`, zone)
  const { dateTime = '' } = time
  return hasOffset(dateTime) ? Date.parse(dateTime) : instantAt(dateTime.slice(0, 19), time.timeZone ?? zone)
}

/** Returns an event time as a local time of a zone; a date stays a date. */
export const eventWallTime = (time: EventTime, zone: string): FloatingTime =>
  isDate(time) ? time.date : wallTimeIn(zone, eventInstant(time, zone))

/** The zones that a browser knows. */
export const knownZones = (): string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'),
]

export function isKnownZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return name !== ''
  } catch {
    return false
  }
}
