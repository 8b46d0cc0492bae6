import { dayOf, daysLater, msOf } from './times.ts'

/** Rules that are often wanted; any other is written as lines of RFC 5545. */
export const PRESETS = [
  { id: 'none', title: 'Does not repeat', rule: () => undefined },
  { id: 'daily', title: 'Every day', rule: () => 'RRULE:FREQ=DAILY' },
  { id: 'workdays', title: 'Monday to Friday', rule: () => 'RRULE:FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR' },
  { id: 'weekly', title: 'Every week', rule: (day: string) => `RRULE:FREQ=WEEKLY;BYDAY=${weekdayOf(day)}` },
  { id: 'monthly', title: 'Every month', rule: () => 'RRULE:FREQ=MONTHLY' },
  { id: 'yearly', title: 'Every year', rule: () => 'RRULE:FREQ=YEARLY' },
] as const
export type Repeats = (typeof PRESETS)[number]['id'] | 'custom'

const WEEKDAYS: readonly string[] = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']
export const weekdayOf = (day: string): string => WEEKDAYS[new Date(msOf(dayOf(day))).getUTCDay()] ?? 'MO'

/** Which of the presets lines are, beginning on a day. */
export function presetOf(lines: readonly string[] | undefined, day: string): Repeats {
  if (!lines || lines.length === 0) return 'none'
  const known = PRESETS.find(({ rule }) => rule(day) !== undefined && lines.length === 1 && rule(day) === lines[0])
  return known?.id ?? 'custom'
}

/** The lines of a preset that begins on a day; of any other those that were typed. */
export function linesOf(repeats: Repeats, day: string, typed: string): string[] | undefined {
  if (repeats === 'custom')
    return typed
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const rule = PRESETS.find(({ id }) => id === repeats)?.rule(day)
  return rule === undefined ? undefined : [rule]
}

const changedRule = (lines: readonly string[], change: (rule: string) => string): string[] =>
  lines.map((line) => (/^RRULE:/i.test(line) ? change(line) : line))

/** A series that is moved by whole days: the weekdays that its rule names go along. */
export const movedBy = (lines: readonly string[], days: number): string[] =>
  changedRule(lines, (rule) =>
    /FREQ=WEEKLY/i.test(rule)
      ? rule.replace(
          /BYDAY=([A-Z,]+)/i,
          (_, named: string) => `BYDAY=${named.split(',').map((day) => weekdayAfter(day, days))}`,
        )
      : rule,
  )

function weekdayAfter(day: string, days: number): string {
  const at = WEEKDAYS.indexOf(day.toUpperCase())
  return WEEKDAYS[(((at + days) % 7) + 7) % 7] ?? day
}

const without = (rule: string, ...names: string[]): string =>
  rule
    .split(';')
    .filter((part) => !names.some((name) => part.toUpperCase().startsWith(`${name}=`)))
    .join(';')

/** A series that ends before an instance: before a day, or before an instant. */
export function endedBefore(
  lines: readonly string[],
  instance: { date?: string | undefined; instant: number },
): string[] {
  const until =
    instance.date === undefined
      ? new Date(instance.instant - 1000).toISOString().replace(/[-:]|\.\d+/g, '')
      : daysLater(instance.date, -1).replaceAll('-', '')
  return changedRule(lines, (rule) => `${without(rule, 'COUNT', 'UNTIL')};UNTIL=${until}`)
}

/** What is left of a series after so many of its instances. */
export const leftAfter = (lines: readonly string[], instances: number): string[] =>
  changedRule(lines, (rule) => rule.replace(/COUNT=(\d+)/i, (_, count: string) => `COUNT=${Number(count) - instances}`))
