import type { Store, StoreSnapshot } from '../../db/store.ts'
import type { WorldClock } from '../../model/clock.ts'

/** The number of past states that are kept, one before the first write of each instant. */
const MAX_PAST_STATES = 256
/** The minimum distance in milliseconds while the clock runs, because each state retains memory. */
const MIN_DISTANCE_MS = 10

/** Past states of a world, for the `stale` effect. An older instant returns the oldest state. */
export class PastStates {
  readonly #store: Store
  readonly #clock: Pick<WorldClock, 'now' | 'mode'>
  #states: { readonly instant: number; readonly snapshot: StoreSnapshot }[] = []

  constructor(store: Store, clock: Pick<WorldClock, 'now' | 'mode'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Keeps the present before a write. */
  keep(): void {
    const instant = this.#clock.now()
    this.#dropLaterThan(instant)
    const distance = this.#clock.mode === 'frozen' ? 0 : MIN_DISTANCE_MS
    const latest = this.#states.at(-1)
    if (latest && (instant <= latest.instant || instant < latest.instant + distance)) return
    this.#states.push({ instant, snapshot: this.#store.snapshot() })
    if (this.#states.length > MAX_PAST_STATES) this.#states.shift()
  }

  /** Returns the state at an instant in milliseconds. */
  at(instant: number): StoreSnapshot {
    this.#dropLaterThan(this.#clock.now())
    return this.#states.find((one) => one.instant > instant)?.snapshot ?? this.#store.snapshot()
  }

  /** Drops states that a clock which was set back has not reached. */
  #dropLaterThan(instant: number): void {
    while ((this.#states.at(-1)?.instant ?? instant) > instant) this.#states.pop()
  }

  forget(): void {
    this.#states = []
  }
}
