import type { Write } from '../../db/changeLog.ts'
import type { Records } from '../../db/records.ts'
import type { StoreSnapshot } from '../../db/store.ts'
import { differences as differing } from '../../db/tree.ts'
import { initialRecordsIn } from '../../model/worldData.ts'
import { kindOf } from './kinds.ts'
import type { MomentView } from './view.ts'

/** A record, as it is stored, that differs between two moments. */
export type Difference = {
  /** The name of its collection in the store: `events/alice@example.com`. */
  readonly name: string
  readonly id: string
  /** The earlier record. Undefined if there was none. */
  readonly was: object | undefined
  /** The later record. Undefined if there is none. */
  readonly is: object | undefined
}

/** Records that no client wrote have the revision 0. */
const BEFORE_FIRST_REVISION = -1

/**
 * Yields the differences between two snapshots in collections with a kind, in no particular order. Shared parts are
 * skipped, so the cost depends only on the writes in between. Initial records, which are not stored before their first
 * write, are compared too.
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

/**
 * Yields one difference per written record, in the order of its first write: from the record before that write to the
 * record in `now`. `writes` are in ascending order, and `now` is the world after the last of them.
 */
export function* writeDifferences(writes: readonly Write[], now: MomentView): Generator<Difference> {
  const seen = new Set<string>()
  for (const { name, id, was } of writes) {
    const key = keyOf(name, id)
    if (seen.has(key) || !kindOf(name)) continue
    seen.add(key)
    yield { name, id, was, is: now.get(name, id) }
  }
}

/** Returns a view of a world before its latest writes, given in ascending order. `now` is the world after them. */
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

/**
 * Returns a key for the record `id` of the collection `name`. A name contains no line break, so keys are unique for any
 * id.
 */
const keyOf = (name: string, id: string): string => `${name}\n${id}`
