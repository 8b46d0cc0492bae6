import { MergedStreams } from '../recurrence/mergedStreams.ts'

/** The position of an entry in the order of its list: numbers and strings, compared part by part. */
export type SortKey = readonly (number | string)[]

/**
 * Compares sort keys part by part; a negative number puts `a` first. A key comes before the longer ones that begin with
 * it. The parts at one position must be of one type.
 */
export function compareSortKeys(a: SortKey, b: SortKey): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const [one, other] = [a[i] ?? 0, b[i] ?? 0]
    if (one !== other) return one < other ? -1 : 1
  }
  return a.length - b.length
}

/**
 * An entry of a sorted stream. `opens` replaces it by a stream whose entries have the same sort key, one that begins
 * with it, or later ones.
 */
type Mergeable<E> = { readonly sortKey: SortKey; opens?: () => Iterable<E> }

/**
 * Merges sorted streams into one sorted stream. Entries with equal keys are all yielded, in no fixed order. An entry
 * with `opens` is not yielded itself. The first entry of each stream is drawn at once, others on demand.
 */
export function* mergeSorted<E extends Mergeable<E>>(streams: Iterable<Iterable<E>>): Generator<E> {
  const merged = new MergedStreams<E>((a, b) => compareSortKeys(a.sortKey, b.sortKey))
  for (const stream of streams) merged.add(stream)
  for (let next = merged.take(); next; next = merged.take()) {
    if (next.opens) merged.add(next.opens())
    else yield next
  }
}
