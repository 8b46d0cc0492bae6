import { instantAt, wallTimeAt } from '../api/shared.ts'
import type { EventTime } from '../api/types.ts'

/**
 * A local time without a zone, or a date (RFC 5545, floating time). Arithmetic treats it as UTC, so that each day has 24 hours.
 * Its value in milliseconds is that of the same time in UTC.
 */
export type FloatingTime = string

export const HOUR_MS = 3_600_000
export const DAY_MS = 86_400_000

export const dateOf = (wall: FloatingTime): string => wall.slice(0, 10)
/** NaN if the time is not valid. A date is its midnight. */
export const wallToMs = (wall: FloatingTime): number =>
  Date.parse(`${wall.length === 10 ? `${wall}T00:00:00` : wall.slice(0, 19)}Z`)
export const msToWall = (ms: number): FloatingTime => new Date(ms).toISOString().slice(0, 19)
export const msToDate = (ms: number): string => msToWall(ms).slice(0, 10)
/** A date stays a date. Throws a RangeError if the time is not valid. */
export const addMs = (wall: FloatingTime, ms: number): FloatingTime =>
  msToWall(wallToMs(wall) + ms).slice(0, wall.length === 10 ? 10 : 19)
export const wallTimeIn = (zone: string, instant: number): FloatingTime => wallTimeAt(instant, zone).slice(0, 19)

export const isWholeDay = (time: EventTime | null | undefined): time is EventTime & { date: string } =>
  Boolean(time?.date)

const hasOffset = (dateTime: string): boolean => /(Z|[+-]\d\d:\d\d)$/i.test(dateTime)

/**
 * Milliseconds. `zone` applies to a date, which starts at its midnight, and to a time that has neither an offset nor a zone.
 */
export function eventInstant(time: EventTime, zone: string): number {
  if (isWholeDay(time)) return instantAt(`${time.date}T00:00:00`, zone)
  const { dateTime = '' } = time
  return hasOffset(dateTime) ? Date.parse(dateTime) : instantAt(dateTime.slice(0, 19), time.timeZone ?? zone)
}

/** A date stays a date, whatever the zone. */
export const eventWallTime = (time: EventTime, zone: string): FloatingTime =>
  isWholeDay(time) ? time.date : wallTimeIn(zone, eventInstant(time, zone))

export const knownZones = (): string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((name) => name !== 'UTC'),
]

// A date, and a date and time, exclude each other in a patch only if the other one is null.
const NO_TIME = { dateTime: null, timeZone: null } as unknown as EventTime
const NO_DATE = { date: null } as unknown as EventTime

/** `length` is in milliseconds. Parts of the other kind are null, so that a patch removes them. */
export function timesFrom(start: FloatingTime, length: number, timeZone: string): { start: EventTime; end: EventTime } {
  const end = addMs(start, length)
  return start.length === 10
    ? { start: { date: start, ...NO_TIME }, end: { date: end, ...NO_TIME } }
    : { start: { dateTime: start, timeZone, ...NO_DATE }, end: { dateTime: end, timeZone, ...NO_DATE } }
}
