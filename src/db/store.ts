import sorted from 'sorted-btree'
import type { Revision } from './version.ts'

/**
 * A persistent ordered map. `clone()` is O(1): both trees share all nodes, and a write to either copies only the path
 * to its node. Snapshots, forks and stable pages depend on it.
 */
// Loaders differ in whether the default import of a CommonJS module is its exports or its `default`.
export const Tree = (sorted.default ?? sorted) as typeof sorted.default
export type Tree<K, V> = sorted.default<K, V>

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
export const byNumber = (a: number, b: number): number => a - b

/** A key of several parts. Keys are never joined to one text, because any separator may be part of an id. */
export type Tuple = readonly (string | number)[]

/** Compares tuples part by part. A tuple comes before the longer ones that begin with it. */
export function byTuple(a: Tuple, b: Tuple): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const one = a[at] as string
    const other = b[at] as string
    if (one !== other) return one < other ? -1 : 1
  }
  return a.length - b.length
}

export const startsWith = (tuple: Tuple, prefix: Tuple): boolean => prefix.every((part, at) => part === tuple[at])

/** One named part of the data, such as the records of a collection. A clone shares with its original all nodes that neither has written since. */
export interface StorePart {
  clone(): StorePart
}

export type ClockMode = 'real' | 'set' | 'frozen'

/** The data of a world that are single values. They are replaced, never changed in place. */
export type Counters = {
  revision: Revision
  /** The revision of the last write, which others may have passed without a write. */
  lastWrite: Revision
  /** Former versions up to this revision may be gone, so changes since it or an earlier one cannot be computed. */
  prunedUpTo: Revision
  ids: number
  scheduled: number
  clock: { readonly mode: ClockMode; readonly base: number }
}

const FIRST: Counters = {
  revision: 0,
  lastWrite: 0,
  prunedUpTo: 0,
  ids: 0,
  scheduled: 0,
  clock: { mode: 'real', base: 0 },
}

/** The author of a write: an account, `clock` or `control`; `call` is the number of the call in the journal. */
export type Author = { readonly by?: string | undefined; readonly call?: number | undefined }

/**
 * Listens to a store. It is an object, not a closure, because V8 tenures closures that are assigned to fields and would
 * keep the world alive until a full collection.
 */
export interface StoreListener {
  onRollback?(): void
  onFirstWrite?(): void
}

export type StoreSnapshot = {
  readonly parts: Tree<string, StorePart>
  readonly counters: Readonly<Counters>
  readonly retained?: Retained | undefined
}

const MAX_RETAINED_SNAPSHOTS = 1000
/** A retained snapshot is dropped after this many later writes, because it holds all that they replaced. */
const MAX_WRITES_SINCE_SNAPSHOT = 40_000

/** The results of `read` are cached up to this number, because a request can ask for any name. */
const MAX_FOUND = 10_000

const NOBODY: Author = {}

type Retained = Tree<Revision, { snapshot: StoreSnapshot; writes: number }>

/**
 * All data of a world that a request can change: named parts under one root, and counters.
 *
 * Writes change parts in place. A snapshot costs O(1), because the first write to a part after it copies that part. A
 * transaction takes a snapshot, and puts it back if it fails.
 */
export class Store {
  counters: Counters
  author: Author = NOBODY
  #root: Tree<string, StorePart>
  #own: Map<string, StorePart> | undefined
  /** The results of `read`, so that most reads search no tree. */
  readonly #found = new Map<string, StorePart | undefined>()
  #writes = 0
  #retained: Retained | undefined
  /** High-water marks across resets, so that a restore never reuses a revision or an id. */
  #reached: Pick<Counters, 'revision' | 'ids' | 'scheduled'> = FIRST
  #listeners: readonly StoreListener[] = []
  #depth = 0
  #revisionBeforeDryRun: Revision | undefined
  #retainsAfterDryRun = false
  #hasWritten = false

  constructor(from?: StoreSnapshot) {
    this.#root = from ? from.parts.clone() : new Tree<string, StorePart>(undefined, byText)
    this.counters = { ...(from?.counters ?? FIRST) }
    this.#retained = from?.retained?.clone()
  }

