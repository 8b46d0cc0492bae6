import type { Span } from './timeline.ts'
import type { NextOf } from './upcoming.ts'
import type { Revision } from './version.ts'

/** What the store has to know of a kind of record. */
export type Kind<T> = {
  /** Whether the record says that what it was is gone: lists of what is there pass it by. */
  isGone?(value: T): boolean
  /** Where it lies in time, where that is one place. */
  spanOf?(value: T): Span | undefined
  /** Where it lies next, where it lies in many: the first place that ends after a moment. */
  nextOf?: NextOf<T>
  /** By what else than its id it is looked up. */
  keysOf?(value: T): readonly string[]
  /** The record that this one is stamped together with: a write to one is a write to all. */
  groupOf?(value: T): string | undefined
  /** A record as stamped by a later write to its group; `touched` is when any of them last changed what `updated` tells. */
  stamped?(value: T, revision: Revision, touched: Revision): T
  /** A record as writes to the one that it is stamped together with leave it, where they are for its readers alone. */
  follows?(value: T, changes: readonly { readonly before: T; readonly after: T }[]): T
  /** Whether lists of changes have to know what the record was before this write. */
  redefines?(before: T, after: T): boolean
}
