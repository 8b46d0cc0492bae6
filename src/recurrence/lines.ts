import { invalid } from './invalid.ts'
import { type Anchor, type Rule, readRule } from './rule.ts'
import { placed, readStamp, type Stamp } from './stamp.ts'
import { isZone } from './zone.ts'

/** What the lines of a series add and take away: rules, and single instants. */
export type Lines = { rules: Rule[]; exrules: Rule[]; dates: number[]; exdates: number[] }

/** `EXDATE;TZID=America/Los_Angeles:20150208T010000`: a name, parameters, a value. */
const LINE = /^([A-Za-z]+)((?:;[A-Za-z-]+=(?:"[^"]*"|[^";:]*))*):(.+)$/
const PARAMETER = /;([A-Za-z-]+)=(?:"([^"]*)"|([^";:]*))/g

type Parameters = { VALUE?: string; TZID?: string }

const PROPERTIES: Record<string, (lines: Lines, value: string, parameters: Parameters, anchor: Anchor) => void> = {
  RRULE: (lines, value, parameters, anchor) => lines.rules.push(bareRule(value, parameters, anchor)),
  EXRULE: (lines, value, parameters, anchor) => lines.exrules.push(bareRule(value, parameters, anchor)),
  RDATE: (lines, value, parameters, anchor) => lines.dates.push(...instants(value, parameters, anchor)),
  EXDATE: (lines, value, parameters, anchor) => lines.exdates.push(...instants(value, parameters, anchor)),
}

/** Any number of each kind, in any order (behaviour 4.2.1). */
export function readLines(texts: readonly string[], anchor: Anchor): Lines {
  const lines: Lines = { rules: [], exrules: [], dates: [], exdates: [] }
  for (const text of texts) {
    const [, name = '', parameters = '', value = ''] = LINE.exec(text.trim()) ?? invalid(`No property: ${text}`)
    const property = name.toUpperCase()
    if (!Object.hasOwn(PROPERTIES, property)) invalid(`Not a property of a recurrence: ${name}`)
    PROPERTIES[property]?.(lines, value, readParameters(parameters), anchor)
  }
  return lines
}

/** A line as it comes back: the name of its property in capitals, the rest as it was given (behaviour 4.2.2, 4.2.7). */
export const writtenLine = (text: string): string => text.replace(/[A-Za-z]+(?=[;:])/, (name) => name.toUpperCase())

/** Whether a line holds a rule, and not single dates. */
export const isRule = (text: string): boolean => /^\s*(RRULE|EXRULE)\b/i.test(text)

function readParameters(text: string): Parameters {
  const parameters: Parameters = {}
  for (const [, name = '', quoted, plain = ''] of text.matchAll(PARAMETER)) {
    const parameter = name.toUpperCase()
    if (parameter !== 'VALUE' && parameter !== 'TZID') invalid(`Unknown parameter: ${name}`)
    if (parameter in parameters) invalid(`${parameter} twice`)
    parameters[parameter as keyof Parameters] = quoted ?? plain
  }
  return parameters
}

function bareRule(value: string, parameters: Parameters, anchor: Anchor): Rule {
  if (Object.keys(parameters).length > 0) invalid('A rule takes no parameters')
  return readRule(value, anchor)
}

/**
 * Dates for an all-day series, date-times for a timed one: in UTC, in a zone of their own, or else in the series'. Those
 * of the other kind have no effect (behaviour 4.2.7).
 */
function instants(value: string, { VALUE, TZID }: Parameters, { zone, allDay }: Anchor): number[] {
  if (VALUE !== undefined && !/^(DATE|DATE-TIME)$/i.test(VALUE)) invalid(`VALUE=${VALUE}`)
  if (TZID !== undefined && !isZone(TZID)) invalid(`TZID=${TZID}`)
  const declared = VALUE?.toUpperCase()
  return value.split(',').flatMap((text) => {
    const stamp = readStamp(text.toUpperCase())
    if (declared !== undefined && declared !== kindOf(stamp)) invalid(`${text} is no ${declared}`)
    if (allDay !== (stamp.kind === 'date')) return []
    return placed(stamp, allDay ? zone : (TZID ?? zone))
  })
}

function kindOf({ kind }: Stamp): 'DATE' | 'DATE-TIME' {
  return kind === 'date' ? 'DATE' : 'DATE-TIME'
}
