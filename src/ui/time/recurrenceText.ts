import { type Options, RRule } from 'rrule'
import type { EventTime } from '../api/types.ts'
import { showDate } from './timeFormat.ts'
import { wallTimeIn, wallToMs } from './wallTime.ts'

/** `Every week on Tuesday until March 12, 2027`. A rule that has no words is returned as it is. */
export const describeRecurrence = (lines: readonly string[], start: EventTime | null | undefined): string =>
  lines.map((line) => describeLine(line, start)).join('; ')

/** The days that a rule without any takes from its start. */
function daysOfStart(freq: number | undefined, start: EventTime | null | undefined): Partial<Options> {
  const date = start?.date ?? start?.dateTime?.slice(0, 10)
  if (!date) return {}
  const [, month = 1, day = 1] = date.split('-').map(Number)
  if (freq === RRule.WEEKLY) return { byweekday: [(new Date(wallToMs(date)).getUTCDay() + 6) % 7] }
  if (freq === RRule.MONTHLY) return { bymonthday: day }
  return freq === RRule.YEARLY ? { bymonth: month, bymonthday: day } : {}
}

/** RRULE, EXRULE, RDATE or EXDATE. Times of dates are left out. */
function describeLine(line: string, start: EventTime | null | undefined): string {
  const zone = start?.timeZone ?? 'UTC'
  const [, name = '', value = ''] = /^(\w+)[^:]*:(.*)$/.exec(line.trim()) ?? []
  if (/^(RDATE|EXDATE)$/i.test(name)) {
    const dates = value.split(',').map((date) => showDate(date.replace(/^(\d{4})(\d\d)(\d\d).*$/, '$1-$2-$3')))
    return `${/^R/i.test(name) ? 'also on' : 'except on'} ${dates.join(', ')}`
  }
  try {
    const options = RRule.parseString(value)
    // rrule prints the date of UNTIL in UTC.
    if (options.until && /UNTIL=\d+T/i.test(value))
      options.until = new Date(wallToMs(wallTimeIn(zone, options.until.getTime())))
    const isBare = !/BY(DAY|MONTHDAY|MONTH|SETPOS|YEARDAY|WEEKNO)=/i.test(value)
    const rule = new RRule({ ...options, ...(isBare && daysOfStart(options.freq, start)) })
    const text = rule.toText()
    if (!rule.isFullyConvertibleToText()) return line
    return /^EX/i.test(name) ? `except ${text}` : text.charAt(0).toUpperCase() + text.slice(1)
  } catch {
    return line
  }
}
