import { DAY } from '../recurrence/days.ts'
import { instantOf, isZone, readingAt, wallTimeAt } from '../recurrence/zone.ts'
import { isDate } from '../wire/params.ts'
import type { Seed, SeedCalendar } from '../wire/seeds/seed.ts'
import { without } from '../wire/values/merge.ts'

const WEEK = 7 * DAY
const DATE = /^\d{4}-\d\d-\d\d$/
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/
const IN_UTC = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/
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
    ...(calendars && { calendars: calendars.map((one) => shifted(bySeries(one), by, one.timeZone ?? zoneOf(one.id))) }),
    ...(clock && { clock }),
  }
}

/** A calendar whose changed instances name their original start in the zone of their series, which may not be the calendar's. */
function bySeries(calendar: SeedCalendar): SeedCalendar {
  const zones = new Map(calendar.events?.map(({ id, start }) => [id, start?.timeZone]))
  const events = calendar.events?.map((event) => {
    const { recurringEventId, originalStartTime: original } = event
    const timeZone = original?.dateTime && (original.timeZone ?? zones.get(recurringEventId ?? undefined))
    return timeZone ? { ...event, originalStartTime: { ...original, timeZone } } : event
  })
  return events ? { ...calendar, events } : calendar
}

function shifted<T>(value: T, by: number, zone: string): T
function shifted(value: unknown, by: number, zone: string): unknown {
  if (Array.isArray(value)) return value.map((item) => shifted(item, by, zone))
  if (typeof value === 'string') return shiftedText(value, by)
  if (typeof value !== 'object' || value === null) return value
  const inner = (name: string, field: unknown) =>
    name === 'recurrence' && Array.isArray(field)
      ? shiftedLines(field, by, zoneOfStart(value, zone))
      : shifted(field, by, zone)
  return Object.fromEntries(Object.entries(local(value, zone)).map(([name, field]) => [name, inner(name, field)]))
}

/** The zone by whose clock a series runs; an all-day one runs by dates. */
function zoneOfStart(event: { start?: { date?: unknown; timeZone?: unknown } | null }, zone: string): string {
  const { date, timeZone } = event.start ?? {}
  if (date) return 'UTC'
  return typeof timeZone === 'string' && isZone(timeZone) ? timeZone : zone
}

const shiftedLines = (lines: readonly unknown[], by: number, zone: string): unknown[] =>
  lines.map((line) => (typeof line === 'string' ? line.replace(STAMP, (stamp) => shiftedStamp(stamp, by, zone)) : line))

/** A time is moved by the wall clock of its zone, or of its calendar's: the offset may be another one after the move. */
function local(value: object, zone: string): object {
  const { dateTime, timeZone = zone } = value as { dateTime?: unknown; timeZone?: unknown }
  if (typeof dateTime !== 'string' || !DATE_TIME.exec(dateTime)?.[1]) return value
  // An unknown zone or an impossible date is refused later, when the event is planted.
  if (typeof timeZone !== 'string' || !isZone(timeZone) || !isDate(dateTime.slice(0, 10))) return value
  if (Number.isNaN(Date.parse(dateTime))) return value
  return { ...value, dateTime: wallTimeAt(Date.parse(dateTime), timeZone), timeZone }
}

const shiftedText = (text: string, by: number): string =>
  DATE.test(text) || DATE_TIME.test(text) ? shiftedDay(text.slice(0, 10), by) + text.slice(10) : text

/** A date that the calendar does not have stays as it is. */
const shiftedDay = (date: string, by: number): string =>
  isDate(date) ? new Date(Date.parse(`${date}T00:00:00Z`) + by).toISOString().slice(0, 10) : date

/** A stamp in UTC is moved by the wall clock of its series, as the start is: else the two would part where clocks change. */
function shiftedStamp(stamp: string, by: number, zone: string): string {
  const [, year, month, date, hour, minute, second] = IN_UTC.exec(stamp) ?? []
  if (hour === undefined) {
    const day = shiftedDay(`${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}`, by)
    return day.replaceAll('-', '') + stamp.slice(8)
  }
  const instant = Date.parse(`${year}-${month}-${date}T${hour}:${minute}:${second}Z`)
  if (Number.isNaN(instant) || !isDate(`${year}-${month}-${date}`)) return stamp
  const moved = instantOf(readingAt(instant, zone) + by, zone)
  return `${new Date(moved).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}
