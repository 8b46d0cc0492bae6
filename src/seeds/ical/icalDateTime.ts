import { DAY_MS, dayOf } from '../../recurrence/days.ts'
import { formatICalDateTime } from '../../recurrence/format.ts'
import type { ICalDateTime } from '../../recurrence/rule.ts'

const DATE_TIME = /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d):?(\d\d):?(\d\d)?(?:[.,]\d+)?(Z|[+-]\d\d:?\d\d)?|Z)?$/i

/** Forms outside of RFC 5545 are parsed too. `localMs` of a local time is that of the same time in UTC. */
export function parseFileDateTime(text: string): ICalDateTime | undefined {
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

/** `+0100` in milliseconds; NaN for anything else. */
export function parseICalOffset(text: string): number {
  if (/^Z$/i.test(text)) return 0
  const [, sign, hour, minute, second = '0'] = /^([+-])(\d\d):?(\d\d):?(\d\d)?$/.exec(text.trim()) ?? []
  const size = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return sign === '-' ? -size : size
}

/** `20260302T090000Z` */
export const formatICalUtc = (instant: number): string => `${formatICalDateTime(instant)}Z`

/** A duration: whole days by the local clock, and exact milliseconds. */
export type ICalDuration = { days: number; time: number }

const DURATION = /^([+-])?P(?:(\d{1,5})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/i

/** `-P1DT2H` (RFC 5545, 3.3.6) */
export function parseICalDuration(text: string): ICalDuration | undefined {
  const [match, sign, ...parts] = DURATION.exec(text.trim()) ?? []
  if (match === undefined || parts.every((part) => part === undefined)) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  const way = sign === '-' ? -1 : 1
  return { days: way * (weeks * 7 + days), time: way * ((hours * 60 + minutes) * 60 + seconds) * 1000 }
}
