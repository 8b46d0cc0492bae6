import { withHiddenProperties } from '../../schema/values/hiddenProperties.ts'
import type { Change, ChangeRecord } from './change.ts'
import type { HistoricChange } from './changes.ts'
import { toSentences } from './sentences.ts'
import { type ExpectedChange, verifyChanges } from './verify.ts'

/** A list of changes that can be formatted and verified. */
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
  /** The number of earlier writes that were dropped. */
  readonly dropped: number
}

type ParseExpected = (expected: unknown) => ExpectedChange[]

/** Returns the changes as a Diff. `check` validates the argument of `verify`. */
export function toDiff(found: readonly ChangeRecord[], changes: Change[], check: ParseExpected): Diff {
  const verify = (expected: readonly ExpectedChange[]): Change[] => {
    verifyChanges(found, check(expected))
    return changes
  }
  return withHiddenProperties(changes, { text: toSentences(found).join('\n'), verify })
}

export const toHistory = (changes: HistoricChange[], dropped: number): History =>
  withHiddenProperties(changes, { dropped })
