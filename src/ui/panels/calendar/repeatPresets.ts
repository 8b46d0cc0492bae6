import { dateOf, wallToMs } from '../../time/wallTime.ts'

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
/** `TU` for `2026-03-03`; `MO` if the date is invalid. */
const weekdayOf = (date: string): string => WEEKDAYS[new Date(wallToMs(dateOf(date))).getUTCDay()] ?? 'MO'

export const REPEAT_PRESETS = [
  { id: 'none', title: 'Does not repeat', rule: () => undefined },
  { id: 'daily', title: 'Daily', rule: () => 'RRULE:FREQ=DAILY' },
  { id: 'weekdays', title: 'Every weekday (Monday to Friday)', rule: () => 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' },
  { id: 'weekly', title: 'Weekly', rule: (date: string) => `RRULE:FREQ=WEEKLY;BYDAY=${weekdayOf(date)}` },
  { id: 'monthly', title: 'Monthly', rule: () => 'RRULE:FREQ=MONTHLY' },
  { id: 'yearly', title: 'Yearly', rule: () => 'RRULE:FREQ=YEARLY' },
] as const
export type Repeat = (typeof REPEAT_PRESETS)[number]['id'] | 'custom'

export function findPreset(lines: readonly string[] | undefined, date: string): Repeat {
  const [line, ...others] = lines ?? []
  if (line === undefined) return 'none'
  return REPEAT_PRESETS.find(({ rule }) => others.length === 0 && rule(date) === line)?.id ?? 'custom'
}

/** For `custom` it returns the lines of `typed` without checks. */
export function toRecurrence(repeat: Repeat, date: string, typed: string): string[] | undefined {
  if (repeat === 'custom')
    return typed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const rule = REPEAT_PRESETS.find(({ id }) => id === repeat)?.rule(date)
  return rule === undefined ? undefined : [rule]
}
