import ICAL from 'ical.js'

/**
 * A remark about content that was left out, ignored or changed: the line in the file, a sentence in `reason` on what
 * happened, why, and what to do, and the UID of the event if it has one.
 */
export type Remark = { uid?: string; line: number; reason: string }

export type Report = (line: number, reason: string) => void

/**
 * Thrown for an event that the service cannot hold. It is left out and reported: "the event was left out, because" and
 * the message.
 */
export class UnsupportedEventError extends Error {
  readonly line: number

  constructor(line: number, reason: string) {
    super(reason)
    this.line = line
  }
}

export const cutForRemark = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

/** Returns a piece of a file for a remark in double quotes, cut after 60 characters. */
export const quoteForRemark = (text: string): string => `"${cutForRemark(text)}"`

/** A component: the lines between a BEGIN and its END. `name` is in upper case; `line` is the number of the BEGIN. */
export type Component = { name: string; line: number; properties: Property[]; components: Component[] }

const MAX_DEPTH = 16

/**
 * Parses the components of a text, and returns them below a root without a name. Missing and superfluous ENDs are
 * corrected; lines that are no properties are reported.
 */
export function readComponents(text: string, report: Report): Component {
  const root: Component = { name: '', line: 0, properties: [], components: [] }
  const stack = [root]
  let below = 0
  for (const content of readContentLines(text)) {
    const [, edge, name = ''] = /^(BEGIN|END)(?:;[^:]*)?:(.*)$/i.exec(content.text) ?? []
    if (edge?.toUpperCase() === 'BEGIN') {
      if (stack.length > MAX_DEPTH) below++
      else openComponent(stack, name.trim(), content.line)
    } else if (edge) {
      if (below > 0) below--
      else closeComponent(stack, name.trim().toUpperCase())
    } else if (below === 0) {
      const property = readProperty(content)
      if (property) stack.at(-1)?.properties.push(property)
      else
        report(
          content.line,
          `the line is not a property such as NAME:value and was ignored: ${cutForRemark(content.text)}`,
        )
    }
  }
  return root
}

function openComponent(stack: Component[], name: string, line: number): void {
  const component = { name: name.toUpperCase(), line, properties: [], components: [] }
  stack.at(-1)?.components.push(component)
  stack.push(component)
}

function closeComponent(stack: Component[], name: string): void {
  const at = stack.findLastIndex((one) => one.name === name)
  if (at > 0) stack.length = at
}

export const findProperty = ({ properties }: Component, name: string): Property | undefined =>
  properties.find((one) => one.name === name)

export const findProperties = ({ properties }: Component, ...names: string[]): Property[] =>
  properties.filter((one) => names.includes(one.name))

/** Returns the trimmed value of the first property of a name, or undefined if there is none or if it is empty. */
export const findText = (component: Component, name: string): string | undefined =>
  findProperty(component, name)?.value.trim() || undefined

export type ContentLine = { text: string; line: number }

/**
 * A property of a file: its name in lower case, and the number of its line. Texts are unescaped, other values
 * unchanged.
 */
export type Property = {
  name: string
  line: number
  type: string
  value: string
  parameters: ReadonlyMap<string, string>
}

const QUOTED_PRINTABLE = /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE\b/i
const LINE_START = /^[A-Za-z_][\w.-]*[;:]/
const FREE_TEXT = /^(SUMMARY|DESCRIPTION|LOCATION|COMMENT|X-ALT-DESC)[;:]/i

/**
 * Yields the unfolded lines of a text (RFC 5545, 3.1). A line that does not start a property continues the text above
 * it, because some programs do not escape line breaks.
 */
export function* readContentLines(text: string): Generator<ContentLine> {
  let parts: string[] = []
  let firstLine = 0
  const joinParts = (): ContentLine => ({ text: parts.join(''), line: firstLine })
  let [line, soft] = [0, false]
  for (const raw of splitLines(text)) {
    line++
    if (soft) parts.push(raw.replace(/=$/, ''))
    else if (/^[ \t]/.test(raw) && parts.length > 0) parts.push(raw.slice(1))
    else if (raw.trim() !== '' && !LINE_START.test(raw) && FREE_TEXT.test(parts[0] ?? '')) parts.push('\\n', raw)
    else if (raw.trim() !== '') {
      if (parts.length > 0) yield joinParts()
      parts = [raw.trimStart().replace(/^\uFEFF/, '')]
      firstLine = line
    }
    soft = raw.endsWith('=') && QUOTED_PRINTABLE.test(parts[0] ?? '')
    if (soft && parts.length === 1) parts[0] = (parts[0] ?? '').replace(/=$/, '')
  }
  if (parts.length > 0) yield joinParts()
}

