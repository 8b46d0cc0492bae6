import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml'
import type { IssuePath } from '../../schema/values/issues.ts'
import { findJsonSyntaxError } from '../../schema/values/json.ts'
import { jsonPositions, type TextPosition } from './jsonPositions.ts'

export type PlacedFault = TextPosition & { problem: string }

/** The data of a JSON or YAML text, with positions. */
export type ParsedDocument =
  | { data: unknown; place(path: IssuePath, what: 'key' | 'value'): TextPosition }
  | { faults: PlacedFault[] }

export function readJson(text: string): ParsedDocument {
  const json = text.replace(/^\uFEFF/, '')
  try {
    const data: unknown = JSON.parse(json)
    let lazy: ReturnType<typeof jsonPositions> | undefined
    return {
      data,
      place: (path, what) => {
        lazy ??= jsonPositions(json)
        return lazy(path, what)
      },
    }
  } catch {
    const { line, column, expected } = findJsonSyntaxError(json) ?? { line: 1, column: 1, expected: 'a value' }
    return { faults: [{ line, column, problem: `not JSON: expected ${expected}` }] }
  }
}

/** Limit of resolved aliases, because a few lines of them can expand beyond any memory. */
const MAX_ALIASES = 1000

export function readYaml(text: string): ParsedDocument {
  const deep = findTooDeep(text)
  if (deep) return { faults: [{ ...deep, problem: `not YAML: more than ${MAX_DEPTH} levels inside each other` }] }
  const read = parseYaml(text)
  const { document } = read
  const errors = document.errors.length > 0 ? document.errors : duplicateKeys(document)
  if (errors.length > 0) {
    return { faults: errors.map(({ pos, message }) => ({ ...positionAt(read, pos[0]), problem: oneLine(message) })) }
  }
  try {
    return {
      data: toJsonData(document.toJS({ maxAliasCount: MAX_ALIASES })),
      place: (path, what) => findPosition(read, path, what),
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { faults: [{ line: 1, column: 1, problem: `not YAML that can be followed: ${oneLine(error.message)}` }] }
  }
}

type ParsedYaml = { document: Document.Parsed; lines: LineCounter }

function parseYaml(text: string): ParsedYaml {
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

/** Returns duplicate keys of maps. The parser's own check compares every key with every other. */
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

/** Returns the data as JSON has it. Removes circular references. */
function toJsonData(data: unknown): unknown {
  JSON.stringify(data)
  return data
}

function positionAt({ lines }: ParsedYaml, offset: number): TextPosition {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

/** Returns the position of a value; for a missing one, that of its object. */
function findPosition(read: ParsedYaml, path: IssuePath, what: 'key' | 'value'): TextPosition {
  let node: unknown = read.document.contents
  let offset = startOf(node) ?? 0
  for (const [nth, step] of path.entries()) {
    if (isAlias(node)) break
    const pair = isMap(node) ? pairsByKey(node).get(String(step)) : undefined
    const next = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined
    const isKey = what === 'key' && nth === path.length - 1
    const found = pair && (isKey || startOf(next) === undefined) ? startOf(pair.key) : startOf(next)
    if (found === undefined) break
    offset = found
    node = next
  }
  return positionAt(read, offset)
}

const pairCache = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>()

/** Returns the first pair of each key. Problems of one map are looked up one after another. */
function pairsByKey(map: YAMLMap): ReadonlyMap<string, Pair> {
  const known = pairCache.get(map)
  if (known) return known
  const pairs = new Map<string, Pair>()
  for (const pair of map.items.toReversed()) pairs.set(String((pair.key as { value?: unknown } | null)?.value), pair)
  pairCache.set(map, pairs)
  return pairs
}

const startOf = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0]

const MAX_DEPTH = 100
const WIDEST = 1000
/** Lexer tokens that are not text. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f'])

/** Returns the position at which a text is nested too deeply for the recursive parser. This check is not recursive. */
function findTooDeep(text: string): TextPosition | undefined {
  let [flow, block, offset] = [0, 0, 0]
  for (const token of new Lexer().lex(text)) {
    if (token === '[' || token === '{') flow++
    else if (token === ']' || token === '}') flow--
    else if (token === '-' || token === '?') block++
    else if (token.startsWith('\n') || token.startsWith('\r')) block = 0
    const isWide = token.length > WIDEST && token.trim() === ''
    if (flow > MAX_DEPTH || block > MAX_DEPTH || isWide) {
      const before = text.slice(0, offset).split('\n')
      return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
    }
    offset += MARKS.has(token) ? 0 : token.length
  }
  return undefined
}
