import { expect, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

const ORIGIN = 'http://fake-calendar.localhost'
const PATHS = ['/discovery/v1/apis/calendar/v3/rest', '/$discovery/rest?version=v3', '/$discovery/rest'] as const

const read = async (path: string, options = {}, init = {}) => {
  const { fake } = openCalendar(options)
  const response = await fake.request(path, init)
  return { status: response.status, body: response.status === 200 ? await response.json() : undefined }
}

test.each(PATHS.slice(1))('%s is the same document as the first path', async (path) => {
  const { status, body } = await read(path)

  expect(status).toBe(200)
  expect(body).toEqual((await read(PATHS[0] ?? '')).body)
})

test.each([
  ['the default world', PATHS[0], {}, {}, `${ORIGIN}/`],
  ['a world in the path', `/w/blue${PATHS[0]}`, {}, {}, `${ORIGIN}/w/blue/`],
  ['a world in a header', PATHS[1], {}, { headers: { 'X-Fake-World': 'blue' } }, `${ORIGIN}/w/blue/`],
  ['a world in a token', PATHS[1], {}, { headers: { Authorization: `Bearer blue~${ALICE}` } }, `${ORIGIN}/w/blue/`],
  ['a public URL', PATHS[0], { publicUrl: 'https://cal.example.com/api' }, {}, 'https://cal.example.com/api/'],
  [
    'a public URL with a trailing slash',
    PATHS[0],
    { publicUrl: 'https://cal.example.com/' },
    {},
    'https://cal.example.com/',
  ],
])('11.21 %s has its own root URL', async (_, path = '', options, init, rootUrl) => {
  const { body } = await read(path, options, init)

  expect(body).toMatchObject({ rootUrl, baseUrl: `${rootUrl}calendar/v3/`, basePath: new URL(body.baseUrl).pathname })
})

test('the directory lists only the service', async () => {
  const { body } = await read('/discovery/v1/apis')

  expect(body.items).toEqual([
    expect.objectContaining({ id: 'calendar:v3', discoveryRestUrl: `${ORIGIN}${PATHS[0]}`, preferred: true }),
  ])
  for (const path of ['/discovery/v1/apis/drive/v3/rest', '/$discovery/rest?version=v2', '/discovery/v1']) {
    expect((await read(path)).status).toBe(404)
  }
})

test('the methods of a resource are in alphabetical order, as the service lists them', async () => {
  const { fake } = openCalendar()
  const { resources } = await (await fake.request('/discovery/v1/apis/calendar/v3/rest')).json()

  for (const { methods } of Object.values(resources as Record<string, { methods: object }>))
    expect(Object.keys(methods)).toEqual(Object.keys(methods).toSorted())
})

test('11.19 the API oauth2 v2 is described, by its path and at its host, with methods that answer', async () => {
  const { fake } = openCalendar()
  const document = async (url: string) => (await fake.fetch(url)).json()
  const headers = { Authorization: `Bearer ${ALICE}` }
  const body = await document(`${ORIGIN}/discovery/v1/apis/oauth2/v2/rest`)
  const atHost = await document('https://oauth2.googleapis.com/$discovery/rest?version=v2')
  const { methods, resources } = body
  const paths = [resources.userinfo.methods.get.path, resources.userinfo.resources.v2.resources.me.methods.get.path]

  expect(body).toMatchObject({ id: 'oauth2:v2', rootUrl: `${ORIGIN}/`, servicePath: '' })
  expect(atHost).toEqual({
    ...body,
    rootUrl: 'https://oauth2.googleapis.com/',
    baseUrl: 'https://oauth2.googleapis.com/',
  })
  for (const path of paths)
    expect(await (await fake.fetch(body.rootUrl + path, { headers })).json()).toMatchObject({ email: ALICE })
  const info = await fake.fetch(`${body.rootUrl}${methods.tokeninfo.path}?access_token=${ALICE}`, { method: 'POST' })
  expect(await info.json()).toMatchObject({ email: ALICE })
  expect((await fake.fetch('https://oauth2.googleapis.com/$discovery/rest?version=v1')).status).toBe(404)
})
