import { MAX_TIMER_MS, parseDuration } from '../../model/clock.ts'

/** The number of open visits of a world, and the real time of its last use in epoch milliseconds. */
type Use = { visitors: number; since: number }

/** It checks when a world is used, and when the first may be due. Its timer does not keep the process alive. */
export class IdleWorlds {
  readonly #limit: number
  readonly #end: (name: string) => void
  readonly #uses = new Map<string, Use>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(limit: number, end: (name: string) => void) {
    this.#limit = limit
    this.#end = end
  }

  /**
   * Records a use of a world by its name: momentary (0), or by visitors that enter (1) or leave (-1). A world with
   * visitors is not ended.
   */
  recordUse(name: string, entering = 0): void {
    const visitors = Math.max((this.#uses.get(name)?.visitors ?? 0) + entering, 0)
    this.#uses.delete(name)
    this.#uses.set(name, { visitors, since: Date.now() })
    this.#sweep()
  }

  forget(name: string): void {
    this.#uses.delete(name)
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#uses.clear()
  }

  #sweep(): void {
    const due = Date.now() - this.#limit
    for (const [name, { visitors, since }] of this.#uses) {
      if (since > due) break
      this.#uses.delete(name)
      if (visitors > 0) this.#uses.set(name, { visitors, since: Date.now() })
      else this.#end(name)
    }
    const [first] = this.#uses.values()
    if (this.#timer !== undefined || !first) return
    const wait = Math.max(first.since - due, 1)
    this.#timer = setTimeout(
      () => {
        this.#timer = undefined
        this.#sweep()
      },
      Math.min(wait, MAX_TIMER_MS),
    )
    this.#timer.unref?.()
  }
}

export function isIdleLimit(duration: unknown): boolean {
  try {
    return parseDuration(duration as string | number) >= 1
  } catch {
    return false
  }
}
