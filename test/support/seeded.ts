import fc from 'fast-check'

/** Property tests use other random values in each run. With `FC_SEED`, as in CI, the values are the same. */
const { FC_SEED } = process.env
if (FC_SEED) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FC_SEED) })

/** Returns the number of runs of a property. `FC_RUNS=30 npx vitest run test/recurrence` multiplies those that fit into every run of all tests. */
export const runs = (count: number): number => Math.ceil(count * Number(process.env.FC_RUNS ?? 1))
