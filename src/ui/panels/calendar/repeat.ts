import { instantAt, wallTimeAt } from '../../api/shared.ts'

/** Parts by the names of RFC 5545: `{ FREQ: 'WEEKLY', BYDAY: 'MO,TU' }`. */
export type RuleParts = Readonly<Record<string, string>>

export const WEEKDAYS = {
  ...{ MO: 'Monday', TU: 'Tuesday', WE: 'Wednesday', TH: 'Thursday', FR: 'Friday', SA: 'Saturday', SU: 'Sunday' },
} as const

/** A rule that has neither BYDAY nor BYMONTHDAY follows the day of the start. */
export const PRESETS: readonly (readonly [rule: string, title: string])[] = [
  ['', 'Does not repeat'],
  ['RRULE:FREQ=DAILY', 'Daily'],
  ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR', 'Every weekday (Monday to Friday)'],
  ['RRULE:FREQ=WEEKLY', 'Weekly'],
  ['RRULE:FREQ=MONTHLY', 'Monthly'],
  ['RRULE:FREQ=YEARLY', 'Yearly'],
]

export const isRuleLine = (line: string): boolean => /^RRULE:/i.test(line)

export const parseRuleParts = (line: string): RuleParts =>
  Object.fromEntries(
    line
      .replace(/^RRULE:/i, '')
      .split(';')
      .map((part) => part.toUpperCase().split('=')),
  )

/** Empty parts are left out. */
export const formatRuleParts = (parts: RuleParts): string =>
  `RRULE:${Object.entries(parts)
    .filter(([, value]) => value !== '')
    .map((part) => part.join('='))
    .join(';')}`

/** Returns UNTIL for the last day: a date for all-day events, else the end of that day in the zone, in UTC. */
export const toUntil = (day: string, zone: string, allDay: boolean): string =>
  allDay
    ? day.replaceAll('-', '')
    : new Date(instantAt(`${day}T23:59:59`, zone)).toISOString().replace(/[-:]|\.\d+/g, '')

/** Returns the last day as `2026-03-02`, for UNTIL in either form. */
export function lastDayOf(until: string, zone: string): string {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)Z)?$/.exec(until) ?? []
  const date = `${year}-${month}-${day}`
  return hour === undefined ? date : wallTimeAt(Date.parse(`${date}T${hour}:${minute}:${second}Z`), zone).slice(0, 10)
}
