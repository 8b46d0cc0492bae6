import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  parseDocument,
  visit,
} from 'yaml'
import type { Path } from '../../wire/issues.ts'
import { jsonFault } from '../jsonFault.ts'

export type Place = { line: number; column: number }
export type PlacedFault = Place & { problem: string }

/** The data of a JSON or YAML text, with positions. One parser reads both, because YAML includes JSON. */
export type Read = { data: unknown; place(path: Path, what: 'key' | 'value'): Place } | { faults: PlacedFault[] }

export function readJson(text: string): Read {
  const json = text.replace(/^\uFEFF/, '')
  try {
    const data: unknown = JSON.parse(json)
    let lazy: ReturnType<typeof opened> | undefined
    return {
      data,
      place: (path, what) => {
        lazy ??= opened(json)
        return placeIn(lazy, path, what)
      },
    }
  } catch {
    const { line, column, expected } = jsonFault(json) ?? { line: 1, column: 1, expected: 'a value' }
    return { faults: [{ line, column, problem: `not JSON: expected ${expected}` }] }
  }
}

/** Limit of resolved aliases, because a few lines of them can expand beyond any memory. */
const MOST_ALIASES = 1000

export function readYaml(text: string): Read {
  const deep = deepIn(text)
  if (deep) return { faults: [{ ...deep, problem: `not YAML: more than ${DEEPEST} levels inside each other` }] }
  const read = opened(text)
  const { document } = read
  const errors = document.errors.length > 0 ? document.errors : duplicateKeys(document)
  if (errors.length > 0) {
    return { faults: errors.map(({ pos, message }) => ({ ...at(read, pos[0]), problem: oneLine(message) })) }
  }
  try {
    return {
      data: plain(document.toJS({ maxAliasCount: MOST_ALIASES })),
      place: (path, what) => placeIn(read, path, what),
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { faults: [{ line: 1, column: 1, problem: `not YAML that can be followed: ${oneLine(error.message)}` }] }
  }
}

type Opened = { document: Document.Parsed; lines: LineCounter }

function opened(text: string): Opened {
  const lines = new LineCounter()
  return {
    document: parseDocument(text, {
      lineCounter: lines,
      merge: true,
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'error',
    }),
    lines,
  }
}

/** Returns keys that a map has twice. The parser's own check compares every key with every other. */
function duplicateKeys(document: Document.Parsed): { pos: [number]; message: string }[] {
  const found: { pos: [number]; message: string }[] = []
  visit(document, {
    Map(_, { items }) {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : undefined
        if (value === undefined || value === '<<') continue
        if (keys.has(value)) found.push({ pos: [startOf(key) ?? 0], message: 'Map keys must be unique' })
        keys.add(value)
      }
    },
  })
  return found
}

const oneLine = (message: string): string => message.split('\n', 1)[0] ?? message

/** As JSON has it, without what leads back to itself. */
function plain(data: unknown): unknown {
  JSON.stringify(data)
  return data
}

function at({ lines }: Opened, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

/** The position of a value; for a missing one, that of the object it is missing from. */
function placeIn(read: Opened, path: Path, what: 'key' | 'value'): Place {
  let node: unknown = read.document.contents
  let offset = startOf(node) ?? 0
  for (const [nth, step] of path.entries()) {
    if (isAlias(node)) break
    const pair = isMap(node)
      ? node.items.find(({ key }) => String((key as Node & { value?: unknown })?.value) === String(step))
      : undefined
    const next = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined
    const isKey = what === 'key' && nth === path.length - 1
    const found = pair && (isKey || startOf(next) === undefined) ? startOf(pair.key) : startOf(next)
    if (found === undefined) break
    offset = found
    node = next
  }
  return at(read, offset)
}

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0]

const DEEPEST = 100
const WIDEST = 1000
/** Tokens of the lexer that are not text. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f'])

/** The position at which a text is nested too deeply for the recursive parser; found without recursion. */
function deepIn(text: string): Place | undefined {
  let [flow, block, offset] = [0, 0, 0]
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flow++
    else if (token === ']' || token === '}') flow--
    else if (token === '-' || token === '?') block++
    else if (token.startsWith('\n') || token.startsWith('\r')) block = 0
    const isWide = token.length > WIDEST && token.trim() === ''
    if (flow > DEEPEST || block > DEEPEST || isWide) {
      const before = text.slice(0, offset).split('\n')
      return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
    }
    offset += MARKS.has(token) ? 0 : token.length
  }
  return undefined
}
