import { ConnectionLost } from '../../http/bodyFault.ts'
import { MAX_TIMER_MS, onAbort, type WorldClock } from '../../model/clock.ts'

const KIND = 'delayed request'

type Waiter = { resume(): void; abort(): void }

/**
 * The delayed requests of a world. A delay rejects with ConnectionLost when the faults of the world are reset and when
 * the world closes. Each delay ends when its client disconnects, because it would keep its request in memory. It then rejects,
 * except that of a write in real time, which is done at once. A delay without a signal outlives its client.
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

  /** When `signal` aborts, it resolves if `isWrite`, else it rejects. */
  async waitReal(durationMs: number, signal: AbortSignal | undefined, { isWrite = false } = {}): Promise<void> {
    for (let left = durationMs; left > 0 && !(isWrite && signal?.aborted); left -= MAX_TIMER_MS) {
      let timer: ReturnType<typeof setTimeout> | undefined
      let stop = () => {}
      const wait = Math.min(left, MAX_TIMER_MS)
      await this.#wait((resume, ref) => {
        timer = setTimeout(resume, wait)
        stop = onAbort(signal, () => (isWrite ? resume() : this.#waiters.get(ref)?.abort()))
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
