import { createHash } from 'node:crypto'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'

/** How many mutants are tried, drawn by a seed: the others are told of as errors, which no score counts. */
const { MUTANTS_SAMPLE = '150', MUTANTS_SEED = '1' } = process.env

/** Where a mutant stands in the draw: by what it is and not by its number, so that an edit elsewhere draws the others again. */
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

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, 'sample', Sample)]
