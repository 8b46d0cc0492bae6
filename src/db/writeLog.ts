import { PersistentList, TOGETHER } from './persistentList.ts'
import type { Author, State, Store } from './store.ts'
import type { Revision } from './version.ts'

/** One write of a record: its collection's name, its id, and its value before and after. */
export type Write = Author & {
  readonly revision: Revision
  readonly name: string
  readonly id: string
  readonly was: object | undefined
  readonly is: object
}

/** At least this many writes are remembered. The oldest are dropped part by part. */
const MIN_REMEMBERED_WRITES = 10_000
const MAX_PARTS = Math.ceil(MIN_REMEMBERED_WRITES / TOGETHER)

type Dropped = { readonly count: number; readonly until: Revision }

class Log implements State {
  readonly writes: PersistentList<Write>
  dropped: Dropped

  constructor(from?: Log) {
    this.writes = from ? from.writes.copy() : new PersistentList<Write>()
    this.dropped = from ? from.dropped : { count: 0, until: 0 }
  }

  copy(): this {
    return new Log(this) as this
  }

  dropOldest(): void {
    const oldest = this.writes.drop()
    this.dropped = { count: this.dropped.count + oldest.length, until: oldest.at(-1)?.revision ?? 0 }
  }

  after(revision: Revision): Write[] {
    const found: Write[][] = []
    for (const part of this.writes.fromEnd()) {
      found.unshift(part.filter((write) => write.revision > revision))
      if ((part[0]?.revision ?? Number.POSITIVE_INFINITY) <= revision) break
    }
    return found.flat()
  }
}

const NAME = 'writes'
const newLog = () => new Log()

/** The change log: the latest writes in their order. It is part of the data, so that a rollback removes them. */
export class WriteLog {
  readonly #store: Store
  #listeners: Set<() => void> | undefined
  #silent = false

  constructor(store: Store) {
    this.#store = store
  }

  get #log(): Log | undefined {
    return this.#store.read(NAME) as Log | undefined
  }

  add({ revision, name, id, was, is }: Omit<Write, 'by' | 'call'>): void {
    if (this.#silent) return
    const { by, call } = this.#store.author
    const log = this.#store.write(NAME, newLog)
    // Written out, because a spread that is added to costs several times as much.
    log.writes.add({ revision, name, id, was, is, by, call })
    this.#store.recordInverse(() => this.#store.write(NAME, newLog).writes.removeLast())
    if (log.writes.parts > MAX_PARTS) {
      const before = log.copy()
      log.dropOldest()
      this.#store.recordInverse(() => this.#store.replace(NAME, before))
    }
    if (this.#listeners) for (const listener of this.#listeners) listener()
  }

  /** Returns the writes after a revision, in order. */
  after(revision: Revision): Write[] {
    return this.#log?.after(revision) ?? []
  }

  /** The number of writes that were dropped, and the revision of the last of them. */
  get dropped(): Dropped {
    return this.#log?.dropped ?? { count: 0, until: 0 }
  }

  /** Runs `act` without logging its writes. Seeds are applied so. */
  untold<R>(act: () => R): R {
    const before = this.#silent
    this.#silent = true
    try {
      return act()
    } finally {
      this.#silent = before
    }
  }

  /** Calls `listener` after each write, which may still be rolled back. Returns a function that stops it. */
  listen(listener: () => void): () => void {
    const listeners = this.#listeners ?? new Set()
    this.#listeners = listeners.add(listener)
    return () => listeners.delete(listener)
  }
}
