import { expectError, expectOk, expectTrue } from '../expect.ts'
import type { Kit } from '../kit.ts'
import { absent, contains } from '../matchers.ts'
import { errorScenarios, type ScenarioGroup, scenario } from '../scenario.ts'

const OUT = { eventType: 'outOfOffice', outOfOfficeProperties: { autoDeclineMode: 'declineNone' } }
const FOCUS = { eventType: 'focusTime', focusTimeProperties: { autoDeclineMode: 'declineNone' } }
const HOME = {
  ...{ eventType: 'workingLocation', visibility: 'public', transparency: 'transparent' },
  workingLocationProperties: { type: 'homeOffice', homeOffice: {} },
}

/**
 * Creates an event on the primary calendar, because these types exist only there, and not for every account. It is removed
 * afterwards. Returns the response, which may be an error.
 */
async function createOnPrimary(kit: Kit, body: object) {
  const answer = await kit.post('/calendars/primary/events', body)
  if (answer.status === 200) kit.onCleanUp(() => kit.delete(`/calendars/primary/events/${answer.body.id}`))
  return answer
}

/** Creates such an event and returns it. Rejects with an InconclusiveError if the server rejects it. */
const requireOnPrimary = async (kit: Kit, body: object) => kit.require(createOnPrimary(kit, body))

