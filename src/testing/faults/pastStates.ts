import type { Clock } from '../../store/clock.ts'
import type { Picture, Store } from '../../store/store.ts'

/** The number of past states that are kept, one before the first write of each instant. */
const MAX_PAST_STATES = 256
/** The minimum distance in milliseconds while the clock runs, because each state retains memory. */
const MIN_DISTANCE_MS = 10

/** Past states of a world, for the `stale` effect. An older instant returns the oldest state. */
export class PastStates {
  readonly #store: Store
  readonly #clock: Pick<Clock, 'now' | 'mode'>
  readonly #before: { readonly instant: number; readonly picture: Picture }[] = []

  constructor(store: Store, clock: Pick<Clock, 'now' | 'mode'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Keeps the state before the first write of this instant. */
  keep(picture: Picture): void {
    const instant = this.#clock.now()
    const apart = this.#clock.mode === 'frozen' ? 0 : MIN_DISTANCE_MS
    const latest = this.#before.at(-1)
    if (latest && (instant <= latest.instant || instant < latest.instant + apart)) return
    this.#before.push({ instant, picture })
    if (this.#before.length > MAX_PAST_STATES) this.#before.shift()
  }

  /** Returns the state at an instant in milliseconds. */
  at(instant: number): Picture {
    return this.#before.find((one) => one.instant > instant)?.picture ?? this.#store.picture()
  }

  forget(): void {
    this.#before.length = 0
  }
}
