import type { Clock } from '../../store/clock.ts'
import type { Picture, Store } from '../../store/store.ts'

/** How many moments of the past are known: the world as it was before the first write of each of so many instants. */
const MOMENTS = 256
/** How far apart they are at least, in milliseconds, where time passes by itself: what many keep is much to hold on to. */
const APART = 10

/** What a world was a while ago. What is older than all that is kept is shown as the oldest of it. */
export class Past {
  readonly #store: Store
  readonly #clock: Pick<Clock, 'now' | 'mode'>
  readonly #before: { readonly instant: number; readonly picture: Picture }[] = []

  constructor(store: Store, clock: Pick<Clock, 'now' | 'mode'>) {
    this.#store = store
    this.#clock = clock
  }

  /** Keeps what the world was before a write of this moment. */
  keep(picture: Picture): void {
    const instant = this.#clock.now()
    const apart = this.#clock.mode === 'frozen' ? 0 : APART
    const latest = this.#before.at(-1)
    if (latest && (instant <= latest.instant || instant < latest.instant + apart)) return
    this.#before.push({ instant, picture })
    if (this.#before.length > MOMENTS) this.#before.shift()
  }

  /** The world as it was at an instant. */
  at(instant: number): Picture {
    return this.#before.find((one) => one.instant > instant)?.picture ?? this.#store.picture()
  }

  forget(): void {
    this.#before.length = 0
  }
}
