import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../../src/index.ts'

const EVENTS = '/calendars/primary/events'

test.each([
  ['GET', '/calendar/v3/calendars/primary/event', `Send GET /calendar/v3${EVENTS};`],
  ['GET', `/api${EVENTS}`, `Send GET /calendar/v3${EVENTS};`],
  ['GET', `/calendar/v2${EVENTS}/lunch`, `Send GET /calendar/v3${EVENTS}/lunch;`],
  ['POST', '/calendar/v3/freebusy', 'Send POST /calendar/v3/freeBusy;'],
  ['GET', '/calendar/v3/users/me/calendarlist', 'Send GET /calendar/v3/users/me/calendarList;'],
  ['GET', '/gmail/v1/users/me/messages', 'The Gmail API is not served. docs/guides/neighbours.md'],
  ['GET', '/drive/v3/files', 'The Drive API is not served.'],
  ['GET', '/tasks/v1/users/@me/lists', 'The Tasks API is not served.'],
  ['GET', '/v1/people/me/connections', 'The People API is not served.'],
  ['GET', '/admin/directory/v1/users', 'The Directory API is not served.'],
  ['PROPFIND', '/caldav/v2/a@example.com/user', 'CalDAV is not served.'],
  ['GET', '/v1.0/me/events', 'Microsoft Graph is not served.'],
])('%s %s is 404 with the hint: %s', async (method, path, hint) => {
  const fake = createFakeCalendar()
  const reply = await fake.request(path, { method, headers: { Authorization: 'Bearer alice@example.com' } })

  expect(reply.status).toBe(404)
  expect(reply.headers.get('X-Fake-Calendar-Hint')).toContain(hint)
})

test.each(['/favicon.ico', '/health', '/calendar/v3/calendars/primary/nothing/at/all', '/'])(
  '%s has no hint',
  async (path) => {
    const reply = await createFakeCalendar().request(path)

    expect(reply.headers.get('X-Fake-Calendar-Hint')).toBeNull()
  },
)
