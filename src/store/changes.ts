/** The moment of a write, in microseconds, later than that of any write before it even where the clock stood still. */
export type Revision = number

/**
 * The one counter of a world. `updated`, etags, sync tokens, page tokens and `updatedMin` are all readings of it.
 */
export class ChangeLog {
  readonly #now: () => number
  #latest: Revision
  #forgotten: Revision
  /** Told of every collection that is written to: push hangs here, and in no handler. */
  onWrite: ((collection: object) => void) | undefined

  constructor(now: () => number, latest: Revision = 0, forgotten: Revision = 0) {
    this.#now = now
    this.#latest = latest
    this.#forgotten = forgotten
  }

  get latest(): Revision {
    return this.#latest
  }

  get forgotten(): Revision {
    return this.#forgotten
  }

  /** Takes the revision of one more write. */
  next(): Revision {
    this.#latest = Math.max(this.#now() * 1000, this.#latest + 1)
    return this.#latest
  }

  /** The present, as a revision: whatever is written from here on is later. */
  mark(): Revision {
    this.#latest = Math.max(this.#now() * 1000, this.#latest)
    return this.#latest
  }

  /** From here on a sync token handed out so far is refused as expired. */
  forget(): void {
    this.#forgotten = this.mark()
    this.#latest += 1
  }
}

/** One state of a record, and the revision that wrote it. `place` is its turn in the order of creation. */
export type Version<T> = { readonly id: string; readonly place: number; readonly value: T; readonly revision: Revision }
type Change<T> = { readonly after: Version<T>; readonly before: Version<T> | undefined }

/** Keeps an order over the records of a collection; told of every write. */
export type Index<T> = { change(before: Version<T> | undefined, after: Version<T>): void }

/** How many former versions a collection remembers, for lists that are being paged through while it changes. */
const HISTORY = 4096

/** Records by id, each with the revision that last wrote it. Nothing is removed: a deletion is a record too. */
export class Collection<T extends object> {
  readonly #changes: ChangeLog
  readonly #index: Index<T> | undefined
  readonly #byId = new Map<string, Version<T>>()
  readonly #byPlace: Version<T>[] = []
  /** The latest writes, in order; `#memory` is the revision before the first of them. */
  #log: Change<T>[] = []
  #memory: Revision = 0
  #latest: Revision = 0

  constructor(changes: ChangeLog, index?: Index<T>) {
    this.#changes = changes
    this.#index = index
  }

  /** The revision of the last write; 0 before there was one. */
  get latest(): Revision {
    return this.#latest
  }

  get size(): number {
    return this.#byPlace.length
  }

  get(id: string): T | undefined {
    return this.#byId.get(id)?.value
  }

  /** The revision that last wrote a record; 0 where there is none. */
  revisionOf(id: string): Revision {
    return this.#byId.get(id)?.revision ?? 0
  }

  /** Every record as it stands, in the order of creation. */
  *values(): Generator<T> {
    for (const { value } of this.#byPlace) yield value
  }

  put(id: string, stamp: (revision: Revision) => T): T {
    const revision = this.#changes.next()
    const before = this.#byId.get(id)
    const after = this.#place(id, stamp(revision), revision)
    this.#log.push({ after, before })
    if (this.#log.length >= 2 * HISTORY) this.#trim()
    this.#changes.onWrite?.(this)
    return after.value
  }

  /** Writes a record with the revision that it had in another world: nothing that happened here. */
  restore(id: string, value: T, revision: Revision): void {
    this.#place(id, value, revision)
    this.#memory = Math.max(this.#memory, revision)
  }

  #place(id: string, value: T, revision: Revision): Version<T> {
    const before = this.#byId.get(id)
    const after = { id, place: before?.place ?? this.#byPlace.length, value: Object.freeze(value), revision }
    this.#byId.set(id, after)
    this.#byPlace[after.place] = after
    this.#index?.change(before, after)
    this.#latest = Math.max(this.#latest, revision)
    return after
  }

  #trim(): void {
    this.#memory = this.#log[HISTORY - 1]?.after.revision ?? this.#memory
    this.#log = this.#log.slice(HISTORY)
  }

  /** What was written after a revision, each record once, in the order of its last write: O(changes). */
  writtenSince(since: Revision): Version<T>[] {
    const writes = since >= this.#memory ? this.#loggedSince(since).map(({ after }) => after) : this.#byPlace
    return writes
      .filter((version) => version.revision > since && this.#byId.get(version.id) === version)
      .sort((a, b) => a.revision - b.revision)
  }

  #loggedSince(since: Revision): Change<T>[] {
    let [low, high] = [0, this.#log.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#log[middle]?.after.revision ?? 0) > since) high = middle
      else low = middle + 1
    }
    return this.#log.slice(low)
  }

  /** The collection as it was at a revision, or undefined where that is longer ago than it remembers. */
  asOf(revision: Revision): Snapshot<T> | undefined {
    if (revision >= this.#latest) return new Snapshot(this.#byId, this.#byPlace, this.#byPlace.length, NONE)
    if (revision < this.#memory) return undefined
    const former = new Map<string, Version<T> | undefined>()
    for (const { after, before } of this.#loggedSince(revision)) {
      if (!former.has(after.id)) former.set(after.id, before)
    }
    const born = [...former.values()].filter((version) => version === undefined).length
    return new Snapshot(this.#byId, this.#byPlace, this.#byPlace.length - born, former)
  }
}

const NONE: ReadonlyMap<string, undefined> = new Map()

/** A collection at one revision: the present, but for the records that were written since. */
export class Snapshot<T extends object> {
  readonly #byId: ReadonlyMap<string, Version<T>>
  readonly #byPlace: readonly Version<T>[]
  readonly #former: ReadonlyMap<string, Version<T> | undefined>
  readonly size: number

  constructor(
    byId: ReadonlyMap<string, Version<T>>,
    byPlace: readonly Version<T>[],
    size: number,
    former: ReadonlyMap<string, Version<T> | undefined>,
  ) {
    this.#byId = byId
    this.#byPlace = byPlace
    this.#former = former
    this.size = size
  }

  get(id: string): Version<T> | undefined {
    return this.#former.has(id) ? this.#former.get(id) : this.#byId.get(id)
  }

  /** Every record in the order of creation, from a place on. */
  *from(place: number): Generator<Version<T>> {
    for (let at = place; at < this.size; at++) {
      const version = this.#byPlace[at]
      const then = version && this.get(version.id)
      if (then) yield then
    }
  }

  /** Some versions of the present, as they stood then: those that were written over since come back. */
  *restated(now: Iterable<Version<T>>, kept: (version: Version<T>) => boolean): Generator<Version<T>> {
    for (const version of now) if (!this.#former.has(version.id)) yield version
    for (const version of this.#former.values()) if (version && kept(version)) yield version
  }
}
