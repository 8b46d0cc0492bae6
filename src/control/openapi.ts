import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { seed } from '../seeds/schema/seed.ts'
import { seedShape } from '../seeds/schema/shape.ts'
import { CHAPTERS } from './operations/index.ts'
import type { Operation } from './operations/operation.ts'
import { RAW_ROUTES } from './rawRoutes.ts'

type Json = Record<string, unknown>
type Side = 'input' | 'output'

/** A saved state of a world. It is validated in full when it is read. */
const savedState = z.looseObject({ counters: z.looseObject({}) })
/**
 * The schemas that several operations share, with their names and the shapes for the document. All others are inline.
 */
const NAMED_SCHEMAS = new Map<z.ZodType, { name: string; shape: z.ZodType }>([
  [seed, { name: 'Seed', shape: z.union([seedShape, savedState]) }],
])

/** Returns an OpenAPI 3.1 document of `/_control`, generated from the tables of operations and their schemas. */
export function openapi(): Json {
  const schemas: Json = { Error: ERROR, VerificationFailed: VERIFICATION_FAILED }
  const paths = new Map<string, Json>()
  const put = (path: string, verb: string, operation: Json) =>
    paths.set(path, { ...paths.get(path), [verb.toLowerCase()]: operation })
  for (const [tag, rows] of Object.entries(CHAPTERS))
    for (const row of rows as readonly Operation[]) put(row.path, row.verb, toOpenApiOperation(row, tag, schemas))
  for (const { id, verb, path, summary } of RAW_ROUTES) {
    const isStream = id === 'control.calls.stream'
    const type = isStream ? 'text/event-stream' : 'application/json'
    const shape = isStream ? { type: 'string' } : { type: 'object' }
    const like = isStream ? queryParameters(rowNamed('control.calls.list'), schemas) : []
    put(path, verb, {
      ...{ operationId: id, tags: ['Beside'], summary, parameters: [...like, ...COMMON_PARAMETERS] },
      responses: { 200: { description: 'Done', content: { [type]: { schema: shape } } }, ...ERROR_RESPONSES },
    })
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'fake-calendar: control',
      version: manifest.version,
      description: 'The control operations of a world. The real service has none of them.',
    },
    servers: [{ url: '/' }],
    security: [{}, { controlToken: [] }],
    tags: [...Object.keys(CHAPTERS), 'Beside'].map((name) => ({ name })),
    paths: Object.fromEntries(paths),
    components: {
      schemas,
      parameters: { world: WORLD },
      responses: { refused: responseOf('An error, with the wrong field.', 'Error') },
      securitySchemes: { controlToken: { type: 'apiKey', in: 'header', name: 'X-Fake-Control-Token' } },
    },
  }
}

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const responseOf = (description: string, name: string) => ({
  description,
  content: { 'application/json': { schema: ref(name) } },
})

const WORLD = {
  name: 'X-Fake-World',
  in: 'header',
  description: 'The world of the request. The default is `default`.',
  schema: { type: 'string', pattern: '^(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,64}$' },
}
const COMMON_PARAMETERS = [{ $ref: '#/components/parameters/world' }]
const ERROR_RESPONSES = { default: { $ref: '#/components/responses/refused' } }
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
const VERIFICATION_FAILED = {
  type: 'object',
  required: ['verified', 'message', 'error'],
  properties: { verified: { const: false }, message: { type: 'string' }, ...ERROR.properties },
}

const ROWS: readonly Operation[] = Object.values(CHAPTERS).flat()
function rowNamed(id: string): Operation {
  const row = ROWS.find((one) => one.id === id)
  if (!row) throw new Error(`no operation ${id}`)
  return row
}

function toOpenApiOperation(row: Operation, tag: string, schemas: Json): Json {
  const { id, summary, result } = row
  const schema = schemaOf(result, 'output', `${id}.result`, schemas)
  const body = requestBody(row, schemas)
  return {
    ...{
      operationId: id,
      tags: [tag],
      summary,
      parameters: [...pathParameters(row, schemas), ...queryParameters(row, schemas), ...COMMON_PARAMETERS],
    },
    ...(body && { requestBody: body }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema } } },
      ...(id.endsWith('.verify') && { 417: responseOf('The verification failed.', 'VerificationFailed') }),
      ...ERROR_RESPONSES,
    },
  }
}