  listen(listener: StoreListener): void {
    this.#listeners = [...this.#listeners, listener]
  }

  get writes(): number {
    return this.#writes
  }

  read(name: string): StorePart | undefined {
    const found = this.#found.get(name)
    if (found || this.#found.has(name)) return found
    if (this.#found.size >= MAX_FOUND) this.#found.clear()
    const part = this.#root.get(name)
    this.#found.set(name, part)
    return part
  }

  *partsUnder(prefix: string): Generator<StorePart> {
    for (const [name, part] of this.#root.entries(prefix)) {
      if (!name.startsWith(prefix)) return
      yield part
    }
  }

  /** Returns a part to write to. Call it again for each write, because a snapshot may have been taken in between. */
  write<P extends StorePart>(name: string, begin: () => P): P {
    this.#writes += 1
    const own = this.#own?.get(name)
    if (own) return own as P
    const part = (this.#root.get(name)?.clone() as P | undefined) ?? begin()
    this.#own ??= new Map()
    this.#own.set(name, part)
    this.#root.set(name, part)
    this.#found.set(name, part)
    return part
  }

  beforeRevision(): void {
    if (this.#hasWritten || this.#depth === 0 || this.#revisionBeforeDryRun !== undefined) return
    this.#hasWritten = true
    for (const listener of this.#listeners) listener.onFirstWrite?.()
  }

  snapshot(): StoreSnapshot {
    this.#own = undefined
    return { parts: this.#root.clone(), counters: { ...this.counters }, retained: this.#retained?.clone() }
  }

  /**
   * Resets all data and counters to a snapshot. Retained snapshots are dropped, because their revisions will be reused.
   */
  resetTo({ parts, counters }: StoreSnapshot): void {
    this.#reach()
    this.#replace({ parts: parts.clone(), counters: { ...counters } })
  }

  restore({ parts, counters, retained }: StoreSnapshot, { except }: { except: readonly string[] }): void {
    this.#reach()
    const after = parts.clone()
    for (const name of except) {
      const part = this.#root.get(name)
      if (part) after.set(name, part)
      else after.delete(name)
    }
    this.#replace({ parts: after, counters: { ...counters, ...this.#reached }, retained: retained?.clone() })
  }

  clear(): void {
    this.#reach()
    this.#setRoot(new Tree<string, StorePart>(undefined, byText))
  }

  #reach(): void {
    const { revision, ids, scheduled } = this.counters
    this.#reached = {
      revision: Math.max(revision, this.#reached.revision),
      ids: Math.max(ids, this.#reached.ids),
      scheduled: Math.max(scheduled, this.#reached.scheduled),
    }
  }

  /** Replaces all data. The trees must be copies that nothing else writes to. */
  #replace({ parts, counters, retained }: StoreSnapshot): void {
    this.#setRoot(parts)
    this.counters = counters
    this.#retained = retained
    for (const listener of this.#listeners) listener.onRollback?.()
  }

  #setRoot(root: Tree<string, StorePart>): void {
    this.#root = root
    this.#own = undefined
    this.#found.clear()
    this.#writes += 1
  }

  /** Calls `act`, whose writes have an author. An error of it puts the store back as it was before. */
  transaction<R>(act: () => R, author: Author = this.author): R {
    const [before, outer] = [this.snapshot(), this.author]
    this.author = author
    if (this.#depth === 0) this.#hasWritten = false
    this.#depth += 1
    try {
      return act()
    } catch (error) {
      this.#replace(before)
      throw error
    } finally {
      this.author = outer
      this.#depth -= 1
    }
  }

  dryRun<R>(act: () => R): R {
    const before = this.snapshot()
    const outer = this.#revisionBeforeDryRun
    this.#revisionBeforeDryRun ??= this.counters.revision
    this.#depth += 1
    try {
      return act()
    } finally {
      this.#replace(before)
      this.#depth -= 1
      this.#revisionBeforeDryRun = outer
      if (this.#retainsAfterDryRun && outer === undefined) {
        this.#retainsAfterDryRun = false
        this.retainSnapshot(this.counters.revision)
      }
    }
  }

  /**
   * Returns the latest revision up to `revision` that stays: what a dry run gives out must not claim the revisions that
   * later writes will have.
   */
  committedRevision(revision: Revision): Revision {
    return Math.min(revision, this.#revisionBeforeDryRun ?? revision)
  }

  /**
   * Retains a snapshot of the present under its revision for later pages. The oldest beyond the limits are dropped. A
   * dry run retains the data before it.
   */
  retainSnapshot(revision: Revision): void {
    if (this.#revisionBeforeDryRun !== undefined) {
      this.#retainsAfterDryRun = true
      return
    }
    if (this.#retained?.has(revision)) return
    const { parts, counters } = this.snapshot()
    this.#retained ??= new Tree(undefined, byNumber)
    const retained = this.#retained
    retained.set(revision, { snapshot: { parts, counters }, writes: this.#writes })
    for (let oldest = retained.minKey(); oldest !== undefined; oldest = retained.minKey()) {
      const { writes = 0 } = retained.get(oldest) ?? {}
      if (retained.size <= MAX_RETAINED_SNAPSHOTS && this.#writes - writes <= MAX_WRITES_SINCE_SNAPSHOT) break
      retained.delete(oldest)
    }
  }

  retainedSnapshot(revision: Revision): StoreSnapshot | undefined {
    return this.#retained?.get(revision)?.snapshot
  }
}

/**
 * Rows in the store, in the order of their keys. Rows have no revision. The part is created by the first write.
 */
export class LazyTable<K, V> {
  readonly #store: Store
  readonly #name: string
  readonly #compare: (a: K, b: K) => number

  constructor(store: Store, name: string, compare: (a: K, b: K) => number) {
    this.#store = store
    this.#name = name
    this.#compare = compare
  }

  get #tree(): Tree<K, V> | undefined {
    return this.#store.read(this.#name) as Tree<K, V> | undefined
  }

  #write(): Tree<K, V> {
    return this.#store.write(this.#name, () => new Tree<K, V>(undefined, this.#compare))
  }

  get size(): number {
    return this.#tree?.size ?? 0
  }

  get(key: K): V | undefined {
    return this.#tree?.get(key)
  }

  /** Returns a reader of the rows as they were in a snapshot. */
  in({ parts }: StoreSnapshot): { get(key: K): V | undefined } {
    const tree = parts.get(this.#name) as Tree<K, V> | undefined
    return { get: (key) => tree?.get(key) }
  }

  has(key: K): boolean {
    return this.#tree?.has(key) ?? false
  }

  set(key: K, row: V): void {
    this.#write().set(key, row)
  }

  delete(key: K): void {
    if (this.has(key)) this.deleteAll([key])
  }

  clear(): void {
    this.deleteAll(this.keys())
  }

  deleteAll(keys: readonly K[]): void {
    if (keys.length === 0) return
    const tree = this.#write()
    for (const key of keys) tree.delete(key)
  }

  get first(): K | undefined {
    return this.#tree?.minKey()
  }

  get last(): K | undefined {
    return this.#tree?.maxKey()
  }

  keys(): K[] {
    return this.#tree?.keysArray() ?? []
  }

  range(from: K, isWithin: (key: K) => boolean): K[] {
    const found: K[] = []
    for (const key of this.#tree?.keys(from) ?? []) {
      if (!isWithin(key)) break
      found.push(key)
    }
    return found
  }

  entries(): [K, V][] {
    return this.#tree?.toArray() ?? []
  }

  values(): V[] {
    return this.#tree?.valuesArray() ?? []
  }
}

/** One value in the store: a table of at most one row. It is replaced, never changed in place. */
export class LazyValue<T> {
  readonly #rows: LazyTable<0, T>
  readonly #first: T

  constructor(store: Store, name: string, first: T) {
    this.#rows = new LazyTable(store, name, () => 0)
    this.#first = first
  }

  get value(): T {
    return this.#rows.get(0) ?? this.#first
  }

  set value(value: T) {
    this.#rows.set(0, value)
  }
}
