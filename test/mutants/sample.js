import { createHash } from 'node:crypto'

/**
 * The number of mutants that are tried, drawn by a seed. The others are reported as errors, which the score does not
 * count.
 */
const { MUTANTS_SAMPLE = '150', MUTANTS_SEED = '1' } = process.env

/**
 * The position of a mutant in the draw. It depends on the mutant and not on its number, so that an edit elsewhere
 * draws the same others.
 */
const lot = ({ fileName, location: { start, end }, replacement }) =>
  createHash('sha256')
    .update(JSON.stringify([MUTANTS_SEED, fileName.replace(/^.*\/src\//, ''), start, end, replacement]))
    .digest('hex')

class Sample {
  static inject = []

  async init() {}

  /** All at once, so that it is drawn from all. */
  async group(mutants) {
    return [mutants.map(({ id }) => id)]
  }

  async check(mutants) {
    const lots = new Map(mutants.map((mutant) => [mutant.id, lot(mutant)]))
    const drawn = new Set([...lots.values()].sort().slice(0, Number(MUTANTS_SAMPLE)))
    return Object.fromEntries(
      [...lots].map(([id, at]) => [
        id,
        drawn.has(at) ? { status: 'passed' } : { status: 'compileError', reason: 'not drawn' },
      ]),
    )
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: Sample }]
