import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BODIES, type BodyName } from '../src/wire/bodies.ts'

/** The schemas of the service; its methods are compared in test/http/discovery.test.ts. */
const oracle: { schemas: Record<string, { properties: Record<string, unknown> }> } = JSON.parse(
  readFileSync('test/surface.json', 'utf8'),
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
