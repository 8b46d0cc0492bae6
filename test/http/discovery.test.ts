import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

const oracle = JSON.parse(readFileSync('test/surface.json', 'utf8'))
const ORIGIN = 'http://fake-calendar.localhost'
const PATHS = ['/discovery/v1/apis/calendar/v3/rest', '/$discovery/rest?version=v3', '/$discovery/rest'] as const

const read = async (path: string, options = {}, init = {}) => {
  const { fake } = openCalendar(options)
  const response = await fake.request(path, init)
  return { status: response.status, body: response.status === 200 ? await response.json() : undefined }
}

type Method = { id: string; request?: { $ref: string }; response?: { $ref: string }; scopes: string[] }
type Document = { resources: Record<string, { methods: Record<string, Method & { description: string }> }> }

/** The methods of a document by id, in the words of the recorded surface: schemas by name, and scopes in any order. */
function methodsOf({ resources }: Document): Record<string, { scopes: string[] }> {
  const methods = Object.values(resources).flatMap((resource) => Object.values(resource.methods))
  return Object.fromEntries(
    methods.map(({ id, description: _, request, response, ...method }) => [
      id,
      { ...method, ...(request && { request: request.$ref }), ...(response && { response: response.$ref }) },
    ]),
  )
}
const inOrder = <M extends { scopes: string[] }>(method: M | undefined) =>
  method && { ...method, scopes: [...method.scopes].sort() }

test('the methods are those of the service', async () => {
  const { body } = await read(PATHS[0])

  expect(Object.keys(oracle.methods)).toHaveLength(38)
  expect(Object.keys(methodsOf(body)).sort()).toEqual(Object.keys(oracle.methods).sort())
})

test.each(Object.keys(oracle.methods))(
  '%s has the verb, path, parameters, ranges, scopes and schemas of the service',
  async (id) => {
    const { body } = await read(PATHS[0])

    expect(inOrder(methodsOf(body)[id])).toEqual(inOrder(oracle.methods[id]))
  },
)

test('the schemas, the parameters of every method, the scopes and the places are those of the service', async () => {
  const { body } = await read(PATHS[0])

  expect(body.schemas).toEqual(oracle.schemas)
  expect(body.parameters).toEqual(oracle.parameters)
  expect(Object.keys(body.auth.oauth2.scopes).sort()).toEqual([...oracle.scopes].sort())
  expect([body.revision, body.servicePath, body.batchPath]).toEqual([
    oracle.revision,
    oracle.servicePath,
    oracle.batchPath,
  ])
})

test.each(PATHS.slice(1))('%s is that document too', async (path) => {
  expect(await read(path)).toEqual(await read(PATHS[0]))
})

test.each([
  ['the default world', PATHS[0], {}, {}, `${ORIGIN}/`],
  ['a world by its path', `/w/blue${PATHS[0]}`, {}, {}, `${ORIGIN}/w/blue/`],
  ['a world by its header', PATHS[1], {}, { headers: { 'X-Fake-World': 'blue' } }, `${ORIGIN}/w/blue/`],
  ['a world by its token', PATHS[1], {}, { headers: { Authorization: `Bearer blue~${ALICE}` } }, `${ORIGIN}/w/blue/`],
  ['a public URL', PATHS[0], { publicUrl: 'https://cal.example.com/api' }, {}, 'https://cal.example.com/api/'],
  ['a public URL with a slash', PATHS[0], { publicUrl: 'https://cal.example.com/' }, {}, 'https://cal.example.com/'],
])('%s is found at its own root URL', async (_, path = '', options, init, rootUrl) => {
  const { body } = await read(path, options, init)

  expect(body).toMatchObject({ rootUrl, baseUrl: `${rootUrl}calendar/v3/`, basePath: new URL(body.baseUrl).pathname })
})

test('the directory lists the service, and nothing else is there to discover', async () => {
  const { body } = await read('/discovery/v1/apis')

  expect(body.items).toEqual([
    expect.objectContaining({ id: 'calendar:v3', discoveryRestUrl: `${ORIGIN}${PATHS[0]}`, preferred: true }),
  ])
  for (const path of ['/discovery/v1/apis/drive/v3/rest', '/$discovery/rest?version=v2', '/discovery/v1']) {
    expect((await read(path)).status).toBe(404)
  }
})
