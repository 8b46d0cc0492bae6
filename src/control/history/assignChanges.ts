import type { ComparisonBudget } from '../matching/comparisonBudget.ts'

/** The allowed number of changes of a group, both ends included. */
type Range = { readonly min: number; readonly max: number }
/**
 * The number of changes of each group, by position in `ranges`, and the positions in `fits` of changes without a group.
 */
type Assignment = { readonly counts: number[]; readonly unassigned: number[] }

/** The number of changes that are assigned between two yields. */
const CHANGES_PER_STEP = 500

/**
 * Assigns each change to one of the groups that it fits, so that each group gets at least its minimum if that is
 * possible, and as few changes as possible are left. `fits` has the positions in `ranges` of the groups that each
 * change fits. A change that fits a group with the maximum 0 is assigned to none. Yields so that requests are answered
 * in between; the generator returns the assignment. Throws a RangeError if the budget is spent.
 *
 * This is a bipartite matching by augmenting paths. Groups from which no path was found are not searched again, so that
 * the work stays near the number of fits.
 */
export function* assignChanges(
  fits: readonly (readonly number[])[],
  ranges: readonly Range[],
  budget: ComparisonBudget,
): Generator<void, Assignment> {
  /** The group of each change. */
  const groupOf: (number | undefined)[] = fits.map(() => undefined)
  /** The changes of each group. */
  const held = ranges.map(() => new Set<number>())
  const forbidden = fits.map((groups) => groups.some((group) => ranges[group]?.max === 0))

  /** Moves each change on the path from the change `start` to the group `end`, which has room, into the next group. */
  const move = (start: number, end: number, via: ReadonlyMap<number, number>): void => {
    for (let group = end; ; ) {
      const change = via.get(group) as number
      const from = groupOf[change]
      if (from !== undefined) held[from]?.delete(change)
      held[group]?.add(change)
      groupOf[change] = group
      if (change === start || from === undefined) return
      group = from
    }
  }
  /**
   * Assigns the change `start` if a path leads to a group with fewer changes than its `room`. Otherwise adds the groups
   * that it reached to `exhausted`.
   */
  const augment = (start: number, room: readonly number[], exhausted: Set<number>): void => {
    /** The groups that are reached, each with the change that would move into it. */
    const via = new Map<number, number>()
    const queue: number[] = []
    /** Adds the groups that a change fits and that are not reached yet to the queue. */
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
  // First every group is filled to its minimum, then to its maximum.
  for (const room of [ranges.map(({ min }) => min), ranges.map(({ max }) => max)]) {
    const exhausted = new Set<number>()
    for (let change = 0; change < fits.length; change++) {
      if (groupOf[change] === undefined && !forbidden[change]) augment(change, room, exhausted)
      if (change % CHANGES_PER_STEP === CHANGES_PER_STEP - 1) yield
    }
  }
  return {
    counts: held.map(({ size }) => size),
    unassigned: groupOf.flatMap((group, change) => (group === undefined ? [change] : [])),
  }
}
