import type { Store } from '../db/store.ts'
import type { WorldClock } from '../model/clock.ts'
import { Delays } from './faults/delays.ts'
import { Faults } from './faults/faults.ts'
import { PastStates } from './faults/pastStates.ts'
import { Journal, type Log } from './journal/journal.ts'
import { Quota, Retries } from './quota.ts'

type JournalOptions = { name: string; journal?: number | undefined; log?: Log | undefined }

/** Each part is created on first use, because most worlds use few of them. */
export class TestControls {
  readonly #store: Store
  readonly #clock: WorldClock
  readonly #options: JournalOptions
  /** The controls of the world, if these are for a read of the inspector. */
  readonly #parent: TestControls | undefined
  /** The seed from which faults draw: the ids counter of the store at the creation or at the last reset. */
  #seed: number
  #faults: Faults | undefined
  #quota: Quota | undefined
  #journal: Journal | undefined
  #retries: Retries | undefined
  #delays: Delays | undefined
  #pastStates: PastStates | undefined

  constructor(store: Store, clock: WorldClock, options: JournalOptions, parent?: TestControls) {
    this.#store = store
    this.#clock = clock
    this.#options = options
    this.#seed = store.counters.ids
    this.#parent = parent
    if (!parent) store.listen(this)
  }

  get faults(): Faults {
    this.#faults ??= new Faults(this.#seed, this.#clock)
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

  /** Retains the state for the `stale` effect. The store calls it before the first write of a transaction. */
  onFirstWrite(): void {
    if (this.#clock.mode === 'frozen' || this.#faults?.needPastStates) this.pastStates.retainPresent()
  }

  /** Removes all faults, limits, counts and calls, and ends delayed requests. Faults then draw from the present ids counter. */
  clear(): void {
    this.#quota?.clear()
    this.#journal?.clear()
    this.#seed = this.#store.counters.ids
    this.#faults?.restart(this.#seed)
    this.#retries?.clear()
    this.#delays?.endAll()
  }

  onWorldReplaced(notice?: 'reset' | 'restored'): void {
    this.#pastStates?.clear()
    if (notice) this.#journal?.notify(notice)
  }

  /** They have no faults and no quota, and record in the world's journal if `isJournaled`, else nowhere. */
  createInspectorControls(isJournaled: boolean): TestControls {
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
