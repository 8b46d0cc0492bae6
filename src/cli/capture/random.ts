import { createHash, randomBytes } from 'node:crypto'

/** A source of random numbers from 0 (included) to 1 (excluded). */
export type Random = () => number

/** Returns a source of random numbers: new ones each time, or the same ones for the same `seed`. */
export function openRandom(seed?: string): Random {
  const key = seed === undefined ? randomBytes(16) : createHash('sha256').update(seed).digest()
  let [a = 0, b = 0, c = 0, d = 1] = [0, 4, 8, 12].map((at) => key.readInt32LE(at))
  // The generator sfc32: 128 bits of state, and no multiplication.
  return () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }
}

/** Returns a copy with the elements in random order. */
export function shuffle<T>(items: readonly T[], random: Random): T[] {
  const all = [...items]
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const item = all[at] as T
    all[at] = all[other] as T
    all[other] = item
  }
  return all
}
