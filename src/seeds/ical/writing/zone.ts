import { DAY_MS, dateOf, dayOf, daysInMonth, weekdayOf } from '../../../recurrence/days.ts'
import { offsetAt } from '../../../recurrence/zone.ts'
import { formatICalLocal } from '../icalDateTime.ts'
import { createProperty, type JCalComponent } from '../jcal.ts'

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const HOUR_MS = 3_600_000
const RULE_YEARS = 5

/** A change of the offset: the instant in epoch milliseconds, and the offsets before and after in milliseconds. */
type OffsetChange = { at: number; from: number; to: number }

/**
 * Returns the VTIMEZONE of a zone with the rules of the year of `now` (epoch milliseconds). Like the service, it dates
 * them to 1970.
 */
export function createZone(zone: string, now: number): JCalComponent {
  const year = new Date(now).getUTCFullYear()
  const changes = listOffsetChanges(year, zone)
  const offset = offsetAt(now, zone)
  const observances =
    changes.length === 2
      ? changes.map((change) => createRuledObservance(change, zone, year))
      : [createObservance('standard', { at: now, from: offset, to: offset }, zone, '19700101T000000')]
  return ['vtimezone', [createProperty('tzid', zone), createProperty('x-lic-location', zone)], observances]
}

function listOffsetChanges(year: number, zone: string): OffsetChange[] {
  const changes: OffsetChange[] = []
  for (let at = Date.UTC(year, 0, 1); at < Date.UTC(year + 1, 0, 1); at += DAY_MS) {
    const [from, to] = [offsetAt(at, zone), offsetAt(at + DAY_MS, zone)]
    if (from !== to) changes.push({ at: findOffsetChange(at, zone), from, to })
  }
  return changes
}

/** Returns the second at which the offset changes in the 24 hours from an instant on. */
function findOffsetChange(start: number, zone: string): number {
  let [last, first] = [start, start + DAY_MS]
  while (first - last > 1000) {
    const middle = Math.floor((first + last) / 2000) * 1000
    if (offsetAt(middle, zone) === offsetAt(start, zone)) last = middle
    else first = middle
  }
  return first
}

function createRuledObservance(change: OffsetChange, zone: string, year: number): JCalComponent {
  const localMs = change.at + change.from
  const day = Math.floor(localMs / DAY_MS)
  const { month, date } = dateOf(day)
  const weekday = weekdayOf(day)
  const isLastWeekday = (one: number) =>
    listOffsetChanges(one, zone).some(
      ({ at, from }) => Math.floor((at + from) / DAY_MS) === findRankedDay(one, month, weekday, -1),
    )
  const years = Array.from({ length: RULE_YEARS }, (_, at) => year + at)
  const isLast = date + 7 > daysInMonth(year, month) && years.every(isLastWeekday)
  const rank = isLast ? -1 : Math.ceil(date / 7)
  return createObservance(
    change.to > change.from ? 'daylight' : 'standard',
    { ...change, at: change.at + HOUR_MS },
    zone,
    formatICalLocal(findRankedDay(1970, month, weekday, rank) * DAY_MS + (localMs % DAY_MS)),
    `FREQ=YEARLY;BYMONTH=${month};BYDAY=${rank}${WEEKDAYS[weekday]}`,
  )
}

/** Returns a weekday of a month as days since the epoch. `rank` 1 is the first, -1 the last; Monday is 0. */
function findRankedDay(year: number, month: number, weekday: number, rank: number): number {
  const from = rank < 0 ? dayOf(year, month, daysInMonth(year, month)) - 6 : dayOf(year, month, 1)
  return from + ((weekday - weekdayOf(from) + 7) % 7) + Math.max(rank - 1, 0) * 7
}

/** Returns an observance with the abbreviation that applies at `at`. */
function createObservance(
  kind: 'daylight' | 'standard',
  { at, from, to }: OffsetChange,
  zone: string,
  start: string,
  rule?: string,
): JCalComponent {
  const properties = [
    createProperty('tzoffsetfrom', formatICalOffset(from)),
    createProperty('tzoffsetto', formatICalOffset(to)),
    createProperty('tzname', findAbbreviation(at, zone)),
    createProperty('dtstart', start),
    ...(rule ? [createProperty('rrule', rule)] : []),
  ]
  return [kind, properties, []]
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
