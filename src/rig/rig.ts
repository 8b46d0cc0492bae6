import type { Clock } from '../store/clock.ts'
import type { Store } from '../store/store.ts'
import { Faults } from './faults.ts'
import { Journal } from './journal.ts'
import { Past } from './past.ts'
import { Quota } from './quota.ts'
import { Retries } from './retries.ts'
import { Waiting } from './waiting.ts'

/** What a test author has set up around a world: what fails on cue, how much may be asked, and what was asked. */
export class Rig {
  readonly faults: Faults
  readonly quota: Quota
  readonly journal: Journal
  readonly retries = new Retries()
  readonly waiting: Waiting
  readonly past: Past

  constructor(store: Store, clock: Clock, journal: Journal) {
    this.faults = new Faults(store.counters.ids)
    this.quota = new Quota(clock)
    this.journal = journal
    this.waiting = new Waiting(clock)
    this.past = new Past(store, clock)
  }

  /** Begins anew with its world: nothing fails, and who is kept waiting has lost the connection. */
  begin({ counters }: Store): void {
    this.faults.begin(counters.ids)
    this.retries.clear()
    this.waiting.end()
  }

  /**
   * The same for who only looks: nothing fails, and nothing is counted against what may be asked. Unless it is `noted` the
   * journal does not tell of it either.
   */
  aside(clock: Clock, noted: boolean): Rig {
    const journal = noted ? this.journal : new Journal(this.journal.world, () => clock.now(), 0)
    return Object.create(Rig.prototype, {
      faults: { value: new Faults(0) },
      quota: { value: new Quota(clock) },
      retries: { value: new Retries() },
      journal: { value: journal },
      waiting: { get: () => this.waiting },
      past: { get: () => this.past },
    })
  }

  close(): void {
    this.waiting.end()
    this.journal.close()
  }
}
