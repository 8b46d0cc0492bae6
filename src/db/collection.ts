import type { ChangeLog } from './changeLog.ts'
import { Records, type Writing } from './records.ts'
import type { Kind } from './resource.ts'
import type { Store, StoreSnapshot } from './store.ts'
import type { Revision, Version } from './version.ts'

/** Records of which nothing has to be known. */
const PLAIN = {}
/** What collections of a kind read before the first write: worlds are many, and most of their collections are empty. */
const none = new WeakMap<object, unknown>()

function noneOf<T extends object>(kind: Kind<T>): Records<T> {
  const known = none.get(kind) as Records<T> | undefined
  if (known) return known
  const empty = new Records(kind)
  none.set(kind, empty)
  return empty
}

/** Records by id in the store, each with the revision that last wrote it. Nothing is removed: a deletion is a record too. */
export class Collection<T extends object> {
  readonly #store: Store
  readonly #changes: ChangeLog
  readonly #name: string
  readonly #kind: Kind<T>
  #records: Records<T> | undefined
  #epoch = -1

  constructor(store: Store, changes: ChangeLog, name: string, kind: Kind<T> = PLAIN) {
    this.#store = store
    this.#changes = changes
    this.#name = name
    this.#kind = kind
  }

  /** The records as they are now. */
  get records(): Records<T> {
    if (!this.#records || this.#epoch !== this.#store.epoch) {
      this.#records = (this.#store.read(this.#name) as Records<T> | undefined) ?? noneOf(this.#kind)
      this.#epoch = this.#store.epoch
    }
    return this.#records
  }

  /** The records as a snapshot shows them. */
  in(snapshot: StoreSnapshot): Records<T> {
    return (snapshot.states.get(this.#name) as Records<T> | undefined) ?? noneOf(this.#kind)
  }

  /** The revision of the last write; 0 before there was one. */
  get latest(): Revision {
    return this.records.latest
  }

  get size(): number {
    return this.records.size
  }

  get(id: string): T | undefined {
    return this.records.get(id)
  }

  /** The revision of a record's stamp; 0 where there is none. */
  revisionOf(id: string): Revision {
    return this.records.version(id)?.revision ?? 0
  }

  /** The revision that wrote a record itself, whatever its group was stamped with since; 0 where there is none. */
  writtenAt(id: string): Revision {
    return this.records.writtenAt(id)
  }

  /** Every record as it stands, in the order of creation. */
  values(): Generator<T> {
    return this.records.values()
  }

  /** What was written after a revision, each record once, in the order of its last write. */
  since(revision: Revision): Generator<Version<T>> {
    return this.records.since(revision)
  }

  /** The last write to a record or its group that changed what `updated` shows; 0 for none. */
  touchedAt(id: string): Revision {
    return this.records.touchedAt(id)
  }

  /** Writes a record with the next revision. Returns it as it is stored. */
  put(id: string, stamp: (revision: Revision) => T, how?: Writing): T {
    const revision = this.#changes.next()
    const was = this.records.get(id)
    const is = this.#put(id, stamp(revision), revision, how)
    this.#changes.writes.add({ revision, name: this.#name, id, was, is })
    this.written(is)
    this.#changes.listener?.wrote(this)
    return is
  }

  #put(id: string, value: T, revision: Revision, how?: Writing): T {
    const records = this.#write()
    const { version, isRedefined, undo } = records.put(id, value, revision, how)
    if (isRedefined) this.#changes.prune(records.former)
    this.#store.recordInverse(() => undo(this.#write()))
    return version.value
  }

  /** Writes a record with the revision that it had in another world. The change log does not get it. */
  restore(id: string, value: T, revision: Revision, how: Writing = {}): void {
    this.#put(id, value, revision, how)
    // A token of that world may refer to its revision.
    this.#changes.ask(revision)
    this.written(value)
  }

  /** Adds what a record was in another world before a revision redefined it. */
  restoreFormer(version: Pick<Version<T>, 'id' | 'value' | 'born'>, until: Revision): void {
    this.#write().former.restore(version, until)
  }

  /** What else a collection does when a record of it is written. */
  protected written(_value: T): void {}

  #write(): Records<T> {
    return this.#store.write(this.#name, () => new Records(this.#kind))
  }
}
