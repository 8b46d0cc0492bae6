import type { StoreSnapshot } from '../db/store.ts'
import type { Write } from '../db/writeLog.ts'
import { changeOf, type Found } from './change.ts'
import { between, type Difference, viewBefore, written } from './difference.ts'
import { folded, inOrder } from './folded.ts'
import { type View, viewOf } from './view.ts'

export type DiffOptions = {
  /** Guests' copies as changes of their own, in place of being told of under the organizer's event. */
  copies?: boolean | undefined
  /** Also what each write sets anew: `etag`, `updated`, `created`, `sequence`, `htmlLink`, `iCalUID`. */
  all?: boolean | undefined
}

/** What became of each record between two moments. */
export const diffOf = (before: StoreSnapshot, after: StoreSnapshot, options: DiffOptions = {}): Found[] =>
  changesOf(between(before, after), viewOf(before), viewOf(after), options)

/** What became of each record by the latest writes. */
export function diffBy(writes: readonly Write[], now: View, options: DiffOptions = {}): Found[] {
  return changesOf(written(writes, now), viewBefore(writes, now), now, options)
}

function changesOf(
  differences: Iterable<Difference>,
  before: View,
  after: View,
  { copies = false, all = false }: DiffOptions,
): Found[] {
  const found: Found[] = []
  for (const difference of differences) {
    const change = changeOf(difference, before, after, { all })
    if (change) found.push(change)
  }
  return inOrder(copies ? found : folded(found))
}
