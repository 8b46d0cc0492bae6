import { Cell } from './cell.ts'
import type { Author, Store } from './store.ts'
import { Table } from './table.ts'
import { byNumber } from './tree.ts'
import type { Revision } from './version.ts'

/** One write of a record: what it was before, if there was one, and what it was made. `name` is the collection's. */
export type Write = Author & {
  readonly revision: Revision
  readonly name: string
  readonly id: string
  readonly was: object | undefined
  readonly is: object
}

/** How many writes are remembered; a little more, so that the oldest go together. */
export const REMEMBERED = 10_000
const AT_ONCE = 256

type Dropped = { readonly count: number; readonly until: Revision }

/** The latest writes in their order. They lie with all other data: what is taken back takes its writes along. */
export class Writes {
  readonly #store: Store
  readonly #rows: Table<Revision, Write>
  readonly #dropped: Cell<Dropped>
  readonly #listeners = new Set<() => void>()
  #silent = false

  constructor(store: Store) {
    this.#store = store
    this.#rows = new Table(store, 'writes', byNumber)
    this.#dropped = new Cell(store, 'droppedWrites', { count: 0, until: 0 })
  }

  add(revision: Revision, name: string, id: string, was: object | undefined, is: object): void {
    if (this.#silent) return
    this.#rows.set(revision, { ...this.#store.author, revision, name, id, was, is })
    if (this.#rows.size >= REMEMBERED + AT_ONCE) this.#drop()
    for (const told of this.#listeners) told()
  }

  #drop(): void {
    let until = 0
    let left = AT_ONCE
    for (const revision of this.#rows.keysFrom(0)) {
      if (left-- === 0) break
      until = revision
    }
    this.#rows.deleteUntil(until)
    this.#dropped.value = { count: this.#dropped.value.count + AT_ONCE, until }
  }

  /** Those after a revision, in order. */
  after(revision: Revision): Write[] {
    return this.#rows.rowsFrom(revision + 1)
  }

  /** How many are no longer remembered, and the revision of the last of them. */
  get dropped(): Dropped {
    return this.#dropped.value
  }

  /** Does something whose writes are no history: that with which a world begins. */
  untold<R>(act: () => R): R {
    const before = this.#silent
    this.#silent = true
    try {
      return act()
    } finally {
      this.#silent = before
    }
  }

  /** Is told of each write, which may still be taken back. Returns what ends it. */
  listen(told: () => void): () => void {
    this.#listeners.add(told)
    return () => this.#listeners.delete(told)
  }
}
