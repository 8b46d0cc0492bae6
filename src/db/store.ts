// Terms. Part: one named state, such as the records of a collection or a table. Snapshot: all parts and counters at one moment.
// Revision: the microsecond of a write. Inverse: a function that takes one write back. Dry run: a transaction that is always rolled
// back. Epoch: the time between two resets of a world, in which its tokens are valid.

import { byNumber, byText, Tree } from './tree.ts'
import type { Revision } from './version.ts'

/** One named part of the data. A clone shares with its original all nodes that neither has written since. */
export interface StorePart {
  clone(): StorePart
}

/** The name of an epoch: a world, and how often it was reset. */
export type EpochId = { readonly worldId: string; readonly resetCount: number }

/** An earlier epoch, and the revision up to which its tokens are valid; -1 if all of them have expired. */
export type FormerEpoch = EpochId & { readonly until: Revision }

/**
 * A period in which a world's tokens stay valid. A reset or a replacement begins a new epoch. A world that is made from a
 * snapshot or a state has a `parent`: revisions up to `at` belong to the epoch of the original.
 */
export type Epoch = EpochId & {
  readonly former: readonly FormerEpoch[]
  readonly parent?: { readonly at: Revision; readonly epoch: Epoch }
}

export type ClockMode = 'real' | 'set' | 'frozen'

/** The data of a world that are single values. They are replaced, never changed in place. */
export type Counters = {
  /** The revision of the last write, or of the last moment that was marked. */
  revision: Revision
  /** The revision of the last write; equal to `seedRevision` until a client writes. */
  lastClientRevision: Revision
  /** The revision of the last seeded write; -1 after a restore. */
  seedRevision: Revision
  /** The instant at which the seed was applied. */
  seededAt: number
  /** Sync tokens of this revision and before have expired. */
  expiredUpTo: Revision
  /** The latest revision that a token may refer to. */
  lastTokenRevision: Revision
  /** The number of draws from the source of ids. */
  ids: number
  /** The number of tasks that were ever scheduled on the clock. */
  scheduled: number
  epoch: Epoch
  /** `base` is added to the machine's clock; for a frozen clock it is the instant shown. */
  clock: { readonly mode: ClockMode; readonly base: number }
}

const FIRST: Counters = {
  revision: 0,
  lastClientRevision: 0,
  seedRevision: 0,
  seededAt: 0,
  expiredUpTo: 0,
  ids: 0,
  lastTokenRevision: 0,
  scheduled: 0,
  epoch: { worldId: 'default', resetCount: 0, former: [] },
  clock: { mode: 'real', base: 0 },
}

/** The author of a write: an account, `clock` or `control`; `call` is the number of the call in the journal. */
export type Author = { readonly by?: string | undefined; readonly call?: number | undefined }

/**
 * Listens to a store. It is an object, not a closure, because V8 tenures closures that are assigned to fields and would
 * keep the world alive until a full collection.
 */
export interface StoreListener {
  /** Called after data were put back to an earlier state. */
  onRollback?(): void
  /** Called before the first revision of a transaction is taken. Dry runs do not call it. */
  onFirstWrite?(): void
}

/** All data of a world at one moment. */
export type StoreSnapshot = {
  readonly parts: Tree<string, StorePart>
  readonly counters: Readonly<Counters>
  /** The snapshots that were retained for later pages. Their page tokens are valid after a restore, and in a fork. */
  readonly retained?: Retained | undefined
}

const MAX_RETAINED_SNAPSHOTS = 1000
/** A retained snapshot is dropped after this many later writes, because it holds all that they replaced. */
const MAX_WRITES_SINCE_SNAPSHOT = 40_000

/** The results of `read` are cached up to this number, because a request can ask for any name. */
const MAX_FOUND = 10_000

const NOBODY: Author = {}

/** Snapshots by their revision, and the number of writes before each. */
type Retained = Tree<Revision, { snapshot: StoreSnapshot; writes: number }>

/**
 * All data of a world that a request can change: named states under one root, and counters.
 *
 * Writes change states in place and record their inverse. A transaction that fails applies the inverses in reverse
 * order. A snapshot costs O(1): the first write to a state after it copies that state.
 */
export class Store {
  counters: Counters
  author: Author = NOBODY
  #root: Tree<string, StorePart>
  /** The states that no snapshot shares. Only these are written to. */
  #own: Map<string, StorePart> | undefined
  /** The results of `read`, so that most reads search no tree. */
  readonly #found = new Map<string, StorePart | undefined>()
  #epoch = 0
  #writes = 0
  #retained: Retained | undefined
  /** High-water marks across resets, so that a restore never reuses a revision or an id. */
  #reached: Pick<Counters, 'revision' | 'ids' | 'scheduled'> = FIRST
  #listeners: readonly StoreListener[] = []
  /** The inverses of the writes of the transaction that runs, in their order. */
  #undo: (() => void)[] = []
  #depth = 0
  #isRecording = false
  #isDryRun = false
  /** The revision before the dry run that is under way. */
  #revisionBeforeDryRun: Revision | undefined
  /** True if the dry run that is under way gave out a page token: the state before it is retained at its end. */
  #retainsAfterDryRun = false
  #hasWritten = false

