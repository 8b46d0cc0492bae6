import type { VersionHistory } from './indexes.ts'
import { type Author, byNumber, LazyTable, LazyValue, type Store } from './store.ts'
import type { Revision } from './version.ts'

/** One write of a record: its collection's name, its id, and its value before and after. */
export type Write = Author & {
  readonly revision: Revision
  readonly name: string
  readonly id: string
  readonly was: object | undefined
  readonly is: object
}

const MIN_REMEMBERED_WRITES = 10_000
const DROPPED_AT_ONCE = 256

type Dropped = { readonly count: number; readonly until: Revision }

/** The change log: the latest writes by their revision. It is part of the data, so that a rollback removes them. */
export class WriteLog {
  readonly #store: Store
  readonly #writes: LazyTable<Revision, Write>
  readonly #dropped: LazyValue<Dropped>
  readonly #listeners = new Set<(revision: Revision) => void>()
  #silent = false

  constructor(store: Store) {
    this.#store = store
    this.#writes = new LazyTable(store, 'writes', byNumber)
    this.#dropped = new LazyValue(store, 'writes/dropped', { count: 0, until: 0 })
  }

  add({ revision, name, id, was, is }: Omit<Write, 'by' | 'call'>): void {
    if (this.#silent) return
    const { by, call } = this.#store.author
    // The fields are listed, because a spread costs several times as much.
    this.#writes.set(revision, { revision, name, id, was, is, by, call })
    if (this.#writes.size >= MIN_REMEMBERED_WRITES + DROPPED_AT_ONCE) this.#dropOldest()
    for (const listener of this.#listeners) listener(revision)
  }

  #dropOldest(): void {
    let count = 0
    const oldest = this.#writes.range(0, () => count++ < DROPPED_AT_ONCE)
    this.#writes.deleteAll(oldest)
    this.#dropped.value = { count: this.dropped.count + oldest.length, until: oldest.at(-1) ?? 0 }
  }

  get isSilent(): boolean {
    return this.#silent
  }

  after(revision: Revision): Write[] {
    return this.#writes.range(revision + 1, () => true).flatMap((key) => this.#writes.get(key) ?? [])
  }

  /** Undefined for a write that is no longer in the log, and for one without an author. */
  authorOf(revision: Revision): string | undefined {
    return this.#writes.get(revision)?.by
  }

  get dropped(): Dropped {
    return this.#dropped.value
  }

  withoutLogging<R>(act: () => R): R {
    const before = this.#silent
    this.#silent = true
    try {
      return act()
    } finally {
      this.#silent = before
    }
  }

  subscribe(listener: (revision: Revision) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}

/** Former versions are kept for this long: about a month (behaviour 5.14). */
export const HISTORY_LIFETIME_MS = 30 * 86_400_000

const MAX_FORMER_VERSIONS = 2000

/** The one revision counter of a world. `updated`, etags, sync tokens, page tokens and `updatedMin` derive from it. */
export class ChangeLog {
  readonly store: Store
  readonly #clock: { now(): number }
  readonly writes: WriteLog
  listener: { onWrite(collection: object): void } | undefined
  /** The latest revision, in a copy of a former moment, of the world that it was made from, which tokens may name. */
  originRevision: Revision = 0
  #leadMs = 0

  constructor(store: Store, clock: { now(): number }) {
    this.store = store
    this.#clock = clock
    this.writes = new WriteLog(store)
  }

  get latest(): Revision {
    return this.store.counters.revision
  }

  get prunedUpTo(): Revision {
    return this.store.counters.prunedUpTo
  }

  next(): Revision {
    this.store.beforeRevision()
    const { counters } = this.store
    counters.revision = Math.max((this.#clock.now() - this.#leadMs) * 1000, counters.revision + 1)
    counters.lastWrite = counters.revision
    return counters.revision
  }

  /** The writes of `act` get revisions of a time that is `leadMs` before the present of the clock. */
  runEarlier<R>(leadMs: number, act: () => R): R {
    const before = this.#leadMs
    this.#leadMs = leadMs
    try {
      return act()
    } finally {
      this.#leadMs = before
    }
  }

  /** The time of the next write by the clock, in milliseconds. */
  get writeTime(): number {
    return Math.max(this.#clock.now() - this.#leadMs, 0)
  }

  reserve(revision: Revision): void {
    const { counters } = this.store
    counters.revision = Math.max(counters.revision, revision)
    counters.lastWrite = counters.revision
  }

  get clockRevision(): Revision {
    return this.#clock.now() * 1000
  }

  /** Raises the counter to the present of the clock, without a write, and returns it. */
  markPresent(): Revision {
    const { counters } = this.store
    counters.revision = Math.max(this.#clock.now() * 1000, counters.revision)
    return counters.revision
  }

  /** Calls `markPresent`, and returns at least `originRevision`: the latest revision that a valid token may name. */
  markLatest(): Revision {
    return Math.max(this.markPresent(), this.originRevision)
  }

  markPruned(): void {
    this.store.counters.prunedUpTo = this.closePresent()
  }

  closePresent(): Revision {
    const present = this.markPresent()
    this.store.counters.revision += 1
    return present
  }

  pruneHistory(former: VersionHistory<object>): void {
    const { counters } = this.store
    if (former.size > MAX_FORMER_VERSIONS) {
      const { oldest } = former
      counters.prunedUpTo = Math.max(counters.prunedUpTo, oldest - 1)
      former.dropUntil(oldest)
    }
    former.dropUntil(counters.revision - HISTORY_LIFETIME_MS * 1000)
  }
}
