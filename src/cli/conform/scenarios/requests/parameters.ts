import { expectOk, expectStatus, expectTrue } from '../../expect.ts'
import { absent, contains, exactKeys } from '../../matchers.ts'
import { type ScenarioGroup, scenario } from '../../scenario.ts'
import { rejectType } from './rejectedRequests.ts'

const LIST = '/users/me/calendarList'

const DAY = { start: { date: '2031-01-06' }, end: { date: '2031-01-07' } }
const DECLINE = { autoDeclineMode: 'declineNone' }
const OUT = { outOfOfficeProperties: DECLINE }
const FOCUS = { focusTimeProperties: DECLINE }
const OFFICE = { workingLocationProperties: { type: 'officeLocation', officeLocation: { label: 'A', floorId: '2' } } }
const SHOWN = { visibility: 'public', transparency: 'transparent' }
const BIRTHDAY = { ...DAY, visibility: 'private', transparency: 'transparent', recurrence: ['RRULE:FREQ=YEARLY'] }

export const parameters: ScenarioGroup = {
  name: 'parameters',
  scenarios: [
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
    scenario('DELETE of a path without an event id returns an HTML page', '1.7, 2.7', async (kit) => {
      const answer = await kit.delete(`${await kit.eventsPath()}/`)
      expectStatus(answer, 404)
      expectTrue(answer.text.includes('<title>'), 'an empty id of an event is not answered with a page')
    }),
    scenario('booleans are accepted in any case', '1.12', async (kit) => {
      await kit.createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      const { items } = expectOk(await kit.get(await kit.eventsPath(), { ...kit.week(), singleEvents: 'TRUE' }))
      expectTrue(items.length === 2, `singleEvents=TRUE lists ${items.length} items`)
    }),
    scenario('several filters must all match', '1.18, 1.17', async (kit) => {
      const extendedProperties = { private: { a: '1' } }
      const { id } = await kit.createEvent({ summary: 'Blue', extendedProperties })
      await kit.createEvent({ summary: 'Red', extendedProperties })
      await kit.createEvent({ summary: 'Blue' })
      const filter = { ...kit.week(), q: 'blue', privateExtendedProperty: 'a=1' }
      expectOk(await kit.get(await kit.eventsPath(), filter), { items: [{ id }] })
    }),
    scenario('an empty fields returns the whole reply', '11.11', async (kit) => {
      const { id } = await kit.createEvent()
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`, { fields: '' }), { id, kind: 'calendar#event' })
    }),
    scenario('fields of a list omits items unless it names them', '11.11, 3.3', async (kit) => {
      expectOk(
        await kit.get(await kit.eventsPath(), { fields: 'nextSyncToken,kind' }),
        exactKeys('kind', 'nextSyncToken'),
      )
    }),
    scenario('an iCalUID that follows from the id is accepted with it', '3.2.4', async (kit) => {
      const id = await kit.unusedId()
      const body = { ...kit.hour(9), id, iCalUID: `${id}@google.com` }
      expectOk(await kit.post(await kit.eventsPath(), body), { id, iCalUID: body.iCalUID })
    }),
    scenario('the id follows from an iCalUID of google.com', '3.2.4', async (kit) => {
      const id = await kit.unusedId('u')
      expectOk(await kit.post(await kit.eventsPath(), { ...kit.hour(9), iCalUID: `${id}@google.com` }), { id })
    }),
    scenario('flags of guests that are false are omitted', '3.2.3, 7.11', async (kit) => {
      const attendees = [{ email: 'zoe@example.com', optional: false, resource: false, additionalGuests: 0 }]
      const made = await kit.post(
        await kit.eventsPath(),
        { ...kit.hour(9), attendees },
        { query: { sendUpdates: 'none' } },
      )
      expectOk(made, { attendees: [{ optional: absent, resource: absent, additionalGuests: absent }] })
    }),
    scenario('five reminders from 0 to 40320 minutes are accepted', '3.2.10, 12.7', async (kit) => {
      const overrides = [0, 1, 2, 3, 40_320].map((minutes) => ({ method: 'popup', minutes }))
      const body = { ...kit.hour(9), reminders: { useDefault: false, overrides } }
      expectOk(await kit.post(await kit.eventsPath(), body), { reminders: { overrides: contains(...overrides) } })
    }),
    scenario('colorId sets both colours of a list entry', '3.5.3', async (kit) => {
      const id = await kit.calendarId()
      expectOk(await kit.patch(`${LIST}/${id}`, { colorId: '14' }), {
        ...{ colorId: '14', backgroundColor: '#9fe1e7', foregroundColor: '#000000' },
      })
    }),
    scenario('an inserted list entry is not selected', '3.5.4', async (kit) => {
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
    scenario('a conference request without a solution creates a conference of Google Meet', '9.2', async (kit) => {
      const conferenceData = { createRequest: { requestId: await kit.unusedId() } }
      const { id } = await kit.createEvent({ conferenceData }, { query: { conferenceDataVersion: 1 } })
      expectOk(await kit.get(`${await kit.eventsPath()}/${id}`), { hangoutLink: /^https:\/\/meet\.google\.com\// })
    }),
    scenario(
      'another requestId creates another conference, and PUT without it removes it',
      '9.8, 9.12',
      async (kit) => {
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
      },
    ),
    rejectType(
      'outOfOffice',
      'cannot have guests',
      { ...OUT, attendees: [{ email: 'zoe@example.com' }] },
      { reason: 'malformedOutOfOfficeEvent' },
    ),
    rejectType(
      'outOfOffice',
      'cannot have a description',
      { ...OUT, description: 'Away' },
      { reason: 'malformedOutOfOfficeEvent' },
    ),
    rejectType('outOfOffice', 'cannot be transparent', { ...OUT, transparency: 'transparent' }),
    rejectType('outOfOffice', 'needs its properties', {}),
    rejectType('focusTime', 'cannot be all-day', { ...FOCUS, ...DAY }, { reason: 'malformedFocusTimeEvent' }),
    rejectType(
      'focusTime',
      'cannot be transparent',
      { ...FOCUS, transparency: 'transparent' },
      { reason: 'malformedFocusTimeEvent' },
    ),
    rejectType('workingLocation', 'cannot be opaque', { ...OFFICE, visibility: 'public' }),
    rejectType('workingLocation', 'needs a visibility', { ...OFFICE, transparency: 'transparent' }),
    rejectType('birthday', 'cannot be timed', { visibility: 'private', transparency: 'transparent' }),
    rejectType('birthday', 'cannot have a location', { ...BIRTHDAY, location: 'Here' }),
    rejectType('birthday', 'cannot have guests', { ...BIRTHDAY, attendees: [{ email: 'zoe@example.com' }] }),
    rejectType('birthday', 'cannot be opaque', { ...BIRTHDAY, transparency: 'opaque' }),
    rejectType('fromGmail', 'cannot be inserted on the primary calendar', {}),
    scenario(
      'an out-of-office event and a working location are stored with their properties',
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
    scenario('the text of quickAdd without its date is the summary', '7.9', async (kit) => {
      const made = await kit.post(`${await kit.eventsPath()}/quickAdd`, undefined, {
        query: { text: 'Interview on June 3rd 2031 10am-10:25am' },
      })
      expectOk(made, { summary: 'Interview' })
    }),
    scenario(
      'working hours {} or null do not change working hours',
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
