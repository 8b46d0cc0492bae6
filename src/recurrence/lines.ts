import { type ICalDateTime, parseICalDateTime, toInstant } from './icalDateTime.ts'
import { rejectRecurrence } from './invalidRecurrence.ts'
import { parseRule, type RecurrenceRule, type RuleContext } from './rule.ts'
import { splitRuleEnd } from './ruleEnd.ts'
import { isZone } from './zone.ts'

/** The parsed recurrence lines of a series. Dates are instants in milliseconds. */
export type RecurrenceLines = { rules: RecurrenceRule[]; exrules: RecurrenceRule[]; dates: number[]; exdates: number[] }

/** A name, parameters and a value: `EXDATE;TZID=America/Los_Angeles:20150208T010000`. */
const LINE = /^([A-Za-z]+)((?:;[A-Za-z-]+=(?:"[^"]*"|[^";:]*))*):(.+)$/
const PARAMETER = /;([A-Za-z-]+)=(?:"([^"]*)"|([^";:]*))/g

type LineParameters = { VALUE?: string; TZID?: string }

const PROPERTIES: Record<
  string,
  (lines: RecurrenceLines, value: string, parameters: LineParameters, anchor: RuleContext) => void
> = {
  RRULE: (lines, value, parameters, anchor) => lines.rules.push(parseRuleLine(value, parameters, anchor)),
  EXRULE: (lines, value, parameters, anchor) => lines.exrules.push(parseRuleLine(value, parameters, anchor)),
  RDATE: (lines, value, parameters, anchor) => lines.dates.push(...parseInstants(value, parameters, anchor)),
  EXDATE: (lines, value, parameters, anchor) => lines.exdates.push(...parseInstants(value, parameters, anchor)),
}

/** Parses recurrence lines, any number of each kind in any order (behaviour 4.2.1). Throws InvalidRecurrenceError. */
export function parseLines(texts: readonly string[], anchor: RuleContext): RecurrenceLines {
  const lines: RecurrenceLines = { rules: [], exrules: [], dates: [], exdates: [] }
  for (const text of texts) {
    const [, name = '', parameters = '', value = ''] =
      LINE.exec(text.trim()) ?? rejectRecurrence(`No property: ${text}`)
    const property = name.toUpperCase()
    if (!Object.hasOwn(PROPERTIES, property)) rejectRecurrence(`Not a property of a recurrence: ${name}`)
    PROPERTIES[property]?.(lines, value, parseParameters(parameters), anchor)
  }
  return lines
}

/** Formats a line as replies show it: the property name in capitals, the rest unchanged (behaviour 4.2.2, 4.2.7). */
export const formatLine = (text: string): string => text.replace(/[A-Za-z]+(?=[;:])/, (name) => name.toUpperCase())

/** Returns true for an RRULE or EXRULE line. */
export const isRule = (text: string): boolean => /^\s*(RRULE|EXRULE)\b/i.test(text)

/** Returns the sorted parts of a rule without its end, its COUNT, and its UNTIL as a comparable text. */
function boundsOf(line: string): { rest: string; count: number; until: string } {
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
 * Returns whether the only difference between two recurrences is that rules end earlier, by a nearer UNTIL or a lower COUNT
 * (behaviour 3.2.16).
 */
export function isTrim(before: readonly string[] = [], after: readonly string[] = []): boolean {
  if (before.length !== after.length || before.length === 0) return false
  return before.every((line, at) => {
    const other = after[at] ?? ''
    if (line === other) return true
    if (!/^RRULE:/i.test(line) || !/^RRULE:/i.test(other)) return false
    const [was, is] = [boundsOf(line), boundsOf(other)]
    return was.rest === is.rest && is.count <= was.count && is.until <= was.until
  })
}

function parseParameters(text: string): LineParameters {
  const parameters: LineParameters = {}
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER)) {
    const parameter = name.toUpperCase()
    if (parameter !== 'VALUE' && parameter !== 'TZID') rejectRecurrence(`Unknown parameter: ${name}`)
    if (parameter in parameters) rejectRecurrence(`${parameter} twice`)
    parameters[parameter as keyof LineParameters] = quoted ?? plain
  }
  return parameters
}

function parseRuleLine(value: string, parameters: LineParameters, anchor: RuleContext): RecurrenceRule {
  if (Object.keys(parameters).length > 0) rejectRecurrence('A rule takes no parameters')
  return parseRule(value, anchor)
}

/**
 * Parses the values of RDATE or EXDATE: dates for an all-day series, date-times for a timed one. The zone is UTC, the
 * line's own, or the series'. Values of the other kind have no effect (behaviour 4.2.7).
 */
function parseInstants(value: string, { VALUE, TZID }: LineParameters, { zone, allDay }: RuleContext): number[] {
  if (VALUE !== undefined && !/^(DATE|DATE-TIME)$/i.test(VALUE)) rejectRecurrence(`VALUE=${VALUE}`)
  if (TZID !== undefined && !isZone(TZID)) rejectRecurrence(`TZID=${TZID}`)
  const declared = VALUE?.toUpperCase()
  return value.split(',').flatMap((text) => {
    const dateTime = parseICalDateTime(text.toUpperCase())
    if (declared !== undefined && declared !== kindOf(dateTime)) rejectRecurrence(`${text} is no ${declared}`)
    if (allDay !== (dateTime.kind === 'date')) return []
    return toInstant(dateTime, allDay ? zone : (TZID ?? zone))
  })
}

function kindOf({ kind }: ICalDateTime): 'DATE' | 'DATE-TIME' {
  return kind === 'date' ? 'DATE' : 'DATE-TIME'
}
