/**
 * Parses JSON as the service does: if an object has a key several times, its last value that is not null counts (behaviour
 * 11.14). `JSON.parse` would use the last. Throws its SyntaxError.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const rest = /:\s*null\b/.test(text) ? withoutRepeatedNulls(text) : text
  return rest === text ? value : JSON.parse(rest)
}

/** A colon after a key, and `null` if that is the value. */
const AFTER_KEY = /\s*:\s*(null\b)?/y

/** Returns valid JSON without the members that are null and repeat a key of their object. */
function withoutRepeatedNulls(text: string): string {
  let result = ''
  let copied = 0
  let lastComma = 0
  /** The keys of each open object; undefined for an open array. */
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

/** Returns the index after the closing quote of the string whose opening quote is at `start`. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
