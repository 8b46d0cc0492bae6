import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Declares what a fixture is that is imported, and that is required: a seed, and not merely what its JSON looks like. */
export function fixtureTypes({ name }: { name: string }) {
  return {
    name: 'fixture-types',
    writeBundle({ dir = 'dist' }: { dir?: string }) {
      const seed = "import type { Seed } from './index.cjs'\n\ndeclare const seed: Seed\n"
      writeFileSync(join(dir, `${name}.d.ts`), `${seed}export default seed\n`)
      writeFileSync(join(dir, `${name}.d.cts`), `${seed}export = seed\n`)
    },
  }
}
