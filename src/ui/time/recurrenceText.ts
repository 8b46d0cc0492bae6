import { parseRule, type RecurrenceRule, wallTimeAt } from '../api/shared.ts'
import type { EventTime } from '../api/types.ts'
import { formatPlainDate } from './timeFormat.ts'
import { dateOf } from './wallTime.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July'],
  ...['August', 'September', 'October', 'November', 'December'],
]
const UNITS = { DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month', YEARLY: 'year' } as const
const ADVERBS = { DAILY: 'Daily', WEEKLY: 'Weekly', MONTHLY: 'Monthly', YEARLY: 'Yearly' } as const
const WORKDAYS = '0,1,2,3,4'

/**
 * Describes the recurrence lines of a series in words: `Weekly on Tuesday, until 12 March 2027`. `start` is that of the
 * series. A line that cannot be parsed is returned as it is.
 */
export function describeRecurrence(lines: readonly string[], start: EventTime | null | undefined): string {
  const zone = start?.timeZone ?? 'UTC'
  return lines.map((line) => describeLine(line, zone, start?.date !== undefined)).join('; ')
}

/** Describes an RRULE, EXRULE, RDATE or EXDATE line. Times of dates are left out. */
function describeLine(line: string, zone: string, allDay: boolean): string {
  const [, name = '', value = ''] = /^\s*(\w+)[^:]*:(.*)$/.exec(line) ?? []
  const kind = name.toUpperCase()
  if (kind === 'RDATE' || kind === 'EXDATE') {
    const dates = value.split(',').map((date) => formatPlainDate(date.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3')))
    return `${kind === 'RDATE' ? 'also on' : 'except on'} ${joinWithAnd(dates)}`
  }
  try {
    const text = describeRule(parseRule(value, { zone, allDay }), allDay ? 'UTC' : zone)
    return kind === 'EXRULE' ? `except ${text.toLowerCase()}` : text
  } catch {
    return line
  }
}

/** Describes a rule with its interval and end. The date of `until` is that of the zone. */
function describeRule(rule: RecurrenceRule, zone: string): string {
  const { frequency, interval, count, until } = rule
  const head = interval === 1 ? ADVERBS[frequency] : `Every ${interval} ${UNITS[frequency]}s`
  const end =
    until !== undefined
      ? `, until ${formatPlainDate(dateOf(wallTimeAt(until, zone)))}`
      : count !== undefined
        ? `, ${count} ${count === 1 ? 'time' : 'times'}`
        : ''
  return `${head}${describeParts(rule)}${end}`
}

/** Describes the BY parts of a rule, with a space before them: ` on Tuesday in March`. Empty if there are none. */
function describeParts({ weekdays, months, monthDays, yearDays, weeks, positions }: RecurrenceRule): string {
  const parts: string[] = []
  if (weekdays) {
    const isPlain = weekdays.every(({ nth }) => nth === undefined)
    const days = weekdays.map(({ weekday }) => weekday).sort()
    parts.push(
      isPlain && days.join(',') === WORKDAYS
        ? 'on weekdays'
        : `on ${joinWithAnd(
            weekdays.map(({ weekday, nth }) =>
              nth === undefined ? (WEEKDAYS[weekday] ?? '') : `the ${formatOrdinal(nth)} ${WEEKDAYS[weekday]}`,
            ),
          )}`,
    )
  }
  if (monthDays)
    parts.push(`on ${joinWithAnd(monthDays.map((day) => (day < 0 ? `the ${formatOrdinal(day)} day` : `day ${day}`)))}`)
  if (yearDays) parts.push(`on ${joinWithAnd(yearDays.map((day) => `the ${formatOrdinal(day)} day`))} of the year`)
  if (weeks) parts.push(`in ${joinWithAnd(weeks.map((week) => `week ${week}`))}`)
  if (months) parts.push(`in ${joinWithAnd(months.map((month) => MONTHS[month - 1] ?? ''))}`)
  if (positions) parts.push(`(only the ${joinWithAnd(positions.map(formatOrdinal))})`)
  return parts.length > 0 ? ` ${parts.join(' ')}` : ''
}

/** Returns `1st` for 1, `last` for -1, and `2nd to last` for -2. */
function formatOrdinal(nth: number): string {
  if (nth === -1) return 'last'
  const size = Math.abs(nth)
  const suffix = /1[123]$/.test(String(size)) ? 'th' : (['th', 'st', 'nd', 'rd'][size % 10] ?? 'th')
  return `${size}${suffix}${nth < 0 ? ' to last' : ''}`
}

/** Returns `a`, `a and b`, or `a, b and c`. */
const joinWithAnd = (items: readonly string[]): string =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
