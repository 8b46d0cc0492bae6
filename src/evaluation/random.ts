import { Ids } from '../model/ids.ts'

/** Returns a number from 0 to 1, 1 excluded. */
export type Random = () => number

/** Equal texts give equal numbers. */
export function createRandom(text: string): Random {
  const hash = [...text].reduce((sum, sign) => (Math.imul(sum, 31) + (sign.codePointAt(0) ?? 0)) | 0, 7)
  const ids = new Ids({ counters: { ids: hash >>> 0 } })
  return () => ids.fraction()
}

export const pick = <T>(values: readonly T[], random: Random): T => values[Math.floor(random() * values.length)] as T

export function shuffle<T>(values: readonly T[], random: Random): T[] {
  const mixed = [...values]
  for (let at = mixed.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[mixed[at], mixed[other]] = [mixed[other] as T, mixed[at] as T]
  }
  return mixed
}
