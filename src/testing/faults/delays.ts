import { type Clock, LONGEST_TIMER } from '../../time/clock.ts'
import { ConnectionLost } from './connectionLost.ts'

const KIND = 'delayed request'

type Waiter = { resume(): void; abort(): void }

/**
 * The delayed requests of a world. A delay rejects with ConnectionLost when its client disconnects, when the world is reset,
 * and when the server closes.
 */
export class Delays {
  readonly #clock: Clock
  readonly #waiters = new Map<string, Waiter>()
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
    clock.on(KIND, ([ref = '']) => {
      const waiter = this.#waiters.get(ref)
      waiter?.resume()
      return waiter !== undefined
    })
  }

  /** Waits in real time, in milliseconds. */
  async real(length: number): Promise<void> {
    for (let left = length; left > 0; left -= LONGEST_TIMER) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const wait = Math.min(left, LONGEST_TIMER)
      await this.#wait((go) => {
        timer = setTimeout(go, wait)
      }).finally(() => clearTimeout(timer))
    }
  }

  /** Waits until the world's clock has moved on by so many milliseconds. */
  async world(length: number, method: string): Promise<void> {
    const what = `a delayed ${method} goes on`
    await this.#wait((_, ref) => this.#clock.schedule(this.#clock.now() + length, { kind: KIND, ref: [ref], what }))
  }

  /** Never resolves; rejects when the client disconnects. */
  async forever(gone: AbortSignal | undefined): Promise<never> {
    await this.#wait((_, ref) => {
      const end = () => this.#waiters.get(ref)?.abort()
      if (gone?.aborted) end()
      else gone?.addEventListener('abort', end, { once: true })
    })
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
    this.#clock.callOff(KIND)
  }
}
