import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { z } from 'zod'
import { seedShape } from '../src/wire/seeds/shape.ts'

/** What zod makes of the schema of seeds, with what stands beside its fields in the source. */
export type JsonSchema = {
  description?: string
  type?: string | string[]
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  additionalProperties?: JsonSchema | boolean
  [key: string]: unknown
}

/** The JSON Schema of seeds, for editors. A state is a seed too: what only states have is allowed, and told by the loader. */
export function seedSchema(): JsonSchema {
  const schema = z.toJSONSchema(seedShape, { io: 'input', target: 'draft-7', unrepresentable: 'any' }) as JsonSchema
  describe(schema, seedType())
  const { properties = {} } = schema
  properties.counters = { type: 'object', description: 'Only in a state that was read from a world.' }
  const calendar = properties.calendars?.items
  if (calendar?.properties) calendar.properties.series = { type: 'array', description: 'Only in a state.' }
  return { ...schema, title: 'A world of fake-calendar' }
}

/** Writes it beside the package's code. */
export function writesSeedSchema({ name }: { name: string }) {
  return {
    name: 'seed-schema',
    writeBundle({ dir = 'dist' }: { dir?: string }) {
      writeFileSync(join(dir, name), `${JSON.stringify(seedSchema())}\n`)
    },
  }
}

type Typed = { checker: ts.TypeChecker; type: ts.Type }

function seedType(): Typed {
  const file = 'src/wire/seeds/seed.ts'
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile)
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, '.')
  const program = ts.createProgram([file], options)
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const exported = source && checker.getSymbolAtLocation(source)
  const symbol = exported && checker.getExportsOfModule(exported).find(({ name }) => name === 'Seed')
  if (!symbol) throw new Error(`${file} exports no Seed`)
  return { checker, type: checker.getDeclaredTypeOfSymbol(symbol) }
}

/** Puts the comments of fields where their schemas are. */
function describe(schema: JsonSchema, { checker, type }: Typed): void {
  for (const one of schema.anyOf ?? []) describe(one, { checker, type })
  const parts = type.isUnion() ? type.types : [type]
  const lists = parts.filter((part) => checker.isArrayType(part))
  if (schema.items) {
    for (const list of lists) {
      const [item] = checker.getTypeArguments(list as ts.TypeReference)
      if (item) describe(schema.items, { checker, type: item })
    }
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const member = parts.map((part) => part.getProperty(name)).find((found) => found !== undefined)
    if (!member) continue
    const comment = ts.displayPartsToString(member.getDocumentationComment(checker))
    if (comment) property.description = comment
    describe(property, { checker, type: checker.getTypeOfSymbol(member) })
  }
}
