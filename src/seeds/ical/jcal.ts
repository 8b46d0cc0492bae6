import ICAL from 'ical.js'

/** jCal (RFC 7265) */
export type JCalProperty = readonly [name: string, parameters: Record<string, string>, type: string, value: string]
export type JCalComponent = readonly [name: string, properties: JCalProperty[], components: JCalComponent[]]

const TEXT_PROPERTIES =
  'uid tzid x-lic-location summary description location comment x-wr-calname x-wr-caldesc x-response-comment'.split(' ')

/**
 * Makes ical.js parse and format texts only, because its parsers of other values may throw or run forever. The objects
 * have no prototype, because names of a file may be names of Object.prototype.
 */
export const DESIGN = {
  value: { __proto__: null, text: ICAL.design.icalendar.value.text },
  param: { __proto__: null },
  property: { __proto__: null, ...Object.fromEntries(TEXT_PROPERTIES.map((name) => [name, { defaultType: 'text' }])) },
  propertyGroups: false,
} as never

/** Removes characters that a value and a parameter cannot hold (RFC 5545, 3.1). */
export function createProperty(name: string, value: string, parameters: Record<string, string> = {}): JCalProperty {
  const isText = TEXT_PROPERTIES.includes(name)
  return [
    name,
    Object.fromEntries(Object.entries(parameters).map(([key, one]) => [key, one.replace(/["\p{Cc}]/gu, ' ')])),
    isText ? 'text' : 'unknown',
    value.replace(/\r\n?/g, '\n').replace(isText ? /[^\P{Cc}\t\n]/gu : /[^\P{Cc}\t]/gu, ''),
  ]
}

export function formatComponent([name, properties, components]: JCalComponent): string {
  const lines = properties.map((property) => `${foldLine(ICAL.stringify.property([...property], DESIGN, true))}\r\n`)
  const edge = `${name.toUpperCase()}\r\n`
  return ['BEGIN:', edge, ...lines, ...components.map(formatComponent), 'END:', edge].join('')
}

const MAX_LINE_BYTES = 75

/** ical.js folds continued lines after 76 bytes (RFC 5545, 3.1: 75). */
function foldLine(line: string): string {
  const bytes = Buffer.from(line)
  const parts: string[] = []
  for (let at = 0; at < bytes.length; ) {
    let end = at + (at === 0 ? MAX_LINE_BYTES : MAX_LINE_BYTES - 1)
    while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
    parts.push(bytes.toString('utf8', at, end))
    at = end
  }
  return parts.join('\r\n ')
}