function* splitLines(text: string): Generator<string> {
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
const withNullPrototype = <T>(entries: Iterable<readonly [string, T]>): Record<string, T> =>
  Object.assign(Object.create(null), Object.fromEntries(entries))

/** Makes ical.js parse only texts, because its parsers of other values may throw or run forever. */
const PARSER_DESIGN = {
  name: 'fake-calendar',
  value: withNullPrototype([['text', ICAL.design.icalendar.value.text]]),
  param: withNullPrototype([]),
  property: withNullPrototype(TEXT_PROPERTIES.map((name) => [name, { defaultType: 'text' }] as const)),
  propertyGroups: false,
}

/** Properties with a longer head are rejected, because ical.js would search for its end once per parameter. */
const MAX_UNCHECKED_LENGTH = 16_384
const HEAD = /^[\w.-]+(?:;[\w-]+=(?:"[^"]*"|[^";:]*)){0,50}:/

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

function decodeQuotedPrintable(text: string, charset = 'utf-8'): string {
  const bytes: number[] = []
  for (const { 0: piece, 1: code } of text.matchAll(/=([0-9A-Fa-f]{2})|[^=]+|=/g)) {
    if (code) bytes.push(Number.parseInt(code, 16))
    else for (const byte of Buffer.from(piece)) bytes.push(byte)
  }
  return decodeCharset(Uint8Array.from(bytes), charset)
}

/** The characters of windows-1252 from 0x80 to 0x9F. `TextDecoder` of Node 20.20 maps these bytes to control characters. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

const WINDOWS_1252_LABEL = /^(windows-1252|cp-?1252|x-cp1252|iso-?8859-1|latin-?1|us-ascii|ascii)$/i

const MAX_REMARKS = 20

/**
 * Returns the text of a file in UTF-8, UTF-16 or windows-1252. A file that is not valid UTF-8 is read as windows-1252 if
 * it has more broken bytes than complete multi-byte sequences, and no byte order mark. Otherwise broken bytes become
 * U+FFFD and are reported.
 */
export function decodeText(bytes: Uint8Array, report: Report = () => undefined): string {
  const [first, second, third] = bytes
  if ((first === 0xff && second === 0xfe) || (first !== undefined && second === 0))
    return new TextDecoder('utf-16le').decode(bytes)
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0))
    return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const isMarked = first === 0xef && second === 0xbb && third === 0xbf
    const { complete, brokenLines } = scanUtf8(bytes)
    if (!isMarked && brokenLines.length > complete) return decodeWindows1252(bytes)
    for (const line of brokenLines.slice(0, MAX_REMARKS))
      report(line, 'a byte that is not UTF-8 was replaced by U+FFFD; save the file in UTF-8')
    const more = brokenLines.length - MAX_REMARKS
    if (more > 0)
      report(
        brokenLines[MAX_REMARKS] ?? 0,
        `${more} more bytes that are not UTF-8 were replaced by U+FFFD; save the file in UTF-8`,
      )
    return new TextDecoder('utf-8').decode(bytes)
  }
}

/** Returns the text of bytes in an encoding by its label; an unknown label is UTF-8. */
export function decodeCharset(bytes: Uint8Array, label: string): string {
  if (WINDOWS_1252_LABEL.test(label.trim())) return decodeWindows1252(bytes)
  try {
    return new TextDecoder(label).decode(bytes)
  } catch {
    return new TextDecoder().decode(bytes)
  }
}

function decodeWindows1252(bytes: Uint8Array): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return latin1.replace(/[\x80-\x9f]/g, (sign) => WINDOWS_1252[sign.charCodeAt(0) - 0x80] ?? sign)
}

function scanUtf8(bytes: Uint8Array): { complete: number; brokenLines: number[] } {
  let [complete, line] = [0, 1]
  const brokenLines: number[] = []
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0
    if (byte === 0x0a || (byte === 0x0d && bytes[at + 1] !== 0x0a)) line++
    const length = byte < 0x80 ? 1 : measureSequence(bytes, at)
    if (length > 1) complete++
    if (length === 0) brokenLines.push(line)
    at += length || 1
  }
  return { complete, brokenLines }
}

function measureSequence(bytes: Uint8Array, at: number): number {
  const [lead = 0, second = 0] = [bytes[at], bytes[at + 1]]
  const length = lead >= 0xc2 && lead < 0xe0 ? 2 : lead >= 0xe0 && lead < 0xf0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0
  for (let more = 1; more < length; more++) if (((bytes[at + more] ?? 0) & 0xc0) !== 0x80) return 0
  const isOutOfRange =
    (lead === 0xe0 && second < 0xa0) ||
    (lead === 0xed && second > 0x9f) ||
    (lead === 0xf0 && second < 0x90) ||
    (lead === 0xf4 && second > 0x8f)
  return isOutOfRange ? 0 : length
}
