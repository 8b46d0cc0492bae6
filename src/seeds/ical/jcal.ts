import ICAL from 'ical.js'

/** A property as jCal (RFC 7265): its name in lower case, its parameters, the type of its value, and the value. */
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

/** Returns a property without the characters that its value and its parameters cannot hold (RFC 5545, 3.1). */
export function createProperty(name: string, value: string, parameters: Record<string, string> = {}): JCalProperty {
  const isText = TEXT_PROPERTIES.includes(name)
  return [
    name,
    Object.fromEntries(Object.entries(parameters).map(([key, one]) => [key, one.replace(/["\p{Cc}]/gu, ' ')])),
    isText ? 'text' : 'unknown',
    value.replace(/\r\n?/g, '\n').replace(isText ? /[^\P{Cc}\t\n]/gu : /[^\P{Cc}\t]/gu, ''),
  ]
}

/** Formats a component as iCalendar: escaped, folded, and with CRLF at the end. */
export function formatComponent([name, properties, components]: JCalComponent): string {
  const lines = properties.map((property) => `${foldLine(ICAL.stringify.property([...property], DESIGN, true))}\r\n`)
  const edge = `${name.toUpperCase()}\r\n`
  return ['BEGIN:', edge, ...lines, ...components.map(formatComponent), 'END:', edge].join('')
}

const MAX_LINE_BYTES = 75

/** Folds a line at 75 bytes (RFC 5545, 3.1). ical.js does not count the space at the start of a continued line. */
function foldLine(line: string): string {
  if (Buffer.byteLength(line) <= MAX_LINE_BYTES) return line
  let [folded, size] = ['', 0]
  for (const character of line) {
    const bytes = Buffer.byteLength(character)
    if (size + bytes > MAX_LINE_BYTES) {
      folded += '\r\n '
      size = 1
    }
    folded += character
    size += bytes
  }
  return folded
}
