import { DAY_MS, dayOf } from '../../recurrence/days.ts'
import type { ICalDateTime } from '../../recurrence/icalDateTime.ts'

const DATE_TIME = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d):?(\d\d)?(?:[.,]\d+)?(Z|[+-]\d\d:?\d\d)?|Z)?$/i

/**
 * Parses a date or time as programs write it, including forms outside of RFC 5545. The result has the kind `date`, `utc`
 * or `wall` (a local time), and `localMs`: the epoch milliseconds of the same date and time in UTC. Returns undefined for
 * anything else.
 */
export function parseICalDateTime(text: string): ICalDateTime | undefined {
  const [, year, month, date, hour, minute = '0', second = '0', offset] = DATE_TIME.exec(text.trim()) ?? []
  if (year === undefined) return undefined
  const day = dayOf(Number(year), Number(month), Number(date))
  if (new Date(day * DAY_MS).toISOString().slice(0, 10) !== `${year}-${month}-${date}`) return undefined
  if (hour === undefined) return { kind: 'date', localMs: day * DAY_MS }
  const [h, m, s] = [Number(hour), Number(minute), Math.min(Number(second), 59)]
  if (h > 24 || m > 59 || Number(second) > 60) return undefined
  const localMs = day * DAY_MS + ((h * 60 + m) * 60 + s) * 1000
  return offset ? { kind: 'utc', localMs: localMs - parseICalOffset(offset) } : { kind: 'wall', localMs }
}

/** Parses an offset such as `+0100` into milliseconds east of UTC. Returns NaN for anything else. */
export function parseICalOffset(text: string): number {
  if (/^Z$/i.test(text)) return 0
  const [, sign, hour, minute, second = '0'] = /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text.trim()) ?? []
  const size = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return sign === '-' ? -size : size
}

/** Formats a local time as `20260302T090000`. A local time is the epoch milliseconds of the same time in UTC. */
export const formatICalLocal = (localMs: number): string =>
  new Date(localMs).toISOString().slice(0, 19).replace(/[-:]/g, '')
export const formatICalDate = (localMs: number): string => formatICalLocal(localMs).slice(0, 8)
/** Formats an instant in epoch milliseconds as `20260302T090000Z`. */
export const formatICalUtc = (instant: number): string => `${formatICalLocal(instant)}Z`

/** A duration: whole days by the local clock, and exact milliseconds. */
export type ICalDuration = { days: number; time: number }

const DURATION = /^([+-])?P(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i

/** Parses a duration such as `-P1DT2H` (RFC 5545, 3.3.6). Returns undefined for anything else. */
export function parseICalDuration(text: string): ICalDuration | undefined {
  const [match, sign, ...parts] = DURATION.exec(text.trim()) ?? []
  if (match === undefined || parts.every((part) => part === undefined)) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  const way = sign === '-' ? -1 : 1
  return { days: way * (weeks * 7 + days), time: way * ((hours * 60 + minutes) * 60 + seconds) * 1000 }
}
