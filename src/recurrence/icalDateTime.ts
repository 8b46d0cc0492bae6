import { DAY_MS, dayOf } from './days.ts'
import { rejectRecurrence } from './invalidRecurrence.ts'
import { instantOf, type LocalMs } from './zone.ts'

/**
 * RFC 5545: `20260306`, `20260306T090000` and `20260306T140000Z`. A date has the `localMs` of its midnight; that of `utc` is an
 * instant.
 */
export type ICalDateTime = { kind: 'date' | 'wall' | 'utc'; localMs: LocalMs }

const DATE_TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)(Z?))?$/

/** Throws InvalidRecurrenceError for other forms, and for dates and times that do not exist, such as 30 February. */
export function parseICalDateTime(text: string): ICalDateTime {
  const [, year, month, date, hour, minute, second, utc] =
    DATE_TIME.exec(text) ?? rejectRecurrence(`No date or date-time: ${text}`)
  const day = dayOf(Number(year), Number(month), Number(date))
  const canonical = new Date(day * DAY_MS).toISOString().slice(0, 10)
  if (canonical !== `${year}-${month}-${date}`) rejectRecurrence(`No such date: ${text}`)
  if (hour === undefined) return { kind: 'date', localMs: day * DAY_MS }
  const [h, m, s] = [Number(hour), Number(minute), Number(second)]
  if (h > 23 || m > 59 || s > 59) rejectRecurrence(`No such time of day: ${text}`)
  return { kind: utc ? 'utc' : 'wall', localMs: day * DAY_MS + ((h * 60 + m) * 60 + s) * 1000 }
}

/** A date is the midnight of the zone, and `utc` ignores the zone. */
export function toInstant({ kind, localMs }: ICalDateTime, zone: string): number {
  return kind === 'utc' ? localMs : instantOf(localMs, zone)
}
