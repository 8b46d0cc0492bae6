import { expect, test } from 'vitest'
import { summarizeHeadings } from '../../../src/cli/conform/verdicts.ts'
import { runAgainst } from './against.ts'
import { DEVIATIONS, withDeviation } from './deviations.ts'

test('at least twenty deviations are tested', () => {
  expect(new Set(DEVIATIONS.map(({ name }) => name)).size).toBeGreaterThanOrEqual(20)
})

test.each(DEVIATIONS.map((deviation) => [deviation.name, deviation.heading, deviation] as const))(
  '%s: %s differs',
  async (_, heading, deviation) => {
    const filter = ({ headings }: { headings: readonly string[] }) => headings.includes(heading)
    const { outcomes, left } = await runAgainst({ filter }, withDeviation(deviation))
    const found = summarizeHeadings(outcomes).find((one) => one.heading === heading)

    expect(found).toMatchObject({ verdict: 'differs' })
    expect(found?.how).not.toEqual([])
    expect(left).toEqual([])
  },
)
