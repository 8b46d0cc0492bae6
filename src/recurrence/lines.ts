import {
  instantOfICal,
  parseICalDateTime,
  parseRule,
  type RecurrenceRule,
  type RuleContext,
  rejectRecurrence,
  splitRuleEnd,
} from './rule.ts'
import { isZone } from './zone.ts'

/** Instants are in milliseconds, in the order of the lines, and may occur twice. */
export type RecurrenceLines = { rules: RecurrenceRule[]; exrules: RecurrenceRule[]; dates: number[]; exdates: number[] }

const LINE = /^([A-Za-z]+)((?:;[A-Za-z-]+=(?:"[^"]*"|[^";:]*))*):(.+)$/
const PARAMETER = /;([A-Za-z-]+)=(?:"([^"]*)"|([^";:]*))/g

type LineParameters = { VALUE?: string; TZID?: string }

const PROPERTIES: Record<
  string,
  (lines: RecurrenceLines, value: string, parameters: LineParameters, series: RuleContext) => void
> = {
  RRULE: (lines, value, parameters, series) => lines.rules.push(parseRuleLine(value, parameters, series)),
  EXRULE: (lines, value, parameters, series) => lines.exrules.push(parseRuleLine(value, parameters, series)),
  RDATE: (lines, value, parameters, series) => lines.dates.push(...parseInstants(value, parameters, series)),
  EXDATE: (lines, value, parameters, series) => lines.exdates.push(...parseInstants(value, parameters, series)),
}

/** Any number of each kind in any order (behaviour 4.2.1). Throws InvalidRecurrenceError. */
export function parseLines(texts: readonly string[], series: RuleContext): RecurrenceLines {
  const lines: RecurrenceLines = { rules: [], exrules: [], dates: [], exdates: [] }
  for (const text of texts) {
    const [, name = '', parameters = '', value = ''] =
      LINE.exec(text.trim()) ?? rejectRecurrence(`No property: ${text}`)
    const property = name.toUpperCase()
    if (!Object.hasOwn(PROPERTIES, property)) rejectRecurrence(`Not a property of a recurrence: ${name}`)
    PROPERTIES[property]?.(lines, value, parseLineParameters(parameters), series)
  }
  return lines
}

/** The property name in capitals, the rest unchanged (behaviour 4.2.2, 4.2.7). The line must be valid. */
export const formatLine = (text: string): string => text.replace(/[A-Za-z]+(?=[;:])/, (name) => name.toUpperCase())

/** Does not check the value. */
export const isRule = (text: string): boolean => /^\s*(RRULE|EXRULE)\b/i.test(text)

/**
 * `rest` is the parts except COUNT and UNTIL, sorted and in capitals. Without COUNT, `count` is Infinity. `until` compares as
 * text: the last second of a date, and `UNBOUNDED` without UNTIL.
 */
function ruleBounds(line: string): { rest: string; count: number; until: string } {
  const { rest, count = Number.POSITIVE_INFINITY, until = UNBOUNDED } = splitRuleEnd(line.toUpperCase())
  return {
    rest: rest
      .replace(/^RRULE:/, '')
      .split(';')
      .sort()
      .join(';'),
    count: Number(count),
    until: until.length === DATE_LENGTH ? `${until}T235959Z` : until,
  }
}

const UNBOUNDED = '99999999'
const DATE_LENGTH = 8

/**
 * `after` differs only in RRULE lines that end earlier, by a nearer UNTIL or a lower COUNT, or not at all (behaviour 3.2.16).
 * False if either is empty or they differ in length.
 */
export function isTrim(before: readonly string[] = [], after: readonly string[] = []): boolean {
  if (before.length !== after.length || before.length === 0) return false
  return before.every((line, at) => {
    const other = after[at] ?? ''
    if (line === other) return true
    if (!/^RRULE:/i.test(line) || !/^RRULE:/i.test(other)) return false
    const [old, next] = [ruleBounds(line), ruleBounds(other)]
    return old.rest === next.rest && next.count <= old.count && next.until <= old.until
  })
}

/** `;TZID=UTC;VALUE=DATE`. Throws InvalidRecurrenceError for other names and for a name that occurs twice. */
function parseLineParameters(text: string): LineParameters {
  const parameters: LineParameters = {}
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER)) {
    const parameter = name.toUpperCase()
    if (parameter !== 'VALUE' && parameter !== 'TZID') rejectRecurrence(`Unknown parameter: ${name}`)
    if (parameter in parameters) rejectRecurrence(`${parameter} twice`)
    parameters[parameter as keyof LineParameters] = quoted ?? plain
  }
  return parameters
}

function parseRuleLine(value: string, parameters: LineParameters, series: RuleContext): RecurrenceRule {
  if (Object.keys(parameters).length > 0) rejectRecurrence('A rule takes no parameters')
  return parseRule(value, series)
}

/**
 * Dates for an all-day series, date-times for a timed one; values of the other kind are left out (behaviour 4.2.7). A date-time
 * without `Z` is in the zone TZID, or else in the series' zone. Throws InvalidRecurrenceError if a value is not of the kind
 * VALUE.
 */
function parseInstants(value: string, { VALUE, TZID }: LineParameters, { zone, allDay }: RuleContext): number[] {
  if (VALUE !== undefined && !/^(DATE|DATE-TIME)$/i.test(VALUE)) rejectRecurrence(`VALUE=${VALUE}`)
  if (TZID !== undefined && !isZone(TZID)) rejectRecurrence(`TZID=${TZID}`)
  const declared = VALUE?.toUpperCase()
  return value.split(',').flatMap((text) => {
    const dateTime = parseICalDateTime(text.toUpperCase())
    const isDate = dateTime.kind === 'date'
    if (declared && declared !== (isDate ? 'DATE' : 'DATE-TIME')) rejectRecurrence(`${text} is no ${declared}`)
    if (allDay !== isDate) return []
    return instantOfICal(dateTime, allDay ? zone : (TZID ?? zone))
  })
}
