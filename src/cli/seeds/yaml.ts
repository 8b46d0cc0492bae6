import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  visit,
  type YAMLMap,
  YAMLParseError,
} from 'yaml'
import { MAX_ENTRIES } from '../../schema/values/json.ts'
import { MAX_DEPTH, type ParsedDocument, type Place, TextBoundError, type TextPosition } from './document.ts'

/** A few lines of aliases can expand beyond any memory. */
const MAX_ALIASES = 1000

/**
 * YAML 1.2 with merge keys. Duplicate keys, circular references and extreme nesting are problems. Does not throw for invalid
 * text.
 */
export function parseYamlText(text: string): ParsedDocument {
  const lines = new LineCounter()
  const document = composeDocument(text, lines)
  if (document instanceof TextBoundError) {
    return { problems: [{ ...toPosition({ lines }, document.offset), problem: document.message }] }
  }
  const read = { document, lines }
  const { duplicateKeys, hasAliases } = inspectNodes(document)
  const [first] = document.errors
  const errors = first ? [{ pos: first.pos, message: describeSyntaxError(first) }] : duplicateKeys
  if (errors.length > 0)
    return { problems: errors.map(({ pos, message }) => ({ ...toPosition(read, pos[0]), problem: message })) }
  try {
    const data: unknown = document.toJS({ maxAliasCount: MAX_ALIASES })
    return {
      data: hasAliases ? requireAcyclic(data) : data,
      findPositions: (places) => places.map((place) => findPosition(read, place)),
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return {
      problems: [{ line: 1, column: 1, problem: `not YAML that can be followed: ${takeFirstLine(error.message)}` }],
    }
  }
}

/** Errors that follow from a wrong indentation. The parser reports one of them several times, so only the first counts. */
const OF_INDENTATION = ['BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'MULTILINE_IMPLICIT_KEY', 'UNEXPECTED_TOKEN']

function describeSyntaxError({ code, message }: YAMLParseError): string {
  const line = takeFirstLine(message)
  const isIndentation = OF_INDENTATION.includes(code) || line.startsWith('Sequence item')
  return `not YAML: ${line}${isIndentation ? ' (compare its indentation with the lines above)' : ''}`
}

type ParsedYaml = { document: Document.Parsed; lines: LineCounter }

function composeDocument(text: string, lines: LineCounter): Document.Parsed | TextBoundError {
  const composer = new Composer({ merge: true, uniqueKeys: false, prettyErrors: false, logLevel: 'error' })
  try {
    const [document, second] = composer.compose(parseYamlTokens(text, lines), true, text.length)
    if (!document) throw new Error('the composer returned no document')
    if (second) {
      const [start, end] = second.range
      document.errors.push(
        new YAMLParseError([start, end], 'MULTIPLE_DOCS', 'several documents, separated by --- (expected one)'),
      )
    }
    return document as Document.Parsed
  } catch (error) {
    if (error instanceof TextBoundError) return error
    throw error
  }
}

/**
 * Finds duplicate keys. The parser's own check compares every key with every other, which is slow for large maps. `hasAliases` is
 * true if the document refers to anchors.
 */
function inspectNodes(document: Document.Parsed) {
  const duplicateKeys: { pos: [number]; message: string }[] = []
  let hasAliases = false
  visit(document, {
    Alias() {
      hasAliases = true
    },
    Map(_, { items }) {
      const keys = new Set<unknown>()
      for (const { key } of items) {
        const value = isScalar(key) ? key.value : undefined
        if (value === undefined || value === '<<') continue
        if (keys.has(value))
          duplicateKeys.push({ pos: [findStartOffset(key) ?? 0], message: 'Map keys must be unique' })
        keys.add(value)
      }
    },
  })
  return { duplicateKeys, hasAliases }
}

const takeFirstLine = (message: string): string => message.split('\n', 1)[0] ?? message

function requireAcyclic(data: unknown): unknown {
  JSON.stringify(data)
  return data
}

function toPosition({ lines }: Pick<ParsedYaml, 'lines'>, offset: number): TextPosition {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}

function findPosition(read: ParsedYaml, { path, what }: Place): TextPosition {
  let node: unknown = read.document.contents
  let offset = findStartOffset(node) ?? 0
  for (const [nth, step] of path.entries()) {
    if (isAlias(node)) break
    const pair = isMap(node) ? pairsByKey(node).get(String(step)) : undefined
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

const pairCache = new WeakMap<YAMLMap, ReadonlyMap<string, Pair>>()

/** Cached, because problems of one map are looked up one after another. */
function pairsByKey(map: YAMLMap): ReadonlyMap<string, Pair> {
  const known = pairCache.get(map)
  if (known) return known
  const pairs = new Map<string, Pair>()
  for (const pair of map.items.toReversed()) pairs.set(String((pair.key as { value?: unknown } | null)?.value), pair)
  pairCache.set(map, pairs)
  return pairs
}

const findStartOffset = (node: unknown): number | undefined => (node as Node | null | undefined)?.range?.[0]

/** As many as are read within half a second, in memory of less than 100 MB. JSON is read a hundred times as fast. */
const MAX_LEXEMES = 300_000
const MAX_TEXT_LENGTH = 2_000_000
/** An indent of a block is also a nesting. */
const MAX_BLANK_TOKEN_LENGTH = 1000

function* parseYamlTokens(text: string, lines: LineCounter): Generator<CST.Token> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  let [flow, block, count] = [0, 0, 0]
  if (text.length > MAX_TEXT_LENGTH)
    throw new TextBoundError(0, `more than ${MAX_TEXT_LENGTH} characters (JSON has no such limit)`)
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === '[' || lexeme === '{') flow++
    else if (lexeme === ']' || lexeme === '}') flow--
    else if (lexeme === '-' || lexeme === '?') block++
    else if (lexeme.startsWith('\n') || lexeme.startsWith('\r')) block = 0
    const isWide = lexeme.length > MAX_BLANK_TOKEN_LENGTH && lexeme.trim() === ''
    if (flow > MAX_DEPTH || block > MAX_DEPTH || isWide) throw new TextBoundError(parser.offset)
    if (++count > MAX_LEXEMES)
      throw new TextBoundError(parser.offset, `more than ${MAX_LEXEMES} tokens (JSON has no such limit)`)
    yield* parser.next(lexeme)
    const open = parser.stack.at(-1)
    if (open && isMapToken(open) && open.items.length > MAX_ENTRIES)
      throw new TextBoundError(open.offset, `more than ${MAX_ENTRIES} entries`)
  }
  yield* parser.end()
}

const isMapToken = (token: CST.Token): token is CST.BlockMap | CST.FlowCollection =>
  token.type === 'block-map' || (token.type === 'flow-collection' && token.start.source === '{')
