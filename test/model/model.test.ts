import fc from 'fast-check'
import { test } from 'vitest'
import { commands } from './commands.ts'
import { Both } from './harness.ts'

/** The number of sequences and the seed. `npm run soak -- --model 10000 --seed 3` sets both; CI sets the seed of all properties. */
const { MODEL_SEQUENCES, FC_SEED, MODEL_SEED = FC_SEED } = process.env

test('the service answers as a naive model of it does', { timeout: 86_400_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: 'max' }), async (sequence) => {
      const both = new Both()
      try {
        await both.begin(both.side(0))
        await fc.asyncModelRun(() => ({ model: {}, real: both }), sequence)
        await both.finish()
      } finally {
        await both.fake.close()
      }
    }),
    { numRuns: Number(MODEL_SEQUENCES ?? 200), ...(MODEL_SEED && { seed: Number(MODEL_SEED) }) },
  )
})
