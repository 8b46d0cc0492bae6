import { TOKEN_LIFE, type TokenExpiry } from './expiry.ts'
import type { Former } from './history.ts'
import { Table } from './lazyTable.ts'
import { Cell } from './lazyValue.ts'
import { Records } from './records.ts'
import type { Kind } from './resource.ts'
import type { Writing } from './stamping.ts'
import type { Hears, Picture, Store } from './store.ts'
import { byText } from './tree.ts'
import type { Revision, Version } from './version.ts'
import { Writes } from './writeLog.ts'

/** How many former definitions of its records a collection keeps. Where there are more, tokens that may ask for them expire. */
const MOST_FORMER = 2000

/**
 * The one counter of a world. `updated`, etags, sync tokens, page tokens and `updatedMin` are all readings of it.
 */
export class ChangeLog {
  readonly #store: Store
  readonly #clock: { now(): number }
  readonly writes: Writes
  /** Told of every collection that is written to: push hangs here, and in no handler. */
  listener: Hears<'wrote', object> | undefined
  /** The latest revision of a world that this one is the past of: tokens up to it are known. */
  ahead: Revision = 0
  #expiring: Cell<readonly TokenExpiry[]> | undefined
  #uses: Table<string, number> | undefined

  constructor(store: Store, clock: { now(): number }) {
    this.#store = store
    this.#clock = clock
    this.writes = new Writes(store)
  }

  /** Which sync tokens have expired, or will: apart from those that are too old. */
  get expiring(): Cell<readonly TokenExpiry[]> {
    this.#expiring ??= new Cell<readonly TokenExpiry[]>(this.#store, 'syncTokens/expiring', [])
    return this.#expiring
  }

  /** How often each sync token was used since their uses count. */
  get uses(): Table<string, number> {
    this.#uses ??= new Table(this.#store, 'syncTokens/uses', byText)
    return this.#uses
  }

  get latest(): Revision {
    return this.#store.counters.revision
  }

  get forgotten(): Revision {
    return this.#store.counters.forgotten
  }

  /** Takes the revision of one more write. */
  next(): Revision {
    const { counters } = this.#store
    counters.revision = Math.max(this.#clock.now() * 1000, counters.revision + 1)
    counters.written = counters.revision
    return counters.revision
  }

  /** The moment that the clock shows, as a revision: earlier than the last one where the clock was set back. */
  get now(): Revision {
    return this.#clock.now() * 1000
  }

  /** The present, as a revision: whatever is written from here on is later. */
  mark(): Revision {
    const { counters } = this.#store
    counters.revision = Math.max(this.#clock.now() * 1000, counters.revision)
    return counters.revision
  }

  /** From here on a sync token handed out so far is refused as expired. */
  forget(): void {
    this.#store.counters.forgotten = this.pass()
  }

  /** The present, and from here on it is the past. */
  pass(): Revision {
    const present = this.mark()
    this.#store.counters.revision += 1
    return present
  }

  /** A token is given out that may ask what records were at a revision. */
  ask(revision: Revision): void {
    const { counters } = this.#store
    counters.asked = Math.max(counters.asked, revision)
  }

  /** Drops former definitions that no token can ask for: those between two tokens, and those before all that are still good. */
  prune(former: Former<object>): void {
    if (former.size === 0) return
    const { counters } = this.#store
    former.dropUnasked(counters.asked)
    if (former.size > MOST_FORMER) counters.forgotten = Math.max(counters.forgotten, (former.oldest ?? 0) - 1)
    former.dropUntil(Math.max(counters.forgotten + 1, counters.revision - TOKEN_LIFE * 1000))
  }
}

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

  /** The records as a picture shows them. */
  in(picture: Picture): Records<T> {
    return (picture.states.get(this.#name) as Records<T> | undefined) ?? noneOf(this.#kind)
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

  put(id: string, stamp: (revision: Revision) => T, how?: Writing): T {
    const revision = this.#changes.next()
    const records = this.#write()
    const was = records.get(id)
    const before = how?.follow ? records.followers(id) : undefined
    const { value } = records.put(id, stamp(revision), revision, how)
    const after = before && records.followers(id)
    const follow = before && after && { was: before, is: after }
    this.#changes.writes.add({ revision, name: this.#name, id, was, is: value, follow })
    this.#changes.prune(records.former)
    this.written(value)
    this.#changes.listener?.wrote(this)
    return value
  }

  /** Writes a record with the revision that it had in another world: nothing that happened here. */
  restore(id: string, value: T, revision: Revision, born = revision): void {
    this.#write().put(id, value, revision, { born })
    // A token of that world may ask what it was.
    this.#changes.ask(revision)
    this.written(value)
  }

  /** Puts back what a record was before a revision redefined it. */
  restoreFormer(version: Pick<Version<T>, 'id' | 'value' | 'born'>, until: Revision): void {
    this.#write().former.restore(version, until)
  }

  /** What else a collection does when a record of it is written. */
  protected written(_value: T): void {}

  #write(): Records<T> {
    return this.#store.write(this.#name, () => new Records(this.#kind))
  }
}
