import fc from 'fast-check'

/** Properties are tried with other values in every run, unless `FC_SEED` asks for the same again, as CI does. */
const { FC_SEED } = process.env
if (FC_SEED) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(FC_SEED) })