export const types: ScenarioGroup = {
  name: 'event types',
  scenarios: [
    scenario(
      'focus time is stored with its properties',
      '8.1, 8.4, 8.12',
      async (kit) => {
        const { id } = await requireOnPrimary(kit, { ...kit.hour(9), ...FOCUS })
        const answer = await kit.get(`/calendars/primary/events/${id}`)
        expectOk(answer, { ...FOCUS, summary: 'Focus time' })
      },
      'primary',
    ),
    scenario(
      'a working location at home has an empty object',
      '8.6, 8.12',
      async (kit) => {
        const { id } = await requireOnPrimary(kit, { ...kit.allDay(), ...HOME })
        const answer = await kit.get(`/calendars/primary/events/${id}`)
        expectOk(answer, { ...HOME, summary: 'Home', reminders: { useDefault: false } })
      },
      'primary',
    ),
    scenario(
      'an all-day working location is one day long',
      '8.6, 2.2.7',
      async (kit) => {
        await requireOnPrimary(kit, { ...kit.allDay(3), ...HOME })
        expectError(await createOnPrimary(kit, { ...kit.allDay(0, 2), ...HOME }), {
          ...{ status: 400, domain: 'calendar', reason: 'malformedWorkingLocationEvent' },
          message: 'An all-day working location event must be exactly one day long.',
        })
      },
      'primary',
    ),
    scenario(
      'an out-of-office event cannot be all-day',
      '8.5',
      async (kit) => {
        await requireOnPrimary(kit, { ...kit.hour(9, 3), ...OUT })
        const { status } = await createOnPrimary(kit, { ...kit.allDay(), ...OUT })
        expectTrue(status === 400, `an all-day absence is answered ${status}`)
      },
      'primary',
    ),
    scenario(
      'the type of an event cannot be changed',
      '8.2, 8.2.1',
      async (kit) => {
        const { id } = await requireOnPrimary(kit, { ...kit.hour(9), ...FOCUS })
        const { status } = await kit.patch(`/calendars/primary/events/${id}`, { eventType: 'default' })
        expectTrue(status === 400, `a change of the type is answered ${status}`)
      },
      'primary',
    ),
    scenario(
      'eventTypes lists only events of that type',
      '8.14, 1.18',
      async (kit) => {
        const { id } = await requireOnPrimary(kit, { ...kit.hour(9), ...FOCUS })
        const { items } = await kit.listAll('/calendars/primary/events', { ...kit.week(), eventTypes: 'focusTime' })
        expectTrue(items.length === 1 && items[0]?.id === id, `eventTypes=focusTime lists ${items.length} events`)
      },
      'primary',
    ),
    scenario(
      'a birthday is private, all-day and yearly',
      '8.7, 8.1',
      async (kit) => {
        const body = {
          ...kit.allDay(),
          eventType: 'birthday',
          visibility: 'private',
          transparency: 'transparent',
          summary: 'A',
        }
        const { id } = await requireOnPrimary(kit, { ...body, recurrence: ['RRULE:FREQ=YEARLY'] })
        const answer = await kit.get(`/calendars/primary/events/${id}`)
        expectOk(answer, { ...body, birthdayProperties: { type: 'birthday' }, recurrence: ['RRULE:FREQ=YEARLY'] })
      },
      'primary',
    ),
    scenario(
      'a birthday cannot have private extended properties',
      '8.7.1',
      async (kit) => {
        const body = { ...kit.allDay(), eventType: 'birthday', visibility: 'private', transparency: 'transparent' }
        const { id } = await requireOnPrimary(kit, { ...body, summary: 'B', recurrence: ['RRULE:FREQ=YEARLY'] })
        const extendedProperties = { private: { source: 'sync' } }
        expectError(await kit.patch(`/calendars/primary/events/${id}`, { extendedProperties }), {
          status: 400,
          message: "'birthday' event type must not have private extended properties.",
        })
      },
      'primary',
    ),
    scenario(
      'a change that a type does not allow is eventTypeRestriction',
      '8.10, 8.7, 8.8',
      async (kit) => {
        const body = {
          ...kit.allDay(),
          eventType: 'birthday',
          visibility: 'private',
          transparency: 'transparent',
          summary: 'A',
        }
        const { id } = await requireOnPrimary(kit, { ...body, recurrence: ['RRULE:FREQ=YEARLY'] })
        expectError(await kit.patch(`/calendars/primary/events/${id}`, { location: 'Here' }), {
          ...{ status: 400, domain: 'calendar', reason: 'eventTypeRestriction' },
          message: "Attempt made to modify 'birthday' event in a way that is not valid for this event type.",
        })
      },
      'primary',
    ),
    scenario(
      'an out-of-office event declines conflicting invitations with its message',
      '8.13, 8.5',
      async (kit) => {
        const email = await kit.ownerEmail()
        const outOfOfficeProperties = { autoDeclineMode: 'declineAllConflictingInvitations', declineMessage: 'Away' }
        await requireOnPrimary(kit, { ...kit.hour(9), eventType: 'outOfOffice', outOfOfficeProperties })
        const { id } = await kit.createEvent({ attendees: [{ email }] }, { query: { sendUpdates: 'none' } })
        const path = `${await kit.eventsPath()}/${id}`
        kit.onCleanUp(() => kit.delete(path, { query: { sendUpdates: 'none' } }))
        expectOk(await kit.get(path), { attendees: [{ email, responseStatus: 'declined', comment: 'Away' }] })
      },
      'primary',
    ),
    scenario('a primary calendar has the zone of its account’s setting', '13.11, 3.7', async (kit) => {
      const { value } = expectOk(await kit.get('/users/me/settings/timezone'))
      expectOk(await kit.get('/calendars/primary'), { timeZone: value })
    }),
    scenario(
      'an event of the caller’s primary calendar is organized by the caller, and has default reminders',
      '3.2.8, 3.2.10',
      async (kit) => {
        const email = await kit.ownerEmail()
        const event = await createOnPrimary(kit, { ...kit.hour(9), summary: 'Mine' })
        expectOk(event, {
          creator: { email, self: true },
          organizer: { email, self: true },
          reminders: { useDefault: true },
        })
        expectOk(await kit.get('/calendars/primary/events', kit.week()), { items: contains({ id: event.body.id }) })
      },
      'primary',
    ),
    scenario('an event without a type has the type default', '8.1, 3.2.13', async (kit) => {
      expectOk(await kit.post(await kit.eventsPath(), kit.hour(9)), {
        eventType: 'default',
        focusTimeProperties: absent,
      })
    }),
    ...errorScenarios([
      [
        'properties of another event type are rejected',
        '8.3, 2.2.7',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), outOfOfficeProperties: {} } }),
        { status: 400, message: 'outOfOfficeProperties requires an event type of outOfOffice, and vice versa.' },
      ],
      [
        'a focus time on a secondary calendar is rejected',
        '8.11',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), ...FOCUS } }),
        { status: 400 },
      ],
      [
        'an insert of the type fromGmail is rejected',
        '8.9, 8.1',
        'POST',
        '',
        (kit) => ({ body: { ...kit.hour(9), eventType: 'fromGmail' } }),
        { status: 400 },
      ],
    ]),
  ],
}
