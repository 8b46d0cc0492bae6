/**
 * Strings and UTF-8 bytes. Several responses share the parts, because the journal keeps many responses, and a copy of the bytes
 * for each would cost memory and garbage collection.
 */
export class TextParts {
  readonly #parts: readonly (string | Buffer)[]
  readonly length: number

  constructor(parts: readonly (string | Buffer)[]) {
    this.#parts = parts
    this.length = parts.reduce((sum, part) => sum + sizeOf(part), 0)
  }

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

  start(max: number): TextParts {
    const parts: (string | Buffer)[] = []
    let left = max
    for (const part of this.#parts) {
      const size = sizeOf(part)
      if (size > left) return new TextParts([...parts, copyStart(part, left)])
      parts.push(part)
      left -= size
    }
    return this
  }
}

function copyStart(part: string | Buffer, max: number): Buffer {
  const bytes = typeof part === 'string' ? Buffer.from(part) : part
  let end = max
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return Buffer.from(bytes.subarray(0, end))
}

const sizeOf = (part: string | Buffer): number => (typeof part === 'string' ? Buffer.byteLength(part) : part.length)

export type Text = string | TextParts

export const toPayload = (text: Text): string | Buffer<ArrayBuffer> => (typeof text === 'string' ? text : text.bytes())

export const toText = (text: Text): string => (typeof text === 'string' ? text : text.bytes().toString())

/** At the index `indent * 2` the text as a whole body, at `indent * 2 + 1` the bytes as an item of a list. */
type Texts = { [index: number]: string | Buffer }

let cached = new WeakMap<object, Texts>()
let cachedCharacters = 0
const MAX_CACHED_CHARACTERS = 16_000_000

/** Objects in the resource must not change either. */
export function cachedJson<T extends object>(resource: T): T {
  if (!cached.has(resource)) cached.set(Object.freeze(resource), {})
  return resource
}

/**
 * As `JSON.stringify(body, null, indent)`, with a line end. The JSON of cached objects is reused: of the body itself, and of the
 * items of its lists. Items are cached as bytes, because concatenating those takes a quarter of the time of joining and encoding
 * strings.
 */
export function formatJson(body: object, indent: number): Text {
  if (cached.has(body)) return bodyTextOf(body, indent)
  const fields = Object.entries(body)
  if (!fields.some(([, value]) => isListOfCached(value))) return `${JSON.stringify(body, null, indent)}\n`
  const parts: (string | Buffer)[] = []
  let head = '{'
  for (const [name, value] of fields) {
    const items = isListOfCached(value) ? value : undefined
    const text = items ? '[' : jsonAt(value, indent, 1)
    if (text === undefined) continue
    head += `${head === '{' && parts.length === 0 ? '' : ','}${lineBreakAt(indent, 1)}${JSON.stringify(name)}${indent === 0 ? ':' : ': '}${text}`
    if (!items) continue
    parts.push(head)
    pushItems(parts, items, indent)
    head = `${lineBreakAt(indent, 1)}]`
  }
  parts.push(`${head}${lineBreakAt(indent, 0)}}\n`)
  return new TextParts(parts)
}

const isListOfCached = (value: unknown): value is unknown[] => Array.isArray(value) && cached.has(value[0])

function pushItems(parts: (string | Buffer)[], items: readonly unknown[], indent: number): void {
  let isFirst = true
  for (const item of items) {
    const bytes = itemBytesOf(item, indent)
    parts.push(isFirst ? bytes.subarray(1) : bytes)
    isFirst = false
  }
}

const lineBreakAt = (indent: number, depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)

function bodyTextOf(item: object, indent: number): string {
  const texts = cached.get(item)
  const known = texts?.[indent * 2]
  if (typeof known === 'string') return known
  const text = `${JSON.stringify(item, null, indent)}\n`
  if (texts) cacheText(texts, indent * 2, text)
  return text
}

function itemBytesOf(item: unknown, indent: number): Buffer {
  const texts = cached.get(item as object)
  const index = indent * 2 + 1
  const known = texts?.[index]
  if (typeof known === 'object') return known
  const bytes = Buffer.from(`,${lineBreakAt(indent, 2)}${jsonAt(item, indent, 2) ?? 'null'}`)
  if (texts) cacheText(texts, index, bytes)
  return bytes
}

function cacheText(texts: Texts, index: number, text: string | Buffer): void {
  cachedCharacters += text.length
  if (cachedCharacters > MAX_CACHED_CHARACTERS) {
    cached = new WeakMap()
    cachedCharacters = 0
  } else texts[index] = text
}

/**
 * `split` and `join` instead of `replace`, because V8 stores the result of `replace` in pieces, and joining those again takes ten
 * times as long.
 */
function jsonAt(value: unknown, indent: number, depth: number): string | undefined {
  const text = JSON.stringify(value, null, indent)
  return indent === 0 || depth === 0 ? text : text?.split('\n').join(lineBreakAt(indent, depth))
}
