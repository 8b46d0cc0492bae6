import { DAY_MS } from '../recurrence/days.ts'
import { instantOf, isZone, localMsAt, wallTimeAt } from '../recurrence/zone.ts'
import { isDate } from '../schema/params.ts'
import { without } from '../schema/values/json.ts'
import type { Seed, SeedCalendar } from './schema/seed.ts'

const WEEK_MS = 7 * DAY_MS
const DATE = /^\d{4}-\d\d-\d\d$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/
const UTC_DATE_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
const ICAL_DATE_TIME = /\b\d{8}(?:T\d{6}Z?)?\b/g

/**
 * Returns a seed without its anchor (a date such as `2026-03-02`), and with every date except the clock's moved by the
 * whole weeks between the anchor and `now` (milliseconds since the epoch) in the zone of the first account, so that
 * weekdays and times stay. `zoneOf` returns the zone of a calendar for which the seed has no `timeZone`. A seed without an
 * anchor is returned as it is.
 */
export function resolveAnchor(seed: Seed, now: number, zoneOf: (calendarId: string) => string): Seed {
  if (!seed.anchor) return seed
  const zone = seed.accounts?.[0]?.timeZone ?? 'UTC'
  const localNow = localMsAt(now, isZone(zone) ? zone : 'UTC')
  const by = Math.floor((localNow - Date.parse(`${seed.anchor}T00:00:00Z`)) / WEEK_MS) * WEEK_MS
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
 * Adds the zone of the series to the original starts of exceptions, because it may differ from the zone of the
 * calendar.
 */
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

/**
 * Returns a copy of data in which each text that is a date or a date-time is moved by `by` milliseconds, at any depth.
 * `zone` is for times without one of their own.
 */
function shiftDates<T>(value: T, by: number, zone: string): T
function shiftDates(value: unknown, by: number, zone: string): unknown {
  if (Array.isArray(value)) return value.map((item) => shiftDates(item, by, zone))
  if (typeof value === 'string') return shiftText(value, by)
  if (typeof value !== 'object' || value === null) return value
  const shiftField = (name: string, field: unknown) =>
    name === 'recurrence' && Array.isArray(field)
      ? shiftLines(field, by, findSeriesZone(value, zone))
      : shiftDates(field, by, zone)
  return Object.fromEntries(
    Object.entries(toLocalTime(value, zone)).map(([name, field]) => [name, shiftField(name, field)]),
  )
}

function findSeriesZone(event: { start?: { date?: unknown; timeZone?: unknown } | null }, zone: string): string {
  const { date, timeZone } = event.start ?? {}
  if (date) return 'UTC'
  return typeof timeZone === 'string' && isZone(timeZone) ? timeZone : zone
}

/**
 * Returns recurrence lines with each date moved by a number of milliseconds. `zone` is the zone of the series. Items that
 * are not text stay.
 */
const shiftLines = (lines: readonly unknown[], by: number, zone: string): unknown[] =>
  lines.map((line) =>
    typeof line === 'string' ? line.replace(ICAL_DATE_TIME, (stamp) => shiftICalDateTime(stamp, by, zone)) : line,
  )

/**
 * Rewrites a date-time with an offset as wall time without one, and adds the zone, because the offset may differ after
 * the move. Other values stay.
 */
function toLocalTime(value: object, zone: string): object {
  const { dateTime, timeZone = zone } = value as { dateTime?: unknown; timeZone?: unknown }
  if (typeof dateTime !== 'string' || !DATE_TIME.exec(dateTime)?.[1]) return value
  if (typeof timeZone !== 'string' || !isZone(timeZone) || !isDate(dateTime.slice(0, 10))) return value
  if (Number.isNaN(Date.parse(dateTime))) return value
  return { ...value, dateTime: wallTimeAt(Date.parse(dateTime), timeZone), timeZone }
}

/** Moves a text that is a date or a date-time; the time of day and the offset stay. Other texts stay unchanged. */
const shiftText = (text: string, by: number): string =>
  DATE.test(text) || DATE_TIME.test(text) ? shiftDate(text.slice(0, 10), by) + text.slice(10) : text

/** Moves a date (`2026-03-02`) by a number of milliseconds. Impossible dates stay unchanged. */
const shiftDate = (date: string, by: number): string =>
  isDate(date) ? new Date(Date.parse(`${date}T00:00:00Z`) + by).toISOString().slice(0, 10) : date

/**
 * Moves a date (`20260302`) or date-time of a recurrence line. A date-time in UTC moves by the wall clock of its
 * series, as the start does; otherwise the two would differ after a change of clocks.
 */
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
