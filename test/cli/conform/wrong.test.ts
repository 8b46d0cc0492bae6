import { expect, test } from 'vitest'
import { verdictsOf } from '../../../src/cli/conform/verdicts.ts'
import { against } from './against.ts'
import { through, WRONG } from './faults.ts'

test('at least twenty deviations are tested', () => {
  expect(new Set(WRONG.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20)
})

test.each(WRONG.map((wrong) => [wrong.name, wrong.heading, wrong] as const))(
  '%s: %s differs',
  async (_, heading, wrong) => {
    const filter = ({ headings }: { headings: readonly string[] }) => headings.includes(heading)
    const { outcomes, left } = await against({ filter }, through(wrong))
    const found = verdictsOf(outcomes).find((one) => one.heading === heading)

    expect(found).toMatchObject({ verdict: 'differs' })
    expect(found?.how).not.toEqual([])
    expect(left).toEqual([])
  },
)
