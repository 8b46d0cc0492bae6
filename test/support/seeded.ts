import fc from 'fast-check'

/** Property tests use other random values in each run. With `FC_SEED`, as in CI, the values are the same. */
const { FC_SEED } = process.env
if (FC_SEED) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FC_SEED) })
