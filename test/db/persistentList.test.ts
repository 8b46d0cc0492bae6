import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ITEMS_PER_PART, PersistentList } from '../../src/db/persistentList.ts'

/** Actions on lists that were copied from one another. A number selects the list. */
type Step =
  | { kind: 'add'; list: number; count: number }
  | { kind: 'copy'; list: number }
  | { kind: 'drop'; list: number }

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('add' as const), list: fc.nat(7), count: fc.nat(ITEMS_PER_PART + 3) }),
    fc.record({ kind: fc.constantFrom<'copy' | 'drop'>('copy', 'drop'), list: fc.nat(7) }),
  ),
  { maxLength: 40 },
)

test('lists that are copied from one another go on apart, and hold what plain arrays would', () => {
  fc.assert(
    fc.property(steps, (all: Step[]) => {
      const lists = [{ list: new PersistentList<number>(), plain: [] as number[], parts: [] as number[] }]
      let next = 0
      for (const step of all) {
        const one = lists[step.list % lists.length]
        if (!one) continue
        if (step.kind === 'copy') lists.push({ list: one.list.copy(), plain: [...one.plain], parts: [...one.parts] })
        else if (step.kind === 'drop') expect(one.list.drop()).toEqual(one.plain.splice(0, one.parts.shift() ?? 0))
        else {
          for (let added = 0; added < step.count; added++) {
            one.list.add(next)
            one.plain.push(next)
            if ((one.parts.at(-1) ?? ITEMS_PER_PART) === ITEMS_PER_PART) one.parts.push(0)
            one.parts.push((one.parts.pop() ?? 0) + 1)
            next += 1
          }
        }
      }
      for (const { list, plain, parts } of lists) {
        expect([...list.values()]).toEqual(plain)
        expect(list.parts).toBe(parts.length)
        expect([...list.fromEnd()].reverse().flat()).toEqual(plain)
      }
    }),
    { numRuns: 300 },
  )
})

test('an item that is added during an iteration belongs to a later one', () => {
  const list = new PersistentList<number>()
  for (let at = 0; at < ITEMS_PER_PART - 1; at++) list.add(at)
  let seen = 0
  for (const _ of list.values()) {
    seen += 1
    list.add(-1)
    list.add(-1)
  }
  expect(seen).toBe(ITEMS_PER_PART - 1)
  expect([...list.values()]).toHaveLength(3 * (ITEMS_PER_PART - 1))
})
