import { NO_INTERVAL } from './indexes.ts'
import { byTuple, Tree } from './tree.ts'
import type { Revision, Version } from './version.ts'

type Key = readonly [id: string, until: Revision]

/** Former versions of records, by id and by the revision that redefined them. Deltas and lists of instances refer to them. */
export class VersionHistory<T> {
  readonly #versions: Tree<Key, Version<T>>
  readonly #ends: Tree<readonly [until: Revision, id: string], undefined>

  constructor(from?: VersionHistory<T>) {
    this.#versions = from ? from.#versions.clone() : new Tree<Key, Version<T>>(undefined, byTuple)
    this.#ends = from
      ? from.#ends.clone()
      : new Tree<readonly [until: Revision, id: string], undefined>(undefined, byTuple)
  }

  get size(): number {
    return this.#ends.size
  }

  get oldest(): Revision | undefined {
    return this.#ends.minKey()?.[0]
  }

  set(version: Version<T>, until: Revision): void {
    this.#versions.set([version.id, until], version)
    this.#ends.set([until, version.id], undefined)
  }

  dropUntil(revision: Revision): void {
    for (let first = this.#ends.minKey(); first && first[0] <= revision; first = this.#ends.minKey()) {
      const [until, id] = first
      this.#ends.delete([until, id])
      this.#versions.delete([id, until])
    }
  }

  restore({ id, value, createdRevision }: Pick<Version<T>, 'id' | 'value' | 'createdRevision'>, until: Revision): void {
    const unindexed = { ordinal: -1, group: undefined, bucket: NO_INTERVAL, start: 0, end: 0 }
    this.set(
      {
        id,
        value: Object.freeze(value),
        createdRevision,
        revision: createdRevision,
        updatedRevision: createdRevision,
        matchedSince: createdRevision,
        cancelledRevision: 0,
        ...unindexed,
      },
      until,
    )
  }

  at(id: string, revision: Revision): Version<T> | undefined {
    const [key, version] = this.#versions.getPairOrNextHigher([id, revision + 1]) ?? []
    return key?.[0] === id && version && version.createdRevision <= revision ? version : undefined
  }

  /** Returns the former versions of a record that were redefined after a revision, the latest first. */
  versionsOf(id: string, after: Revision): Version<T>[] {
    const found: Version<T>[] = []
    for (const [key, version] of this.#versions.entries([id, after + 1])) {
      if (key[0] !== id) break
      found.unshift(version)
    }
    return found
  }

  ids(): Set<string> {
    return new Set(this.#versions.toArray().map(([[id]]) => id))
  }

  *since(revision: Revision): Generator<{ until: Revision; version: Version<T> }> {
    for (const [[, until], version] of this.#versions.toArray()) if (until > revision) yield { until, version }
  }
}
