import fc from 'fast-check'
import { expect, test } from 'vitest'
import { claimChanges } from '../../../src/control/history/verify.ts'

type Ranges = { min: number; max: number }[]

/** Returns true if each change can be counted for one expectation that it fits, so that all counts are in range. */
function canAssign(changes: readonly number[], fits: readonly (readonly number[])[], ranges: Ranges): boolean {
  const counts = ranges.map(() => 0)
  const forbidden = (change: number) => fits.some((some, at) => ranges[at]?.max === 0 && some.includes(change))
  const assign = (position: number): boolean => {
    const change = changes[position]
    if (change === undefined)
      return ranges.every(({ min, max }, at) => (counts[at] ?? 0) >= min && (counts[at] ?? 0) <= max)
    if (forbidden(change)) return false
    return fits.some((some, at) => {
      if (!some.includes(change) || (counts[at] ?? 0) >= (ranges[at]?.max ?? 0)) return false
      counts[at] = (counts[at] ?? 0) + 1
      const isAssigned = assign(position + 1)
      counts[at] = (counts[at] ?? 0) - 1
      return isAssigned
    })
  }
  return assign(0)
}

const passes = (changes: readonly number[], fits: readonly (readonly number[])[], ranges: Ranges): boolean => {
  const { claimed, unclaimed } = claimChanges(changes, fits, ranges)
  return unclaimed.size === 0 && claimed.every(({ length }, at) => length >= (ranges[at]?.min ?? 0))
}

const changes = [0, 1, 2, 3, 4]
const anyFits = fc.subarray(changes)
const anyRange = fc
  .tuple(fc.nat(3), fc.nat(3), fc.boolean())
  .map(([min, more, open]) => ({ min, max: open ? Number.POSITIVE_INFINITY : min + more }))

test('a verification that passes has an assignment of every change, whatever the expectations', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(anyFits, anyRange), { maxLength: 4 }), (expected) => {
      const [fits, ranges] = [expected.map(([some]) => some), expected.map(([, range]) => range)]
      if (passes(changes, fits, ranges)) expect(canAssign(changes, fits, ranges)).toBe(true)
    }),
    { numRuns: 3000, seed: 1 },
  )
})

/** Sets that are disjoint or contain each other. */
const NESTED = [[0], [1], [0, 1], [2], [3], [2, 3], [0, 1, 2, 3], [0, 1, 2, 3, 4]]
const exact = fc.nat(3).map((times) => ({ min: times, max: times }))
const atLeast = fc.nat(3).map((min) => ({ min, max: Number.POSITIVE_INFINITY }))

test('a verification of nested or disjoint expectations passes if there is an assignment', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(...NESTED), fc.oneof(exact, atLeast)), { maxLength: 5 }),
      (expected) => {
        const [fits, ranges] = [expected.map(([some]) => some), expected.map(([, range]) => range)]
        expect(passes(changes, fits, ranges)).toBe(canAssign(changes, fits, ranges))
      },
    ),
    { numRuns: 3000, seed: 1 },
  )
})
