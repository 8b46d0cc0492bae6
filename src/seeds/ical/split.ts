import { DAY_MS } from '../../recurrence/days.ts'
import { splitRuleEnd, withRuleEnd } from '../../recurrence/ruleEnd.ts'
import { formatDate, formatUtc } from './icalDateTime.ts'
import { type Recurrence, requireSeries } from './recurrences.ts'
import { UnsupportedEventError } from './report.ts'
import { localDay, type ZonedDateTime } from './zones.ts'

/** Limit of the instances that are counted to find the rest of a COUNT. */
const MAX_COUNTED_INSTANCES = 50_000
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

type Whole = { start: ZonedDateTime; recurrence: Recurrence; line: number }

/** Splits a series at a slot, and moves the second part to another start. */
export function splitSeries(
  { start, recurrence, line }: Whole,
  slot: number,
  next: ZonedDateTime,
): [Recurrence, Recurrence] {
  const { rules, added, excluded } = recurrence
  const shift = next.at - slot
  const last = start.dated ? formatDate(slot - DAY_MS) : formatUtc(slot - 1000)
  const before: Recurrence = {
    rules: rules.map((rule) => endAt(rule, last)),
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

/** Returns the rest of a rule with COUNT. Other rules continue unchanged. */
function remainingRule(
  rule: string,
  { start, slot, line }: { start: ZonedDateTime; slot: number; line: number },
): string[] {
  const { count } = splitRuleEnd(rule)
  if (count === undefined) return [rule]
  const series = requireSeries({ rules: [rule.replace(/^EX/, 'R')], added: [], excluded: [] }, start, line)
  const passed = series.between(Number.NEGATIVE_INFINITY, slot, MAX_COUNTED_INSTANCES).length
  if (passed >= MAX_COUNTED_INSTANCES)
    throw new UnsupportedEventError(
      line,
      `it changes a series from after its first ${MAX_COUNTED_INSTANCES} instances on`,
    )
  return Number(count) > passed ? [withRuleEnd(rule, { count: Number(count) - passed })] : []
}

/** Returns a rule that ends at `last`, or at its own earlier UNTIL. */
function endAt(rule: string, last: string): string {
  const { until = last } = splitRuleEnd(rule)
  return withRuleEnd(rule, { until: until < last ? until : last })
}

function daysBetween(start: ZonedDateTime, slot: number, next: ZonedDateTime): number {
  if (start.dated || next.dated) return Math.round((next.at - slot) / DAY_MS)
  const zone = start.zone ?? 'UTC'
  return (localDay(next.at, zone) - localDay(slot, zone)) / DAY_MS
}

/** Moves the weekdays of a weekly rule by a number of days. */
function moveWeekdays(rule: string, days: number): string {
  if (days === 0 || !rule.includes('FREQ=WEEKLY')) return rule
  return rule.replace(/(?<=;BYDAY=)[A-Z,]+/, (list) =>
    list
      .split(',')
      .map((day) => WEEKDAYS[(((WEEKDAYS.indexOf(day) + days) % 7) + 7) % 7])
      .join(','),
  )
}
