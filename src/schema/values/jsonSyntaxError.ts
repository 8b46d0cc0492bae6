/**
 * The first syntax error of a JSON text. `line` and `column` start at 1; a column is a UTF-16 unit. `expected` is a phrase for
 * what JSON expects there, such as `a value` or `":"`.
 */
export type JsonSyntaxError = { line: number; column: number; expected: string }

const SPACE = /[ \t\n\r]*/y
/** A string. Control characters, including line ends, must be escaped. */
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/uy
/** A number, `true`, `false` or `null`, as a whole word. */
const PLAIN = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y

/** Limit of the depth of nested objects and lists, because the parser is recursive. */
const MAX_DEPTH = 500

/** Thrown at the first error, with its index in the text. */
class Stop {
  readonly at: number
  readonly expected: string

  constructor(at: number, expected: string) {
    this.at = at
    this.expected = expected
  }
}

/**
 * Finds the first syntax error; undefined for valid JSON. Deeper nesting than `MAX_DEPTH` counts as an error. `JSON.parse` is
 * no help: its messages differ between engines, and not all contain a position.
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

/** Returns the index after the match of a sticky pattern at an index, or that index if it does not match there. */
function endOfMatch(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/** Reads a part of JSON from an index and returns the index after it. Throws a `Stop`. `depth` counts the open brackets. */
type Item = (text: string, from: number, depth: number) => number

/** Reads a value, after optional spaces. See `Item`. */
function value(text: string, from: number, depth: number): number {
  const at = endOfMatch(SPACE, text, from)
  if (depth > MAX_DEPTH) throw new Stop(at, `at most ${MAX_DEPTH} brackets inside each other`)
  if (text[at] === '{') return items(text, at + 1, depth, '}', member)
  if (text[at] === '[') return items(text, at + 1, depth, ']', value)
  return requireMatch(text, at, text[at] === '"' ? STRING : PLAIN, text[at] === '"' ? 'a closed string' : 'a value')
}

/** Reads a name, a colon and a value. See `Item`. */
function member(text: string, from: number, depth: number): number {
  const colon = endOfMatch(
    SPACE,
    text,
    requireMatch(text, endOfMatch(SPACE, text, from), STRING, 'a name in double quotes'),
  )
  if (text[colon] !== ':') throw new Stop(colon, '":"')
  return value(text, colon + 1, depth)
}

/** Reads items separated by commas until the bracket `close`. `from` is the index after the open bracket. See `Item`. */
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

/** Returns the index after the match. Throws a `Stop` if the pattern does not match at `at`. */
function requireMatch(text: string, at: number, pattern: RegExp, expected: string): number {
  const end = endOfMatch(pattern, text, at)
  if (end === at) throw new Stop(at, expected)
  return end
}
