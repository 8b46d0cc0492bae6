import type { Write } from '../../db/changeLog.ts'
import type { StoreSnapshot } from '../../db/store.ts'
import { type ChangeRecord, changeOf } from './change.ts'
import { type Difference, snapshotDifferences, viewBefore, writeDifferences } from './difference.ts'
import { foldCopies, sortChanges } from './folded.ts'
import { type MomentView, viewOf } from './view.ts'

export type DiffOptions = {
  /** Lists guests' copies as changes of their own, instead of in `copies` of the organizer's change. */
  copies?: boolean | undefined
  /** Includes the fields that each write sets or that follow from others, such as `etag`, `updated` and `sequence`. */
  all?: boolean | undefined
}

/** Returns the changes between two snapshots, one per record, in the order of `sortChanges`. */
export const diffSnapshots = (before: StoreSnapshot, after: StoreSnapshot, options: DiffOptions = {}): ChangeRecord[] =>
  toChanges(snapshotDifferences(before, after), viewOf(before), viewOf(after), options)

/**
 * Returns the changes by the latest writes, one per record, in the order of `sortChanges`. `writes` are in ascending
 * order, and `now` is the world after the last of them.
 */
export function diffWrites(writes: readonly Write[], now: MomentView, options: DiffOptions = {}): ChangeRecord[] {
  return toChanges(writeDifferences(writes, now), viewBefore(writes, now), now, options)
}

function toChanges(
  differences: Iterable<Difference>,
  before: MomentView,
  after: MomentView,
  { copies = false, all = false }: DiffOptions,
): ChangeRecord[] {
  const found: ChangeRecord[] = []
  for (const difference of differences) {
    const change = changeOf(difference, before, after, { all })
    if (change) found.push(change)
  }
  return sortChanges(copies ? found : foldCopies(found))
}
