import type { State, Store } from './store.ts'
import { Tree } from './tree.ts'

class Rows<K, V> implements State {
  readonly tree: Tree<K, V>

  constructor(tree: Tree<K, V>) {
    this.tree = tree
  }

  copy(): this {
    return new Rows(this.tree.clone()) as this
  }
}

/** Rows by key in the store, in the order of their keys: for what is no record, and has no revision. */
export class Table<K, V> {
  readonly #store: Store
  readonly #name: string
  readonly #compare: (a: K, b: K) => number

  constructor(store: Store, name: string, compare: (a: K, b: K) => number) {
    this.#store = store
    this.#name = name
    this.#compare = compare
  }

  get #rows(): Tree<K, V> | undefined {
    return (this.#store.read(this.#name) as Rows<K, V> | undefined)?.tree
  }

  #written(): Tree<K, V> {
    return this.#store.write(this.#name, () => new Rows(new Tree<K, V>(undefined, this.#compare))).tree
  }

  get size(): number {
    return this.#rows?.size ?? 0
  }

  get(key: K): V | undefined {
    return this.#rows?.get(key)
  }

  has(key: K): boolean {
    return this.#rows?.has(key) ?? false
  }

  set(key: K, row: V): void {
    this.#written().set(key, row)
  }

  delete(key: K): void {
    if (this.has(key)) this.#written().delete(key)
  }

  clear(): void {
    if (this.size > 0) this.#written().clear()
  }

  get first(): K | undefined {
    return this.#rows?.minKey()
  }

  get last(): K | undefined {
    return this.#rows?.maxKey()
  }

  /** The keys in order, those of this moment even where rows are written meanwhile. */
  keys(): K[] {
    return this.#rows?.keysArray() ?? []
  }

  /** The keys from one on, in order, each looked up when its turn comes. */
  keysFrom(key: K): Iterable<K> {
    return this.#rows?.clone().keys(key) ?? []
  }

  /** The keys and their rows in order, those of this moment even where rows are written meanwhile. */
  entries(): [K, V][] {
    return this.#rows?.toArray() ?? []
  }

  /** The rows in the order of their keys, those of this moment even where some are written meanwhile. */
  values(): V[] {
    return this.#rows?.valuesArray() ?? []
  }
}
