import { digest } from '../model/ids.ts'

/** A retry within so many milliseconds of real time has no backoff: the service asks for at least a second (behaviour 2.6). */
const MIN_BACKOFF_MS = 500
const MAX_REMEMBERED = 100

/** Remembers requests that were rejected for their rate. */
export class Retries {
  readonly #rejected = new Map<string, number>()

  /** Returns true if the same request was rejected just before, and remembers it. */
  isImmediateRetry(key: string): boolean {
    const request = digest(key, 'sha1')
    const now = performance.now()
    const before = this.#rejected.get(request)
    this.#rejected.delete(request)
    this.#rejected.set(request, now)
    const [oldest] = this.#rejected.keys()
    if (oldest !== undefined && this.#rejected.size > MAX_REMEMBERED) this.#rejected.delete(oldest)
    return before !== undefined && now - before < MIN_BACKOFF_MS
  }

  clear(): void {
    this.#rejected.clear()
  }
}
