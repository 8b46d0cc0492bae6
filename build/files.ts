import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { requireFixture } from '../src/seeds/fixtures.ts'
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

/**
 * Writes to a folder the schema of seeds, and the fixtures (built-in seeds) that a program may import as JSON. The larger
 * fixtures are only code.
 */
export function writeFiles(folder: string): void {
  const writeJson = (name: string, data: object) => writeFileSync(join(folder, name), `${JSON.stringify(data)}\n`)
  mkdirSync(join(folder, 'fixtures'), { recursive: true })
  writeJson('seed.schema.json', seedSchema())
  for (const name of ['default', 'team'])
    writeJson(`fixtures/${name}.json`, { ...requireFixture(name), $schema: '../seed.schema.json' })
}
