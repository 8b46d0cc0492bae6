import type { Store } from '../db/store.ts'
import type { Clock } from '../time/clock.ts'
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
  readonly #of: Rig | undefined
  /** Where draws begin, apart from those of ids. */
  #seed: number
  #faults: Faults | undefined
  #quota: Quota | undefined
  #journal: Journal | undefined
  #retries: Retries | undefined
  #waiting: Waiting | undefined
  #past: Past | undefined

  /** Of who only looks, `of` is the rig of everybody else. */
  constructor(store: Store, clock: Clock, noting: Noting, of?: Rig) {
    this.#store = store
    this.#clock = clock
    this.#noting = noting
    this.#seed = store.counters.ids
    this.#of = of
    if (!of) store.listen(this)
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
    this.#waiting ??= this.#of?.waiting ?? new Waiting(this.#clock)
    return this.#waiting
  }

  get past(): Past {
    this.#past ??= this.#of?.past ?? new Past(this.#store, this.#clock)
    return this.#past
  }

  onFirstWrite(): void {
    this.past.keep()
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

  /**
   * The same for who only looks: nothing fails, and nothing is counted against what may be asked. Unless it is `noted` the
   * journal does not tell of it either.
   */
  aside(noted: boolean): Rig {
    const { name } = this.#noting
    const aside = new Rig(this.#store, this.#clock, { name, journal: 0 }, this)
    if (noted) aside.#journal = this.journal
    return aside
  }

  close(): void {
    this.#waiting?.end()
    this.#journal?.close()
  }
}
