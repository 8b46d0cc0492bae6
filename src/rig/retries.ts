import { digest } from '../time/digest.ts'

/**
 * A retry that comes sooner, in milliseconds of real time, is one without backoff: the service asks for a second at least
 * (behaviour 2.6).
 */
const AT_ONCE = 500
const REMEMBERED = 100

/** Requests that were refused for their rate, and when. */
export class Retries {
  readonly #refused = new Map<string, number>()

  /** Whether the same request was refused a moment ago. From here on it was. */
  again(asked: string): boolean {
    const request = digest(asked, 'sha1')
    const now = performance.now()
    const before = this.#refused.get(request)
    this.#refused.delete(request)
    this.#refused.set(request, now)
    const [oldest] = this.#refused.keys()
    if (oldest !== undefined && this.#refused.size > REMEMBERED) this.#refused.delete(oldest)
    return before !== undefined && now - before < AT_ONCE
  }

  clear(): void {
    this.#refused.clear()
  }
}
