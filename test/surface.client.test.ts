import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { openCalendar } from './support/calendar.ts'

/**
 * Compares the discovery document with the code that Google generates from its own: the newest `@googleapis/calendar` of npm, which
 * is installed. The lists contain the additions of the service after that version.
 */
const SINCE_THE_CLIENT = {
  schemas: [
    'Calendar.workingHours',
    'Calendar.workingHours.availableTimes',
    'Calendar.workingHours.availableTimes.dayOfWeek',
    'Calendar.workingHours.availableTimes.periodEnd',
    'Calendar.workingHours.availableTimes.periodStart',
    'Calendar.workingHours.workingHoursEnabled',
  ],
  scopes: ['channels.stop', 'settings.get', 'settings.list', 'settings.watch'].map(
    (method) => `${method} https://www.googleapis.com/auth/calendar.settings`,
  ),
}

const clientFile = createRequire(import.meta.url)
  .resolve('@googleapis/calendar')
  .replace(/index\.js$/, 'v3')
const types = readFileSync(`${clientFile}.d.ts`, 'utf8')
const code = readFileSync(`${clientFile}.js`, 'utf8')

type Schema = { properties?: Record<string, Schema>; items?: Schema; $ref?: string }
type Method = {
  id: string
  httpMethod: string
  path: string
  scopes: string[]
  parameters?: Record<string, { required?: boolean; location: string }>
  request?: { $ref: string }
}
type Document = { resources: Record<string, { methods: Record<string, Method> }>; schemas: Record<string, Schema> }

async function readDocument() {
  const document: Document = await (await openCalendar().fake.request('/discovery/v1/apis/calendar/v3/rest')).json()
  const methods = Object.values(document.resources).flatMap((one) => Object.values(one.methods))
  return { document, methods: methods.map((one) => ({ ...one, name: one.id.replace(/^calendar\./, '') })) }
}

/** Returns the names of the properties in an interface of the client, at any depth: `Event.source.url`. */
function propertiesOf(name: string, body: string): string[] {
  const path = [name]
  const names: string[] = []
  for (const line of body.replace(/\/\*[\s\S]*?\*\//g, '').split('\n')) {
    const [, property, rest = ''] = /^\s*([\w$]+)\??: (.*)$/.exec(line) ?? []
    if (property) names.push([...path, property].filter(Boolean).join('.'))
    if (/[{]$/.test(line)) path.push(property && rest.endsWith('{') ? property : '')
    else if (/^\s*\}/.test(line)) path.pop()
  }
  return names
}

/** Returns the interfaces of the client whose names begin with a prefix, by the rest of the name. */
const interfacesOf = (prefix: string): [name: string, body: string][] =>
  [...types.matchAll(new RegExp(`export interface ${prefix}\\$(\\S+)[^{]*\\{\\n([\\s\\S]*?)^ {4}\\}`, 'gm'))].map(
    ([, name = '', body = '']) => [name, body],
  )

function* pathsOf({ properties = {}, items }: Schema, path: string): Generator<string> {
  if (items) yield* pathsOf(items, path)
  for (const [name, property] of Object.entries(properties)) {
    yield `${path}.${name}`
    yield* pathsOf(property, `${path}.${name}`)
  }
}

const without = (all: readonly string[], some: readonly string[]) => all.filter((one) => !some.includes(one)).sort()

test('11.21 the schemas of the discovery document have the properties of the newest client', async () => {
  const { document } = await readDocument()
  const served = Object.entries(document.schemas).flatMap(([name, schema]) => [name, ...pathsOf(schema, name)])
  const known = interfacesOf('Schema').flatMap(([name, body]) => [name, ...propertiesOf(name, body)])

  expect(known.length).toBeGreaterThan(250)
  expect(without(served, known)).toEqual(SINCE_THE_CLIENT.schemas)
  expect(without(known, served)).toEqual([])
})

test('11.21, 1.4 the methods of the discovery document have the parameters of the newest client', async () => {
  const { methods } = await readDocument()
  const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1).toLowerCase()
  const nameOf = new Map(methods.map(({ name }) => [name.split('.').map(capital).join('$'), name]))
  const known = interfacesOf('Params\\$Resource').flatMap(([type, body]) => {
    const request = /requestBody\?: Schema\$(\w+)/.exec(body)?.[1]
    const name = nameOf.get(type) ?? type
    return [
      name,
      ...propertiesOf(name, body).map((one) => (one === `${name}.requestBody` ? `${name}: ${request}` : one)),
    ]
  })
  const served = methods.flatMap(({ name, parameters = {}, request }) => [
    name,
    ...Object.keys(parameters).map((one) => `${name}.${one}`),
    ...(request ? [`${name}: ${request.$ref}`] : []),
  ])

  expect(known.length).toBeGreaterThan(150)
  expect(without(served, known)).toEqual([])
  expect(without(known, served)).toEqual([])
})

test('11.21, 1.3, 1.24 the methods have the verbs, paths and required parameters of the newest client', async () => {
  const { methods } = await readDocument()
  const lists = (text: string) => [...text.matchAll(/'(\w+)'/g)].map(([, one]) => one).sort()
  const known = [
    ...code.matchAll(
      /rootUrl \+\s+'\/calendar\/v3(\S+?)'\)[\s\S]*?method: '(\w+)'[\s\S]*?requiredParams: \[([^\]]*)\],\s+pathParams: \[([^\]]*)\]/g,
    ),
  ].map(([, path = '', verb, required = '', inPath = '']) => [verb, path.slice(1), lists(required), lists(inPath)])
  const served = methods.map(({ httpMethod, path, parameters = {} }) => {
    const all = Object.entries(parameters)
    const required = all.filter(([, one]) => one.required || one.location === 'path').map(([name]) => name)
    return [
      httpMethod,
      path,
      required.sort(),
      all.flatMap(([name, one]) => (one.location === 'path' ? [name] : [])).sort(),
    ]
  })

  const text = (rows: unknown[]) => rows.map((row) => JSON.stringify(row)).sort()
  expect(known).toHaveLength(38)
  expect(text(served)).toEqual(text(known))
})

test('11.21, 1.5 the methods accept the scopes of the newest client, and calendar.settings', async () => {
  const { methods } = await readDocument()
  const known = [...types.matchAll(/scopes: \[([^\]]*)\][\s\S]*?await calendar\.([\w.]+)\(/g)].flatMap(
    ([, scopes = '', name]) => [...scopes.matchAll(/'([^']+)'/g)].map(([, scope]) => `${name} ${scope}`),
  )
  const served = methods.flatMap(({ name, scopes = [] }) => scopes.map((scope) => `${name} ${scope}`))

  expect(known.length).toBeGreaterThan(100)
  expect(without(served, known)).toEqual(SINCE_THE_CLIENT.scopes)
  expect(without(known, served)).toEqual([])
})
