import type { Asked } from './asked.ts'

/** What a request was answered with; no status where there was no answer. */
export type Outcome = {
  readonly status?: number
  readonly text?: string | null
  readonly reason?: string | undefined
  readonly hints?: readonly object[]
  /** The fault that it met. */
  readonly fault?: string | undefined
}

/** What was asked of a world, the latest last. */
export class Journal {
  #latest = 0

  /** The number of the next request. */
  take(): number {
    this.#latest += 1
    return this.#latest
  }

  note(asked: Asked, _outcome: Outcome, _begun: number): void {
    asked.n ??= this.take()
  }

  /** When a request came, to tell how long it took. */
  begin(): number {
    return 0
  }

  clear(): void {}
}
