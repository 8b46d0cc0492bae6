import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixtureOf } from '../src/seeds/fixtures.ts'

/** The fixtures that a program may import as JSON. The larger ones are code alone. */
const IMPORTABLE = ['default', 'team']

/** Writes the importable fixtures, and declares each as a `Seed` instead of the shape of its JSON. */
export function fixtureTypes({ name }: { name: string }) {
  return {
    name: 'fixture-types',
    writeBundle({ dir = 'dist' }: { dir?: string }) {
      const seed = "import type { Seed } from './index.cjs'\n\ndeclare const seed: Seed\n"
      writeFileSync(join(dir, `${name}.d.ts`), `${seed}export default seed\n`)
      writeFileSync(join(dir, `${name}.d.cts`), `${seed}export = seed\n`)
      mkdirSync(join(dir, 'fixtures'), { recursive: true })
      for (const one of IMPORTABLE) {
        const text = JSON.stringify({ ...fixtureOf(one), $schema: '../seed.schema.json' })
        writeFileSync(join(dir, 'fixtures', `${one}.json`), `${text}\n`)
      }
    },
  }
}
