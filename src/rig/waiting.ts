import { type Clock, LONGEST_TIMER } from '../time/clock.ts'
import { ConnectionLost } from './lost.ts'

const KIND = 'delayed request'

type Waiter = { go(): void; end(): void }

/**
 * Requests that are kept waiting. Waiting ends with the connection lost where the client goes away, where the world begins
 * anew, and where the server closes.
 */
export class Waiting {
  readonly #clock: Clock
  readonly #waiters = new Map<string, Waiter>()
  #count = 0

  constructor(clock: Clock) {
    this.#clock = clock
    clock.on(KIND, ([ref = '']) => {
      const waiter = this.#waiters.get(ref)
      waiter?.go()
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

  /** Waits for nothing, until the client is gone. */
  async forever(gone: AbortSignal | undefined): Promise<never> {
    await this.#wait((_, ref) => {
      const end = () => this.#waiters.get(ref)?.end()
      if (gone?.aborted) end()
      else gone?.addEventListener('abort', end, { once: true })
    })
    throw new ConnectionLost()
  }

  #wait(begin: (go: () => void, ref: string) => void): Promise<void> {
    this.#count += 1
    const ref = String(this.#count)
    return new Promise<void>((resolve, reject) => {
      this.#waiters.set(ref, { go: resolve, end: () => reject(new ConnectionLost()) })
      begin(resolve, ref)
    }).finally(() => this.#waiters.delete(ref))
  }

  /** Ends all waiting. */
  end(): void {
    for (const waiter of [...this.#waiters.values()]) waiter.end()
    this.#clock.callOff(KIND)
  }
}
