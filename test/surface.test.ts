import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { api } from '../src/api/index.ts'
import { openCalendar } from './support/calendar.ts'
import { allScopes, SINCE, withNewer, withNewerScopes } from './support/surface.ts'

type Method = { request?: string; response?: string; scopes: string[]; [key: string]: unknown }
const oracle: { methods: Record<string, Method>; schemas: Record<string, object>; [key: string]: unknown } = JSON.parse(
  readFileSync('test/surface.json', 'utf8'),
)

type Ref = { $ref: string }
type Printed = { id: string; description?: string; request?: Ref; response?: Ref; scopes: string[] }
type Document = {
  resources: Record<string, { methods: Record<string, Printed> }>
  schemas: Record<string, object>
  [key: string]: unknown
}
let document: Document
beforeAll(async () => {
  document = await (await openCalendar().fake.request('/discovery/v1/apis/calendar/v3/rest')).json()
})

/** A method of the document in the words of the recorded surface, where it is found by its id. */
function recorded(id: string): Method | undefined {
  const [, resource = '', name = ''] = id.split('.')
  const method = document.resources[resource]?.methods[name]
  if (method?.id !== id) return undefined
  const { id: _, description: __, request, response, scopes, ...rest } = method
  return {
    ...rest,
    ...(request && { request: request.$ref }),
    ...(response && { response: response.$ref }),
    scopes: [...scopes].sort(),
  }
}

test('1.4 the tables and the document contain the methods of the service, each once', () => {
  const printed = Object.values(document.resources).flatMap(({ methods }) => Object.values(methods).map(({ id }) => id))
  expect(api.map(({ id }) => id).sort()).toEqual(Object.keys(oracle.methods).sort())
  expect(printed.sort()).toEqual(Object.keys(oracle.methods).sort())
})

test.each(Object.entries(oracle.methods))(
  '%s has the verb, path, parameters, ranges, scopes and schemas of the service',
  (id, method) => {
    expect(recorded(id)).toEqual({ ...method, scopes: withNewerScopes(id, method.scopes) })
  },
)

const WIRE = readdirSync('src/schema')
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/schema/${name}`)
const fileOf = (schema: string) =>
  WIRE.find((file) => new RegExp(`named\\(\\s*'${schema}'`).test(readFileSync(file, 'utf8'))) ?? 'src/schema'

test('the schemas are those of the service', () => {
  expect(Object.keys(document.schemas).sort()).toEqual(Object.keys(oracle.schemas).sort())
})

test.each(Object.entries(oracle.schemas))('%s has the fields of the service', (name, schema) => {
  const { properties } = schema as { properties: object }
  const newer = Object.keys(SINCE[name] ?? {})

  expect(newer.filter((field) => field in properties)).toEqual([]) // else it is recorded by now
  expect(document.schemas[name], `${fileOf(name)} and test/surface.json do not say the same of ${name}`).toEqual(
    withNewer(name, schema),
  )
})

test('the parameters that every method takes, the scopes and the addresses are those of the service', () => {
  const { auth, parameters, revision, servicePath, batchPath } = document
  const scopes = Object.keys((auth as { oauth2: { scopes: object } }).oauth2.scopes).sort()
  const { methods: _, schemas: __, ...rest } = oracle
  expect({ parameters, revision, servicePath, batchPath, scopes }).toEqual({
    ...rest,
    revision: '20261124',
    scopes: allScopes(oracle.scopes as string[]),
  })
})
