import type { ChangeLog } from './changeLog.ts'
import type { CollectionDefinition } from './indexes.ts'
import { memoize } from './memo.ts'
import { Records } from './records.ts'
import { LazyTable, type Store, type StoreSnapshot } from './store.ts'
import type { Revision, Version, WriteOptions } from './version.ts'

const PLAIN = {}
/** The empty records of each definition. They are shared, because most collections of most worlds are empty. */
const emptyRecords = memoize((kind: object) => new Records(kind))
const noneOf = <T extends object>(kind: CollectionDefinition<T>) => emptyRecords(kind) as unknown as Records<T>

/**
 * Returns the records of a collection that was never written, now or in a snapshot. They follow from other records, so that
 * they take no memory. The result is shared, and copied by the first write.
 */
export type InitialRecords<T extends object> = (snapshot?: StoreSnapshot) => Records<T> | undefined

/**
 * Records by id, each with the revision of its last write. Records are never removed: a deletion writes a cancelled
 * record.
 */
export class Collection<T extends object> {
  readonly #store: Store
  readonly #changes: ChangeLog
  readonly #name: string
  readonly #kind: CollectionDefinition<T>
  readonly #initial: InitialRecords<T> | undefined
  #records: Records<T> | undefined
  #readAt = -1

  constructor(
    store: Store,
    changes: ChangeLog,
    name: string,
    kind: CollectionDefinition<T> = PLAIN,
    initial?: InitialRecords<T>,
  ) {
    this.#store = store
    this.#changes = changes
    this.#name = name
    this.#kind = kind
    this.#initial = initial
  }

  get records(): Records<T> {
    const { writes } = this.#store
    if (!this.#records || this.#readAt !== writes) {
      const stored = this.#store.read(this.#name) as Records<T> | undefined
      this.#records = stored ?? this.#initial?.() ?? noneOf(this.#kind)
      this.#readAt = writes
    }
    return this.#records
  }

  get exists(): boolean {
    return this.records !== noneOf(this.#kind)
  }

  in(snapshot: StoreSnapshot): Records<T> {
    const stored = snapshot.parts.get(this.#name) as Records<T> | undefined
    return stored ?? this.#initial?.(snapshot) ?? noneOf(this.#kind)
  }

  get latest(): Revision {
    return this.records.latest
  }

  get size(): number {
    return this.records.size
  }

  get(id: string): T | undefined {
    return this.records.get(id)
  }

  values(): Generator<T> {
    return this.records.values()
  }

  put(id: string, stamp: (revision: Revision) => T, how?: WriteOptions): T {
    const revision = this.#changes.next()
    const { was, is } = this.#put(id, stamp(revision), revision, how)
    this.#changes.writes.add({ revision, name: this.#name, id, was, is })
    this.afterWrite(is)
    this.#changes.listener?.onWrite(this)
    return is
  }

  #put(id: string, value: T, revision: Revision, how?: WriteOptions): { was: T | undefined; is: T } {
    const records = this.#write()
    const written = records.put(id, value, revision, how)
    if (written.isRedefined) this.#changes.pruneHistory(records.history)
    return written
  }

  restore(id: string, value: T, revision: Revision, how: WriteOptions = {}): void {
    this.#put(id, value, revision, how)
    this.afterWrite(value)
  }

  restoreFormer(version: Pick<Version<T>, 'id' | 'value' | 'revision'>, until: Revision): void {
    this.#write().history.restore(version, until)
  }

  protected afterWrite(_value: T): void {}

  #write(): Records<T> {
    return this.#store.write(this.#name, () => this.#initial?.()?.clone() ?? new Records(this.#kind))
  }
}

/** Opens parts of a store. It is a base class, so that fields of a subclass are opened when `store` is set. */
export class StoreParts {
  readonly store: Store
  readonly changes: ChangeLog

  constructor(store: Store, changes: ChangeLog) {
    this.store = store
    this.changes = changes
  }

  protected open<T extends object>(name: string, kind?: CollectionDefinition<T>): Collection<T> {
    return new Collection<T>(this.store, this.changes, name, kind)
  }

  protected table<K, V>(name: string, compare: (a: K, b: K) => number): LazyTable<K, V> {
    return new LazyTable<K, V>(this.store, name, compare)
  }
}
