import { expectOk, expectStatus, expectTrue } from '../../expect.ts'
import { absent, contains, exactKeys } from '../../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../../scenario.ts'
import { rejectInsert, rejectQuery, rejectType } from './rejectedRequests.ts'

const LIST = '/users/me/calendarList'
const SILENT = { query: { sendNotifications: false } }

const DAY = { start: { date: '2031-01-06' }, end: { date: '2031-01-07' } }
const DECLINE = { autoDeclineMode: 'declineNone' }
const OUT = { outOfOfficeProperties: DECLINE }
const FOCUS = { focusTimeProperties: DECLINE }
const OFFICE = { workingLocationProperties: { type: 'officeLocation', officeLocation: { label: 'A', floorId: '2' } } }
const SHOWN = { visibility: 'public', transparency: 'transparent' }
const BIRTHDAY = { ...DAY, visibility: 'private', transparency: 'transparent', recurrence: ['RRULE:FREQ=YEARLY'] }

const BOTH = 'Start and end times must either both be date or both be dateTime.'

export const parameters: ScenarioGroup = {
  name: 'parameters',
  scenarios: [
    ...errorScenarios([
      rejectQuery(
        'an unknown type of events',
        '1.13',
        { eventTypes: 'party' },
        { reason: 'invalidParameter', location: 'eventTypes' },
      ),
      rejectQuery(
        'maxResults=-1',
        '1.11',
        { maxResults: '-1' },
        { reason: 'invalidParameter', location: 'maxResults' },
      ),
      rejectQuery(
        'maxAttendees=0',
        '1.19',
        { maxAttendees: '0' },
        { reason: 'invalidParameter', location: 'maxAttendees' },
      ),
      rejectQuery('a bound that is no time', '1.14', { timeMax: 'tomorrow' }, { reason: 'badRequest' }),
      rejectQuery(
        'updatedMin without an offset',
        '1.14',
        { updatedMin: '2031-01-01T00:00:00' },
        { reason: 'badRequest' },
      ),
      rejectQuery('a plus that is a blank', '1.14', { timeMin: '2031-01-01T00:00:00 01:00' }, { reason: 'badRequest' }),
      rejectQuery(
        'bounds in reverse',
        '1.15, 2.2.5',
        { timeMin: '2031-01-02T00:00:00Z', timeMax: '2031-01-01T00:00:00Z' },
        { domain: 'calendar', reason: 'timeRangeEmpty' },
      ),
      rejectQuery(
        'an unknown field of items',
        '11.11',
        { fields: 'items(foo)' },
        { reason: 'invalidParameter', location: 'fields' },
      ),
      rejectInsert('a start without a time', '2.2.2, 3.2.11', () => ({ start: {} }), { message: BOTH }),
      rejectInsert('a date that is none', '2.2.1', () => ({
        start: { date: '2031-02-30' },
        end: { date: '2031-03-02' },
      })),
      rejectInsert(
        'a zone in small letters',
        '13.1',
        (kit) => ({ start: { ...kit.hour(9).start, timeZone: 'europe/berlin' } }),
        { message: 'Invalid time zone definition for start time.' },
      ),
      rejectInsert('an id with capitals and digits', '2.2.4, 3.2.4', () => ({ id: 'ABC12345' }), {
        message: 'Invalid resource id value.',
      }),
      rejectInsert('an id above 1024 characters', '2.2.4, 12.2', () => ({ id: 'a'.repeat(1025), summary: 'Long' }), {
        message: 'Invalid resource id value.',
      }),
      rejectInsert('an id with a hyphen', '2.2.4, 3.2.4', () => ({ id: 'abc-def' }), {
        message: 'Invalid resource id value.',
      }),
      rejectInsert('a line of DTEND', '4.2.1', () => ({ recurrence: ['DTEND:20310101T090000Z', 'RRULE:FREQ=DAILY'] }), {
        message: 'Invalid recurrence rule.',
      }),
      rejectInsert(
        'UNTIL with an offset',
        '4.2.3',
        () => ({ recurrence: ['RRULE:FREQ=DAILY;UNTIL=2031-07-16T00:00:00+08:00'] }),
        { message: 'Invalid recurrence rule.' },
      ),
      rejectInsert(
        'an EXDATE that is garbage',
        '4.2.1',
        () => ({ recurrence: ['EXDATE:never', 'RRULE:FREQ=DAILY;COUNT=2'] }),
        { message: 'Invalid recurrence rule.' },
      ),
      rejectInsert('a rule by the minute', '4.2.3', () => ({ recurrence: ['RRULE:FREQ=MINUTELY;COUNT=2'] }), {
        message: 'Invalid recurrence rule.',
      }),
      rejectInsert('a rule by the second', '4.2.3', () => ({ recurrence: ['RRULE:FREQ=SECONDLY;COUNT=2'] }), {
        message: 'Invalid recurrence rule.',
      }),
      rejectInsert('focusTimeProperties of a default event', '8.3', () => ({ focusTimeProperties: {} }), {
        message: 'focusTimeProperties requires an event type of focusTime, and vice versa.',
      }),
      rejectInsert('workingLocationProperties of a default event', '8.3', () => ({ workingLocationProperties: {} }), {
        message: 'workingLocationProperties requires an event type of workingLocation, and vice versa.',
      }),
      rejectInsert('colorId=0', '3.2.12', () => ({ colorId: '0' }), { reason: 'invalid' }),
      [
        'a rule needs a role',
        '1.25, 3.6.3',
        'POST',
        (kit) => kit.aclPath(),
        () => ({ body: { scope: { type: 'default' } }, ...SILENT }),
        { status: 400 },
      ],
      [
        'a rule for a user needs a value',
        '1.25, 2.2.8',
        'POST',
        (kit) => kit.aclPath(),
        () => ({ body: { role: 'reader', scope: { type: 'user' } }, ...SILENT }),
        { status: 400 },
      ],
      ['an entry needs an id', '1.25, 3.5.4', 'POST', LIST, () => ({ body: { colorId: '1' } }), { status: 400 }],
      [
        'a PUT of an event needs times',
        '1.25, 3.9.1',
        'PUT',
        async (kit) => `${await kit.eventsPath()}/${(await kit.createEvent()).id}`,
        () => ({ body: { summary: 'A' } }),
        { status: 400, reason: 'required', message: 'Missing end time.' },
      ],
      [
        'an import needs times',
        '1.25, 7.8',
        'POST',
        'import',
        async (kit) => ({ body: { iCalUID: `${await kit.unusedId()}@example.com` } }),
        { status: 400 },
      ],
      [
        'PATCH does not take the start away',
        '2.2.2',
        'PATCH',
        async (kit) => `${await kit.eventsPath()}/${(await kit.createEvent()).id}`,
        () => ({ body: { start: null } }),
        { status: 400 },
      ],
      [
        'an event that is not there cannot be changed',
        '2.2.4',
        'PATCH',
        'nothing',
        () => ({ body: { summary: 'A' } }),
        { status: 404, reason: 'notFound' },
      ],
      [
        'an event that is not there cannot be deleted',
        '2.2.4',
        'DELETE',
        'nothing',
        undefined,
        { status: 404, reason: 'notFound' },
      ],
      [
        'an event that is not there has no instances',
        '2.2.4, 4.4',
        'GET',
        'nothing/instances',
        undefined,
        { status: 404, reason: 'notFound' },
      ],
      [
        'a calendar that is not there has no rules',
        '2.2.4',
        'GET',
        '/calendars/fake-calendar-nobody@group.calendar.google.com/acl',
        undefined,
        { status: 404, reason: 'notFound' },
      ],
      [
        'a calendar that is not there is not deleted',
        '2.2.4',
        'DELETE',
        '/calendars/fake-calendar-nobody@group.calendar.google.com',
        undefined,
        { status: 404, reason: 'notFound' },
      ],
      [
        'a list has no entry of a calendar that is not there',
        '2.2.4',
        'GET',
        `${LIST}/fake-calendar-nobody@group.calendar.google.com`,
        undefined,
        { status: 404, reason: 'notFound' },
      ],
      [
        'a body that is not JSON, of PATCH',
        '2.2.1',
        'PATCH',
        async (kit) => `${await kit.eventsPath()}/${(await kit.createEvent()).id}`,
        () => ({ body: '{' }),
        { status: 400, reason: 'parseError' },
      ],
      [
        'calendars.transferOwnership needs useAdminAccess',
        '15.8, 1.24',
        'POST',
        async (kit) => `/calendars/${await kit.calendarId()}/transferOwnership`,
        () => ({ query: { newDataOwner: 'zoe@example.com' } }),
        { status: 400, reason: 'required', location: 'useAdminAccess' },
      ],
    ]),
    scenario('credentials are checked before the calendar', '2.4', async (kit) => {
      const path = '/calendars/fake-calendar-nobody@group.calendar.google.com/events'
      expectStatus(await kit.get(path, {}, { as: 'nobody' }), 401)
    }),
    scenario('a former etag is reported before an invalid body', '2.4', async (kit) => {
      const path = `${await kit.eventsPath()}/${(await kit.createEvent()).id}`
      const headers = { 'If-Match': '"1"' }
      expectStatus(await kit.put(path, { start: kit.hour(9).start, end: kit.hour(7).end }, { headers }), 412)
    }),
    scenario('an invalid parameter is reported before the calendar', '2.4', async (kit) => {
      const path = '/calendars/fake-calendar-nobody@group.calendar.google.com/events'
      expectStatus(await kit.get(path, { maxResults: 0 }), 400)
    }),
    scenario('a DELETE without an id of an event is a page', '1.7, 2.7', async (kit) => {
      const answer = await kit.delete(`${await kit.eventsPath()}/`)
      expectStatus(answer, 404)
      expectTrue(answer.text.includes('<title>'), 'an empty id of an event is not answered with a page')
    }),
    scenario('booleans are read in any case', '1.12', async (kit) => {
      await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      const { items } = expectOk(await kit.get(await kit.eventsPath(), { ...kit.week(), singleEvents: 'TRUE' }))
      expectTrue(items.length === 2, `singleEvents=TRUE lists ${items.length} items`)
    }),
    scenario('filters are combined', '1.18, 1.17', async (kit) => {
      const extendedProperties = { private: { a: '1' } }
      const { id } = await kit.createEvent({ summary: 'Blue', extendedProperties })
      await kit.createEvent({ summary: 'Red', extendedProperties })
      await kit.createEvent({ summary: 'Blue' })
      const filter = { ...kit.week(), q: 'blue', privateExtendedProperty: 'a=1' }
      expectOk(await kit.get(await kit.eventsPath(), filter), { items: [{ id }] })
    }),
    scenario('fields= with nothing is everything', '11.11', async (kit) => {
      const { id } = await kit.createEvent()
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`, { fields: '' }), { id, kind: 'calendar#event' })
    }),
    scenario('fields of a list leave items out unless it names them', '11.11, 3.3', async (kit) => {
      expectOk(
        await kit.get(await kit.eventsPath(), { fields: 'nextSyncToken,kind' }),
        exactKeys('kind', 'nextSyncToken'),
      )
    }),
    scenario('an iCalUID that follows from the id is good beside it', '3.2.4', async (kit) => {
      const id = await kit.unusedId()
      const body = { ...kit.hour(9), id, iCalUID: `${id}@google.com` }
      expectOk(await kit.post(await kit.eventsPath(), body), { id, iCalUID: body.iCalUID })
    }),
    scenario('a UID of the service makes its own id', '3.2.4', async (kit) => {
      const id = await kit.unusedId('u')
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), iCalUID: `${id}@google.com` }), { id })
    }),
    scenario('flags of guests that are false have no key', '3.2.3, 7.11', async (kit) => {
      const attendees = [{ email: 'zoe@example.com', optional: false, resource: false, additionalGuests: 0 }]
      const made = await kit.post(
        await kit.eventsPath(),
        { ...kit.hour(9), attendees },
        { query: { sendUpdates: 'none' } },
      )
      expectOk(made, { attendees: [{ optional: absent, resource: absent, additionalGuests: absent }] })
    }),
    scenario('five reminders are good, from 0 to 40320 minutes', '3.2.10, 12.7', async (kit) => {
      const overrides = [0, 1, 2, 3, 40_320].map((minutes) => ({ method: 'popup', minutes }))
      const body = { ...kit.hour(9), reminders: { useDefault: false, overrides } }
      expectOk(await kit.post(await kit.eventsPath(), body), { reminders: { overrides: contains(...overrides) } })
    }),
    scenario('colorId sets both colours of an entry', '3.5.3', async (kit) => {
      const id = await kit.calendarId()
      expectOk(await kit.patch(`${LIST}/${id}`, { colorId: '14' }), {
        ...{ colorId: '14', backgroundColor: '#9fe1e7', foregroundColor: '#000000' },
      })
    }),
    scenario('a calendar that is put on the list is not selected', '3.5.4', async (kit) => {
      const id = 'en.irish#holiday@group.v.calendar.google.com'
      const entry = `${LIST}/${encodeURIComponent(id)}`
      if ((await kit.get(entry)).status === 200) return
      kit.onCleanUp(() => kit.delete(entry))
      expectOk(await kit.post(LIST, { id }), { id, selected: absent, primary: absent })
      expectStatus(await kit.delete(entry), 204)
      expectStatus(await kit.get(entry), 404)
      const { items } = await kit.listAll(LIST, { showDeleted: true })
      const names = ['kind', 'etag', 'id', 'defaultReminders', 'deleted']
      const deleted = items.find((item) => item.id === id)
      expectTrue(exactKeys(...names).matches(deleted), `a removed entry is ${JSON.stringify(deleted)}`)
    }),
    scenario('a request without a solution makes a conference of Meet', '9.2', async (kit) => {
      const conferenceData = { createRequest: { requestId: await kit.unusedId() } }
      const { id } = await kit.createEvent({ conferenceData }, { query: { conferenceDataVersion: 1 } })
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`), { hangoutLink: /^https:\/\/meet\.google\.com\// })
    }),
    scenario('another requestId makes another conference, and PUT removes it', '9.8, 9.12', async (kit) => {
      const version = { query: { conferenceDataVersion: 1 } }
      const request = async (ending: string) => ({
        conferenceData: {
          createRequest: { requestId: await kit.unusedId(ending), conferenceSolutionKey: { type: 'hangoutsMeet' } },
        },
      })
      const path = `${await kit.eventsPath()}/${(await kit.createEvent(await request('a'), version)).id}`
      const { hangoutLink } = expectOk(await kit.get(path))
      await kit.require(kit.patch(path, await request('b'), version))
      const after = expectOk(await kit.get(path), { hangoutLink: /^https:/ })
      expectTrue(after.hangoutLink !== hangoutLink, 'another requestId keeps the conference')
      expectOk(await kit.put(path, kit.hour(9)), { hangoutLink: after.hangoutLink })
      expectOk(await kit.put(path, kit.hour(9), version), { hangoutLink: absent, conferenceData: absent })
    }),
    rejectType(
      'outOfOffice',
      'no guests',
      { ...OUT, attendees: [{ email: 'zoe@example.com' }] },
      { reason: 'malformedOutOfOfficeEvent' },
    ),
    rejectType(
      'outOfOffice',
      'no description',
      { ...OUT, description: 'Away' },
      { reason: 'malformedOutOfOfficeEvent' },
    ),
    rejectType('outOfOffice', 'not transparent', { ...OUT, transparency: 'transparent' }),
    rejectType('outOfOffice', 'not without its properties', {}),
    rejectType('focusTime', 'not all-day', { ...FOCUS, ...DAY }, { reason: 'malformedFocusTimeEvent' }),
    rejectType(
      'focusTime',
      'not transparent',
      { ...FOCUS, transparency: 'transparent' },
      { reason: 'malformedFocusTimeEvent' },
    ),
    rejectType('workingLocation', 'not opaque', { ...OFFICE, visibility: 'public' }),
    rejectType('workingLocation', 'not without visibility', { ...OFFICE, transparency: 'transparent' }),
    rejectType('birthday', 'not timed', { visibility: 'private', transparency: 'transparent' }),
    rejectType('birthday', 'no location', { ...BIRTHDAY, location: 'Here' }),
    rejectType('birthday', 'no guests', { ...BIRTHDAY, attendees: [{ email: 'zoe@example.com' }] }),
    rejectType('birthday', 'not opaque', { ...BIRTHDAY, transparency: 'opaque' }),
    rejectType('fromGmail', 'not by insert', {}),
    scenario(
      'out of office and an office are stored with their properties',
      '8.5, 8.6, 8.12',
      async (kit) => {
        const out = {
          ...kit.hour(9),
          eventType: 'outOfOffice',
          outOfOfficeProperties: { ...DECLINE, declineMessage: 'No' },
        }
        const office = { ...kit.hour(12), eventType: 'workingLocation', ...SHOWN, ...OFFICE }
        for (const [body, summary] of [
          [out, 'Out of office'],
          [office, 'Office'],
        ] as const) {
          const made = await kit.require(kit.post('/calendars/primary/events', body))
          const path = `/calendars/primary/events/${made.id}`
          kit.onCleanUp(() => kit.delete(path))
          const { start: _, end: __, ...rest } = body
          expectOk(await kit.get(path), { ...rest, summary: body === office ? /^(Office|A)$/ : summary })
        }
      },
      'primary',
    ),
    scenario('what is left of a sentence is the summary', '7.9', async (kit) => {
      const made = await kit.post(`${await kit.eventsPath()}/quickAdd`, undefined, {
        query: { text: 'Interview on June 3rd 2031 10am-10:25am' },
      })
      expectOk(made, { summary: 'Interview' })
    }),
    scenario(
      'working hours that are {} or null stay as they are',
      '15.19',
      async (kit) => {
        const path = '/calendars/primary'
        const period = { dayOfWeek: 'monday', periodStart: 540, periodEnd: 1020 }
        const { workingHours: before } = await kit.require(kit.get(path))
        const workingHours = { workingHoursEnabled: true, availableTimes: [period] }
        const answer = await kit.patch(path, { workingHours })
        // Only calendars of Workspace accounts have working hours.
        if (answer.status === 400) return
        const { workingHours: set } = expectOk(answer, { workingHours })
        kit.onCleanUp(() =>
          kit.patch(path, { workingHours: before ?? { workingHoursEnabled: false, availableTimes: [] } }),
        )
        expectOk(await kit.patch(path, { workingHours: {} }), { workingHours: set })
        expectOk(await kit.patch(path, { workingHours: null }), { workingHours: set })
      },
      'loopback',
    ),
  ],
}
