import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

const oracle = JSON.parse(readFileSync('test/surface.json', 'utf8'))
const ORIGIN = 'http://fake-calendar.localhost'
const PATHS = ['/discovery/v1/apis/calendar/v3/rest', '/$discovery/rest?version=v3', '/$discovery/rest']

const read = async (path: string, options = {}, init = {}) => {
  const { fake } = openCalendar(options)
  const response = await fake.request(path, init)
  return { status: response.status, body: response.status === 200 ? await response.json() : undefined }
}

type Method = { id: string; request?: { $ref: string }; response?: { $ref: string }; scopes: string[] }

/** The document in the words of the recorded surface: methods by id, schemas by name. */
function plain(document: { resources: Record<string, { methods: Record<string, Method & { description: string }> }> }) {
  const methods = Object.values(document.resources).flatMap((resource) => Object.values(resource.methods))
  return Object.fromEntries(
    methods.map(({ id, description: _, request, response, scopes, ...method }) => [
      id,
      {
        ...method,
        ...(request && { request: request.$ref }),
        ...(response && { response: response.$ref }),
        scopes: [...scopes].sort(),
      },
    ]),
  )
}

// behaviour 1.3, 11.21
test.each(PATHS)('%s is the service: every method, parameter, scope and property', async (path) => {
  const { body } = await read(path)
  const sorted = Object.fromEntries(
    Object.entries<Method>(oracle.methods).map(([id, method]) => [
      id,
      { ...method, scopes: [...method.scopes].sort() },
    ]),
  )

  expect(plain(body)).toEqual(sorted)
  expect(Object.keys(plain(body))).toHaveLength(38)
  expect(body.schemas).toEqual(oracle.schemas)
  expect(body.parameters).toEqual(oracle.parameters)
  expect(Object.keys(body.auth.oauth2.scopes).sort()).toEqual([...oracle.scopes].sort())
  expect([body.revision, body.servicePath, body.batchPath]).toEqual([
    oracle.revision,
    oracle.servicePath,
    oracle.batchPath,
  ])
})

// behaviour 11.21
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
