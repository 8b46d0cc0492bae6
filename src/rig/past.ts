import type { Store, StoreSnapshot } from '../db/store.ts'
import type { Clock } from '../time/clock.ts'

const MAX_MOMENTS = 256
/** How far apart moments are at least while the clock runs, in milliseconds, because each holds what was replaced since. */
const MIN_DISTANCE_MS = 10

/** Snapshots of a world before the first write of each instant. An instant before all of them shows the earliest. */
export class Past {
  readonly #store: Store
  readonly #clock: Pick<Clock, 'now' | 'mode'>
  #moments: { readonly instant: number; readonly snapshot: StoreSnapshot }[] = []

  constructor(store: Store, clock: Pick<Clock, 'now' | 'mode'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Keeps the present before a write. Moments that a clock which was set back has not reached are dropped. */
  keep(): void {
    const instant = this.#clock.now()
    this.#dropLaterThan(instant)
    const distance = this.#clock.mode === 'frozen' ? 0 : MIN_DISTANCE_MS
    const latest = this.#moments.at(-1)
    if (latest && (instant <= latest.instant || instant < latest.instant + distance)) return
    this.#moments.push({ instant, snapshot: this.#store.snapshot() })
    if (this.#moments.length > MAX_MOMENTS) this.#moments.shift()
  }

  /** Returns the world as it was at an instant. */
  at(instant: number): StoreSnapshot {
    this.#dropLaterThan(this.#clock.now())
    return this.#moments.find((one) => one.instant > instant)?.snapshot ?? this.#store.snapshot()
  }

  #dropLaterThan(instant: number): void {
    while ((this.#moments.at(-1)?.instant ?? instant) > instant) this.#moments.pop()
  }

  forget(): void {
    this.#moments = []
  }
}
