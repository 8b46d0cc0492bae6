import type { ComparisonBudget } from '../matching/comparisonBudget.ts'

type Range = { readonly min: number; readonly max: number }
/** The number of changes of each group, and the changes without a group. */
type Assignment = { readonly counts: number[]; readonly unassigned: number[] }

/** Changes between two yields. */
const CHANGES_PER_STEP = 500

/**
 * Assigns each change to one of the groups that it fits, so that each group gets at least its minimum if that is possible, and as
 * few changes as possible are left. A group with the maximum 0 forbids its changes. This is a bipartite matching by augmenting
 * paths; groups from which no path was found are not searched again, so that the work stays near the number of fits.
 */
export function* assignChanges(
  fits: readonly (readonly number[])[],
  ranges: readonly Range[],
  budget: ComparisonBudget,
): Generator<void, Assignment> {
  const owner: (number | undefined)[] = fits.map(() => undefined)
  const held = ranges.map(() => new Set<number>())
  const forbidden = fits.map((groups) => groups.some((group) => ranges[group]?.max === 0))

  /** Moves changes along the path that ends in a group with room. */
  const move = (start: number, end: number, via: ReadonlyMap<number, number>): void => {
    for (let group = end; ; ) {
      const change = via.get(group) as number
      const from = owner[change]
      if (from !== undefined) held[from]?.delete(change)
      held[group]?.add(change)
      owner[change] = group
      if (change === start || from === undefined) return
      group = from
    }
  }
  const augment = (start: number, room: readonly number[], exhausted: Set<number>): void => {
    /** The groups that are reached, each with the change that would move into it. */
    const via = new Map<number, number>()
    const queue: number[] = []
    const reach = (change: number): void => {
      for (const group of fits[change] ?? []) {
        budget.spend()
        if (via.has(group) || exhausted.has(group) || room[group] === 0) continue
        via.set(group, change)
        queue.push(group)
      }
    }
    reach(start)
    for (const group of queue) {
      if ((held[group]?.size ?? 0) < (room[group] ?? 0)) {
        move(start, group, via)
        return
      }
      for (const change of held[group] ?? []) reach(change)
    }
    for (const group of queue) exhausted.add(group)
  }
  for (const room of [ranges.map(({ min }) => min), ranges.map(({ max }) => max)]) {
    const exhausted = new Set<number>()
    for (let change = 0; change < fits.length; change++) {
      if (owner[change] === undefined && !forbidden[change]) augment(change, room, exhausted)
      if (change % CHANGES_PER_STEP === CHANGES_PER_STEP - 1) yield
    }
  }
  return {
    counts: held.map(({ size }) => size),
    unassigned: owner.flatMap((group, change) => (group === undefined ? [change] : [])),
  }
}
