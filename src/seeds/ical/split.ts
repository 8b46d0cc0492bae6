import { DAY_MS } from '../../recurrence/days.ts'
import { splitRuleEnd, withRuleEnd } from '../../recurrence/ruleEnd.ts'
import { formatDate, formatUtc } from './icalDateTime.ts'
import { type Recurrence, requireSeries } from './recurrences.ts'
import { UnsupportedEventError } from './report.ts'
import { localDay, type ZonedDateTime } from './zones.ts'

/** Limit of the instances that are counted to find the rest of a COUNT. */
const MAX_COUNTED_INSTANCES = 50_000
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

type SeriesToSplit = { start: ZonedDateTime; recurrence: Recurrence; line: number }

/**
 * Splits a series before the instance at `slotMs`. The second part starts at `newStart`, so the added and excluded dates
 * of both parts leave out the slot. Throws UnsupportedEventError if a rule has COUNT and 50,000 instances precede the
 * slot.
 */
export function splitSeries(
  { start, recurrence, line }: SeriesToSplit,
  slotMs: number,
  newStart: ZonedDateTime,
): [Recurrence, Recurrence] {
  const { rules, added, excluded } = recurrence
  const shift = newStart.at - slotMs
  const last = start.dated ? formatDate(slotMs - DAY_MS) : formatUtc(slotMs - 1000)
  const before: Recurrence = {
    rules: rules.map((rule) => endAt(rule, last)),
    added: added.filter((one) => one < slotMs),
    excluded: excluded.filter((one) => one < slotMs),
  }
  const days = daysBetween(start, slotMs, newStart)
  const after: Recurrence = {
    rules: rules
      .flatMap((rule) => remainingRule(rule, { start, slotMs, line }))
      .map((rule) => moveWeekdays(rule, days)),
    added: added.filter((one) => one > slotMs).map((one) => one + shift),
    excluded: excluded.filter((one) => one > slotMs).map((one) => one + shift),
  }
  return [before, after]
}

/**
 * Returns the rule with the COUNT that is left from the slot on, or nothing if none is left. A rule without COUNT is
 * unchanged. An EXRULE is counted as an RRULE.
 */
function remainingRule(
  rule: string,
  { start, slotMs, line }: { start: ZonedDateTime; slotMs: number; line: number },
): string[] {
  const { count } = splitRuleEnd(rule)
  if (count === undefined) return [rule]
  const series = requireSeries({ rules: [rule.replace(/^EX/, 'R')], added: [], excluded: [] }, start, line)
  const passed = series.between(Number.NEGATIVE_INFINITY, slotMs, MAX_COUNTED_INSTANCES).length
  if (passed >= MAX_COUNTED_INSTANCES)
    throw new UnsupportedEventError(line, `it changes a series after its first ${MAX_COUNTED_INSTANCES} instances`)
  return Number(count) > passed ? [withRuleEnd(rule, { count: Number(count) - passed })] : []
}

/** Returns a rule that ends at `last`, or at its own earlier UNTIL. */
function endAt(rule: string, last: string): string {
  const { until = last } = splitRuleEnd(rule)
  return withRuleEnd(rule, { until: until < last ? until : last })
}

/** Returns the signed number of local days from `slotMs` to `newStart`, in the zone of the series. */
function daysBetween(start: ZonedDateTime, slotMs: number, newStart: ZonedDateTime): number {
  if (start.dated || newStart.dated) return Math.round((newStart.at - slotMs) / DAY_MS)
  const zone = start.zone ?? 'UTC'
  return (localDay(newStart.at, zone) - localDay(slotMs, zone)) / DAY_MS
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
