import { vi } from 'vitest'
import { Tree } from '../../src/db/tree.ts'
import { steps } from '../../src/recurrence/steps.ts'

/**
 * The work of some requests, in steps that are the same on every machine: periods of rules that were looked into, records
 * that were drawn from an order, and records that were looked up.
 */
export async function workOf(act: () => unknown): Promise<number> {
  let drawn = 0
  const { entries, get } = Tree.prototype
  const spies = [
    vi.spyOn(Tree.prototype, 'entries').mockImplementation(function (this: typeof Tree.prototype, ...from) {
      const all = entries.apply(this, from)
      const next = all.next.bind(all)
      all.next = () => {
        drawn += 1
        return next()
      }
      return all
    }),
    vi.spyOn(Tree.prototype, 'get').mockImplementation(function (this: typeof Tree.prototype, ...args) {
      drawn += 1
      return get.apply(this, args)
    }),
  ]
  const before = steps.taken
  try {
    await act()
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
  return drawn + steps.taken - before
}
