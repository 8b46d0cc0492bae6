import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { seed } from '../seeds/schema/seed.ts'
import { seedShape } from '../seeds/schema/shape.ts'
import { CHAPTERS, RAW_ROUTES } from './operations/index.ts'
import type { Operation } from './operations/operation.ts'

/** A JSON object of the document. */
type Json = Record<string, unknown>
/** The side of a schema: the values that are sent to it, or those that it returns. */
type Side = 'input' | 'output'

/** A saved state of a world. It is validated in full when it is read. */
const savedState = z.looseObject({ counters: z.looseObject({}) })
/**
 * The schemas that several operations share, with their names and the shapes for the document. All others are inline.
 */
const NAMED_SCHEMAS = new Map<z.ZodType, { name: string; shape: z.ZodType }>([
  [seed, { name: 'Seed', shape: z.union([seedShape, savedState]) }],
])

let document: Json | undefined

/**
 * Returns an OpenAPI 3.1 document of `/_control`, generated from the tables of operations and their schemas. It is generated
 * once, because the inspector reads it whenever the faults are opened.
 */
export function getOpenApiDocument(): Json {
  document ??= createOpenApiDocument()
  return document
}

function createOpenApiDocument(): Json {
  const schemas: Json = { Error: ERROR, VerificationFailed: VERIFICATION_FAILED }
  const paths = new Map<string, Json>()
  /** Adds an operation to the document at its path. */
  const addOperation = (path: string, verb: string, operation: Json) =>
    paths.set(path, { ...paths.get(path), [verb.toLowerCase()]: operation })
  for (const [tag, rows] of Object.entries(CHAPTERS))
    for (const row of rows as readonly Operation[])
      addOperation(row.path, row.verb, toOpenApiOperation(row, tag, schemas))
  for (const { id, verb, path, summary } of RAW_ROUTES) {
    const isStream = id === 'control.calls.stream'
    const type = isStream ? 'text/event-stream' : 'application/json'
    const shape = isStream ? { type: 'string' } : { type: 'object' }
    const like = isStream ? createQueryParameters(requireOperation('control.calls'), schemas) : []
    addOperation(path, verb, {
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
      responses: { refused: createResponse('An error, with the wrong field.', 'Error') },
      securitySchemes: { controlToken: { type: 'apiKey', in: 'header', name: 'X-Fake-Control-Token' } },
    },
  }
}

/** Returns a reference to a shared schema. */
const toSchemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })
/** Returns a JSON response with a shared schema. */
const createResponse = (description: string, name: string) => ({
  description,
  content: { 'application/json': { schema: toSchemaRef(name) } },
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
/** Returns the operation of an id such as `control.calls`. Throws an Error if there is none. */
function requireOperation(id: string): Operation {
  const row = ROWS.find((one) => one.id === id)
  if (!row) throw new Error(`there is no operation ${id}`)
  return row
}

/** Converts an operation to OpenAPI. `tag` is its section. Adds shared schemas to `schemas`. */
function toOpenApiOperation(row: Operation, tag: string, schemas: Json): Json {
  const { id, summary, result } = row
  const schema = resolveSchema(result, 'output', `${id}.result`, schemas)
  const body = createRequestBody(row, schemas)
  return {
    ...{
      operationId: id,
      tags: [tag],
      summary,
      parameters: [...createPathParameters(row, schemas), ...createQueryParameters(row, schemas), ...COMMON_PARAMETERS],
    },
    ...(body && { requestBody: body }),
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema } } },
      ...(id.endsWith('.verify') && { 417: createResponse('The verification failed.', 'VerificationFailed') }),
      ...ERROR_RESPONSES,
    },
  }
}

/** Returns the names in braces of a path. They are part of the input of the operation. */
const listPathParameterNames = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** A JSON schema of an object. */
type Fields = { properties?: Json; required?: string[] }
/** Returns the JSON schema of the input of an operation; empty without an input. Adds shared schemas to `schemas`. */
const createInputSchema = ({ id, input }: Operation, schemas: Json): Fields =>
  input ? (resolveSchema(input, 'input', `${id}.input`, schemas) as Fields) : {}

