import type { Clock } from '../store/clock.ts'
import type { Store } from '../store/store.ts'
import { Faults } from './faults.ts'
import { Journal } from './journal.ts'
import { Past } from './past.ts'
import { Quota } from './quota.ts'
import { Waiting } from './waiting.ts'

/** What a test author has set up around a world: what fails on cue, how much may be asked, and what was asked. */
export class Rig {
  readonly faults: Faults
  readonly quota: Quota
  readonly journal = new Journal()
  readonly waiting: Waiting
  readonly past: Past

  constructor(store: Store, clock: Clock) {
    this.faults = new Faults(store.counters.ids)
    this.quota = new Quota(clock)
    this.waiting = new Waiting(clock)
    this.past = new Past(store, () => clock.now())
  }

  /** Begins anew with its world: nothing fails, nothing is limited, and who is kept waiting has lost the connection. */
  begin({ counters }: Store): void {
    this.faults.begin(counters.ids)
    this.quota.clear()
    this.waiting.end()
    this.past.forget()
  }

  close(): void {
    this.waiting.end()
  }
}
