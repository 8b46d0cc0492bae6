import { NO_INTERVAL } from './indexes.ts'
import { byTuple, Tree } from './tree.ts'
import type { Revision, Version } from './version.ts'

type Key = readonly [id: string, until: Revision]

/** Former versions of records, by id and by the revision that redefined them. Deltas refer to them. */
export class VersionHistory<T> {
  readonly #versions: Tree<Key, Version<T>>
  /** The same keys in the order of their revisions. */
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

  /** The earliest revision that redefined a record. */
  get oldest(): Revision | undefined {
    return this.#ends.minKey()?.[0]
  }

  /** Adds a former version, which a write at `until` redefined. */
  set(version: Version<T>, until: Revision): void {
    this.#versions.set([version.id, until], version)
    this.#ends.set([until, version.id], undefined)
  }

  /** Drops the latest version if it began after all revisions that tokens refer to. */
  dropUnreferenced(lastTokenRevision: Revision): void {
    const [until, id] = this.#ends.maxKey() ?? []
    const version = until === undefined || id === undefined ? undefined : this.#versions.get([id, until])
    if (!version || until === undefined) return
    // The version began where the one before it ended, because a write that redefines nothing may lie between.
    const [before] = this.#versions.nextLowerPair([version.id, until]) ?? []
    const since = before?.[0] === version.id ? before[1] : version.createdRevision
    if (since > lastTokenRevision) this.#drop(version.id, until)
  }

  /** Drops the versions that a revision or an earlier one redefined. */
  dropUntil(revision: Revision): void {
    for (let first = this.#ends.minKey(); first && first[0] <= revision; first = this.#ends.minKey())
      this.#drop(first[1], first[0])
  }

  #drop(id: string, until: Revision): void {
    this.#ends.delete([until, id])
    this.#versions.delete([id, until])
  }

  /** Adds a version that another world had. */
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

  /** Returns a record's version just after a revision, if a later write redefined it. */
  at(id: string, revision: Revision): Version<T> | undefined {
    const [key, version] = this.#versions.getPairOrNextHigher([id, revision + 1]) ?? []
    return key?.[0] === id && version && version.createdRevision <= revision ? version : undefined
  }

  /** The versions that were redefined after a revision, in the order of their ids. */
  *since(revision: Revision): Generator<{ until: Revision; version: Version<T> }> {
    for (const [[, until], version] of this.#versions.toArray()) if (until > revision) yield { until, version }
  }
}