  constructor(from?: StoreSnapshot) {
    this.#root = from ? from.parts.clone() : new Tree<string, StorePart>(undefined, byText)
    this.counters = { ...(from?.counters ?? FIRST) }
    this.#retained = from?.retained?.clone()
  }

  /** Adds a listener for the life of the store. */
  listen(listener: StoreListener): void {
    this.#listeners = [...this.#listeners, listener]
  }

  /** Rises when a state is replaced by another object, so that callers can cache the result of `read`. */
  get generation(): number {
    return this.#epoch
  }

  /** The number of writes so far, writes that were rolled back and their rollback included. */
  get writes(): number {
    return this.#writes
  }

  /** Returns a state to read, if there is one. */
  read(name: string): StorePart | undefined {
    const found = this.#found.get(name)
    if (found || this.#found.has(name)) return found
    if (this.#found.size >= MAX_FOUND) this.#found.clear()
    const state = this.#root.get(name)
    this.#found.set(name, state)
    return state
  }

  /** Yields the states whose names begin with a prefix. */
  *statesUnder(prefix: string): Generator<StorePart> {
    for (const [name, state] of this.#root.entries(prefix)) {
      if (!name.startsWith(prefix)) return
      yield state
    }
  }

  /**
   * Returns a state to write to. The caller must record the inverse of its write. The inverse must call `write` again,
   * because a snapshot may have been taken in between.
   */
  write<S extends StorePart>(name: string, begin: () => S): S {
    this.#writes += 1
    const own = this.#own?.get(name)
    if (own) return own as S
    const shared = this.#root.get(name) as S | undefined
    if (!shared) this.recordInverse(() => this.#remove(name))
    return this.#put(name, (shared?.clone() as S | undefined) ?? begin())
  }

  /** Stores a state that no snapshot shares. */
  #put<S extends StorePart>(name: string, state: S): S {
    this.#own ??= new Map()
    this.#own.set(name, state)
    this.#root.set(name, state)
    this.#found.set(name, state)
    this.#epoch += 1
    return state
  }

  /** Removes a state: the inverse of its first write. */
  #remove(name: string): void {
    this.#own?.delete(name)
    this.#root.delete(name)
    this.#found.delete(name)
    this.#epoch += 1
  }

  /** Records the inverse of the write that was just made. Outside a transaction it does nothing. */
  recordInverse(inverse: () => void): void {
    if (this.#isRecording) this.#undo.push(inverse)
  }

  /** Called before each revision is taken. */
  beforeRevision(): void {
    if (this.#hasWritten || this.#depth === 0 || this.#isDryRun) return
    this.#hasWritten = true
    for (const listener of this.#listeners) listener.onFirstWrite?.()
  }

  /** Returns all data as they are now. Later writes do not change it. */
  snapshot(): StoreSnapshot {
    this.#own = undefined
    return { parts: this.#root.clone(), counters: { ...this.counters }, retained: this.#retained?.clone() }
  }

  /**
   * Resets all data and counters to a snapshot. Retained snapshots are dropped, because their revisions will be reused.
   */
  resetTo({ parts, counters }: StoreSnapshot): void {
    this.#reach()
    this.counters = { ...counters }
    this.#setRoot(parts.clone())
    this.#setRetained(undefined)
    this.#rolledBack()
  }

  /** Restores a snapshot except for the named states. Revisions and ids continue from the highest ones ever used. */
  restore({ parts, counters, retained }: StoreSnapshot, { except }: { except: readonly string[] }): void {
    this.#reach()
    // A restored world counts as written, so that its stamps do not follow its clock back.
    this.counters = { ...counters, ...this.#reached, seedRevision: -1 }
    const [before, after] = [this.#root, parts.clone()]
    for (const name of except) {
      const state = before.get(name)
      if (state) after.set(name, state)
      else after.delete(name)
    }
    this.#setRoot(after)
    this.#setRetained(retained?.clone())
    this.#rolledBack()
  }

  /** Removes all data but the counters. */
  clear(): void {
    this.#reach()
    this.#setRoot(new Tree<string, StorePart>(undefined, byText))
  }

  /** Raises the high-water marks to the present counters. */
  #reach(): void {
    const { revision, ids, scheduled } = this.counters
    this.#reached = {
      revision: Math.max(revision, this.#reached.revision),
      ids: Math.max(ids, this.#reached.ids),
      scheduled: Math.max(scheduled, this.#reached.scheduled),
    }
  }

  /** Replaces all states and records the inverse for a rollback. */
  #setRoot(root: Tree<string, StorePart>): void {
    const before = this.#root
    this.recordInverse(() => this.#useRoot(before))
    this.#useRoot(root)
  }

  /** Replaces all states. Callers that cache the result of `read` see a new generation. */
  #useRoot(root: Tree<string, StorePart>): void {
    this.#root = root
    this.#own = undefined
    this.#found.clear()
    this.#epoch += 1
    this.#writes += 1
  }

  /** Calls the listeners after a rollback, reset or restore. */
  #rolledBack(): void {
    for (const listener of this.#listeners) listener.onRollback?.()
  }

  /** Runs `act` as a transaction. If it throws, all its writes and retained snapshots are rolled back. */
  transaction<R>(act: () => R): R {
    return this.#run(act, false)
  }

  /** Runs `act` and rolls all its writes back, whether it returns or throws. */
  dryRun<R>(act: () => R): R {
    return this.#run(act, true)
  }

  /** Runs `act` in a transaction, which may be inside another one. Rolls back if it throws or is a dry run. */
  #run<R>(act: () => R, isDryRun: boolean): R {
    const [mark, counters] = [this.#undo.length, { ...this.counters }]
    const outer = { isDryRun: this.#isDryRun, revision: this.#revisionBeforeDryRun, hasWritten: this.#hasWritten }
    if (this.#depth === 0) this.#hasWritten = false
    if (isDryRun) this.#revisionBeforeDryRun ??= this.counters.revision
    this.#isDryRun ||= isDryRun
    this.#isRecording = true
    this.#depth += 1
    let isDone = false
    try {
      const result = act()
      isDone = !isDryRun
      return result
    } finally {
      if (!isDone) this.#rollBack(mark, counters)
      this.#depth -= 1
      this.#isDryRun = outer.isDryRun
      this.#revisionBeforeDryRun = outer.revision
      if (this.#retainsAfterDryRun && !this.#isDryRun) {
        this.#retainsAfterDryRun = false
        this.retainSnapshot(this.counters.revision)
        this.counters.lastTokenRevision = this.counters.revision // a sync token of a later page refers to it
      }
      if (this.#depth === 0) {
        this.#undo = []
        this.#isRecording = false
      }
    }
  }

  /**
   * Returns the latest revision up to `revision` that stays: a token that a dry run gives out must not claim the
   * revisions that later writes will have.
   */
  committedRevision(revision: Revision): Revision {
    return Math.min(revision, this.#revisionBeforeDryRun ?? revision)
  }

  /** True while a rollback applies inverses. */
  get isRollingBack(): boolean {
    return this.#depth > 0 && !this.#isRecording
  }

  /** Applies the inverses down to `mark` in reverse order, and restores the counters. */
  #rollBack(mark: number, counters: Counters): void {
    this.#isRecording = false
    while (this.#undo.length > mark) this.#undo.pop()?.()
    this.#isRecording = true
    this.counters = counters
    this.#rolledBack()
  }

  /** Runs `act` with an author for its writes. */
  withAuthor<R>(author: Author, act: () => R): R {
    const before = this.author
    this.author = author
    try {
      return act()
    } finally {
      this.author = before
    }
  }

  /**
   * Retains a snapshot of the present under its revision for later pages. The oldest beyond the limits are dropped. A
   * dry run retains the state before it, to which its tokens refer.
   */
  retainSnapshot(revision: Revision): void {
    if (this.#isDryRun) {
      this.#retainsAfterDryRun = true
      return
    }
    if (this.#retained?.has(revision)) return
    // Without the snapshots that are retained now: it would keep those that are dropped.
    const { parts, counters } = this.snapshot()
    const retained: Retained = this.#retained?.clone() ?? new Tree(undefined, byNumber)
    retained.set(revision, { snapshot: { parts, counters }, writes: this.#writes })
    for (let oldest = retained.minKey(); oldest !== undefined; oldest = retained.minKey()) {
      const { writes = 0 } = retained.get(oldest) ?? {}
      if (retained.size <= MAX_RETAINED_SNAPSHOTS && this.#writes - writes <= MAX_WRITES_SINCE_SNAPSHOT) break
      retained.delete(oldest)
    }
    this.#setRetained(retained)
  }

  /** Replaces the retained snapshots and records the inverse for a rollback. */
  #setRetained(retained: Retained | undefined): void {
    const before = this.#retained
    this.recordInverse(() => {
      this.#retained = before
    })
    this.#retained = retained
  }

  /** Returns the snapshot that is retained under a revision. */
  retainedSnapshot(revision: Revision): StoreSnapshot | undefined {
    return this.#retained?.get(revision)?.snapshot
  }
}
