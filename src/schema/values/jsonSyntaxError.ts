/** The first syntax error of a JSON text, and the token that JSON expects there. */
export type JsonSyntaxError = { line: number; column: number; expected: string }

const SPACE = /[ \t\n\r]*/y
/** A string. Control characters, including line ends, must be escaped. */
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** Limit of nesting, because the parser is recursive. */
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
 * Finds the first syntax error; undefined for valid JSON. The messages of JSON engines differ, and not all contain a
 * position.
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

/** Returns the end of the match of a sticky pattern at a place, or the place itself if it does not match. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

type Item = (text: string, from: number, depth: number) => number

/** Each of these functions reads a part of JSON and returns its end. They throw a `Stop` at the first error. */
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
