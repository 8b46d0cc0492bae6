import fc from 'fast-check'
import { test } from 'vitest'
import { commands, start } from './commands.ts'
import { Harness } from './harness.ts'

/** The number of sequences and the seed. `npm run soak -- --model 10000 --seed 3` sets harness; CI sets the seed of all properties. */
const { MODEL_SEQUENCES, FC_SEED, MODEL_SEED = FC_SEED } = process.env

test('the replies of the service are those of a naive model', { timeout: 86_400_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(start, fc.commands(commands, { maxCommands: 36, size: 'max' }), async (first, sequence) => {
      const harness = new Harness()
      try {
        await harness.begin(harness.pair(0))
        for (const one of [first, sequence]) await fc.asyncModelRun(() => ({ model: harness, real: harness }), one)
        await harness.finish()
      } finally {
        await harness.fake.close()
      }
    }),
    { numRuns: Number(MODEL_SEQUENCES ?? 200), ...(MODEL_SEED && { seed: Number(MODEL_SEED) }) },
  )
})
