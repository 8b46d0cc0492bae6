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

/** `Weekly on Tuesday, until 12 March 2027`. A line that cannot be parsed is returned as it is. */
export function describeRecurrence(lines: readonly string[], start: EventTime | null | undefined): string {
  const zone = start?.timeZone ?? 'UTC'
  return lines.map((line) => describeLine(line, zone, start?.date !== undefined)).join('; ')
}

/** RRULE, EXRULE, RDATE or EXDATE. Times of dates are left out. */
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

/** The date of `until` is that of the zone. */
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

/** With a space before them, such as ` on Tuesday in March`. */
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

/** `1st` for 1, `last` for -1, `2nd to last` for -2 */
function formatOrdinal(nth: number): string {
  if (nth === -1) return 'last'
  const size = Math.abs(nth)
  const suffix = /1[123]$/.test(String(size)) ? 'th' : (['th', 'st', 'nd', 'rd'][size % 10] ?? 'th')
  return `${size}${suffix}${nth < 0 ? ' to last' : ''}`
}

const joinWithAnd = (items: readonly string[]): string =>
  items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
