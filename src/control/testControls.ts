import type { Store } from '../db/store.ts'
import type { WorldClock } from '../model/clock.ts'
import type { CannedTool } from './cannedTools.ts'
import { Delays } from './faults/delays.ts'
import { Faults } from './faults/faults.ts'
import { PastStates } from './faults/pastStates.ts'
import { Journal, type Log } from './journal/journal.ts'
import type { PlayedStory } from './playedStory.ts'
import { Quota, Retries } from './quota.ts'
import type { ObservedRequest } from './request.ts'
import type { WorldResult } from './worldResult.ts'

type JournalOptions = { name: string; journal?: number | undefined; log?: Log | undefined }

/** Each part is created on first use, because most worlds use few of them. */
export class TestControls {
  readonly #store: Store
  readonly #clock: WorldClock
  #options: JournalOptions
  /** The seed from which faults draw: the ids counter of the store at the creation or at the last reset. */
  #seed: number
  /** The result of an attempt of an agent in this world. */
  result: WorldResult | undefined
  /** True if the user declines all tool calls of MCP that write. */
  declinesWrites = false
  /** The tools that the MCP server has beside those of the service. A reset keeps them. */
  cannedTools: readonly CannedTool[] = []
  /** The forms of approval of tool calls that wait for an answer. */
  readonly openForms = new Map<string, string>()
  /** True if the world accepts only tokens that it issued, also in open mode. A reset keeps it. */
  acceptsIssuedTokensOnly = false
  /** The story that `--play` plays. A reset keeps it. */
  story: PlayedStory | undefined
  #faults: Faults | undefined
  #quota: Quota | undefined
  #journal: Journal | undefined
  #retries: Retries | undefined
  #delays: Delays | undefined
  #pastStates: PastStates | undefined

  constructor(store: Store, clock: WorldClock, options: JournalOptions) {
    this.#store = store
    this.#clock = clock
    this.#options = options
    this.#seed = store.counters.ids
    store.listen(this)
  }

  get faults(): Faults {
    this.#faults ??= new Faults(this.#seed, this.#clock)
    return this.#faults
  }

  get hasFaults(): boolean {
    return this.#faults?.isEmpty === false
  }

  get quota(): Quota {
    this.#quota ??= new Quota(this.#clock)
    return this.#quota
  }

  /** Throws `frontEndRateLimitExceeded` (403) if the quota has no units left. */
  spendQuota(request: ObservedRequest): void {
    this.#quota?.spend(request)
  }

  get journal(): Journal {
    const { name, journal, log } = this.#options
    this.#journal ??= new Journal(name, this.#clock, journal, log)
    return this.#journal
  }

  rename(name: string): void {
    this.#options = { ...this.#options, name }
    if (this.#journal) this.#journal.world = name
  }

  /** Its requests are not logged. Call it before the first one. */
  stopLog(): void {
    this.#options = { ...this.#options, log: undefined }
  }

  get retries(): Retries {
    this.#retries ??= new Retries()
    return this.#retries
  }

  get delays(): Delays {
    this.#delays ??= new Delays(this.#clock)
    return this.#delays
  }

  get pastStates(): PastStates {
    this.#pastStates ??= new PastStates(this.#store, this.#clock)
    return this.#pastStates
  }

  /** Retains the state for the `stale` effect. The store calls it before the first write of a transaction. */
  onFirstWrite(): void {
    if (this.#clock.mode === 'frozen' || this.#faults?.needPastStates) this.pastStates.retainPresent()
  }

  /** Removes all faults, limits, counts and calls, and ends delayed requests. Faults then draw from the present ids counter. */
  clear(): void {
    this.result = undefined
    this.declinesWrites = false
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

  close(): void {
    this.#delays?.endAll()
    this.#journal?.close()
  }
}
