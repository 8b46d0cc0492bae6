import type { History } from './history.ts'
import type { Store } from './store.ts'
import type { Revision } from './version.ts'
import { WriteLog } from './writeLog.ts'

/** How long tokens may refer to a revision: the service forgets after about a month (behaviour 5.14). */
export const TOKEN_LIFE = 30 * 86_400_000

/** How many former definitions of its records a collection keeps. Where there are more, tokens that may ask for them expire. */
const MOST_FORMER = 2000

/**
 * The one counter of a world. `updated`, etags, sync tokens, page tokens and `updatedMin` are all readings of it.
 */
export class ChangeLog {
  readonly store: Store
  readonly #clock: { now(): number }
  readonly writes: WriteLog
  /** Told of every collection that is written to: push hangs here, and in no handler. */
  listener: { wrote(collection: object): void } | undefined
  /** The latest revision of a world that this one is the past of: tokens up to it are known. */
  ahead: Revision = 0

  constructor(store: Store, clock: { now(): number }) {
    this.store = store
    this.#clock = clock
    this.writes = new WriteLog(store)
  }

  get latest(): Revision {
    return this.store.counters.revision
  }

  get forgotten(): Revision {
    return this.store.counters.forgotten
  }

  /** Takes the revision of one more write. */
  next(): Revision {
    this.store.beforeRevision()
    const { counters } = this.store
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
    const { counters } = this.store
    counters.revision = Math.max(this.#clock.now() * 1000, counters.revision)
    return counters.revision
  }

  /** From here on a sync token handed out so far is refused as expired. */
  forget(): void {
    this.store.counters.forgotten = this.pass()
  }

  /** The present, and from here on it is the past. */
  pass(): Revision {
    const present = this.mark()
    this.store.counters.revision += 1
    return present
  }

  /** A token is given out that may ask what records were at a revision. */
  ask(revision: Revision): void {
    const { counters } = this.store
    counters.asked = Math.max(counters.asked, revision)
  }

  /** Drops former definitions that no token can ask for: those between two tokens, and those before all that are still good. */
  prune(former: History<object>): void {
    if (former.size === 0) return
    const { counters } = this.store
    former.dropUnasked(counters.asked)
    if (former.size > MOST_FORMER) counters.forgotten = Math.max(counters.forgotten, (former.oldest ?? 0) - 1)
    former.dropUntil(Math.max(counters.forgotten + 1, counters.revision - TOKEN_LIFE * 1000))
  }
}
