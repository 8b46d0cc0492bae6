import { expect, test } from 'vitest'
import { ALICE, BOB, openCalendar } from '../support/calendar.ts'

/** The fields of an event have a test each, in `test/schema/fields`. */
test.each([
  ['an AclRule', 'post', '/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: BOB } }, 'etag, id, kind'],
  ['a Calendar', 'post', '/calendars', { summary: 'Team' }, 'dataOwner, etag, id, kind'],
  ['a CalendarListEntry', 'patch', '/users/me/calendarList/primary', { summaryOverride: 'Mine' }, 'accessRole, autoAcceptInvitations, conferenceProperties, dataOwner, deleted, description, etag, kind, location, primary, summary, timeZone'],
  ['a Channel', 'post', '/calendars/primary/events/watch', { id: 'mine', type: 'web_hook', address: 'http://127.0.0.1:9/' }, 'kind'],
] as const)('read-only fields of %s are ignored', async (_, verb, path, body, fields) => {
  const alice = openCalendar().as(ALICE)
  const claimed = Object.fromEntries(fields.split(', ').map((name) => [name, ['wrong']]))

  const { status, body: shown } = await alice[verb](path, { ...body, ...claimed })

  expect(status).toBe(200)
  expect(Object.values(shown)).not.toContainEqual(['wrong'])
}) // biome-ignore format: a table
