import { Faults } from './faults.ts'
import type { Journal } from './journal.ts'
import { Quota } from './quota.ts'
import { Retries } from './retries.ts'

/** What a test author has set up around a world: what fails on cue, how much may be asked, and what was asked. */
export class Rig {
  readonly faults = new Faults()
  readonly quota = new Quota()
  readonly retries = new Retries()
  readonly journal: Journal

  constructor(journal: Journal) {
    this.journal = journal
  }
}
