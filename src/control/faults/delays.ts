import { ConnectionLost } from '../../http/connectionLost.ts'
import { MAX_TIMER_MS, type WorldClock } from '../../model/clock.ts'
import { onAbort } from '../../model/onAbort.ts'

const KIND = 'delayed request'

type Waiter = { resume(): void; abort(): void }

/**
 * The delayed requests of a world. A delay rejects with ConnectionLost when the world is reset and when the server
 * closes; a delay by the world's clock also when its client disconnects, because nothing else may ever end it.
 */
export class Delays {
  readonly #clock: WorldClock
  readonly #waiters = new Map<string, Waiter>()
  #count = 0

  constructor(clock: WorldClock) {
    this.#clock = clock
    clock.on(KIND, ([ref = '']) => {
      const waiter = this.#waiters.get(ref)
      waiter?.resume()
      return waiter !== undefined
    })
  }

  /** Waits in real time, in milliseconds. */
  async real(length: number): Promise<void> {
    for (let left = length; left > 0; left -= MAX_TIMER_MS) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const wait = Math.min(left, MAX_TIMER_MS)
      await this.#wait((go) => {
        timer = setTimeout(go, wait)
      }).finally(() => clearTimeout(timer))
    }
  }

  /** Waits until the world's clock has moved on by so many milliseconds. */
  async world(length: number, method: string, signal?: AbortSignal): Promise<void> {
    const instant = this.#clock.now() + length
    const what = `a delayed ${method} continues`
    let stop = () => {}
    await this.#wait((_, ref) => {
      const task = { kind: KIND, ref: [ref], what }
      this.#clock.schedule(instant, task)
      stop = onAbort(signal, () => {
        this.#clock.unschedule(instant, task)
        this.#waiters.get(ref)?.abort()
      })
    }).finally(() => stop())
  }

  /** Never resolves; rejects when the client disconnects. */
  async forever(signal: AbortSignal | undefined): Promise<never> {
    await this.#wait((_, ref) => void onAbort(signal, () => this.#waiters.get(ref)?.abort()))
    throw new ConnectionLost()
  }

  #wait(begin: (go: () => void, ref: string) => void): Promise<void> {
    this.#count += 1
    const ref = String(this.#count)
    return new Promise<void>((resolve, reject) => {
      this.#waiters.set(ref, { resume: resolve, abort: () => reject(new ConnectionLost()) })
      begin(resolve, ref)
    }).finally(() => this.#waiters.delete(ref))
  }

  /** Ends all delays. */
  endAll(): void {
    for (const waiter of [...this.#waiters.values()]) waiter.abort()
    this.#clock.unscheduleAll(KIND)
  }
}
