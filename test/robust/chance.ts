/** A random source with a seed, so that failures can be repeated. */
export class Chance {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Draws a whole number from 0 to less than `bound`. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound)
  }

  /** Draws true with a probability from 0 to 1. */
  is(probability: number): boolean {
    return this.#next() < probability
  }

  /** Draws an element of a list. Returns undefined for an empty one. */
  of<T>(list: readonly [T, ...T[]]): T
  of<T>(list: readonly T[]): T | undefined
  of<T>(list: readonly T[]): T | undefined {
    return list[this.below(list.length)]
  }

  /** Draws each element of a list with a probability. Keeps their order. */
  some<T>(list: readonly T[], probability: number): T[] {
    return list.filter(() => this.is(probability))
  }

  /** Returns the next number of Mulberry32, from 0 to less than 1. */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Returns the seed of one of many runs, so that each can be repeated alone. */
export const deriveSeed = (seed: number, run: number): number =>
  Math.imul(seed, 0x9e3779b1) ^ Math.imul(run + 1, 0x85ebca6b)
