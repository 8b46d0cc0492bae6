import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { seed } from '../wire/seeds/seed.ts'
import { seedShape } from '../wire/seeds/shape.ts'
import type { Operation } from './operation.ts'
import { CHAPTERS } from './operations.ts'
import { RAW_ROUTES } from './rawRoutes.ts'

type Json = Record<string, unknown>
type Side = 'input' | 'output'

/** A whole world as it was saved, which is checked to the letter when it is read. */
const savedState = z.looseObject({ counters: z.looseObject({}) })
/** What several operations say, by its name and as a document can say it; the rest stands where it is said. */
const NAMED = new Map<z.ZodType, { name: string; shape: z.ZodType }>([
  [seed, { name: 'Seed', shape: z.union([seedShape, savedState]) }],
])

/** All that is under `/_control` as an OpenAPI 3.1 document, from the tables and their schemas. */
export function openapi(): Json {
  const schemas: Json = { Error: ERROR, VerificationFailed: NOT_VERIFIED }
  const paths = new Map<string, Json>()
  const put = (path: string, verb: string, operation: Json) =>
    paths.set(path, { ...paths.get(path), [verb.toLowerCase()]: operation })
  for (const [tag, rows] of Object.entries(CHAPTERS))
    for (const row of rows as readonly Operation[]) put(row.path, row.verb, described(row, tag, schemas))
  for (const { id, verb, path, summary } of RAW_ROUTES) {
    const isStream = id === 'control.calls.stream'
    const type = isStream ? 'text/event-stream' : 'application/json'
    const shape = isStream ? { type: 'string' } : { type: 'object' }
    const like = isStream ? queryOf(rowNamed('control.calls.list'), schemas) : []
    put(path, verb, {
      ...{ operationId: id, tags: ['Beside'], summary, parameters: [...like, ...COMMON] },
      responses: { 200: { description: 'As it says', content: { [type]: { schema: shape } } }, ...REFUSED },
    })
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'fake-calendar: control',
      version: manifest.version,
      description: 'What a test author may do to a world that nobody can do to the real service.',
    },
    servers: [{ url: '/' }],
    security: [{}, { controlToken: [] }],
    tags: [...Object.keys(CHAPTERS), 'Beside'].map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      schemas,
      parameters: { world: WORLD },
      responses: { refused: said('A refusal: what is wrong, and with which field.', 'Error') },
      securitySchemes: { controlToken: { type: 'apiKey', in: 'header', name: 'X-Fake-Control-Token' } },
    },
  }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const said = (description: string, name: string) => ({
  description,
  content: { 'application/json': { schema: ref(name) } },
})

const WORLD = {
  name: 'X-Fake-World',
  in: 'header',
  description: 'The world that the request is about; without it `default`.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_.-]{1,64}$' },
}
const COMMON = [{ $ref: '#/components/parameters/world' }]
const REFUSED = { default: { $ref: '#/components/responses/refused' } }
const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message', 'errors'],
      properties: {
        code: { type: 'integer' },
        message: { type: 'string' },
        errors: {
          type: 'array',
          items: {
            type: 'object',
            properties: { domain: { type: 'string' }, reason: { type: 'string' }, message: { type: 'string' } },
          },
        },
      },
    },
  },
}
const NOT_VERIFIED = {
  type: 'object',
  required: ['verified', 'message'],
  properties: { verified: { const: false }, message: { type: 'string' } },
}

const ROWS: readonly Operation[] = Object.values(CHAPTERS).flat()
function rowNamed(id: string): Operation {
  const row = ROWS.find((one) => one.id === id)
  if (!row) throw new Error(`no operation ${id}`)
  return row
}

function described(row: Operation, tag: string, schemas: Json): Json {
  const { id, summary, result } = row
  const schema = schemaOf(result, 'output', `${id}.result`, schemas)
  const body = bodyOf(row, schemas)
  return {
    ...{
      operationId: id,
      tags: [tag],
      summary,
      parameters: [...pathOf(row, schemas), ...queryOf(row, schemas), ...COMMON],
    },
    ...(body && { requestBody: body }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema } } },
      ...(id.endsWith('.verify') && { 417: said('What was expected is not so.', 'VerificationFailed') }),
      ...REFUSED,
    },
  }
}

