/**
 * A text that consists of strings and UTF-8 bytes. Several responses share the parts, because the journal keeps many
 * responses, and a copy of the bytes for each would cost memory and garbage collection.
 */
export class TextParts {
  readonly #parts: readonly (string | Buffer)[]
  /** The length in bytes as UTF-8. */
  readonly length: number

  constructor(parts: readonly (string | Buffer)[]) {
    this.#parts = parts
    this.length = parts.reduce((sum, part) => sum + sizeOf(part), 0)
  }

  /** Returns the text as UTF-8, in a new buffer. */
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

/** Returns the length of a part in bytes as UTF-8. */
const sizeOf = (part: string | Buffer): number => (typeof part === 'string' ? Buffer.byteLength(part) : part.length)

/** The body of a response: a string, or a text in parts. */
export type Text = string | TextParts

/** Returns a body as a socket or a `Response` takes it: a string as it is, parts as one buffer. */
export const toPayload = (text: Text): string | Buffer<ArrayBuffer> => (typeof text === 'string' ? text : text.bytes())

/** Returns a body as a string. */
export const toText = (text: Text): string => (typeof text === 'string' ? text : text.bytes().toString())

/**
 * The cached JSON of one object: at the index `indent * 2` its text as a whole body, at `indent * 2 + 1` its bytes as an item
 * of a list.
 */
type Texts = { [index: number]: string | Buffer }

/** The cached JSON of the objects that `cachedJson` has frozen. */
let cached = new WeakMap<object, Texts>()
/** The length of all cached texts, and of their bytes. */
let cachedCharacters = 0
/** The cache is emptied when it exceeds this many characters. */
const MAX_CACHED_CHARACTERS = 16_000_000

/**
 * Freezes an object, but not the objects in it, and lets `formatJson` cache its JSON. Returns the object. Objects in it must
 * not change either.
 */
export function cachedJson<T extends object>(resource: T): T {
  if (!cached.has(resource)) cached.set(Object.freeze(resource), {})
  return resource
}

/**
 * Returns a body as `JSON.stringify(body, null, indent)` writes it, with a line end. The JSON of cached objects is reused: of
 * the body itself, and of the items of its lists. Items are cached as bytes, because concatenating those takes a quarter of
 * the time of joining and encoding strings.
 */
export function formatJson(body: object, indent: number): Text {
  if (cached.has(body)) return textOf(body, indent)
  const fields = Object.entries(body)
  if (!fields.some(([, value]) => isListOfCached(value))) return `${JSON.stringify(body, null, indent)}\n`
  const parts: (string | Buffer)[] = []
  let head = '{'
  for (const [name, value] of fields) {
    const items = isListOfCached(value) ? value : undefined
    const text = items ? '[' : textAt(value, indent, 1)
    if (text === undefined) continue
    head += `${head === '{' && parts.length === 0 ? '' : ','}${lineAt(indent, 1)}${JSON.stringify(name)}${indent === 0 ? ':' : ': '}${text}`
    if (!items) continue
    parts.push(head)
    pushItems(parts, items, indent)
    head = `${lineAt(indent, 1)}]`
  }
  parts.push(`${head}${lineAt(indent, 0)}}\n`)
  return new TextParts(parts)
}

/** Returns true for a list whose first item is cached. The others need not be. */
const isListOfCached = (value: unknown): value is unknown[] => Array.isArray(value) && cached.has(value[0])

/** Adds the JSON of the items of a list to `parts`, separated by commas, without the brackets. */
function pushItems(parts: (string | Buffer)[], items: readonly unknown[], indent: number): void {
  let isFirst = true
  for (const item of items) {
    const bytes = bytesOf(item, indent)
    parts.push(isFirst ? bytes.subarray(1) : bytes)
    isFirst = false
  }
}

/** Returns the line break and the spaces before a value at a depth; empty for JSON on one line. */
const lineAt = (indent: number, depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)

/** Returns the JSON of a cached object as a whole body, with a line end. */
function textOf(item: object, indent: number): string {
  const texts = cached.get(item)
  const known = texts?.[indent * 2]
  if (typeof known === 'string') return known
  const text = `${JSON.stringify(item, null, indent)}\n`
  if (texts) cacheText(texts, indent * 2, text)
  return text
}

/** Returns the bytes of an item of a list in the body, with the comma and the line break before it. */
function bytesOf(item: unknown, indent: number): Buffer {
  const texts = cached.get(item as object)
  const index = indent * 2 + 1
  const known = texts?.[index]
  if (typeof known === 'object') return known
  const bytes = Buffer.from(`,${lineAt(indent, 2)}${textAt(item, indent, 2) ?? 'null'}`)
  if (texts) cacheText(texts, index, bytes)
  return bytes
}

/** Caches a text of an object, or empties the whole cache if it is full. */
function cacheText(texts: Texts, index: number, text: string | Buffer): void {
  cachedCharacters += text.length
  if (cachedCharacters > MAX_CACHED_CHARACTERS) {
    cached = new WeakMap()
    cachedCharacters = 0
  } else texts[index] = text
}

/**
 * Returns the JSON of a value, indented for a depth of the body; undefined for a value without JSON. It uses `split` and `join` instead of `replace`, because V8 stores
 * the result of `replace` in pieces, and joining those again takes ten times as long.
 */
function textAt(value: unknown, indent: number, depth: number): string | undefined {
  const text = JSON.stringify(value, null, indent)
  return indent === 0 || depth === 0 ? text : text?.split('\n').join(lineAt(indent, depth))
}
