import { DAY } from '../../recurrence/days.ts'
import { formatDate, formatUtc } from './icalDateTime.ts'
import { type Recurrence, requireSeries } from './recurrences.ts'
import { UnsupportedEventError } from './report.ts'
import { localDay, type Moment } from './zones.ts'

/** How far a series that ends by a count is gone through to find how much of the count is left. */
const MAX_COUNTED_INSTANCES = 50_000
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

type Whole = { start: Moment; recurrence: Recurrence; line: number }

/** A series up to a slot, and what goes on from it at another start. */
export function splitSeries({ start, recurrence, line }: Whole, slot: number, next: Moment): [Recurrence, Recurrence] {
  const { rules, added, excluded } = recurrence
  const shift = next.at - slot
  const last = start.dated ? formatDate(slot - DAY) : formatUtc(slot - 1000)
  const before: Recurrence = {
    rules: rules.map((rule) => withPart(rule, 'UNTIL', last)),
    added: added.filter((one) => one < slot),
    excluded: excluded.filter((one) => one < slot),
  }
  const days = daysBetween(start, slot, next)
  const after: Recurrence = {
    rules: rules.flatMap((rule) => remainingRule(rule, { start, slot, line })).map((rule) => moveWeekdays(rule, days)),
    added: added.filter((one) => one > slot).map((one) => one + shift),
    excluded: excluded.filter((one) => one > slot).map((one) => one + shift),
  }
  return [before, after]
}

/** What is left of a rule that ends by a count; the others go on as they are. */
function remainingRule(rule: string, { start, slot, line }: { start: Moment; slot: number; line: number }): string[] {
  const [, count] = /;COUNT=(\d+)/.exec(rule) ?? []
  if (count === undefined) return [rule]
  const series = requireSeries({ rules: [rule.replace(/^EX/, 'R')], added: [], excluded: [] }, start, line)
  const passed = series.between(Number.NEGATIVE_INFINITY, slot, MAX_COUNTED_INSTANCES).length
  if (passed >= MAX_COUNTED_INSTANCES)
    throw new UnsupportedEventError(
      line,
      `it changes a series from after its first ${MAX_COUNTED_INSTANCES} instances on`,
    )
  return Number(count) > passed ? [withPart(rule, 'COUNT', String(Number(count) - passed))] : []
}

/** A rule with one end, whatever it had for one before. */
function withPart(rule: string, part: 'UNTIL' | 'COUNT', value: string): string {
  const [, until] = /;UNTIL=([^;]+)/.exec(rule) ?? []
  const sooner = part === 'UNTIL' && until !== undefined && until < value ? until : value
  return `${rule.replace(/;(UNTIL|COUNT)=[^;]*/g, '')};${part}=${sooner}`
}

function daysBetween(start: Moment, slot: number, next: Moment): number {
  if (start.dated || next.dated) return Math.round((next.at - slot) / DAY)
  const zone = start.zone ?? 'UTC'
  return (localDay(next.at, zone) - localDay(slot, zone)) / DAY
}

/** A weekly rule whose days were all moved. */
function moveWeekdays(rule: string, days: number): string {
  if (days === 0 || !rule.includes('FREQ=WEEKLY')) return rule
  return rule.replace(/(?<=;BYDAY=)[A-Z,]+/, (said) =>
    said
      .split(',')
      .map((day) => WEEKDAYS[(((WEEKDAYS.indexOf(day) + days) % 7) + 7) % 7])
      .join(','),
  )
}
