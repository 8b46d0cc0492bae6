import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import type { Change, ChangeRecord } from './change.ts'
import type { HistoricChange } from './changes.ts'
import { toSentences } from './sentences.ts'
import { type ExpectedChange, verifyChanges } from './verify.ts'

/** A list of changes that can be formatted and verified, in the order of `sortChanges`. */
export type Diff = Change[] & {
  /** One sentence per change, one per line: `alice: "Stand-up" 2026-03-09: bob needsAction → accepted`. */
  readonly text: string
  /**
   * Throws a VerificationError unless the changes are exactly those expected. The message names missing changes, each
   * with the nearest one, and unexpected changes. Returns the changes.
   */
  verify(expected: readonly ExpectedChange[]): Change[]
}

/** Writes, the oldest first. */
export type History = HistoricChange[] & {
  /** The number of writes that the change log dropped, from the beginning of the world. */
  readonly dropped: number
}

/** Parses the argument of `verify`. Throws a RangeError if it is invalid. */
type ParseExpected = (expected: unknown) => ExpectedChange[]

/**
 * Adds `text` and `verify` to a list of changes, and returns it. `found` are the same changes with their records, and
 * `parseExpected` parses the argument of `verify`.
 */
export function toDiff(found: readonly ChangeRecord[], changes: Change[], parseExpected: ParseExpected): Diff {
  const verify = (expected: readonly ExpectedChange[]): Change[] => {
    verifyChanges(found, parseExpected(expected))
    return changes
  }
  return withHiddenProperties(changes, { text: toSentences(found).join('\n'), verify })
}

/** Adds `dropped` to a list of writes, and returns it. */
export const toHistory = (changes: HistoricChange[], dropped: number): History =>
  withHiddenProperties(changes, { dropped })
