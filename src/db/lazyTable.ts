import type { Store, StoreSnapshot } from './store.ts'
import { Tree } from './store.ts'

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
