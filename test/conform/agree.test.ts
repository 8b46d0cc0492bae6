import { expect, test } from 'vitest'
import { against } from './against.ts'

test('fake-calendar agrees with every statement, and is as it was before', { timeout: 60_000 }, async () => {
  const { outcomes, left, before, after } = await against()

  expect(outcomes.filter(({ verdict }) => verdict !== 'agrees')).toEqual([])
  expect(outcomes.length).toBeGreaterThan(150)
  expect({ left, after }).toEqual({ left: [], after: before })
})
