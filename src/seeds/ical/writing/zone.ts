import { DAY_MS, datePartsOf, dayOf, daysInMonth, weekdayOf } from '../../../recurrence/days.ts'
import { formatICalDateTime, formatOffset } from '../../../recurrence/format.ts'
import { isZone, offsetAt } from '../../../recurrence/zone.ts'
import { createProperty, type JCalComponent } from '../jcal.ts'

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']
const HOUR_MS = 3_600_000
const RULE_YEARS = 5

/** Milliseconds. */
type OffsetChange = { at: number; from: number; to: number }

/** Has the rules of the year of `now` (epoch milliseconds). Like the service, it dates them to 1970. */
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
  const { month, date } = datePartsOf(day)
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
    formatICalDateTime(findRankedDay(1970, month, weekday, rank) * DAY_MS + (localMs % DAY_MS)),
    `FREQ=YEARLY;BYMONTH=${month};BYDAY=${rank}${WEEKDAYS[weekday]}`,
  )
}

/** Days since the epoch. `rank` 1 is the first, -1 the last; Monday is 0. */
function findRankedDay(year: number, month: number, weekday: number, rank: number): number {
  const from = rank < 0 ? dayOf(year, month, daysInMonth(year, month)) - 6 : dayOf(year, month, 1)
  return from + ((weekday - weekdayOf(from) + 7) % 7) + Math.max(rank - 1, 0) * 7
}

function createObservance(kind: string, change: OffsetChange, zone: string, start: string, rule = ''): JCalComponent {
  const { at, from, to } = change
  const properties = [
    createProperty('tzoffsetfrom', formatOffset(from).replace(':', '')),
    createProperty('tzoffsetto', formatOffset(to).replace(':', '')),
    createProperty('tzname', findAbbreviation(at, zone)),
    createProperty('dtstart', start),
    ...(rule ? [createProperty('rrule', rule)] : []),
  ]
  return [kind, properties, []]
}

function findAbbreviation(instant: number, zone: string): string {
  if (!isZone(zone)) return zone
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'short' })
  return format.formatToParts(instant).find(({ type }) => type === 'timeZoneName')?.value ?? zone
}
