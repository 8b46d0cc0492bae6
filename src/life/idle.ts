import { durationOf, LONGEST_TIMER } from '../time/clock.ts'

/** When each world was last used, in real time; the longest unused first. */
type Use = { visitors: number; since: number }

/**
 * Ends worlds that nobody has used for a time. It looks when a world is used and when the first may be due; it never keeps
 * the process alive for that.
 */
export class Idle {
  readonly #limit: number
  readonly #end: (name: string) => void
  readonly #uses = new Map<string, Use>()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(limit: number, end: (name: string) => void) {
    this.#limit = limit
    this.#end = end
  }

  /** A world is used: for a moment, or until it is left by as many as have entered it. */
  use(name: string, entering = 0): void {
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
      Math.min(wait, LONGEST_TIMER),
    )
    this.#timer.unref?.()
  }
}

/** Whether a world may be unused for so long. */
export function isIdle(duration: unknown): boolean {
  try {
    return durationOf(duration as string | number) >= 1
  } catch {
    return false
  }
}
