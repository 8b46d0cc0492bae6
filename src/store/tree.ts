import sorted from 'sorted-btree'

/**
 * An ordered map whose copies cost nothing: `clone()` shares every node, and a write to either side copies only the path
 * to what it writes. Transactions, snapshots, forks and stable pages all rest on this.
 */
// Loaders differ in whether the default import of a CommonJS module is its exports or what they call default.
export const Tree = (sorted.default ?? sorted) as typeof sorted.default
export type Tree<K, V> = sorted.default<K, V>

export const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
export const byNumber = (a: number, b: number): number => a - b
