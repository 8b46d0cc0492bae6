import type { IssuePath } from '../../schema/values/issues.ts'

/** `line` and `column` start at 1; a column is a UTF-16 unit. */
export type TextPosition = { line: number; column: number }
export type PlacedProblem = TextPosition & { problem: string }

/** The value or the key at a path. */
export type Place = { path: IssuePath; what: 'key' | 'value' }

/** `findPositions` returns the position of each place; of a missing one, that of the nearest object around it. */
export type ParsedDocument =
  | { data: unknown; findPositions(places: readonly Place[]): TextPosition[] }
  | { problems: PlacedProblem[] }

export const MAX_DEPTH = 100

/** A text exceeds a bound on its parts. */
export class TextBoundError extends Error {
  readonly offset: number

  constructor(offset: number, message = `more than ${MAX_DEPTH} levels inside each other`) {
    super(message)
    this.offset = offset
  }
}
