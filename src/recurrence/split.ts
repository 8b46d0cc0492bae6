import { DAY_MS } from './days.ts'
import { formatICalStart } from './format.ts'
import { isRule, parseLines } from './lines.ts'
import { type Occurrences, RuleOccurrences } from './occurrences.ts'
import { parseRule, rejectRecurrence, WEEKDAYS, withRuleEnd } from './rule.ts'
import { type ResolvedStart, resolveStart, type Start } from './series.ts'
import { instantOf, localMsAt } from './zone.ts'

/** RRULE and EXRULE lines, and the starts of RDATE and EXDATE lines. */
export type RecurrenceParts = { rules: string[]; added: number[]; excluded: number[] }

const MAX_COUNTED_OCCURRENCES = 50_000
const COMPARED_OCCURRENCES = 10

export function parseRecurrence(lines: readonly string[], start: Start): RecurrenceParts {
  const { dates, exdates } = parseLines(lines, resolveStart(start))
  return { rules: lines.filter(isRule), added: dates, excluded: exdates }
}

/** Dates are sorted and distinct, and those outside of the years 0 to 9999 are left out. */
export function formatRecurrence({ rules, added, excluded }: RecurrenceParts, allDay: boolean): string[] {
  const dates = (name: string, starts: readonly number[]) => {
    const sorted = [...new Set(starts)].filter(hasFourDigitYear).sort((a, b) => a - b)
    const texts = sorted.map((start) => formatICalStart(start, allDay))
    return texts.length > 0 ? [`${name}${allDay ? ';VALUE=DATE' : ''}:${texts}`] : []
  }
  return [...rules, ...dates('RDATE', added), ...dates('EXDATE', excluded)]
}

/**
 * The second part starts at `slot`, a start as in `Series`, so the added and excluded starts of both parts leave it out. Throws
 * InvalidRecurrenceError for a rule that cannot be split: one with COUNT and 50,000 occurrences before `slot`, or an endless
 * EXRULE that would exclude other starts in the second part.
 */
export function splitRecurrence(
  { rules, added, excluded }: RecurrenceParts,
  start: Start,
  slot: number,
): [before: RecurrenceParts, after: RecurrenceParts] {
  const series = resolveStart(start)
  const openRules = rules.map((line) => openRule(line, series))
  const before = {
    rules: openRules.map((rule) => endBefore(rule, slot, series.allDay)),
    added: added.filter((at) => at < slot),
    excluded: excluded.filter((at) => at < slot),
  }
  const after: RecurrenceParts = {
    rules: [],
    added: added.filter((at) => at > slot),
    excluded: excluded.filter((at) => at > slot),
  }
  const ends = openRules.filter(({ isExclusion }) => !isExclusion).map(({ occurrences }) => occurrences.end)
  const end = Math.max(slot, ...added, ...ends) + 1
  for (const rule of openRules) {
    if (rule.occurrences.end < slot) continue
    const line = withRemainingCount(rule, series, slot)
    if (!rule.isExclusion || isSameFrom(slot, line, rule, series)) after.rules.push(line)
    else after.excluded.push(...takeStarts(rule.occurrences, slot, end))
  }
  return [before, after]
}

/**
 * Moves by the local clock, as far as from the occurrence at `slot` to `next`, the start after the move. Throws
 * InvalidRecurrenceError for an invalid rule.
 */
export function moveRecurrence(parts: RecurrenceParts, start: Start, slot: number, next: Start): RecurrenceParts {
  const [series, moved] = [resolveStart(start), resolveStart(next)]
  if (moved.instant === slot && moved.zone === series.zone && moved.allDay === series.allDay) return parts
  const move = moveOfStarts(start, slot, next)
  const days = Math.floor(moved.localMs / DAY_MS) - Math.floor(localMsAt(slot, series.zone) / DAY_MS)
  const moveRule = (line: string): string => {
    const { until } = openRule(line, series).rule
    const weekly = moveWeekdays(line, days)
    return until === undefined ? weekly : withRuleEnd(weekly, { until: formatICalStart(move(until), moved.allDay) })
  }
  return { rules: parts.rules.map(moveRule), added: parts.added.map(move), excluded: parts.excluded.map(move) }
}

/** Moves a single start as `moveRecurrence` does. */
export function moveOfStarts(start: Start, slot: number, next: Start): (instant: number) => number {
  const { zone } = resolveStart(start)
  const moved = resolveStart(next)
  const distance = moved.localMs - localMsAt(slot, zone)
  return (instant) => {
    if (instant === slot) return moved.instant
    const localMs = localMsAt(instant, zone) + distance
    return moved.allDay ? Math.floor(localMs / DAY_MS) * DAY_MS : instantOf(localMs, moved.zone)
  }
}

type OpenRule = ReturnType<typeof openRule>

function openRule(line: string, series: ResolvedStart) {
  const [, exclusion = '', value = ''] =
    /^\s*(?:RRULE|(EXRULE)):(.*)$/is.exec(line) ?? rejectRecurrence(`No rule: ${line}`)
  const isExclusion = exclusion !== ''
  const rule = parseRule(value.trim(), series)
  return { line, isExclusion, rule, occurrences: new RuleOccurrences(rule, series) }
}

function endBefore({ line, isExclusion, occurrences }: OpenRule, slot: number, allDay: boolean): string {
  if (isExclusion || occurrences.end < slot) return line
  return withRuleEnd(line, { until: formatICalStart(slot - (allDay ? DAY_MS : 1000), allDay) })
}

function withRemainingCount({ line, rule, occurrences }: OpenRule, { instant }: ResolvedStart, slot: number): string {
  if (rule.count === undefined) return line
  return withRuleEnd(line, { count: rule.count - takeStarts(occurrences, instant, slot).length })
}

function isSameFrom(slot: number, line: string, { occurrences }: OpenRule, series: ResolvedStart): boolean {
  const next = { ...series, instant: slot, localMs: localMsAt(slot, series.zone) }
  const first = (all: Occurrences) => all.between(slot, Number.POSITIVE_INFINITY)[Symbol.iterator]()
  const [own, others] = [first(occurrences), first(openRule(line, next).occurrences)]
  for (let count = 0; count < COMPARED_OCCURRENCES; count++) if (own.next().value !== others.next().value) return false
  return true
}

function takeStarts(occurrences: Occurrences, from: number, to: number): number[] {
  const starts: number[] = []
  for (const start of occurrences.between(from, to)) {
    if (starts.push(start) >= MAX_COUNTED_OCCURRENCES)
      rejectRecurrence(`it cannot be split after ${MAX_COUNTED_OCCURRENCES} instances`)
  }
  return starts
}

const moveWeekdays = (line: string, days: number): string =>
  /FREQ=WEEKLY/i.test(line)
    ? line.replace(/(?<=[:;]BYDAY=)[A-Z,]+/i, (names) =>
        names
          .toUpperCase()
          .split(',')
          .map((name) => WEEKDAYS[(((WEEKDAYS.indexOf(name) + days) % 7) + 7) % 7])
          .join(','),
      )
    : line

const hasFourDigitYear = (start: number): boolean => /^\d/.test(new Date(start).toISOString())
