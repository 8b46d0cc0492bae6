import { DAY } from '../recurrence/days.ts'
import { isZone, wallTimeAt } from '../recurrence/zone.ts'
import { without } from '../store/merge.ts'
import type { Seed } from '../wire/seed.ts'

const WEEK = 7 * DAY
const DATE = /^\d{4}-\d\d-\d\d$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/
/** The dates in a recurrence line, but not the counts. */
const STAMP = /\b\d{8}(?:T\d{6}Z?)?\b/g

/**
 * A seed with every date moved by the whole weeks between its anchor and an instant, weekdays and hours kept. `zoneOf`
 * knows the zone of a calendar that does not name its own.
 */
export function unanchored(seed: Seed, now: number, zoneOf: (calendarId: string) => string): Seed {
  if (!seed.anchor) return seed
  const by = Math.floor((now - Date.parse(`${seed.anchor}T00:00:00Z`)) / WEEK) * WEEK
  const { clock, calendars, ...dated } = without(seed, 'anchor')
  return {
    ...shifted(dated, by, 'UTC'),
    ...(calendars && { calendars: calendars.map((one) => shifted(one, by, one.timeZone ?? zoneOf(one.id))) }),
    ...(clock && { clock }),
  }
}

function shifted<T>(value: T, by: number, zone: string): T
function shifted(value: unknown, by: number, zone: string): unknown {
  if (Array.isArray(value)) return value.map((item) => shifted(item, by, zone))
  if (typeof value === 'string') return shiftedText(value, by)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(local(value, zone)).map(([name, inner]) => [name, shifted(inner, by, zone)]))
}

/** A time is moved by the wall clock of its zone, or of its calendar's: the offset may be another one after the move. */
function local(value: object, zone: string): object {
  const { dateTime, timeZone = zone } = value as { dateTime?: unknown; timeZone?: unknown }
  if (typeof dateTime !== 'string' || !DATE_TIME.exec(dateTime)?.[1]) return value
  if (typeof timeZone !== 'string' || !isZone(timeZone)) return value // an unknown zone is refused later, when the event is planted
  return { ...value, dateTime: wallTimeAt(Date.parse(dateTime), timeZone), timeZone }
}

function shiftedText(text: string, by: number): string {
  if (DATE.test(text)) return new Date(Date.parse(`${text}T00:00:00Z`) + by).toISOString().slice(0, 10)
  if (DATE_TIME.test(text)) {
    const day = new Date(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) + by).toISOString().slice(0, 10)
    return day + text.slice(10)
  }
  return /^(RRULE|EXRULE|RDATE|EXDATE)\b/i.test(text) ? text.replace(STAMP, (stamp) => shiftedStamp(stamp, by)) : text
}

function shiftedStamp(stamp: string, by: number): string {
  const [year, month, day] = [stamp.slice(0, 4), stamp.slice(4, 6), stamp.slice(6, 8)]
  const date = new Date(Date.parse(`${year}-${month}-${day}T00:00:00Z`) + by).toISOString().slice(0, 10)
  return date.replaceAll('-', '') + stamp.slice(8)
}
