/**
 * Parses JSON as the service does: a key that an object has twice keeps its first value if a later one is null
 * (behaviour 11.14). Otherwise the last value counts, as for `JSON.parse`. Throws a SyntaxError.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  const rest = /:\s*null\b/.test(text) ? withoutRepeatedNulls(text) : text
  return rest === text ? value : JSON.parse(rest)
}

const AFTER_KEY = /\s*:\s*(null\b)?/y

/** Leaves out the members of valid JSON that are null and repeat a key of their object. */
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

/** Returns the index after the quote that ends the string at an index. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}
