/** What is said: a text, or the bytes of one that was put together of parts. */
export type Text = string | Buffer<ArrayBuffer>

/** The same in letters. */
export const inLetters = (text: Text): string => (typeof text === 'string' ? text : text.toString())

/** By how far lines are set in, and how deep in a body. */
type Texts = { [place: number]: Text }

/** What stays as it is and is said again: of each the JSON that was written of it so far. */
let lasting = new WeakMap<object, Texts>()
let kept = 0
/** How many characters are kept before all is begun anew. */
const MOST = 16_000_000

/** Has the JSON of an object kept: of one that never changes, and may be shown again. */
export function lasts<T extends object>(shown: T): T {
  if (!lasting.has(shown)) lasting.set(Object.freeze(shown), {})
  return shown
}

/**
 * An object as `JSON.stringify` writes it, and the end of its last line. The texts of what lasts, in it or in a list that
 * it has, are kept. Of a list they are kept as bytes: to lay these side by side takes a quarter of the time of joining
 * letters and encoding them, and what is laid there is not copied again by whoever clears the heap.
 */
export function written(body: object, indent: number): Text {
  if (lasting.has(body)) return textOf(body, indent)
  const fields = Object.entries(body)
  if (!fields.some(([, value]) => isListOfLasting(value))) return `${JSON.stringify(body, null, indent)}\n`
  const parts: Buffer[] = []
  let said = '{'
  for (const [name, value] of fields) {
    const items = isListOfLasting(value) ? value : undefined
    const text = items ? '[' : textAt(value, indent, 1)
    if (text === undefined) continue
    said += `${said === '{' && parts.length === 0 ? '' : ','}${lineAt(indent, 1)}${JSON.stringify(name)}${indent === 0 ? ':' : ': '}${text}`
    if (!items) continue
    parts.push(Buffer.from(said))
    pushItems(parts, items, indent)
    said = `${lineAt(indent, 1)}]`
  }
  parts.push(Buffer.from(`${said}${lineAt(indent, 0)}}\n`))
  return Buffer.concat(parts)
}

const isListOfLasting = (value: unknown): value is unknown[] => Array.isArray(value) && lasting.has(value[0])

function pushItems(parts: Buffer[], items: readonly unknown[], indent: number): void {
  let isFirst = true
  for (const item of items) {
    const bytes = bytesOf(item, indent)
    parts.push(isFirst ? bytes.subarray(1) : bytes)
    isFirst = false
  }
}

const lineAt = (indent: number, depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)

/** The text of what lasts, and the end of its last line. */
function textOf(item: object, indent: number): Text {
  const texts = lasting.get(item)
  const known = texts?.[indent * 2]
  if (known !== undefined) return known
  const text = `${JSON.stringify(item, null, indent)}\n`
  if (texts) keep(texts, indent * 2, text)
  return text
}

/** The bytes of an item of a list, with the comma before it; one that is not to last is written anew. */
function bytesOf(item: unknown, indent: number): Buffer {
  const texts = lasting.get(item as object)
  const place = indent * 2 + 1
  const known = texts?.[place]
  if (typeof known === 'object') return known
  const bytes = Buffer.from(`,${lineAt(indent, 2)}${textAt(item, indent, 2) ?? 'null'}`)
  if (texts) keep(texts, place, bytes)
  return bytes
}

function keep(texts: Texts, place: number, text: Text): void {
  kept += text.length
  if (kept > MOST) {
    lasting = new WeakMap()
    kept = 0
  } else texts[place] = text
}

/**
 * Lines of JSON begin where their depth says; none begins within a string. What was joined lies in one piece, what was
 * replaced does not, and takes ten times as long to join again.
 */
function textAt(value: unknown, indent: number, depth: number): string | undefined {
  const text = JSON.stringify(value, null, indent)
  return indent === 0 || depth === 0 ? text : text?.split('\n').join(lineAt(indent, depth))
}
