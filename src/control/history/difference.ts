import type { Write } from '../../db/changeLog.ts'
import type { Records } from '../../db/records.ts'
import type { StoreSnapshot } from '../../db/store.ts'
import { differences as differing } from '../../db/tree.ts'
import { initialRecordsIn } from '../../model/worldData.ts'
import { kindOf } from './kinds.ts'
import type { MomentView } from './view.ts'

/** A record that differs between two moments. `name` is its collection. */
export type Difference = {
  readonly name: string
  readonly id: string
  readonly was: object | undefined
  readonly is: object | undefined
}

/** Records that no client wrote have the revision 0. */
const BEFORE_FIRST_REVISION = -1

/**
 * Yields the differences between two snapshots. Shared parts are skipped, so the cost depends only on the writes in
 * between.
 */
export function* snapshotDifferences(before: StoreSnapshot, after: StoreSnapshot): Generator<Difference> {
  for (const [name, was, is] of differing(before.parts, after.parts)) {
    if (!kindOf(name)) continue
    const former = (was as Records<object> | undefined) ?? initialRecordsIn(before, name)
    const records = (is as Records<object> | undefined) ?? initialRecordsIn(after, name)
    if (former && records) for (const found of records.differences(former)) yield { name, ...found }
    else
      for (const { id, value } of (records ?? former)?.since(BEFORE_FIRST_REVISION) ?? [])
        yield { name, id, was: former && value, is: records && value }
  }
}

/** Yields one difference per written record, in the order of its first write. */
export function* writeDifferences(writes: readonly Write[], now: MomentView): Generator<Difference> {
  const seen = new Set<string>()
  for (const { name, id, was } of writes) {
    const key = keyOf(name, id)
    if (seen.has(key) || !kindOf(name)) continue
    seen.add(key)
    yield { name, id, was, is: now.get(name, id) }
  }
}

/** Returns a view of a world before its latest writes. */
export function viewBefore(writes: readonly Write[], now: MomentView): MomentView {
  const former = new Map<string, object | undefined>()
  for (const { name, id, was } of writes) {
    const key = keyOf(name, id)
    if (!former.has(key)) former.set(key, was)
  }
  return {
    get(name, id) {
      const key = keyOf(name, id)
      return former.has(key) ? former.get(key) : now.get(name, id)
    },
  }
}

/** The separator cannot occur in a name, so keys are unique for any id. */
const keyOf = (name: string, id: string): string => `${name}\n${id}`
