import { expect, test } from 'vitest'
import { z } from 'zod'
import { FUNCTIONS, OPERATIONS, RAW_ROUTES } from '../../src/control/operations/index.ts'
import { openCalendar } from '../support/calendar.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document of whatever shape
type Json = any

const read = async (): Promise<Json> => (await openCalendar().anonymous.get('/_control/openapi.json')).body
const document: Json = await read()

const rows = [...OPERATIONS, ...RAW_ROUTES].map((row) => [row.id, row] as const)
const operationOf = ({ path, verb }: { path: string; verb: string }) => document.paths[path][verb.toLowerCase()]

/** Every part of a document, with the path to it. */
function* parts(value: Json, at: string[] = []): Generator<[string[], Json]> {
  if (typeof value !== 'object' || value === null) return
  yield [at, value]
  for (const [name, part] of Object.entries(value)) yield* parts(part, [...at, name])
}

const resolved = (ref: string): Json =>
  ref
    .split('/')
    .slice(1)
    .reduce((part: Json, name) => part?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document)

test('the document is valid OpenAPI 3.1 and lists exactly the control operations', () => {
  expect(document).toMatchObject({ openapi: expect.stringMatching(/^3\.1\.\d$/), info: { title: expect.any(String) } })
  const described = Object.entries<Json>(document.paths).flatMap(([path, verbs]) =>
    Object.keys(verbs).map((verb) => `${verb.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual(rows.map(([, { verb, path }]) => `${verb} ${path}`).sort())
})

test.each(rows)('%s has every field of an OpenAPI operation', (id, row) => {
  const { operationId, summary, tags, responses, parameters } = operationOf(row)

  expect({ operationId, summary }).toEqual({ operationId: id, summary: row.summary })
  expect(document.tags.map(({ name }: Json) => name)).toEqual(expect.arrayContaining(tags))
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', 'default']))
  for (const one of Object.values<Json>(responses))
    expect((one.$ref ? resolved(one.$ref) : one).description).toBeTruthy()
  for (const one of parameters.map((given: Json) => (given.$ref ? resolved(given.$ref) : given)))
    expect(one).toMatchObject({
      name: expect.any(String),
      in: expect.stringMatching(/^(path|query|header)$/),
      schema: {},
    })
  const inPath = parameters.flatMap((one: Json) => (one.in === 'path' ? [`{${one.name}}`] : []))
  expect(inPath).toEqual(row.path.match(/\{\w+\}/g) ?? [])
})

test('every reference can be resolved, and operation ids are unique', () => {
  const refs = [...parts(document)].flatMap(([, { $ref }]) => (typeof $ref === 'string' ? [$ref] : []))
  expect(refs.length).toBeGreaterThan(50)
  expect(refs.filter((ref) => resolved(ref) === undefined)).toEqual([])
  expect([...parts(document)].filter(([, part]) => '$defs' in part || typeof part.$schema === 'string')).toEqual([])
  const ids = rows.map(([, row]) => operationOf(row).operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

/** Returns a schema of the document with its references, in the form that zod reads. */
const schemaOf = (schema: Json) => {
  const inside = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(inside)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries<Json>(value).map(([name, part]) => [
        name,
        name === '$ref' ? part.replace('#/components/schemas/', '#/$defs/') : inside(part),
      ]),
    )
  }
  return z.fromJSONSchema({ ...inside(schema), $defs: inside(document.components.schemas) })
}

test.each(rows.filter(([, row]) => 'example' in row))('the examples of %s match its schemas', (_, row) => {
  const { requestBody, parameters } = operationOf(row)
  const body = requestBody?.content['application/json']
  const given = body ? [body] : parameters.filter((one: Json) => 'example' in one)

  expect(given.length).toBeGreaterThan(0)
  for (const { schema, example } of given) schemaOf(schema).parse(example)
  if (body) expect(() => schemaOf(body.schema).parse({ surely: 'not' })).toThrow()
})

const described: Json[] = rows.flatMap(([, row]) => {
  const { parameters, requestBody, 'x-functions': functions = {} } = operationOf(row)
  const body = requestBody?.content['application/json'].schema.properties ?? {}
  const fields = [...parameters.map(({ name }: Json) => name), ...Object.keys(body)]
  return Object.entries<Json>(functions).map(([name, one]) => ({ name, fields, one }))
})

test('each function of the controls is described, and its arguments are fields of its operation', () => {
  expect(described.map(({ name }) => name).sort()).toEqual([...FUNCTIONS.keys()].sort())
  for (const { fields, one } of described)
    expect(fields).toEqual(expect.arrayContaining([...one.arguments, ...Object.keys(one.fixed ?? {})]))
})

test.each([
  ['clock.freeze', { arguments: ['now'], fixed: { mode: 'frozen' }, result: 'fired' }],
  ['clock.now', { arguments: [], result: 'now' }],
  ['calls.verify', { arguments: ['method', 'where'], result: 'calls' }],
  ['diff.verify', { arguments: ['expected', 'since', 'until'], result: 'changes' }],
  ['fork', { arguments: ['from', 'world'], result: null }],
  ['attempts.open', { arguments: ['task'] }],
])('%s has its arguments in their order, what it sets and what it returns', (name, expected) => {
  expect(described.find((each) => each.name === name).one).toEqual(expected)
})
