import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { seed } from '../seeds/schema/seed.ts'
import { seedShape } from '../seeds/schema/shape.ts'
import { CHAPTERS, OPERATIONS, RAW_ROUTES } from './operations/index.ts'
import type { Operation } from './operations/operation.ts'

type Json = Record<string, unknown>
type Fields = { properties?: Json; required?: string[] }

let document: Json | undefined

/** Generated once, because the inspector reads it whenever the faults are opened. */
export function getOpenApiDocument(): Json {
  document ??= createOpenApiDocument()
  return document
}

function createOpenApiDocument(): Json {
  const rows = [
    ...Object.entries(CHAPTERS).flatMap(([tag, operations]) =>
      operations.map((row) => ({ ...row, document: describeOperation(row, tag) })),
    ),
    ...RAW_ROUTES.map((row) => ({ ...row, document: describeRawRoute(row) })),
  ]
  const paths: Record<string, Json> = {}
  for (const { path, verb, document } of rows) paths[path] = { ...paths[path], [verb.toLowerCase()]: document }
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
    paths,
    components: {
      schemas: {
        Error: ERROR,
        VerificationFailed: VERIFICATION_FAILED,
        Seed: toJsonSchema(z.union([seedShape, SAVED_STATE]), 'input'),
      },
      parameters: { world: WORLD },
      responses: { refused: createResponse('An error, with the wrong field.', toSchemaRef('Error')) },
      securitySchemes: { controlToken: { type: 'apiKey', in: 'header', name: 'X-Fake-Control-Token' } },
    },
  }
}

const toSchemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const createResponse = (description: string, schema: object, type = 'application/json') => ({
  description,
  content: { [type]: { schema } },
})

const SAVED_STATE = z.looseObject({ counters: z.looseObject({}) })
const WORLD = {
  name: 'X-Fake-World',
  in: 'header',
  description: 'The world of the request. The default is `default`.',
  schema: { type: 'string', pattern: '^(?!\\.{1,2}$)[A-Za-z0-9_.-]{1,64}$' },
}
const WORLD_REF = { $ref: '#/components/parameters/world' }
const ERROR_RESPONSES = { default: { $ref: '#/components/responses/refused' } }
const ERROR = toJsonSchema(
  z.object({
    error: z.object({
      code: z.int(),
      message: z.string(),
      errors: z.array(z.object({ domain: z.string(), reason: z.string(), message: z.string() })),
    }),
  }),
  'output',
)
const VERIFICATION_FAILED = {
  type: 'object',
  required: ['verified', 'message', 'error'],
  properties: { verified: { const: false }, message: { type: 'string' }, ...(ERROR as Fields).properties },
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  if (schema === seed) return toSchemaRef('Seed')
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // A list that is readonly in TypeScript is an ordinary input of a client.
    override({ jsonSchema }) {
      delete jsonSchema.readOnly
    },
  })
  return shape
}

function describeOperation(row: Operation, tag: string): Json {
  const { id, verb, path, input, example, rawBody, rawResult, result, summary } = row
  const whole: Fields = input ? toJsonSchema(input, 'input') : {}
  const inPath = listPathParameters(path)
  const isRead = verb === 'GET'
  const body = omitFields(whole, isRead ? Object.keys(whole.properties ?? {}) : inPath)
  const hasBody = input !== undefined && !isRead && (!body.properties || Object.keys(body.properties).length > 0)
  const query = isRead ? omitFields(whole, inPath) : rawBody ? omitFields(whole, [rawBody.field]) : {}
  const given = Object.entries((example ?? {}) as Json)
  const bodyExample = example && Object.fromEntries(given.filter(([name]) => !inPath.includes(name)))
  return {
    ...{ operationId: id, tags: [tag], summary },
    parameters: [
      ...describePathParameters(path, whole, example as Json | undefined),
      ...describeQuery(query, example as Json | undefined),
      WORLD_REF,
    ],
    ...(hasBody && {
      requestBody: {
        required: inPath.length === 0 ? !input.safeParse({}).success : (body.required ?? []).length > 0,
        content: {
          'application/json': { schema: body, ...(example !== undefined && { example: bodyExample }) },
          ...(rawBody && { [rawBody.mediaType]: { schema: whole.properties?.[rawBody.field] } }),
        },
      },
    }),
    'x-functions': describeFunctions(row),
    responses: {
      200: rawResult
        ? createResponse('Done', { type: 'string' }, rawResult)
        : createResponse('Done', toJsonSchema(result, 'output')),
      ...(id.endsWith('.verify') && {
        417: createResponse('The verification failed.', toSchemaRef('VerificationFailed')),
      }),
      ...ERROR_RESPONSES,
    },
  }
}

/**
 * The functions of an operation: the fields of the input that are their arguments, in order, the fields that they set, and the
 * field of the response that they return. A function gets empty texts, which its input contains where its arguments belong.
 */
function describeFunctions({ functions, field, prints, rawResult, result }: Operation): Json {
  const { properties = {} } = toJsonSchema(result, 'output') as Fields
  return Object.fromEntries(
    Object.entries(functions).map(([name, toInput]) => {
      const input = Object.entries(Object(toInput(...(Array(toInput.length).fill('') as never[]))))
      const fixed = input.filter(([, value]) => value && typeof value === 'string')
      const own = name.split('.').at(-1) ?? ''
      const returned = field === undefined && own in properties ? own : field
      const names = input
        .filter((one) => !fixed.includes(one))
        .sort(([, a], [, b]) => Number(b === '') - Number(a === ''))
      return [
        name,
        {
          arguments: names.map(([argument]) => argument),
          ...(fixed.length > 0 && { fixed: Object.fromEntries(fixed) }),
          ...(returned !== undefined && !rawResult && { result: returned }),
          ...(prints && { prints }),
        },
      ]
    }),
  )
}

function describeRawRoute({ id, path, summary }: (typeof RAW_ROUTES)[number]): Json {
  const isStream = id === 'control.calls.stream'
  const calls = OPERATIONS.find((one) => one.id === 'control.calls')
  const query = isStream && calls?.input ? describeQuery(toJsonSchema(calls.input, 'input'), undefined) : []
  return {
    ...{ operationId: id, tags: ['Beside'], summary },
    parameters: [...describePathParameters(path, {}, undefined), ...query, WORLD_REF],
    responses: {
      200: isStream
        ? createResponse('Done', { type: 'string' }, 'text/event-stream')
        : createResponse('Done', { type: 'object' }),
      ...ERROR_RESPONSES,
    },
  }
}

const listPathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

function omitFields(whole: Fields, names: readonly string[]): Fields {
  const { properties, required = [] } = whole
  if (!properties || names.length === 0) return whole
  return {
    ...whole,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    required: required.filter((name) => !names.includes(name)),
  }
}

const describePathParameters = (path: string, { properties = {} }: Fields, example: Json | undefined): Json[] =>
  listPathParameters(path).map((name) => ({
    ...{ name, in: 'path', required: true, schema: properties[name] ?? { type: 'string' } },
    ...(example && name in example && { example: example[name] }),
  }))

const describeQuery = ({ properties = {}, required = [] }: Fields, example: Json | undefined): Json[] =>
  Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema },
    // Several values are separated by commas.
    ...{ style: 'form', explode: false },
    ...(example && name in example && { example: example[name] }),
  }))