/** Returns the names of the path parameters. They are part of the input of the operation. */
const pathParameterNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

type Fields = { properties?: Json; required?: string[] }
const fieldsOf = ({ id, input }: Operation, schemas: Json): Fields =>
  input ? (schemaOf(input, 'input', `${id}.input`, schemas) as Fields) : {}

function pathParameters(row: Operation, schemas: Json): Json[] {
  const { properties = {} } = fieldsOf(row, schemas)
  const examples = new Map(Object.entries(row.example ?? {}))
  return pathParameterNames(row.path).map((name) => ({
    ...{ name, in: 'path', required: true, schema: properties[name] ?? { type: 'string' } },
    ...(examples.has(name) && { example: examples.get(name) }),
  }))
}

/** Returns the request body without the path parameters, or undefined if it has no fields. */
function requestBody(row: Operation, schemas: Json): Json | undefined {
  const { id, verb, path, input, example } = row
  if (!input || verb === 'GET') return undefined
  const named = pathParameterNames(path)
  const whole = schemaOf(input, 'input', `${id}.input`, schemas) as Fields
  const { schema, given } =
    named.length === 0 ? { schema: whole, given: example } : withoutPathParameters(whole, example, named)
  if (schema.properties && Object.keys(schema.properties).length === 0) return undefined
  return {
    required: named.length === 0 ? !input.safeParse({}).success : (schema.required ?? []).length > 0,
    content: { 'application/json': { schema, ...(given !== undefined && { example: given }) } },
  }
}

function withoutPathParameters(whole: Fields, example: unknown, named: readonly string[]) {
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

/** Returns the query parameters of a GET. */
function queryParameters(row: Operation, schemas: Json): Json[] {
  if (row.verb !== 'GET') return []
  const { properties = {}, required = [] } = fieldsOf(row, schemas)
  const examples = new Map(Object.entries(row.example ?? {}))
  const named = pathParameterNames(row.path)
  return Object.entries(properties)
    .filter(([name]) => !named.includes(name))
    .map(([name, schema]) => ({
      ...{ name, in: 'query', required: required.includes(name), schema },
      // Several values are separated by commas.
      ...{ style: 'form', explode: false },
      ...(examples.has(name) && { example: examples.get(name) }),
    }))
}

/**
 * Returns a schema inline, or a reference if it is shared. Definitions of the schema, and schemas that refer to
 * themselves, become shared.
 */
function schemaOf(schema: z.ZodType, io: Side, name: string, schemas: Json): unknown {
  const known = NAMED_SCHEMAS.get(schema)
  if (known !== undefined) {
    schemas[known.name] ??= toJsonSchema(known.shape, 'input', known.name, schemas)
    return ref(known.name)
  }
  const shape = toJsonSchema(schema, io, name, schemas)
  if (!JSON.stringify(shape).includes(`"#/components/schemas/${name}"`)) return shape
  schemas[name] = shape
  return ref(name)
}

function toJsonSchema(schema: z.ZodType, io: Side, name: string, schemas: Json): Json {
  const {
    $schema: _,
    $defs = {},
    ...shape
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // A list that is readonly in TypeScript is an ordinary input of a client.
    override({ jsonSchema }) {
      delete jsonSchema.readOnly
    },
  }) as Json & { $defs?: Json }
  const withMovedRefs = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(withMovedRefs)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === '$ref' ? toSharedRef(String(part), name) : withMovedRefs(part),
      ]),
    )
  }
  for (const [own, definition] of Object.entries($defs)) schemas[`${name}.${own}`] = withMovedRefs(definition)
  return withMovedRefs(shape) as Json
}

const toSharedRef = (at: string, name: string): string =>
  at === '#' ? `#/components/schemas/${name}` : at.replace(/^#\/\$defs\//, `#/components/schemas/${name}.`)
