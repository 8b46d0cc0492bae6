import { DAY_MS } from '../recurrence/days.ts'
import { instantOf, isStoredZone, isZone, localMsAt, wallTimeAt } from '../recurrence/zone.ts'
import { isDate } from '../schema/params.ts'
import { without } from '../schema/values/json.ts'
import type { Seed, SeedCalendar } from './schema/seed.ts'

const WEEK_MS = 7 * DAY_MS
const DATE = /^\d{4}-\d\d-\d\d$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/
const UTC_DATE_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
const ICAL_DATE_TIME = /\b\d{8}(?:T\d{6}Z?)?\b/g

/**
 * Every date except the clock's moves by the whole weeks between the anchor and `now` (epoch milliseconds) in the zone of
 * the first account, so that weekdays and times stay. `zoneOf` is for calendars without a `timeZone`.
 */
export function resolveAnchor(seed: Seed, now: number, zoneOf: (calendarId: string) => string): Seed {
  if (!seed.anchor) return seed
  const by = weeksSince(seed.anchor, now, seed.accounts?.[0]?.timeZone ?? 'UTC')
  const { clock, calendars, ...dated } = without(seed, 'anchor')
  return {
    ...shiftDates(dated, by, 'UTC'),
    ...(calendars && {
      calendars: calendars.map((one) => shiftDates(withSeriesZones(one), by, one.timeZone ?? zoneOf(one.id))),
    }),
    ...(clock && { clock }),
  }
}

/**
 * Returns the whole weeks between an anchor and an instant in a zone, in milliseconds. The instant is in milliseconds
 * since the epoch, and an unknown zone counts as UTC.
 */
export function weeksSince(anchor: string, now: number, zone: string): number {
  const localNow = localMsAt(now, isZone(zone) ? zone : 'UTC')
  return Math.floor((localNow - Date.parse(`${anchor}T00:00:00Z`)) / WEEK_MS) * WEEK_MS
}

/** The zone of the series may differ from that of the calendar. */
function withSeriesZones(calendar: SeedCalendar): SeedCalendar {
  const zones = new Map(calendar.events?.map(({ id, start }) => [id, start?.timeZone]))
  const events = calendar.events?.map((event) => {
    const { recurringEventId, originalStartTime: original } = event
    const timeZone =
      original?.dateTime && (original.timeZone ?? (recurringEventId ? zones.get(recurringEventId) : undefined))
    return timeZone ? { ...event, originalStartTime: { ...original, timeZone } } : event
  })
  return events ? { ...calendar, events } : calendar
}

/** Texts that are a date or a date-time move by `by` milliseconds. `zone` is for times without one. */
export function shiftDates<T>(value: T, by: number, zone: string): T
export function shiftDates(value: unknown, by: number, zone: string): unknown {
  if (Array.isArray(value)) return value.map((item) => shiftDates(item, by, zone))
  if (typeof value === 'string') return shiftDateText(value, by)
  if (typeof value !== 'object' || value === null) return value
  const shiftField = (name: string, field: unknown) =>
    name === 'recurrence' && Array.isArray(field)
      ? shiftLines(field, by, findSeriesZone(value, zone))
      : shiftDates(field, by, zone)
  return Object.fromEntries(
    Object.entries(toZonedTime(value, zone)).map(([name, field]) => [name, shiftField(name, field)]),
  )
}

function findSeriesZone(event: { start?: { date?: unknown; timeZone?: unknown } | null }, zone: string): string {
  const { date, timeZone } = event.start ?? {}
  if (date) return 'UTC'
  return typeof timeZone === 'string' && isStoredZone(timeZone) ? timeZone : zone
}

const shiftLines = (lines: readonly unknown[], by: number, zone: string): unknown[] =>
  lines.map((line) =>
    typeof line === 'string' ? line.replace(ICAL_DATE_TIME, (stamp) => shiftICalDateTime(stamp, by, zone)) : line,
  )

/** The offset of a date-time may differ after the move, so it becomes wall time with a zone. */
function toZonedTime(value: object, zone: string): object {
  const { dateTime, timeZone = zone } = value as { dateTime?: unknown; timeZone?: unknown }
  if (typeof dateTime !== 'string' || !DATE_TIME.exec(dateTime)?.[1]) return value
  if (typeof timeZone !== 'string' || !isZone(timeZone) || !isDate(dateTime.slice(0, 10))) return value
  if (Number.isNaN(Date.parse(dateTime))) return value
  return { ...value, dateTime: wallTimeAt(Date.parse(dateTime), timeZone), timeZone }
}

const shiftDateText = (text: string, by: number): string =>
  DATE.test(text) || DATE_TIME.test(text) ? shiftDate(text.slice(0, 10), by) + text.slice(10) : text

/** Impossible dates stay unchanged. */
const shiftDate = (date: string, by: number): string =>
  isDate(date) ? new Date(Date.parse(`${date}T00:00:00Z`) + by).toISOString().slice(0, 10) : date

/** A date-time in UTC moves by the wall clock of its series, as the start does. */
function shiftICalDateTime(stamp: string, by: number, zone: string): string {
  const [, year, month, date, hour, minute, second] = UTC_DATE_TIME.exec(stamp) ?? []
  if (hour === undefined) {
    const day = shiftDate(`${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}`, by)
    return day.replaceAll('-', '') + stamp.slice(8)
  }
  const instant = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(instant) || !isDate(`${year}-${month}-${date}`)) return stamp
  const moved = instantOf(localMsAt(instant, zone) + by, zone)
  return `${new Date(moved).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}
