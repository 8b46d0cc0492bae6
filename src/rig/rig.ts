import type { Clock } from '../store/clock.ts'
import type { Store } from '../store/store.ts'
import { Faults } from './faults.ts'
import { Journal, type Log } from './journal.ts'
import { Past } from './past.ts'
import { Quota } from './quota.ts'
import { Retries } from './retries.ts'
import { Waiting } from './waiting.ts'

/** Whose journal it is, how many requests it keeps, and what takes a line for each. */
type Noting = { name: string; journal?: number | undefined; log?: Log | undefined }

/**
 * What a test author has set up around a world: what fails on cue, how much may be asked, and what was asked. Most worlds
 * see little of it: each part is made when it is first asked for.
 */
export class Rig {
  readonly #store: Store
  readonly #clock: Clock
  readonly #noting: Noting
  /** Where draws begin, apart from those of ids. */
  #seed: number
  #faults: Faults | undefined
  #quota: Quota | undefined
  #journal: Journal | undefined
  #retries: Retries | undefined
  #waiting: Waiting | undefined
  #past: Past | undefined

  constructor(store: Store, clock: Clock, noting: Noting) {
    this.#store = store
    this.#clock = clock
    this.#noting = noting
    this.#seed = store.counters.ids
    store.onWritten = (before) => this.past.keep(before)
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
    const { name, journal, log } = this.#noting
    this.#journal ??= new Journal(name, this.#clock, journal, log)
    return this.#journal
  }

  get retries(): Retries {
    this.#retries ??= new Retries()
    return this.#retries
  }

  get waiting(): Waiting {
    this.#waiting ??= new Waiting(this.#clock)
    return this.#waiting
  }

  get past(): Past {
    this.#past ??= new Past(this.#store, this.#clock)
    return this.#past
  }

  /** Takes a part back to where it began. */
  clear(part: 'faults' | 'quota' | 'journal'): void {
    if (part === 'faults') this.#begin()
    else if (part === 'quota') this.#quota?.clear()
    else this.#journal?.clear()
  }

  /** Nothing fails from here on, and who is kept waiting has lost the connection. */
  #begin(): void {
    this.#seed = this.#store.counters.ids
    this.#faults?.begin(this.#seed)
    this.#retries?.clear()
    this.#waiting?.end()
  }

  /** The world is another from here on: what it was is forgotten, and who reads along is told what became of it. */
  turned(name?: 'reset' | 'restored'): void {
    this.#past?.forget()
    if (name) this.#journal?.tell(name)
  }

  close(): void {
    this.#waiting?.end()
    this.#journal?.close()
  }
}
