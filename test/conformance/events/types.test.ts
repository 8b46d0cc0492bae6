import { expect, test } from 'vitest'
import {
  allDay,
  createEvent,
  get,
  hour,
  listAll,
  ownerEmail,
  patch,
  post,
  QUIET,
  removeLater,
  thisWeek,
  useCalendar,
} from '../calendar.ts'
import { type Answer, absent, contains, expectError, expectOk } from '../expect.ts'

const OUT = { eventType: 'outOfOffice', outOfOfficeProperties: { autoDeclineMode: 'declineNone' } }
const FOCUS = { eventType: 'focusTime', focusTimeProperties: { autoDeclineMode: 'declineNone' } }
const HOME = {
  ...{ eventType: 'workingLocation', visibility: 'public', transparency: 'transparent' },
  workingLocationProperties: { type: 'homeOffice', homeOffice: {} },
}
const OFFICE = { workingLocationProperties: { type: 'officeLocation', officeLocation: { label: 'A', floorId: '2' } } }
const BIRTHDAY = {
  ...{ eventType: 'birthday', start: { date: '2031-01-06' }, end: { date: '2031-01-07' } },
  ...{ visibility: 'private', transparency: 'transparent', recurrence: ['RRULE:FREQ=YEARLY'] },
}

/** Creates an event on the primary calendar, because these types exist only there. It is removed after the test. */
async function createOnPrimary(body: object): Promise<Answer> {
  const answer = await post('/calendars/primary/events', body)
  if (answer.status === 200) removeLater(`/calendars/primary/events/${answer.body.id}`)
  return answer
}

const requireOnPrimary = (body: object) => expectOk(createOnPrimary(body))

useCalendar()

test('3.2.10, 8.5 a timed out-of-office event without reminders has those of the calendar', async () => {
  const { reminders } = await requireOnPrimary({ ...hour(9), ...OUT })
  expect(reminders).toEqual({ useDefault: true })
})

test('8.1, 8.4, 8.12 focus time is stored with its properties', async () => {
  const { id } = await requireOnPrimary({ ...hour(9), ...FOCUS })
  const answer = await get(`/calendars/primary/events/${id}`)
  await expectOk(answer, { ...FOCUS, summary: 'Focus time' })
})

test('8.6, 8.12 a working location at home has an empty object', async () => {
  const { id } = await requireOnPrimary({ ...allDay(), ...HOME })
  const answer = await get(`/calendars/primary/events/${id}`)
  await expectOk(answer, { ...HOME, summary: 'Home', reminders: { useDefault: false } })
})

test('8.6, 2.2.7 an all-day working location is one day long', async () => {
  await requireOnPrimary({ ...allDay(3), ...HOME })
  await expectError(createOnPrimary({ ...allDay(0, 2), ...HOME }), 400, {
    domain: 'calendar',
    reason: 'malformedWorkingLocationEvent',
    message: 'An all-day working location event must be exactly one day long.',
  })
})

test('8.5 an out-of-office event cannot be all-day', async () => {
  await requireOnPrimary({ ...hour(9, 3), ...OUT })
  const { status } = await createOnPrimary({ ...allDay(), ...OUT })
  expect(status).toBe(400)
})

test('8.2, 8.2.1 the type of an event cannot be changed', async () => {
  const { id } = await requireOnPrimary({ ...hour(9), ...FOCUS })
  const { status } = await patch(`/calendars/primary/events/${id}`, { eventType: 'default' })
  expect(status).toBe(400)
})

test('8.14, 1.18 eventTypes lists only events of that type', async () => {
  const { id } = await requireOnPrimary({ ...hour(9), ...FOCUS })
  const { items } = await listAll('/calendars/primary/events', { ...thisWeek(), eventTypes: 'focusTime' })
  expect(items.length).toBe(1)
  expect(items[0]?.id).toBe(id)
})

test('8.7, 8.1 a birthday is private, all-day and yearly', async () => {
  const body = { ...allDay(), eventType: 'birthday', visibility: 'private', transparency: 'transparent', summary: 'A' }
  const { id } = await requireOnPrimary({ ...body, recurrence: ['RRULE:FREQ=YEARLY'] })
  const answer = await get(`/calendars/primary/events/${id}`)
  await expectOk(answer, { ...body, birthdayProperties: { type: 'birthday' }, recurrence: ['RRULE:FREQ=YEARLY'] })
})

test('8.7.1 a birthday cannot have private extended properties', async () => {
  const body = { ...allDay(), eventType: 'birthday', visibility: 'private', transparency: 'transparent' }
  const { id } = await requireOnPrimary({ ...body, summary: 'B', recurrence: ['RRULE:FREQ=YEARLY'] })
  const extendedProperties = { private: { source: 'sync' } }
  await expectError(patch(`/calendars/primary/events/${id}`, { extendedProperties }), 400, {
    message: "'birthday' event type must not have private extended properties.",
  })
})

