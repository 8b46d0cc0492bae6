import { DAY_MS, dateOf, dayOf, daysInMonth, weekdayOf } from '../../../recurrence/days.ts'
import { offsetAt } from '../../../recurrence/zone.ts'
import { formatICalLocal } from '../icalDateTime.ts'

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const HOUR_MS = 3_600_000
const RULE_YEARS = 5

/** A change of the offset: the instant in epoch milliseconds, and the offsets before and after in milliseconds. */
type OffsetChange = { at: number; from: number; to: number }

/**
 * Returns the VTIMEZONE of a zone with the rules of the year of `now` (epoch milliseconds). Like the service, it dates
 * them to 1970.
 */
export function createZoneLines(zone: string, now: number): string[] {
  const year = new Date(now).getUTCFullYear()
  const exceptions = listOffsetChanges(year, zone)
  const offset = offsetAt(now, zone)
  const observances =
    exceptions.length === 2
      ? exceptions.flatMap((change) => createObservance(change, zone, year))
      : createFixedOffsetLines(zone, offset, now)
  return ['BEGIN:VTIMEZONE', `TZID:${zone}`, `X-LIC-LOCATION:${zone}`, ...observances, 'END:VTIMEZONE']
}

const createFixedOffsetLines = (zone: string, offset: number, now: number): string[] =>
  formatObservance('STANDARD', { from: offset, to: offset }, findAbbreviation(now, zone), '19700101T000000')

function listOffsetChanges(year: number, zone: string): OffsetChange[] {
  const exceptions: OffsetChange[] = []
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += DAY_MS) {
    const [from, to] = [offsetAt(at, zone), offsetAt(at + DAY_MS, zone)]
    if (from !== to) exceptions.push({ at: findOffsetChange(at, at + DAY_MS, zone), from, to })
  }
  return exceptions
}

function findOffsetChange(start: number, end: number, zone: string): number {
  const before = offsetAt(start, zone)
  let [last, first] = [start, end]
  while (first - last > 1000) {
    const middle = Math.floor((first + last) / 2000) * 1000
    if (offsetAt(middle, zone) === before) last = middle
    else first = middle
  }
  return first
}

function createObservance({ at, from, to }: OffsetChange, zone: string, year: number): string[] {
  const localMs = at + from
  const { month, date } = dateOf(Math.floor(localMs / DAY_MS))
  const weekday = weekdayOf(Math.floor(localMs / DAY_MS))
  const rank = findWeekdayRank(zone, { year, month, date, localMs })
  const first = findRankedDay(1970, month, weekday, rank)
  const start = formatICalLocal(first * DAY_MS + (localMs % DAY_MS))
  const rule = `RRULE:FREQ=YEARLY;BYMONTH=${month};BYDAY=${rank}${WEEKDAYS[weekday]}`
  return formatObservance(
    to > from ? 'DAYLIGHT' : 'STANDARD',
    { from, to },
    findAbbreviation(at + HOUR_MS, zone),
    start,
    rule,
  )
}

function findWeekdayRank(
  zone: string,
  { year, month, date, localMs }: { year: number; month: number; date: number; localMs: number },
): number {
  const weekday = weekdayOf(Math.floor(localMs / DAY_MS))
  if (date + 7 <= daysInMonth(year, month)) return Math.ceil(date / 7)
  const isLast = Array.from({ length: RULE_YEARS }, (_, at) => year + at).every((one) =>
    listOffsetChanges(one, zone).some(
      ({ at, from }) => Math.floor((at + from) / DAY_MS) === findRankedDay(one, month, weekday, -1),
    ),
  )
  return isLast ? -1 : Math.ceil(date / 7)
}

/** Returns a weekday of a month as days since the epoch. `rank` 1 is the first, -1 the last; Monday is 0. */
function findRankedDay(year: number, month: number, weekday: number, rank: number): number {
  if (rank < 0) {
    const last = dayOf(year, month, daysInMonth(year, month))
    return last - ((weekdayOf(last) - weekday + 7) % 7)
  }
  const first = dayOf(year, month, 1)
  return first + ((weekday - weekdayOf(first) + 7) % 7) + (rank - 1) * 7
}

function formatObservance(
  kind: 'DAYLIGHT' | 'STANDARD',
  { from, to }: { from: number; to: number },
  name: string,
  start: string,
  rule?: string,
): string[] {
  const offsets = [`TZOFFSETFROM:${formatICalOffset(from)}`, `TZOFFSETTO:${formatICalOffset(to)}`]
  return [`BEGIN:${kind}`, ...offsets, `TZNAME:${name}`, `DTSTART:${start}`, ...(rule ? [rule] : []), `END:${kind}`]
}

/** Formats an offset in milliseconds as `+0100`. */
function formatICalOffset(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60_000)
  const digits = [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join('')
  return `${offset < 0 ? '-' : '+'}${digits}`
}

function findAbbreviation(instant: number, zone: string): string {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? zone
}
