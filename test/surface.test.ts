import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { api } from '../src/api/index.ts'
import { discoveryMethods } from '../src/http/discovery.ts'
import { BODIES, type BodyName } from '../src/wire/bodies.ts'

type Method = { request?: { $ref?: string } | string; [key: string]: unknown }
const oracle: { methods: Record<string, Method>; schemas: Record<string, { properties: Record<string, unknown> }> } =
  JSON.parse(readFileSync('test/surface.json', 'utf8'))

const methods = discoveryMethods(api)

// behaviour 1.4
test('the tables hold the methods of the service, each once', () => {
  expect(api.map(({ id }) => id).sort()).toEqual(Object.keys(oracle.methods).sort())
})

// behaviour 1.5
test.each(Object.keys(oracle.methods))(
  '%s has the verb, path, parameters, ranges, scopes and schemas of the service',
  (id) => {
    const { description: _, scopes, ...method } = methods[id] ?? { description: '', scopes: [] }
    const { scopes: expected, ...wanted } = oracle.methods[id] ?? {}
    expect(method).toEqual(wanted)
    expect([...scopes].sort()).toEqual([...(expected as string[])].sort())
  },
)

/** What only the service writes, and so no request body is read for. */
const WRITTEN_BY_THE_SERVICE: Record<BodyName, string[]> = {
  AclRule: ['etag', 'id', 'kind'],
  Calendar: ['dataOwner', 'etag', 'id', 'kind'],
  // biome-ignore format: one list
  CalendarListEntry: [
    'accessRole', 'autoAcceptInvitations', 'conferenceProperties', 'dataOwner', 'deleted', 'description', 'etag', 'kind',
    'location', 'primary', 'summary', 'timeZone',
  ],
  Channel: ['kind'],
  Event: ['created', 'creator', 'etag', 'hangoutLink', 'htmlLink', 'kind', 'locked', 'privateCopy', 'updated'],
  FreeBusyRequest: [],
}

test.each(Object.entries(WRITTEN_BY_THE_SERVICE))(
  'a body of %s has every field of the schema that clients write',
  (name, written) => {
    const fields = Object.keys(BODIES[name as BodyName].shape)
    expect([...fields, ...written].sort()).toEqual(Object.keys(oracle.schemas[name]?.properties ?? {}).sort())
  },
)
