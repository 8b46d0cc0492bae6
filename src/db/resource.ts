import type { Span } from './byInterval.ts'
import type { NextOf } from './byNextOccurrence.ts'
import type { Tuple } from './tree.ts'
import type { Revision } from './version.ts'

/** Declares how a collection is indexed. The database maintains the indexes. */
export type Kind<T> = {
  /** Whether a record is cancelled: indexes of live records leave it out. */
  isGone?(value: T): boolean
  /** `byInterval`: where a record lies in time, if that is one interval. */
  spanOf?(value: T): Span | undefined
  /** `byInterval` of a recurring record: its first interval that ends after a moment. */
  nextOf?: NextOf<T>
  /** `byKey`: further keys of a record. Several records may have the same. */
  keysOf?(value: T): readonly Tuple[]
  /** The record that this one is stamped together with: a write to one gives all the same revision. */
  groupOf?(value: T): string | undefined
  /** Returns a record as stamped by a later write to its group; `touched` is the last write that changed `updated`. */
  stamped?(value: T, revision: Revision, touched: Revision): T
  /** Whether the history keeps the version before this write, for deltas that depend on it. */
  redefines?(before: T, after: T): boolean
}
