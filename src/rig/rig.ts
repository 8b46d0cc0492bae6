import { Faults } from './faults.ts'
import { Journal } from './journal.ts'
import { Quota } from './quota.ts'
import { Retries } from './retries.ts'

/** What a test author has set up around a world: what fails on cue, how much may be asked, and what was asked. */
export class Rig {
  readonly faults = new Faults()
  readonly quota = new Quota()
  readonly journal = new Journal()
  readonly retries = new Retries()
}
