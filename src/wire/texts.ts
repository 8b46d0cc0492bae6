/**
 * A text in parts, most of which others have too. Whoever keeps it keeps these and no bytes of its own: a copy for each
 * reply that the journal remembers would have all memory looked through for what of them is over.
 */
export class Laid {
  readonly #parts: readonly (string | Buffer)[]
  /** In bytes. */
  readonly length: number

  constructor(parts: readonly (string | Buffer)[]) {
    this.#parts = parts
    this.length = parts.reduce((sum, part) => sum + sizeOf(part), 0)
  }

  /** The parts side by side. */
  bytes(): Buffer<ArrayBuffer> {
    const bytes = Buffer.allocUnsafe(this.length)
    let at = 0
    for (const part of this.#parts) {
      if (typeof part === 'string') at += bytes.write(part, at)
      else {
        bytes.set(part, at)
        at += part.length
      }
    }
    return bytes
  }
}

const sizeOf = (part: string | Buffer): number => (typeof part === 'string' ? Buffer.byteLength(part) : part.length)

/** What is said. */
export type Text = string | Laid

/** The same as it is sent. */
export const sentAs = (text: Text): string | Buffer<ArrayBuffer> => (typeof text === 'string' ? text : text.bytes())

/** The same in letters. */
export const inLetters = (text: Text): string => (typeof text === 'string' ? text : text.bytes().toString())

/** By how far lines are set in, and how deep in a body. */
type Texts = { [place: number]: string | Buffer }

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
  const parts: (string | Buffer)[] = []
  let said = '{'
  for (const [name, value] of fields) {
    const items = isListOfLasting(value) ? value : undefined
    const text = items ? '[' : textAt(value, indent, 1)
    if (text === undefined) continue
    said += `${said === '{' && parts.length === 0 ? '' : ','}${lineAt(indent, 1)}${JSON.stringify(name)}${indent === 0 ? ':' : ': '}${text}`
    if (!items) continue
    parts.push(said)
    pushItems(parts, items, indent)
    said = `${lineAt(indent, 1)}]`
  }
  parts.push(`${said}${lineAt(indent, 0)}}\n`)
  return new Laid(parts)
}

const isListOfLasting = (value: unknown): value is unknown[] => Array.isArray(value) && lasting.has(value[0])

function pushItems(parts: (string | Buffer)[], items: readonly unknown[], indent: number): void {
  let isFirst = true
  for (const item of items) {
    const bytes = bytesOf(item, indent)
    parts.push(isFirst ? bytes.subarray(1) : bytes)
    isFirst = false
  }
}

const lineAt = (indent: number, depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)

/** The text of what lasts, and the end of its last line. */
function textOf(item: object, indent: number): string {
  const texts = lasting.get(item)
  const known = texts?.[indent * 2]
  if (typeof known === 'string') return known
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

function keep(texts: Texts, place: number, text: string | Buffer): void {
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
