/**
 * A text in parts that replies share. The journal keeps many replies; a copy of the bytes for each would cost memory
 * and garbage collection.
 */
export class TextParts {
  readonly #parts: readonly (string | Buffer)[]
  /** The length in bytes. */
  readonly length: number

  constructor(parts: readonly (string | Buffer)[]) {
    this.#parts = parts
    this.length = parts.reduce((sum, part) => sum + sizeOf(part), 0)
  }

  /** Returns the parts as one buffer. */
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

/** A reply body: a string, or a text in parts. */
export type Text = string | TextParts

/** Returns a text in the form that is sent. */
export const toSent = (text: Text): string | Buffer<ArrayBuffer> => (typeof text === 'string' ? text : text.bytes())

/** Returns a text as a string. */
export const toText = (text: Text): string => (typeof text === 'string' ? text : text.bytes().toString())

/** Cached forms of one object: at `indent * 2` its text, at `indent * 2 + 1` its bytes as an item of a list. */
type Texts = { [place: number]: string | Buffer }

/** The cached JSON of frozen objects. */
let cached = new WeakMap<object, Texts>()
let cachedCharacters = 0
/** The cache is emptied when it exceeds this many characters. */
const MAX_CACHED_CHARACTERS = 16_000_000

/** Freezes an object and lets `formatJson` cache its JSON. Returns the object. */
export function cachedJson<T extends object>(shown: T): T {
  if (!cached.has(shown)) cached.set(Object.freeze(shown), {})
  return shown
}

/**
 * Returns an object as `JSON.stringify` writes it, with a line end. The texts of cached objects, in the body or in a
 * list that it has, are reused. Items of lists are cached as bytes, because concatenating those takes a quarter of the
 * time of joining and encoding strings.
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

const isListOfCached = (value: unknown): value is unknown[] => Array.isArray(value) && cached.has(value[0])

function pushItems(parts: (string | Buffer)[], items: readonly unknown[], indent: number): void {
  let isFirst = true
  for (const item of items) {
    const bytes = bytesOf(item, indent)
    parts.push(isFirst ? bytes.subarray(1) : bytes)
    isFirst = false
  }
}

const lineAt = (indent: number, depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)

/** Returns the text of a cached object, with a line end. */
function textOf(item: object, indent: number): string {
  const texts = cached.get(item)
  const known = texts?.[indent * 2]
  if (typeof known === 'string') return known
  const text = `${JSON.stringify(item, null, indent)}\n`
  if (texts) keep(texts, indent * 2, text)
  return text
}

/** Returns the bytes of an item of a list, with the comma before it. */
function bytesOf(item: unknown, indent: number): Buffer {
  const texts = cached.get(item as object)
  const place = indent * 2 + 1
  const known = texts?.[place]
  if (typeof known === 'object') return known
  const bytes = Buffer.from(`,${lineAt(indent, 2)}${textAt(item, indent, 2) ?? 'null'}`)
  if (texts) keep(texts, place, bytes)
  return bytes
}

function keep(texts: Texts, place: number, text: string | Buffer): void {
  cachedCharacters += text.length
  if (cachedCharacters > MAX_CACHED_CHARACTERS) {
    cached = new WeakMap()
    cachedCharacters = 0
  } else texts[place] = text
}

/**
 * Returns the JSON of a value at a depth of a body. It uses `split` and `join` instead of `replace`, because V8 stores
 * the result of `replace` in pieces, and joining those again takes ten times as long.
 */
function textAt(value: unknown, indent: number, depth: number): string | undefined {
  const text = JSON.stringify(value, null, indent)
  return indent === 0 || depth === 0 ? text : text?.split('\n').join(lineAt(indent, depth))
}
