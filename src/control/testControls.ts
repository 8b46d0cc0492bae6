import type { Store } from '../db/store.ts'
import type { WorldClock } from '../model/clock.ts'
import { Delays } from './faults/delays.ts'
import { Faults } from './faults/faults.ts'
import { PastStates } from './faults/pastStates.ts'
import { Journal, type Log } from './journal/journal.ts'
import { Quota } from './quota.ts'
import { Retries } from './retries.ts'

/** The name of the world, the number of requests that its journal keeps, and the log. */
type JournalOptions = { name: string; journal?: number | undefined; log?: Log | undefined }

/**
 * The controls of the test author of one world: faults, quota and journal. Each part is created on first use, because
 * most worlds use few of them.
 */
export class TestControls {
  readonly #store: Store
  readonly #clock: WorldClock
  readonly #options: JournalOptions
  readonly #parent: TestControls | undefined
  /** The seed of the draws of faults. */
  #seed: number
  #faults: Faults | undefined
  #quota: Quota | undefined
  #journal: Journal | undefined
  #retries: Retries | undefined
  #delays: Delays | undefined
  #pastStates: PastStates | undefined

  /** `parent` is given for the reads of the inspector, which share delays and past states. */
  constructor(store: Store, clock: WorldClock, options: JournalOptions, parent?: TestControls) {
    this.#store = store
    this.#clock = clock
    this.#options = options
    this.#seed = store.counters.ids
    this.#parent = parent
    if (!parent) store.listen(this)
  }

  get faults(): Faults {
    this.#faults ??= new Faults(this.#seed)
    return this.#faults
  }

  get quota(): Quota {
    this.#quota ??= new Quota(this.#clock)
    return this.#quota
  }

  get journal(): Journal {
    const { name, journal, log } = this.#options
    this.#journal ??= new Journal(name, this.#clock, journal, log)
    return this.#journal
  }

  get retries(): Retries {
    this.#retries ??= new Retries()
    return this.#retries
  }

  get delays(): Delays {
    this.#delays ??= this.#parent?.delays ?? new Delays(this.#clock)
    return this.#delays
  }

  get pastStates(): PastStates {
    this.#pastStates ??= this.#parent?.pastStates ?? new PastStates(this.#store, this.#clock)
    return this.#pastStates
  }

  /** Called by the store before the first write of a transaction. */
  onFirstWrite(): void {
    this.pastStates.keep()
  }

  /** Resets one part. */
  clear(part: 'faults' | 'quota' | 'journal'): void {
    if (part === 'faults') this.#restartFaults()
    else if (part === 'quota') this.#quota?.clear()
    else this.#journal?.clear()
  }

  /** Removes all faults and ends delayed requests. */
  #restartFaults(): void {
    this.#seed = this.#store.counters.ids
    this.#faults?.restart(this.#seed)
    this.#retries?.clear()
    this.#delays?.endAll()
  }

  /** Drops past states and notifies the listeners of the journal, after a reset or restore. */
  worldReplaced(name?: 'reset' | 'restored'): void {
    this.#pastStates?.forget()
    if (name) this.#journal?.notify(name)
  }

  /**
   * Returns controls for a read of the inspector: no faults, no quota. Its journal is the world's if `isJournaled`,
   * else none.
   */
  forInspector(isJournaled: boolean): TestControls {
    const { name } = this.#options
    const controls = new TestControls(this.#store, this.#clock, { name, journal: 0 }, this)
    if (isJournaled) controls.#journal = this.journal
    return controls
  }

  close(): void {
    this.#delays?.endAll()
    this.#journal?.close()
  }
}
