import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readFixtureFile } from '../src/seeds/fixtureFiles.ts'
import { seedShape } from '../src/seeds/schema/shape.ts'

/**
 * Returns the JSON Schema of seeds, for editors. It also accepts the fields of a state, a seed that was read from a world; the
 * loader checks them.
 */
export function seedSchema(): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(seedShape, { io: 'input', target: 'draft-7', unrepresentable: 'any' })
  const { properties } = Object(schema)
  properties.counters = { type: 'object', description: 'Only in a state that was read from a world.' }
  properties.calendars.items.properties.series = { type: 'array', description: 'Only in a state.' }
  return { ...schema, title: 'A world of fake-calendar' }
}

/** The names of the files of `fixtures`: seeds, and stories such as `company.story`. */
const FIXTURE_FILES = readdirSync('fixtures').flatMap((file) => /^(.*)\.yaml$/.exec(file)?.[1] ?? [])

const isStory = (name: string): boolean => name.endsWith('.story')

/**
 * The code of a module in place of `src/seeds/fixtureFiles.ts`. It contains the default seed, and loads the JSON of any
 * other file on first use.
 */
export function fixturesOnFirstUse(): string {
  const files = FIXTURE_FILES.map((name) => {
    const data =
      name === 'default' ? `(${JSON.stringify(readFixtureFile(name))})` : `require('./fixtures/${name}.json')`
    return `${JSON.stringify(name)}: () => ${data}`
  })
  return `const files = { ${files.join(', ')} }\nexport const readFixtureFile = (name) => files[name]()`
}

/** Writes to a folder the schema of seeds, and the files of `fixtures` as JSON. */
export function writeFiles(folder: string): void {
  const writeJson = (name: string, data: object) => writeFileSync(join(folder, name), `${JSON.stringify(data)}\n`)
  mkdirSync(join(folder, 'fixtures'), { recursive: true })
  writeJson('seed.schema.json', seedSchema())
  for (const name of FIXTURE_FILES) {
    const data = Object(readFixtureFile(name))
    writeJson(`fixtures/${name}.json`, isStory(name) ? data : { $schema: '../seed.schema.json', ...data })
  }
}
