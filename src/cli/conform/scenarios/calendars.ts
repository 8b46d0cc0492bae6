import { expectOk, expectShape, expectStatus, expectTrue } from '../expect.ts'
import { SUMMARY } from '../kit.ts'
import { absent, contains, keysInOrder, text } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

const ORDER = keysInOrder(
  ...['kind', 'etag', 'id', 'summary', 'description', 'location', 'timeZone', 'dataOwner', 'conferenceProperties'],
)

export const calendars: ScenarioGroup = {
  name: 'calendars',
  scenarios: [
    scenario('a calendar needs only a summary, is in UTC, and returns 200', '3.4.1, 3.4.2, 1.8', async (kit) => {
      const id = await kit.createOwnCalendar()
      const answer = await kit.get(`/calendars/${id}`)
      expectOk(answer, ORDER)
      expectOk(answer, {
        kind: 'calendar#calendar',
        id,
        summary: SUMMARY,
        timeZone: 'UTC',
        etag: text,
        description: absent,
      })
    }),
    scenario('the etag of a calendar has 27 url-safe characters, and a write changes it', '3.10.2', async (kit) => {
      const path = `/calendars/${await kit.createOwnCalendar({ description: 'An etag' })}`
      const before = expectOk(await kit.get(path), { etag: /^"[\w-]{27}"$/ }) as { etag: string }
      const after = expectOk(await kit.patch(path, { description: 'Another' }), { etag: /^"[\w-]{27}"$/ }) as {
        etag: string
      }
      expectTrue(before.etag !== after.etag, 'a write leaves the etag as it was')
    }),
    scenario('the id of a new calendar is c_ and 64 hexadecimal digits', '3.4.4', async (kit) => {
      const id = await kit.createOwnCalendar({ description: 'An id' })
      expectTrue(/^c_[0-9a-f]{64}@group\.calendar\.google\.com$/.test(id), `the id of a new calendar is ${id}`)
    }),
    scenario('a secondary calendar names its data owner, a primary one does not', '15.5, 15.3', async (kit) => {
      const id = await kit.calendarId()
      expectOk(await kit.get(`/calendars/${id}`), { dataOwner: await kit.ownerEmail() })
      expectOk(await kit.get('/calendars/primary'), { dataOwner: absent })
    }),
    scenario('a calendar allows conferences of Google Meet', '9.10, 3.4.1', async (kit) => {
      const id = await kit.calendarId()
      const shape = { conferenceProperties: { allowedConferenceSolutionTypes: ['hangoutsMeet'] } }
      expectOk(await kit.get(`/calendars/${id}`), shape)
    }),
    scenario('the creator of a calendar owns it and has it on the list', '3.4.2, 15.4', async (kit) => {
      const id = await kit.calendarId()
      const entry = await kit.get(`/users/me/calendarList/${id}`)
      expectOk(entry, { accessRole: 'owner', selected: true, defaultReminders: [], primary: absent })
      expectShape(entry, entry.body.notificationSettings, absent)
    }),
    scenario(
      'a secondary calendar has two rules of the role owner: of itself and of its creator',
      '15.6.1, 3.6.1',
      async (kit) => {
        const id = await kit.calendarId()
        const rule = (value: string) => ({ id: `user:${value}`, role: 'owner', scope: { type: 'user', value } })
        expectOk(await kit.get(`/calendars/${id}/acl`), { items: contains(rule(id), rule(await kit.ownerEmail())) })
      },
    ),
    scenario('primary is the calendar with the address of its account', '1.6', async (kit) => {
      const me = await kit.ownerEmail()
      expectOk(await kit.get('/calendars/primary'), { id: /^[^@\s]+@[^@\s]+$/ })
      expectOk(await kit.get(`/calendars/${encodeURIComponent(me)}`), { id: me })
    }),
    scenario('an address in a path is matched without regard to case', '1.6', async (kit) => {
      const me = await kit.ownerEmail()
      expectOk(await kit.get(`/calendars/${me.toUpperCase()}`), { id: me })
    }),
    scenario('PUT replaces a calendar’s texts and keeps its zone', '3.4.5', async (kit) => {
      const id = await kit.createOwnCalendar({ description: 'Old', location: 'Here', timeZone: 'Europe/Berlin' })
      const after = { summary: `${SUMMARY}, renamed`, description: absent, location: absent, timeZone: 'Europe/Berlin' }
      expectOk(await kit.put(`/calendars/${id}`, { summary: `${SUMMARY}, renamed` }), after)
      expectOk(await kit.get(`/calendars/${id}`), after)
    }),
    scenario('PATCH of a calendar merges fields, and null removes a field', '3.4.5', async (kit) => {
      const id = await kit.createOwnCalendar({ description: 'Old', location: 'Here' })
      const after = { summary: SUMMARY, description: absent, location: 'Here' }
      expectOk(await kit.patch(`/calendars/${id}`, { description: null }), after)
      expectOk(await kit.get(`/calendars/${id}`), after)
    }),
    scenario('a deleted calendar is 404, and its list entry is marked as deleted', '15.9, 1.8, 3.5.6', async (kit) => {
      const id = await kit.createOwnCalendar()
      const reply = expectStatus(await kit.delete(`/calendars/${id}`), 204)
      expectTrue(Object.keys(reply).length === 0, 'DELETE of a calendar is answered with a body')
      expectStatus(await kit.get(`/calendars/${id}`), 404)
      const { items, last } = await kit.listAll('/users/me/calendarList', { showDeleted: true, minAccessRole: 'owner' })
      const entry = items.find((item) => item.id === id)
      expectShape(
        {
          request: 'GET /users/me/calendarList?showDeleted=true',
          status: 200,
          headers: new Headers(),
          text: '',
          body: last,
        },
        entry,
        {
          deleted: true,
          summary: absent,
        },
      )
    }),
    ...errorScenarios([
      [
        'a calendar without a summary is rejected',
        '3.4.3',
        'POST',
        '/calendars',
        () => ({ body: {} }),
        { status: 400, message: /^Missing summary/ },
      ],
      [
        'a calendar with a time zone that is not in the IANA database is rejected',
        '3.4.3, 13.1',
        'POST',
        '/calendars',
        () => ({ body: { summary: SUMMARY, timeZone: 'Eastern Standard Time' } }),
        { status: 400, message: /^Invalid Value/ },
      ],
      [
        'a calendar whose summary is too long is rejected',
        '12.4',
        'POST',
        '/calendars',
        () => ({ body: { summary: 'x'.repeat(20_000) } }),
        { status: 400, message: 'A provided value exceeds the allowed size limit.' },
      ],
      [
        'a calendar that does not exist is 404',
        '1.2, 2.2.4, 15.12',
        'GET',
        '/calendars/fake-calendar-nobody@group.calendar.google.com',
        undefined,
        { status: 404, reason: 'notFound', message: 'Not Found', domain: 'global' },
      ],
      [
        'a secondary calendar cannot be cleared',
        '15.10, 2.2.8',
        'POST',
        async (kit) => (await kit.eventsPath()).replace(/events$/, 'clear'),
        undefined,
        { status: 400, reason: 'invalid' },
      ],
    ]),
    scenario(
      'a primary calendar cannot be deleted',
      '15.9, 2.2.8',
      async (kit) => {
        const answer = await kit.delete('/calendars/primary')
        expectStatus(answer, 403, {
          error: { errors: [{ domain: 'calendar', reason: 'cannotDeletePrimaryCalendar' }] },
        })
      },
      'primary',
    ),
  ],
}
