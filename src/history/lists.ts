import type { Change, Found } from './change.ts'
import type { HistoricChange } from './changes.ts'
import { sentences } from './sentences.ts'
import { type ExpectedChange, verifyChanges } from './verify.ts'

/** What has changed, as a list that can say so and be held against what was expected. */
export type Diff = Change[] & {
  /** A sentence for each change, a line each: `alice: "Stand-up" 2026-03-09: bob needsAction → accepted`. */
  readonly text: string
  /**
   * Throws a VerificationError unless these are the changes, all of them and no other: it names what is missing, with the
   * nearest that there is, and what nobody expected. Returns the changes.
   */
  verify(expected: readonly ExpectedChange[]): Change[]
}

/** Writes in their order. */
export type History = HistoricChange[] & {
  /** How many earlier ones are no longer remembered. */
  readonly dropped: number
}

type Check = (expected: unknown) => ExpectedChange[]

/** What stands beside the elements of a list is no part of it to those who compare it with another. */
const beside = <T extends object, M extends object>(list: T, more: M): T & Readonly<M> => {
  for (const [name, value] of Object.entries(more)) Object.defineProperty(list, name, { value })
  return list as T & Readonly<M>
}

/** The changes as a program is handed them; `check` reads what it expects. */
export function diffOver(found: readonly Found[], changes: Change[], check: Check): Diff {
  const verify = (expected: readonly ExpectedChange[]): Change[] => {
    verifyChanges(found, check(expected))
    return changes
  }
  return beside(changes, { text: sentences(found).join('\n'), verify })
}

export const historyOver = (changes: HistoricChange[], dropped: number): History => beside(changes, { dropped })
