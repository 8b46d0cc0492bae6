import ICAL from 'ical.js'
import { decodeCharset } from './decoding.ts'

/** A line of a file with what was folded onto the lines below it. */
export type ContentLine = { text: string; line: number }

/** A property as it stands in a file: texts without their escapes, any other value as it is written. */
export type Property = {
  name: string
  line: number
  /** What VALUE says, in small letters; `unknown` where nothing is said. */
  type: string
  value: string
  parameters: ReadonlyMap<string, string>
}

const QUOTED_PRINTABLE = /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE\b/i
/** What begins a line of its own. */
const LINE_START = /^[A-Za-z_][\w.-]*[;:]/
/** What people type into, and where line ends are that nobody escaped. */
const FREE_TEXT = /^(SUMMARY|DESCRIPTION|LOCATION|COMMENT|X-ALT-DESC)[;:]/i

/**
 * The lines of a text, unfolded (RFC 5545, 3.1). A line that begins no property goes on with the text above it, whose line
 * ends somebody forgot to escape.
 */
export function* contentLines(text: string): Generator<ContentLine> {
  let parts: string[] = []
  let begun = 0
  const whole = (): ContentLine => ({ text: parts.join(''), line: begun })
  let [line, soft] = [0, false]
  for (const raw of rawLines(text)) {
    line++
    if (soft) parts.push(raw.replace(/=$/, ''))
    else if (/^[ \t]/.test(raw) && parts.length > 0) parts.push(raw.slice(1))
    else if (raw.trim() !== '' && !LINE_START.test(raw) && FREE_TEXT.test(parts[0] ?? '')) parts.push('\\n', raw)
    else if (raw.trim() !== '') {
      if (parts.length > 0) yield whole()
      parts = [raw.trimStart().replace(/^\uFEFF/, '')]
      begun = line
    }
    soft = raw.endsWith('=') && QUOTED_PRINTABLE.test(parts[0] ?? '')
    if (soft && parts.length === 1) parts[0] = (parts[0] ?? '').replace(/=$/, '')
  }
  if (parts.length > 0) yield whole()
}

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
const nullPrototype = <T>(entries: Iterable<readonly [string, T]>): Record<string, T> =>
  Object.assign(Object.create(null), Object.fromEntries(entries))

/** Only texts are read into more than their letters: what else ical.js makes of a value may throw, or never end. */
const PARSER_DESIGN = {
  name: 'fake-calendar',
  value: nullPrototype([['text', ICAL.design.icalendar.value.text]]),
  param: nullPrototype([]),
  property: nullPrototype(TEXT_PROPERTIES.map((name) => [name, { defaultType: 'text' }] as const)),
  propertyGroups: false,
}

/** No line needs a longer head. In one that has one, ical.js would look for its end from each parameter anew. */
const MAX_UNCHECKED_LENGTH = 16_384
const HEAD = /^[\w.-]+(?:;[\w-]+=(?:"[^"]*"|[^";:]*)){0,50}:/

/** A property, or nothing where the line cannot be taken apart. */
export function readProperty({ text, line }: ContentLine): Property | undefined {
  if (text.length > MAX_UNCHECKED_LENGTH && !HEAD.test(text)) return undefined
  const encoded = QUOTED_PRINTABLE.test(text)
  const plain = encoded ? text.replace(/;(?:ENCODING=)?QUOTED-PRINTABLE\b/i, '') : text
  try {
    const [name, said, type, value] = ICAL.parse.property(plain, PARSER_DESIGN as never) as unknown as [
      string,
      Record<string, string>,
      string,
      string,
    ]
    const parameters = new Map(Object.entries(said).map(([key, one]) => [key, String(one)]))
    const decoded = encoded ? decodeQuotedPrintable(value, parameters.get('charset')) : String(value)
    return { name, line, type: type.toLowerCase(), value: decoded, parameters }
  } catch {
    return undefined
  }
}

/** Quoted-printable, as vCalendar 1.0 encodes texts. */
function decodeQuotedPrintable(text: string, charset = 'utf-8'): string {
  const bytes: number[] = []
  for (const { 0: piece, 1: code } of text.matchAll(/=([0-9A-Fa-f]{2})|[^=]+|=/g)) {
    if (code) bytes.push(Number.parseInt(code, 16))
    else for (const byte of Buffer.from(piece)) bytes.push(byte)
  }
  return decodeCharset(Uint8Array.from(bytes), charset)
}
