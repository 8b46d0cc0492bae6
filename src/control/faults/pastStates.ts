import type { Store, StoreSnapshot } from '../../db/store.ts'
import type { WorldClock } from '../../model/clock.ts'

const MAX_PAST_STATES = 256
/** The minimum distance of two past states by the world's clock while it runs, because each state retains memory. */
const MIN_DISTANCE_MS = 10

/**
 * Past states of a world by the time of its clock, for the `stale` effect. On a frozen clock they are retained even
 * without a fault, because a fault that is added later also returns earlier states. While the clock runs, they are
 * retained only as long as a fault needs them.
 */
export class PastStates {
  readonly #store: Store
  readonly #clock: Pick<WorldClock, 'now' | 'mode'>
  /** States before the first write of an instant (in epoch milliseconds), in ascending order. */
  #states: { readonly instant: number; readonly snapshot: StoreSnapshot }[] = []

  constructor(store: Store, clock: Pick<WorldClock, 'now' | 'mode'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Call it before a write. */
  retainPresent(): void {
    const instant = this.#clock.now()
    this.#dropLaterThan(instant)
    const distance = this.#clock.mode === 'frozen' ? 0 : MIN_DISTANCE_MS
    const latest = this.#states.at(-1)
    if (latest && (instant <= latest.instant || instant < latest.instant + distance)) return
    this.#states.push({ instant, snapshot: this.#store.snapshot() })
    if (this.#states.length > MAX_PAST_STATES) this.#states.shift()
  }

  /**
   * Returns the state after all writes up to an instant, or the oldest retained one. While the clock runs it may
   * include the writes of the next 10 ms.
   */
  stateAt(instant: number): StoreSnapshot {
    this.#dropLaterThan(this.#clock.now())
    return this.#states.find((one) => one.instant > instant)?.snapshot ?? this.#store.snapshot()
  }

  #dropLaterThan(instant: number): void {
    while ((this.#states.at(-1)?.instant ?? instant) > instant) this.#states.pop()
  }

  clear(): void {
    this.#states = []
  }
}
