import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixtureOf } from '../src/seeds/fixtures.ts'

/** The fixtures that a program may import as JSON. The larger ones are only code. */
const IMPORTABLE = ['default', 'team']

/** Writes the importable fixtures into `fixtures/` beside the bundle. */
export const writesFixtures = () => ({
  name: 'fixtures',
  writeBundle({ dir = 'dist' }: { dir?: string | undefined }) {
    mkdirSync(join(dir, 'fixtures'), { recursive: true })
    for (const name of IMPORTABLE) {
      const text = JSON.stringify({ ...fixtureOf(name), $schema: '../seed.schema.json' })
      writeFileSync(join(dir, 'fixtures', `${name}.json`), `${text}\n`)
    }
  },
})
