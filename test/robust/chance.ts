/** A random source with a seed, so that failures can be repeated. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 on, below `bound`. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound)
  }

  is(probability: number): boolean {
    return this.#next() < probability
  }

  of<T>(list: readonly [T, ...T[]]): T
  of<T>(list: readonly T[]): T | undefined
  of<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }

  /** Some of a list, in its order. */
  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.is(probability))
  }

  /** Mulberry32. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns the seed of one of many runs, so that each can be repeated alone. */
export const seedOf = (seed: number, run: number): number =>
  Math.imul(seed, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b)
