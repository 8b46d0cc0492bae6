/** The number of comparisons that a verification may make. Above it, a verification fails instead of blocking the server. */
export const MAX_COMPARISONS = 2_000_000

/** Counts comparisons, and throws a RangeError above a limit. */
export class ComparisonBudget {
  readonly #limit: number
  #spent = 0

  constructor(limit = MAX_COMPARISONS) {
    this.#limit = limit
  }

  get spent(): number {
    return this.#spent
  }

  spend(count = 1): void {
    this.#spent += count
    if (this.#spent <= this.#limit) return
    throw new RangeError(
      `more than ${this.#limit} comparisons: name the kind and id of each, or verify fewer at a time`,
    )
  }
}