test('8.10, 8.7, 8.8 a change that a type does not allow is eventTypeRestriction', async () => {
  const body = { ...allDay(), eventType: 'birthday', visibility: 'private', transparency: 'transparent', summary: 'A' }
  const { id } = await requireOnPrimary({ ...body, recurrence: ['RRULE:FREQ=YEARLY'] })
  await expectError(patch(`/calendars/primary/events/${id}`, { location: 'Here' }), 400, {
    domain: 'calendar',
    reason: 'eventTypeRestriction',
    message: "Attempt made to modify 'birthday' event in a way that is not valid for this event type.",
  })
})

test('8.13, 8.5 an out-of-office event declines conflicting invitations with its message', async () => {
  const email = ownerEmail()
  const outOfOfficeProperties = { autoDeclineMode: 'declineAllConflictingInvitations', declineMessage: 'Away' }
  await requireOnPrimary({ ...hour(9), eventType: 'outOfOffice', outOfOfficeProperties })
  const { id } = await createEvent({ attendees: [{ email }] }, QUIET)
  const path = `events/${id}`
  removeLater(path, QUIET)
  await expectOk(get(path), { attendees: [{ email, responseStatus: 'declined', comment: 'Away' }] })
})

test('13.11, 3.7 a primary calendar has the zone of its account’s setting', async () => {
  const { value } = await expectOk(get('/users/me/settings/timezone'))
  await expectOk(get('/calendars/primary'), { timeZone: value })
})

test('3.2.8, 3.2.10 an event of the caller’s primary calendar is organized by the caller, and has default reminders', async () => {
  const email = ownerEmail()
  const event = await createOnPrimary({ ...hour(9), summary: 'Mine' })
  await expectOk(event, {
    creator: { email, self: true },
    organizer: { email, self: true },
    reminders: { useDefault: true },
  })
  await expectOk(get('/calendars/primary/events', thisWeek()), { items: contains({ id: event.body.id }) })
})

test('8.1, 3.2.13 an event without a type has the type default', async () => {
  await expectOk(post('events', hour(9)), { eventType: 'default', focusTimeProperties: absent })
})

test.each<[title: string, body: object, reason?: string]>([
  [
    '8.5 an out-of-office event cannot have guests',
    { ...OUT, attendees: [{ email: 'zoe@example.com' }] },
    'malformedOutOfOfficeEvent',
  ],
  [
    '8.5 an out-of-office event cannot have a description',
    { ...OUT, description: 'Away' },
    'malformedOutOfOfficeEvent',
  ],
  ['8.5 an out-of-office event cannot be transparent', { ...OUT, transparency: 'transparent' }],
  ['8.5 an out-of-office event needs its properties', { eventType: 'outOfOffice' }],
  [
    '8.4 a focus time cannot be all-day',
    { ...FOCUS, start: BIRTHDAY.start, end: BIRTHDAY.end },
    'malformedFocusTimeEvent',
  ],
  ['8.4 a focus time cannot be transparent', { ...FOCUS, transparency: 'transparent' }, 'malformedFocusTimeEvent'],
  ['8.6 a working location cannot be opaque', { eventType: 'workingLocation', ...OFFICE, visibility: 'public' }],
  [
    '8.6 a working location needs a visibility',
    { eventType: 'workingLocation', ...OFFICE, transparency: 'transparent' },
  ],
  ['8.7 a birthday cannot be timed', { eventType: 'birthday', visibility: 'private', transparency: 'transparent' }],
  ['8.7 a birthday cannot have a location', { ...BIRTHDAY, location: 'Here' }],
  ['8.7 a birthday cannot have guests', { ...BIRTHDAY, attendees: [{ email: 'zoe@example.com' }] }],
  ['8.7 a birthday cannot be opaque', { ...BIRTHDAY, transparency: 'opaque' }],
  ['8.9 an event of the type fromGmail cannot be inserted', { eventType: 'fromGmail' }],
])('%s', async (_, body, reason = '') =>
  expectError(createOnPrimary({ ...hour(9), ...body }), 400, reason ? { reason } : {}),
)

test.each<[title: string, body: object, error: object]>([
  [
    '8.3, 2.2.7 properties of another event type are rejected',
    { outOfOfficeProperties: {} },
    { message: 'outOfOfficeProperties requires an event type of outOfOffice, and vice versa.' },
  ],
  ['8.11 a focus time on a secondary calendar is rejected', { ...FOCUS }, {}],
  ['8.9, 8.1 an insert of the type fromGmail is rejected', { eventType: 'fromGmail' }, {}],
  [
    '8.3 focusTimeProperties of an event of the type default are rejected',
    { focusTimeProperties: {} },
    { message: 'focusTimeProperties requires an event type of focusTime, and vice versa.' },
  ],
  [
    '8.3 workingLocationProperties of an event of the type default are rejected',
    { workingLocationProperties: {} },
    { message: 'workingLocationProperties requires an event type of workingLocation, and vice versa.' },
  ],
])('%s', (_, body, error) => expectError(post('events', { ...hour(9), ...body }), 400, error))
