import type { Store, StorePart } from './store.ts'
import { Tree } from './tree.ts'

class Rows<K, V> implements StorePart {
  tree: Tree<K, V>

  constructor(tree: Tree<K, V>) {
    this.tree = tree
  }

  copy(): this {
    return new Rows(this.tree.clone()) as this
  }
}

/** Rows in the store, in the order of their keys. Rows have no revision. The state is created by the first write. */
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
    return (this.#store.read(this.#name) as Rows<K, V> | undefined)?.tree
  }

  #write(): Rows<K, V> {
    return this.#store.write(this.#name, () => new Rows(new Tree<K, V>(undefined, this.#compare)))
  }

  get size(): number {
    return this.#tree?.size ?? 0
  }

  get(key: K): V | undefined {
    return this.#tree?.get(key)
  }

  has(key: K): boolean {
    return this.#tree?.has(key) ?? false
  }

  set(key: K, row: V): void {
    const existed = this.has(key)
    const before = this.get(key)
    this.#write().tree.set(key, row)
    this.#store.recordInverse(() => {
      if (existed) this.#write().tree.set(key, before as V)
      else this.#write().tree.delete(key)
    })
  }

  delete(key: K): void {
    if (!this.has(key)) return
    const before = this.get(key)
    this.#write().tree.delete(key)
    this.#store.recordInverse(() => void this.#write().tree.set(key, before as V))
  }

  clear(): void {
    if (this.size === 0) return
    const rows = this.#write()
    const before = rows.tree
    rows.tree = new Tree<K, V>(undefined, this.#compare)
    this.#store.recordInverse(() => {
      this.#write().tree = before.clone()
    })
  }

  get first(): K | undefined {
    return this.#tree?.minKey()
  }

  get last(): K | undefined {
    return this.#tree?.maxKey()
  }

  /** Returns the keys in order. Later writes do not change the result, as with `entries` and `values`. */
  keys(): K[] {
    return this.#tree?.keysArray() ?? []
  }

  /** Returns the keys from one on, in order, as long as they are within a range. */
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

class Held<T> implements StorePart {
  value: T

  constructor(value: T) {
    this.value = value
  }

  copy(): this {
    return new Held(this.value) as this
  }
}

/** One value in the store. It is replaced, never changed in place. */
export class LazyValue<T> {
  readonly #store: Store
  readonly #name: string
  readonly #first: T

  constructor(store: Store, name: string, first: T) {
    this.#store = store
    this.#name = name
    this.#first = first
  }

  get value(): T {
    const held = this.#store.read(this.#name) as Held<T> | undefined
    return held ? held.value : this.#first
  }

  set value(value: T) {
    const before = this.value
    this.#write(value)
    this.#store.recordInverse(() => this.#write(before))
  }

  #write(value: T): void {
    this.#store.write(this.#name, () => new Held(value)).value = value
  }
}
