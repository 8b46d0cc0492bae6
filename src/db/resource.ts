import type { Interval, NextIntervalOf } from './byInterval.ts'
import type { Tuple } from './tree.ts'
import type { Revision } from './version.ts'

/** Declares how a collection is indexed. The database maintains the indexes. */
export type CollectionDefinition<T> = {
  /** Returns true for a cancelled record, which indexes of live records leave out. */
  isCancelled?(value: T): boolean
  /** `byInterval`: returns the interval of a record that has exactly one. */
  intervalOf?(value: T): Interval | undefined
  /** `byInterval` of a recurring record: returns its first interval that ends after a moment. */
  nextIntervalOf?: NextIntervalOf<T>
  /** `byKey`: returns further keys of a record. Several records may have the same key. */
  keysOf?(value: T): readonly Tuple[]
  /** Returns the id of the record whose stamp this one shares: a write to one gives all the same revision. */
  stampGroupOf?(value: T): string | undefined
  /** Returns a record as stamped by a later write to its group; `touched` is the last write that changed `updated`. */
  withStamp?(value: T, revision: Revision, touched: Revision): T
  /** Returns true if the history keeps the version before a write, because deltas depend on it. */
  isRedefinition?(before: T, after: T): boolean
}
