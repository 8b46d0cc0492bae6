import { type JSONVisitor, printParseErrorCode, visit } from 'jsonc-parser'
import type { IssuePath } from '../../schema/values/issues.ts'
import { findLongPart, MAX_ENTRIES } from '../../schema/values/json.ts'
import {
  MAX_DEPTH,
  type ParsedDocument,
  type Place,
  type PlacedProblem,
  TextBoundError,
  type TextPosition,
} from './document.ts'

/** Does not throw for invalid text. A byte order mark is allowed. */
export function parseJsonText(text: string): ParsedDocument {
  const json = text.replace(/^\uFEFF/, '')
  try {
    const data: unknown = JSON.parse(json)
    const long = findLongPart(data, { ofObject: MAX_ENTRIES })
    if (!long) return { data, findPositions: (places) => findPositions(json, places) }
    const places = findPositions(json, [{ path: long.path, what: 'value' }])
    return { problems: places.map((place) => ({ ...place, problem: long.problem })) }
  } catch {
    return { problems: [findSyntaxProblem(json)] }
  }
}

type PlaceOf = (offset: number, length: number, line: number, character: number, path: () => IssuePath) => void

/** In a row, of those that the columns count. */
const MAX_BLANKS = 1000

/** Visits a text, and returns an error if it is nested too deeply for the parser, which is recursive. */
function visitJson(json: string, onValue: PlaceOf, visitor: JSONVisitor): TextBoundError | undefined {
  const begin: PlaceOf = (offset, length, line, character, path) => {
    if (path().length >= MAX_DEPTH) throw new TextBoundError(offset)
    onValue(offset, length, line, character, path)
  }
  const onLiteralValue = (_value: unknown, ...place: Parameters<PlaceOf>) => onValue(...place)
  // The scanner adds up blanks one by one, in memory of 32 bytes each.
  const text = json.replace(/[ \t]+/g, (blanks) => blanks.slice(0, MAX_BLANKS))
  try {
    visit(text, { onObjectBegin: begin, onArrayBegin: begin, onLiteralValue, ...visitor }, { disallowComments: true })
    return undefined
  } catch (error) {
    if (error instanceof TextBoundError) return error
    throw error
  }
}

const placeName = (path: IssuePath, what: Place['what']): string => JSON.stringify([what, ...path.map(String)])

/** Keeps only the positions of the places, because a text may have millions. The YAML parser would take ten times as long. */
function findPositions(json: string, places: readonly Place[]): TextPosition[] {
  if (places.length === 0) return []
  const nearest = places.map(({ path, what }) => [
    ...(what === 'key' ? [placeName(path, 'key')] : []),
    ...Array.from({ length: path.length + 1 }, (_, at) => placeName(path.slice(0, path.length - at), 'value')),
  ])
  const wanted = new Set(nearest.flat())
  const found = new Map<string, TextPosition>()
  const add = (name: string, line: number, character: number) => {
    if (wanted.has(name)) found.set(name, { line: line + 1, column: character + 1 })
  }
  visitJson(json, (_offset, _length, line, character, path) => add(placeName(path(), 'value'), line, character), {
    onObjectProperty: (name, _offset, _length, line, character, path) =>
      add(placeName([...path(), name], 'key'), line, character),
  })
  return nearest.map((names) => names.map((name) => found.get(name)).find((one) => one) ?? { line: 1, column: 1 })
}

/** The phrase for each error of the parser that a text can begin with; others follow from these. */
const EXPECTED: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes',
  ColonExpected: '":"',
  CommaExpected: '","',
  CloseBraceExpected: '"}"',
  CloseBracketExpected: '"]"',
  EndOfFileExpected: 'the end of the file',
  InvalidCommentToken: 'no comment',
  UnexpectedEndOfString: 'a closed string',
  InvalidCharacter: 'an escape for a control character',
  InvalidEscapeCharacter: 'an escape such as \\n',
  InvalidUnicode: 'four hexadecimal digits',
  UnexpectedEndOfNumber: 'a digit',
}

/** `JSON.parse` is no help: its messages differ between engines, and not all contain a position. */
function findSyntaxProblem(json: string): PlacedProblem {
  let first: PlacedProblem | undefined
  const deep = visitJson(json, () => {}, {
    onError: (error, _offset, _length, line, character) => {
      const expected = EXPECTED[printParseErrorCode(error)] ?? 'a value'
      first ??= { line: line + 1, column: character + 1, problem: `not JSON: expected ${expected}` }
    },
  })
  return first ?? { line: 1, column: 1, problem: `not JSON: ${deep?.message ?? 'expected a value'}` }
}