/** Returns the parameters in the path of an operation. Adds shared schemas to `schemas`. */
function createPathParameters(row: Operation, schemas: Json): Json[] {
  const { properties = {} } = createInputSchema(row, schemas)
  const examples = new Map(Object.entries(row.example ?? {}))
  return listPathParameterNames(row.path).map((name) => ({
    ...{ name, in: 'path', required: true, schema: properties[name] ?? { type: 'string' } },
    ...(examples.has(name) && { example: examples.get(name) }),
  }))
}

/**
 * Returns the request body of an operation, without the path parameters. Returns undefined for a GET and for a body
 * without fields. Adds shared schemas to `schemas`.
 */
function createRequestBody(row: Operation, schemas: Json): Json | undefined {
  const { id, verb, path, input, example } = row
  if (!input || verb === 'GET') return undefined
  const named = listPathParameterNames(path)
  const whole = resolveSchema(input, 'input', `${id}.input`, schemas) as Fields
  const { schema, given } = named.length === 0 ? { schema: whole, given: example } : toBodySchema(whole, example, named)
  if (schema.properties && Object.keys(schema.properties).length === 0) return undefined
  return {
    required: named.length === 0 ? !input.safeParse({}).success : (schema.required ?? []).length > 0,
    content: {
      'application/json': { schema, ...(given !== undefined && { example: given }) },
      ...(row.rawBody && { [row.rawBody.mediaType]: { schema: whole.properties?.[row.rawBody.field] } }),
    },
  }
}

/** Returns the schema and the example of an input without the path parameters `named`. */
function toBodySchema(whole: Fields, example: unknown, named: readonly string[]) {
  /** Returns an object without the path parameters. */
  const omitPathParameters = (data: object) =>
    Object.fromEntries(Object.entries(data).filter(([name]) => !named.includes(name)))
  return {
    schema: {
      ...whole,
      properties: omitPathParameters(whole.properties ?? {}),
      required: (whole.required ?? []).filter((name) => !named.includes(name)),
    },
    given: example === undefined ? undefined : omitPathParameters(example as object),
  }
}

/**
 * Returns the query parameters of an operation: those of a GET, or those beside a raw body, without the field of the body.
 * Adds shared schemas to `schemas`.
 */
function createQueryParameters(row: Operation, schemas: Json): Json[] {
  if (row.verb !== 'GET' && !row.rawBody) return []
  const { properties = {}, required = [] } = createInputSchema(row, schemas)
  const examples = new Map(Object.entries(row.example ?? {}))
  const named = [...listPathParameterNames(row.path), row.rawBody?.field]
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
 * Converts a schema to JSON Schema, or to a reference if it is shared. Adds its definitions, and itself if it refers to
 * itself, to `schemas`, named after `name`.
 */
function resolveSchema(schema: z.ZodType, io: Side, name: string, schemas: Json): unknown {
  const known = NAMED_SCHEMAS.get(schema)
  if (known !== undefined) {
    schemas[known.name] ??= toJsonSchema(known.shape, 'input', known.name, schemas)
    return toSchemaRef(known.name)
  }
  const shape = toJsonSchema(schema, io, name, schemas)
  if (!JSON.stringify(shape).includes(`"#/components/schemas/${name}"`)) return shape
  schemas[name] = shape
  return toSchemaRef(name)
}

/** Converts a schema to JSON Schema. Adds its definitions to `schemas` as `name.definition`. */
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
  /** Returns a copy in which references to local definitions point to the shared schemas. */
  const moveRefs = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moveRefs)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === '$ref' ? toSharedRef(String(part), name) : moveRefs(part),
      ]),
    )
  }
  for (const [own, definition] of Object.entries($defs)) schemas[`${name}.${own}`] = moveRefs(definition)
  return moveRefs(shape) as Json
}

/** Converts a local reference (`#`, `#/$defs/x`) of the schema `name` to one to the shared schemas. */
const toSharedRef = (at: string, name: string): string =>
  at === '#' ? `#/components/schemas/${name}` : at.replace(/^#\/\$defs\//, `#/components/schemas/${name}.`)
