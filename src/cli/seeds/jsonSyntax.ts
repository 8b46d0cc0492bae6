/** `line` and `column` start at 1; a column is a UTF-16 unit. `expected` is a phrase, such as `a value` or `":"`. */
export type JsonSyntaxError = { line: number; column: number; expected: string }

/** A bracket or separator, a string, another value, or nothing of these. Control characters in strings must be escaped. */
const TOKEN =
  /[ \t\n\r]*(?:([{}[\],:])|("(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-]))?/uy

/**
 * Finds the first token that is not expected; for valid JSON, the end of the text. Not recursive, because the nesting is not
 * limited. `JSON.parse` is no help: its messages differ between engines, and not all contain a position.
 */
export function findJsonSyntaxError(json: string): JsonSyntaxError {
  const closing: ('}' | ']')[] = []
  let next: 'value' | 'name' | 'colon' | 'comma' = 'value'
  let isOpened = false
  TOKEN.lastIndex = 0
  for (;;) {
    const [, sign, text, plain] = TOKEN.exec(json) ?? []
    const bracket = closing.at(-1)
    if (sign !== undefined && sign === bracket && (next === 'comma' || isOpened)) {
      closing.pop()
      next = 'comma'
    } else if (sign === ',' && bracket && next === 'comma') next = bracket === '}' ? 'name' : 'value'
    else if (sign === ':' && next === 'colon') next = 'value'
    else if (text && next === 'name') next = 'colon'
    else if (next === 'value' && (text || plain)) next = 'comma'
    else if (next === 'value' && (sign === '{' || sign === '[')) {
      closing.push(sign === '{' ? '}' : ']')
      next = sign === '{' ? 'name' : 'value'
      isOpened = true
      continue
    } else {
      const offset = TOKEN.lastIndex - (sign ?? text ?? plain ?? '').length
      const expected = {
        value: json[offset] === '"' ? 'a closed string' : 'a value',
        name: 'a name in double quotes',
        colon: '":"',
        comma: bracket ? `"," or "${bracket}"` : 'the end of the file',
      }
      const before = json.slice(0, offset).split('\n')
      return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, expected: expected[next] }
    }
    isOpened = false
  }
}
