/** By how far lines are set in, and how deep in a body. */
type Texts = { [place: number]: string }

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
 * it has, are kept; all is joined at once, since a long text takes longer to copy than to find.
 */
export function written(body: object, indent: number): string {
  if (lasting.has(body)) return textOf(body, indent, 0)
  const fields = Object.entries(body)
  if (!fields.some(([, value]) => isListOfLasting(value))) return `${JSON.stringify(body, null, indent)}\n`
  const parts: string[] = []
  for (const [name, value] of fields) {
    const items = isListOfLasting(value) ? value : undefined
    const text = items ? '[' : textAt(value, indent, 1)
    if (text === undefined) continue
    parts.push(parts.length === 0 ? '{' : ',', lineAt(indent, 1), JSON.stringify(name), indent === 0 ? ':' : ': ', text)
    if (items) pushItems(parts, items, indent)
  }
  parts.push(lineAt(indent, 0), '}\n')
  return parts.join('')
}

const isListOfLasting = (value: unknown): value is unknown[] => Array.isArray(value) && lasting.has(value[0])

function pushItems(parts: string[], items: readonly unknown[], indent: number): void {
  const [line, next] = [lineAt(indent, 2), `,${lineAt(indent, 2)}`]
  for (const [at, item] of items.entries()) parts.push(at === 0 ? line : next, textOf(item, indent, 2))
  parts.push(lineAt(indent, 1), ']')
}

const lineAt = (indent: number, depth: number): string => (indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`)

/** The text of an item so deep in a body, at its top with the end of the last line; one that is not to last is written anew. */
function textOf(item: unknown, indent: number, depth: number): string {
  const texts = lasting.get(item as object)
  const place = indent && 10 * indent + depth
  const known = texts?.[place]
  if (known !== undefined) return known
  const text = depth === 0 ? `${textAt(item, indent, 0)}\n` : (textAt(item, indent, depth) ?? 'null')
  if (texts) keep(texts, place, text)
  return text
}

function keep(texts: Texts, place: number, text: string): void {
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
