import { vi } from 'vitest'
import { Tree } from '../../src/db/store.ts'
import { steps } from '../../src/recurrence/occurrences.ts'

/**
 * Runs requests and returns the number of steps that they take: periods of recurrence rules that are expanded, records that
 * are read from an index, and records that are looked up. The number is the same on every machine.
 */
export async function countSteps(run: () => unknown): Promise<number> {
  let reads = 0
  const { entries, get } = Tree.prototype
  const spies = [
    vi.spyOn(Tree.prototype, 'entries').mockImplementation(function (this: typeof Tree.prototype, ...from) {
      const all = entries.apply(this, from)
      const next = all.next.bind(all)
      all.next = () => {
        reads += 1
        return next()
      }
      return all
    }),
    vi.spyOn(Tree.prototype, 'get').mockImplementation(function (this: typeof Tree.prototype, ...args) {
      reads += 1
      return get.apply(this, args)
    }),
  ]
  const before = steps.taken
  try {
    await run()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return reads + steps.taken - before
}
