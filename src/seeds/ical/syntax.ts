import ICAL from 'ical.js'
import { shorten } from '../../schema/values/shownText.ts'
import { decodeQuotedPrintable } from './decode.ts'
import { DESIGN } from './jcal.ts'
import type { Report } from './remarks.ts'

/** The name is in upper case. `line` is that of BEGIN. */
export type Component = { name: string; line: number; properties: Property[]; components: Component[] }

/** Names are in lower case. Texts are unescaped, other values unchanged. */
export type Property = {
  name: string
  line: number
  type: string
  value: string
  parameters: Readonly<Record<string, string | undefined>>
}

const MAX_DEPTH = 16

/** The components are below a root without a name. Missing and superfluous ENDs are corrected. */
export function readComponents(text: string, report: Report): Component {
  const root: Component = { name: '', line: 0, properties: [], components: [] }
  const stack = [root]
  for (const content of readContentLines(text)) {
    const { line } = content
    const current = stack.at(-1) ?? root
    const [, edge, name = ''] = /^(BEGIN|END)(?:;[^:]*)?:(.*)$/i.exec(content.text) ?? []
    if (edge?.toUpperCase() === 'BEGIN') {
      const component = { name: name.trim().toUpperCase(), line, properties: [], components: [] }
      current.components.push(component)
      if (stack.length <= MAX_DEPTH) stack.push(component)
    } else if (edge) {
      const at = stack.findLastIndex((one) => one.name === name.trim().toUpperCase())
      if (at > 0) stack.length = at
    } else {
      const property = readProperty(content)
      if (property) current.properties.push(property)
      else report(line, `the line is not a property such as NAME:value and was ignored: ${shorten(content.text)}`)
    }
  }
  return root
}

export const findProperty = ({ properties }: Component, name: string): Property | undefined =>
  properties.find((one) => one.name === name)

export const findProperties = ({ properties }: Component, ...names: string[]): Property[] =>
  properties.filter((one) => names.includes(one.name))

/** Undefined for an empty value too. */
export const findText = (component: Component, name: string): string | undefined =>
  findProperty(component, name)?.value.trim() || undefined

/** The word in upper case; empty if there is none. */
export const findWord = (component: Component, name: string): string => findText(component, name)?.toUpperCase() ?? ''

type ContentLine = { text: string; line: number }

const QUOTED_PRINTABLE = /^([^:]*);(?:ENCODING=)?QUOTED-PRINTABLE\b/i
const LINE_START = /^[A-Za-z_][\w.-]*[;:]/
const FREE_TEXT = /^(SUMMARY|DESCRIPTION|LOCATION|COMMENT|X-ALT-DESC)[;:]/i

/** Unfolds lines (RFC 5545, 3.1). A line that starts no property continues a text, because some do not escape line breaks. */
function* readContentLines(text: string): Generator<ContentLine> {
  let parts: string[] = []
  let firstLine = 0
  let [line, soft] = [0, false]
  for (const [, raw = ''] of text.matchAll(/([^\r\n]*)(?:\r\n|\n|\r|$)/g)) {
    line++
    if (soft) parts.push(raw.replace(/=$/, ''))
    else if (/^[ \t]/.test(raw) && parts.length > 0) parts.push(raw.slice(1))
    else if (raw.trim() !== '' && !LINE_START.test(raw) && FREE_TEXT.test(parts[0] ?? '')) parts.push('\\n', raw)
    else if (raw.trim() !== '') {
      if (parts.length > 0) yield { text: parts.join(''), line: firstLine }
      parts = [raw.trimStart().replace(/^\uFEFF/, '')]
      firstLine = line
    }
    soft = raw.endsWith('=') && QUOTED_PRINTABLE.test(parts[0] ?? '')
    if (soft && parts.length === 1) parts[0] = (parts[0] ?? '').replace(/=$/, '')
  }
  if (parts.length > 0) yield { text: parts.join(''), line: firstLine }
}

/** Properties with a longer head are rejected, because ical.js would search for its end once per parameter. */
const MAX_UNCHECKED_LENGTH = 16_384
const HEAD = /^[\w.-]+(?:;[\w-]+=(?:"[^"]*"|[^";:]*)){0,50}:/

function readProperty({ text, line }: ContentLine): Property | undefined {
  if (text.length > MAX_UNCHECKED_LENGTH && !HEAD.test(text)) return undefined
  const encoded = QUOTED_PRINTABLE.test(text)
  const plain = encoded ? text.replace(QUOTED_PRINTABLE, '$1') : text
  try {
    const [name, parameters, type, value] = ICAL.parse.property(plain, DESIGN)
    return {
      name,
      line,
      type: type.toLowerCase(),
      value: encoded ? decodeQuotedPrintable(value, parameters.charset) : value,
      parameters,
    }
  } catch {
    return undefined
  }
}
