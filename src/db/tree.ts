import sorted from 'sorted-btree'
import differing from 'sorted-btree/extended/diffAgainst.js'

/**
 * A persistent ordered map. `clone()` is O(1): both trees share all nodes, and a write to either copies only the path
 * to its node. Snapshots, forks and stable pages depend on it.
 */
// Loaders differ in whether the default import of a CommonJS module is its exports or its `default`.
export const Tree = (sorted.default ?? sorted) as typeof sorted.default
export type Tree<K, V> = sorted.default<K, V>

const diffAgainst = (differing.default ?? differing) as typeof differing.default

/**
 * Returns the keys that only one of two trees has, and those with different values. Shared nodes are skipped, so the
 * cost for a tree and its copy grows with the writes since.
 */
export function differences<K, V>(
  before: Tree<K, V>,
  after: Tree<K, V>,
): [key: K, was: V | undefined, is: V | undefined][] {
  const found: [K, V | undefined, V | undefined][] = []
  diffAgainst(
    before,
    after,
    (key, was) => void found.push([key, was, undefined]),
    (key, is) => void found.push([key, undefined, is]),
    (key, was, is) => void found.push([key, was, is]),
  )
  return found.reverse() // trees are walked from their ends
}

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
export const byNumber = (a: number, b: number): number => a - b

/** A key of several parts. Keys are never joined to one text, because any separator may be part of an id. */
export type Tuple = readonly (string | number)[]

/** Compares tuples part by part. A tuple comes before the longer ones that begin with it. */
export function byTuple(a: Tuple, b: Tuple): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [a[at] as string, b[at] as string]
    if (one !== other) return one < other ? -1 : 1
  }
  return a.length - b.length
}

export const startsWith = (tuple: Tuple, prefix: Tuple): boolean => prefix.every((part, at) => part === tuple[at])
