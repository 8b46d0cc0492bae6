import { RRule } from 'rrule'
import type { EventTime } from '../api/types.ts'
import { formatDate } from './timeFormat.ts'
import { wallTimeIn, wallToMs } from './wallTime.ts'

/** `Every week on Tuesday until March 12, 2027`. A rule that has no words is returned as it is. */
export const describeRecurrence = (lines: readonly string[], start: EventTime | null | undefined): string =>
  lines.map((line) => describeLine(line, start?.timeZone ?? 'UTC')).join('; ')

/** RRULE, EXRULE, RDATE or EXDATE. Times of dates are left out. */
function describeLine(line: string, zone: string): string {
  const [, name = '', value = ''] = /^(\w+)[^:]*:(.*)$/.exec(line.trim()) ?? []
  if (/^(RDATE|EXDATE)$/i.test(name)) {
    const dates = value.split(',').map((date) => formatDate(date.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3')))
    return `${/^R/i.test(name) ? 'also on' : 'except on'} ${dates.join(', ')}`
  }
  try {
    const options = RRule.parseString(value)
    // rrule prints the date of UNTIL in UTC.
    if (options.until && /UNTIL=\d+T/i.test(value))
      options.until = new Date(wallToMs(wallTimeIn(zone, options.until.getTime())))
    const rule = new RRule(options)
    const text = rule.toText()
    if (!rule.isFullyConvertibleToText()) return line
    return /^EX/i.test(name) ? `except ${text}` : text.charAt(0).toUpperCase() + text.slice(1)
  } catch {
    return line
  }
}
