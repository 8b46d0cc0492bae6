import type { WithoutNulls } from '../jsonSchema.ts'

type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * A merge patch (behaviour 3.9.2): objects merge at any depth, arrays replace, `null` removes, and undefined changes nothing.
 * Fields that the patch does not name stay, although the type omits them.
 */
export function mergePatch<T>(base: object, patch: T): WithoutNulls<T> {
  const result: Record<string, unknown> = { ...base }
  for (const name of Object.keys(patch as object)) {
    const value: unknown = (patch as Json)[name]
    const current = result[name]
    if (value === null) delete result[name]
    else if (value !== undefined)
      result[name] = isObject(value) ? mergePatch(isObject(current) ? current : {}, value) : withoutNullsInArrays(value)
  }
  return result as WithoutNulls<T>
}

const withoutNullsInArrays = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((item) => (isObject(item) ? mergePatch({}, item) : item)) : value

/** The order of keys does not matter, that of items does. A field that is undefined equals a missing one. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => isEqual(one, b[at]))
  if (!isObject(a) || !isObject(b)) return a === b
  const names = Object.keys(a).filter((name) => a[name] !== undefined)
  const others = Object.keys(b).filter((name) => b[name] !== undefined)
  return names.length === others.length && names.every((name) => isEqual(a[name], b[name]))
}

/** The other fields keep their order. */
export function without<T extends object, N extends keyof T & string>(record: T, ...names: readonly N[]): Omit<T, N> {
  const dropped: readonly string[] = names
  const rest: Record<string, unknown> = {}
  for (const name of Object.keys(record)) if (!dropped.includes(name)) rest[name] = (record as Json)[name]
  return rest as Omit<T, N>
}

/**
 * If an object has a key several times, its last value that is not null counts (behaviour 11.14). `JSON.parse` would use the
 * last. Throws its SyntaxError.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const rest = /:\s*null\b/.test(text) ? withoutRepeatedNulls(text) : text
  return rest === text ? value : JSON.parse(rest)
}

const AFTER_KEY = /\s*:\s*(null\b)?/y

function withoutRepeatedNulls(text: string): string {
  let result = ''
  let copied = 0
  let lastComma = 0
  const open: (Set<string> | undefined)[] = []
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === ',') lastComma = at
    else if (sign === '{') open.push(new Set())
    else if (sign === '[') open.push(undefined)
    else if (sign === '}' || sign === ']') open.pop()
    if (sign !== '"') continue
    const end = endOfString(text, at)
    const keys = open.at(-1)
    AFTER_KEY.lastIndex = end
    const after = AFTER_KEY.exec(text)
    if (keys && after) {
      const key = JSON.parse(text.slice(at, end)) as string
      if (keys.has(key) && after[1]) {
        result += text.slice(copied, lastComma)
        copied = AFTER_KEY.lastIndex
      }
      keys.add(key)
    }
    at = end - 1
  }
  return result + text.slice(copied)
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

/** `line` and `column` start at 1; a column is a UTF-16 unit. `expected` is a phrase, such as `a value` or `":"`. */
export type JsonSyntaxError = { line: number; column: number; expected: string }

const SPACE = /[ \t\n\r]*/y
/** Control characters, including line ends, must be escaped. */
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** The parser is recursive. */
const MAX_DEPTH = 500

class Stop {
  readonly at: number
  readonly expected: string

  constructor(at: number, expected: string) {
    this.at = at
    this.expected = expected
  }
}

/**
 * Undefined for valid JSON. Deeper nesting than `MAX_DEPTH` counts as an error. `JSON.parse` is no help: its messages differ
 * between engines, and not all contain a position.
 */
export function findJsonSyntaxError(text: string): JsonSyntaxError | undefined {
  try {
    const end = endOfMatch(SPACE, text, value(text, 0, 0))
    return end < text.length ? toSyntaxError(text, new Stop(end, 'the end of the file')) : undefined
  } catch (stop) {
    if (stop instanceof RangeError) return { line: 1, column: 1, expected: 'a value that is not nested so deep' }
    if (!(stop instanceof Stop)) throw stop
    return toSyntaxError(text, stop)
  }
}

function toSyntaxError(text: string, { at, expected }: Stop): JsonSyntaxError {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, expected }
}

function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

type Item = (text: string, from: number, depth: number) => number

function value(text: string, from: number, depth: number): number {
  const at = endOfMatch(SPACE, text, from)
  if (depth > MAX_DEPTH) throw new Stop(at, `at most ${MAX_DEPTH} brackets inside each other`)
  if (text[at] === '{') return items(text, at + 1, depth, '}', member)
  if (text[at] === '[') return items(text, at + 1, depth, ']', value)
  return requireMatch(text, at, text[at] === '"' ? STRING : PLAIN, text[at] === '"' ? 'a closed string' : 'a value')
}

function member(text: string, from: number, depth: number): number {
  const colon = endOfMatch(
    SPACE,
    text,
    requireMatch(text, endOfMatch(SPACE, text, from), STRING, 'a name in double quotes'),
  )
  if (text[colon] !== ':') throw new Stop(colon, '":"')
  return value(text, colon + 1, depth)
}

/** Up to the bracket `close`. `from` is the index after the open bracket. */
function items(text: string, from: number, depth: number, close: string, item: Item): number {
  let at = endOfMatch(SPACE, text, from)
  if (text[at] === close) return at + 1
  for (;;) {
    at = endOfMatch(SPACE, text, item(text, at, depth + 1))
    if (text[at] === close) return at + 1
    if (text[at] !== ',') throw new Stop(at, `"," or "${close}"`)
    at++
  }
}

function requireMatch(text: string, at: number, pattern: RegExp, expected: string): number {
  const end = endOfMatch(pattern, text, at)
  if (end === at) throw new Stop(at, expected)
  return end
}
