import { type Document, isAlias, isMap, isSeq, LineCounter, type Node, type ParsedNode, parseDocument } from 'yaml'
import type { IssuePath } from '../../schema/values/issues.ts'
import { findJsonSyntaxError } from './jsonSyntax.ts'

export type TextPosition = { line: number; column: number }
export type PlacedProblem = TextPosition & { problem: string }

/**
 * `findPositionOf` returns the position of the value or of the key at a path; for a missing one, that of the nearest object
 * around it.
 */
export type ParsedDocument =
  | { data: unknown; findPositionOf(path: IssuePath, what: 'key' | 'value'): TextPosition }
  | { problems: PlacedProblem[] }

/** A byte order mark is allowed. */
export function parseJsonText(text: string): ParsedDocument {
  const json = text.replace(/^\uFEFF/, '')
  try {
    const data: unknown = JSON.parse(json)
    let document: PlacedDocument | undefined
    return {
      data,
      findPositionOf: (path, what) => {
        // A document that is nested too deep has a problem without a path, and cannot be parsed as YAML.
        if (path.length === 0) return START
        document ??= parseYaml(json)
        return findPosition(document, path, what)
      },
    }
  } catch {
    const { expected, ...place } = findJsonSyntaxError(json)
    return { problems: [{ ...place, problem: `not JSON: expected ${expected}` }] }
  }
}

/** A few lines of aliases can expand beyond any memory. */
const MAX_ALIASES = 1000

/** YAML 1.2 with merge keys. Duplicate keys and circular references are problems. Does not throw for invalid text. */
export function parseYamlText(text: string): ParsedDocument {
  try {
    const read = parseYaml(text)
    const { errors } = read.document
    if (errors.length > 0)
      return { problems: errors.map(({ pos, message }) => ({ ...toPosition(read, pos[0]), problem: message })) }
    const data: unknown = read.document.toJS({ maxAliasCount: MAX_ALIASES })
    // Throws for a circular reference.
    JSON.stringify(data)
    return { data, findPositionOf: (path, what) => findPosition(read, path, what) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    const [reason] = error.message.split('\n', 1)
    return { problems: [{ ...START, problem: `not YAML that can be followed: ${reason}` }] }
  }
}

const START: TextPosition = { line: 1, column: 1 }

type PlacedDocument = { document: Document.Parsed; lines: LineCounter }

/** Throws a RangeError if the stack overflows, because the text is nested too deep. */
function parseYaml(text: string): PlacedDocument {
  const lines = new LineCounter()
  const options = { merge: true, prettyErrors: false, logLevel: 'error', lineCounter: lines } as const
  return { document: parseDocument<ParsedNode>(text, options), lines }
}

function toPosition({ lines }: PlacedDocument, offset: number): TextPosition {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

function findPosition(read: PlacedDocument, path: IssuePath, what: 'key' | 'value'): TextPosition {
  let node: unknown = read.document.contents
  let offset = findStartOffset(node) ?? 0
  for (const [nth, step] of path.entries()) {
    if (isAlias(node)) break
    const pair = isMap(node) ? node.items.findLast(({ key }) => nameOf(key) === String(step)) : undefined
    const next = pair ? pair.value : isSeq(node) ? node.items[Number(step)] : undefined
    const isKey = what === 'key' && nth === path.length - 1
    const found =
      pair && (isKey || findStartOffset(next) === undefined) ? findStartOffset(pair.key) : findStartOffset(next)
    if (found === undefined) break
    offset = found
    node = next
  }
  return toPosition(read, offset)
}

const nameOf = (key: unknown): string => String((key as { value?: unknown } | null)?.value)

const findStartOffset = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0]
