import type { Span } from './byInterval.ts'
import type { NextOf } from './byNextOccurrence.ts'
import type { Revision } from './version.ts'

/** What a record said of something, as text. */
export type Said = readonly [name: string, text: string]

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
  /** What a record no longer says after a write to it, of what those that are stamped together with it follow in reading. */
  leaves?(before: T, after: T): readonly Said[]
  /** A record as it follows what the one that it is stamped together with says in the end, where that has left what it said. */
  follows?(value: T, names: readonly string[], isLeft: (name: string, text: string) => boolean, after: T): T
  /** Whether lists of changes have to know what the record was before this write. */
  redefines?(before: T, after: T): boolean
}