/** What the path of an operation names, which is a part of its input. */
const namedIn = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

type Fields = { properties?: Json; required?: string[] }
const fieldsOf = ({ id, input }: Operation, schemas: Json): Fields =>
  input ? (schemaOf(input, 'input', `${id}.input`, schemas) as Fields) : {}

function pathOf(row: Operation, schemas: Json): Json[] {
  const { properties = {} } = fieldsOf(row, schemas)
  const examples = new Map(Object.entries(row.example ?? {}))
  return namedIn(row.path).map((name) => ({
    ...{ name, in: 'path', required: true, schema: properties[name] ?? { type: 'string' } },
    ...(examples.has(name) && { example: examples.get(name) }),
  }))
}

/** The body of an operation, without what its path names; none where nothing is left. */
function bodyOf(row: Operation, schemas: Json): Json | undefined {
  const { id, verb, path, input, example } = row
  if (!input || verb === 'GET') return undefined
  const named = namedIn(path)
  const whole = schemaOf(input, 'input', `${id}.input`, schemas) as Fields
  const { schema, given } = named.length === 0 ? { schema: whole, given: example } : rest(whole, example, named)
  if (schema.properties && Object.keys(schema.properties).length === 0) return undefined
  return {
    required: named.length === 0 ? !input.safeParse({}).success : (schema.required ?? []).length > 0,
    content: { 'application/json': { schema, ...(given !== undefined && { example: given }) } },
  }
}

function rest(whole: Fields, example: unknown, named: readonly string[]) {
  const without = (data: object) => Object.fromEntries(Object.entries(data).filter(([name]) => !named.includes(name)))
  return {
    schema: {
      ...whole,
      properties: without(whole.properties ?? {}),
      required: (whole.required ?? []).filter((name) => !named.includes(name)),
    },
    given: example === undefined ? undefined : without(example as object),
  }
}

/** What a GET takes, a parameter each. */
function queryOf(row: Operation, schemas: Json): Json[] {
  if (row.verb !== 'GET') return []
  const { properties = {}, required = [] } = fieldsOf(row, schemas)
  const examples = new Map(Object.entries(row.example ?? {}))
  const named = namedIn(row.path)
  return Object.entries(properties)
    .filter(([name]) => !named.includes(name))
    .map(([name, schema]) => ({
      ...{ name, in: 'query', required: required.includes(name), schema },
      // Several are parted by commas.
      ...{ style: 'form', explode: false },
      ...(examples.has(name) && { example: examples.get(name) }),
    }))
}

/** A schema where it is said; what it defines for itself, or refers back to, goes among those that are shared. */
function schemaOf(schema: z.ZodType, io: Side, name: string, schemas: Json): unknown {
  const known = NAMED.get(schema)
  if (known !== undefined) {
    schemas[known.name] ??= plain(known.shape, 'input', known.name, schemas)
    return ref(known.name)
  }
  const shape = plain(schema, io, name, schemas)
  if (!JSON.stringify(shape).includes(`"#/components/schemas/${name}"`)) return shape
  schemas[name] = shape
  return ref(name)
}

function plain(schema: z.ZodType, io: Side, name: string, schemas: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...shape
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // A list that the types do not let be changed is said by whoever calls, as any other.
    override({ jsonSchema }) {
      delete jsonSchema.readOnly
    },
  }) as Json & { $defs?: Json }
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, key === '$ref' ? movedRef(String(part), name) : moved(part)]),
    )
  }
  for (const [own, definition] of Object.entries($defs)) schemas[`${name}.${own}`] = moved(definition)
  return moved(shape) as Json
}

const movedRef = (at: string, name: string): string =>
  at === '#' ? `#/components/schemas/${name}` : at.replace(/^#\/\$defs\//, `#/components/schemas/${name}.`)
