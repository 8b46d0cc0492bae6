import { ConnectionLost } from '../../http/bodyFault.ts'
import { MAX_TIMER_MS, onAbort, type WorldClock } from '../../model/clock.ts'

const KIND = 'delayed request'

type Waiter = { resume(): void; abort(): void }

/**
 * The delayed requests of a world. A delay rejects with ConnectionLost when the faults of the world are reset and when
 * the world closes. A delay by the world's clock does so also when its client disconnects, because nothing else may
 * ever end it, and so does the delay of a read, because nobody gets its response.
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

  /** Waits also after the client disconnected, unless `signal` aborts. */
  async waitReal(durationMs: number, signal?: AbortSignal): Promise<void> {
    for (let left = durationMs; left > 0; left -= MAX_TIMER_MS) {
      let timer: ReturnType<typeof setTimeout> | undefined
      let stop = () => {}
      const wait = Math.min(left, MAX_TIMER_MS)
      await this.#wait((resume, ref) => {
        timer = setTimeout(resume, wait)
        stop = onAbort(signal, () => this.#waiters.get(ref)?.abort())
      }).finally(() => {
        clearTimeout(timer)
        stop()
      })
    }
  }

  /** `method` names the task in the result of a clock move. `signal` aborts when the client disconnects. */
  async waitWorld(durationMs: number, method: string, signal?: AbortSignal): Promise<void> {
    const instant = this.#clock.now() + durationMs
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

  async waitForever(signal: AbortSignal | undefined): Promise<never> {
    await this.#wait((_, ref) => void onAbort(signal, () => this.#waiters.get(ref)?.abort()))
    throw new ConnectionLost()
  }

  #wait(begin: (resume: () => void, ref: string) => void): Promise<void> {
    this.#count += 1
    const ref = String(this.#count)
    return new Promise<void>((resolve, reject) => {
      this.#waiters.set(ref, { resume: resolve, abort: () => reject(new ConnectionLost()) })
      begin(resolve, ref)
    }).finally(() => this.#waiters.delete(ref))
  }

  endAll(): void {
    for (const waiter of [...this.#waiters.values()]) waiter.abort()
    this.#clock.unscheduleAll(KIND)
  }
}
