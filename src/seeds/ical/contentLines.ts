import ICAL from 'ical.js'
import { decodeCharset } from './decoding.ts'

/** An unfolded line of a file, with the number of its first line. */
export type ContentLine = { text: string; line: number }

/**
 * A property of a file: its name in lower case, and the number of its line. Texts are unescaped, other values
 * unchanged.
 */
export type Property = {
  name: string
  line: number
  /** The VALUE parameter in lower case; `unknown` without one. */
  type: string
  value: string
  parameters: ReadonlyMap<string, string>
}

const QUOTED_PRINTABLE = /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE\b/i
/** The start of a property line. */
const LINE_START = /^[A-Za-z_][\w.-]*[;:]/
/** Properties of free text, in which programs often leave line breaks unescaped. */
const FREE_TEXT = /^(SUMMARY|DESCRIPTION|LOCATION|COMMENT|X-ALT-DESC)[;:]/i

/**
 * Yields the unfolded lines of a text (RFC 5545, 3.1). A line that does not start a property continues the text above
 * it, because some programs do not escape line breaks.
 */
export function* contentLines(text: string): Generator<ContentLine> {
  let parts: string[] = []
  let firstLine = 0
  /** Returns the unfolded line that ends here. */
  const whole = (): ContentLine => ({ text: parts.join(''), line: firstLine })
  let [line, soft] = [0, false]
  for (const raw of rawLines(text)) {
    line++
    if (soft) parts.push(raw.replace(/=$/, ''))
    else if (/^[ \t]/.test(raw) && parts.length > 0) parts.push(raw.slice(1))
    else if (raw.trim() !== '' && !LINE_START.test(raw) && FREE_TEXT.test(parts[0] ?? '')) parts.push('\\n', raw)
    else if (raw.trim() !== '') {
      if (parts.length > 0) yield whole()
      parts = [raw.trimStart().replace(/^\uFEFF/, '')]
      firstLine = line
    }
    soft = raw.endsWith('=') && QUOTED_PRINTABLE.test(parts[0] ?? '')
    if (soft && parts.length === 1) parts[0] = (parts[0] ?? '').replace(/=$/, '')
  }
  if (parts.length > 0) yield whole()
}

/** Yields the lines of a text without their ends (CRLF, LF or CR). */
function* rawLines(text: string): Generator<string> {
  let from = 0
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    yield text.slice(from, index)
    from = index + end.length
  }
  yield text.slice(from)
}

const TEXT_PROPERTIES =
  'uid tzid x-lic-location summary description location comment x-wr-calname x-wr-caldesc x-response-comment'.split(' ')
/** Returns an object of entries without a prototype, because names of the file may be names of Object.prototype. */
const nullPrototype = <T>(entries: Iterable<readonly [string, T]>): Record<string, T> =>
  Object.assign(Object.create(null), Object.fromEntries(entries))

/** Makes ical.js parse only texts, because its parsers of other values may throw or run forever. */
const PARSER_DESIGN = {
  name: 'fake-calendar',
  value: nullPrototype([['text', ICAL.design.icalendar.value.text]]),
  param: nullPrototype([]),
  property: nullPrototype(TEXT_PROPERTIES.map((name) => [name, { defaultType: 'text' }] as const)),
  propertyGroups: false,
}

/** Properties with a longer head are rejected, because ical.js would search for its end once per parameter. */
const MAX_UNCHECKED_LENGTH = 16_384
const HEAD = /^[\w.-]+(?:;[\w-]+=(?:"[^"]*"|[^";:]*)){0,50}:/

/** Parses a property. Returns undefined for a malformed line. */
export function readProperty({ text, line }: ContentLine): Property | undefined {
  if (text.length > MAX_UNCHECKED_LENGTH && !HEAD.test(text)) return undefined
  const encoded = QUOTED_PRINTABLE.test(text)
  const plain = encoded ? text.replace(/;(?:ENCODING=)?QUOTED-PRINTABLE\b/i, '') : text
  try {
    const [name, rawParameters, type, value] = ICAL.parse.property(plain, PARSER_DESIGN as never) as unknown as [
      string,
      Record<string, string>,
      string,
      string,
    ]
    const parameters = new Map(Object.entries(rawParameters).map(([key, one]) => [key, String(one)]))
    const decoded = encoded ? decodeQuotedPrintable(value, parameters.get('charset')) : String(value)
    return { name, line, type: type.toLowerCase(), value: decoded, parameters }
  } catch {
    return undefined
  }
}

/** Decodes quoted-printable, the encoding of texts in vCalendar 1.0. An unknown charset is read as UTF-8. */
function decodeQuotedPrintable(text: string, charset = 'utf-8'): string {
  const bytes: number[] = []
  for (const { 0: piece, 1: code } of text.matchAll(/=([0-9A-Fa-f]{2})|[^=]+|=/g)) {
    if (code) bytes.push(Number.parseInt(code, 16))
    else for (const byte of Buffer.from(piece)) bytes.push(byte)
  }
  return decodeCharset(Uint8Array.from(bytes), charset)
}
