import { expect, test } from 'vitest'
import {
  AS_GUEST,
  allDay,
  calendarId,
  createCalendar,
  createEvent,
  createMeeting,
  day,
  guestTest,
  hour,
  instant,
  patch,
  post,
  secondCalendarId,
  thisWeek,
  useCalendar,
} from './calendar.ts'
import { absent, exactKeys, expectError, expectOk, expectStatus } from './expect.ts'

useCalendar()

test('10.13 a busy time of freeBusy has only start and end', async () => {
  const id = calendarId()
  await createEvent({ summary: 'Secret' })
  const answer = await post('/freeBusy', { ...thisWeek(), items: [{ id }] })
  await expectOk(answer, { calendars: { [id]: { busy: [exactKeys('start', 'end')] } } })
})

test('10.2, 10.9, 10.11, 10.12 busy times are opaque events, merged, in order and in UTC', async () => {
  const id = calendarId()
  const events = `/calendars/${id}/events`
  for (const body of [hour(12), hour(9), hour(10), { ...hour(15), transparency: 'transparent' }])
    await expectOk(post(events, body))
  const answer = await post('/freeBusy', { ...thisWeek(), items: [{ id }] })
  await expectOk(answer, exactKeys('kind', 'timeMin', 'timeMax', 'calendars'))
  await expectOk(answer, {
    kind: 'calendar#freeBusy',
    calendars: {
      [id]: {
        errors: absent,
        busy: [
          { start: instant(9), end: instant(11) },
          { start: instant(12), end: instant(13) },
        ],
      },
    },
  })
})

test('10.3, 10.11 freeBusy returns its bounds in UTC with milliseconds, and clips busy times to them', async () => {
  const id = calendarId()
  await createEvent({ start: { dateTime: instant(8) }, end: { dateTime: instant(12) } })
  const bounds = { timeMin: `${day()}T10:30:00+01:00`, timeMax: `${day()}T12:00:00+01:00` }
  const answer = await post('/freeBusy', { ...bounds, items: [{ id }] })
  await expectOk(answer, {
    timeMin: `${day()}T09:30:00.000Z`,
    timeMax: `${day()}T11:00:00.000Z`,
    calendars: { [id]: { busy: [{ start: `${day()}T09:30:00Z`, end: instant(11) }] } },
  })
})

test('10.10 an all-day event is busy from midnight to midnight of the calendar', async () => {
  const id = await createCalendar({ timeZone: 'Asia/Kolkata' })
  await expectOk(post(`/calendars/${id}/events`, { ...allDay(1), transparency: 'opaque' }))
  const busy = [{ start: `${day(0)}T18:30:00Z`, end: `${day(1)}T18:30:00Z` }]
  await expectOk(post('/freeBusy', { ...thisWeek(), items: [{ id }] }), { calendars: { [id]: { busy } } })
})

test('10.6, 2.8 freeBusy of a calendar that does not exist is 200 with an error for it', async () => {
  const id = 'fake-calendar-nobody@group.calendar.google.com'
  const notFound = { errors: [{ domain: 'global', reason: 'notFound' }], busy: [] }
  await expectOk(post('/freeBusy', { ...thisWeek(), items: [{ id }] }), { calendars: { [id]: notFound } })
})

test('10.5 freeBusy of primary returns the key primary', async () => {
  const answer = await post('/freeBusy', { ...thisWeek(), items: [{ id: 'primary' }] })
  await expectOk(answer, { calendars: { primary: { errors: absent } } })
  expect(answer.headers.get('ETag')).toBeNull()
})

test('10.2, 1.25 freeBusy without items returns no calendars', async () => {
  await expectStatus(post('/freeBusy', { ...thisWeek(), items: [] }), 200, { calendars: exactKeys() })
})

test('10.12, 10.1 busy times are in the requested zone', async () => {
  const id = calendarId()
  await createEvent()
  const answer = await post('/freeBusy', { ...thisWeek(), timeZone: 'Asia/Kolkata', items: [{ id }] })
  const busy = [{ start: `${day()}T14:30:00+05:30`, end: `${day()}T15:30:00+05:30` }]
  await expectOk(answer, { calendars: { [id]: { busy } } })
})

test('10.4, 2.2.5 freeBusy without timeMin is rejected', () =>
  expectError(post('/freeBusy', { timeMax: instant(9), items: [] }), 400, {
    reason: 'required',
    message: 'Missing timeMin parameter.',
  }))

test('10.4, 2.2.5 freeBusy without timeMax is rejected', () =>
  expectError(post('/freeBusy', { timeMin: instant(9), items: [] }), 400, {
    reason: 'required',
    message: 'Missing timeMax parameter.',
  }))

test('10.4, 2.2.5 freeBusy with an end before its start is rejected', () =>
  expectError(post('/freeBusy', { timeMin: instant(9), timeMax: instant(9), items: [] }), 400, {
    domain: 'calendar',
    reason: 'timeRangeEmpty',
    location: 'timeMax',
    message: 'The specified time range is empty.',
  }))

test('10.4, 12.11 freeBusy of more than about three months is rejected', () =>
  expectError(post('/freeBusy', { timeMin: instant(9), timeMax: instant(9, 200), items: [] }), 400, {
    domain: 'calendar',
    reason: 'timeRangeTooLong',
    message: 'The requested time range is too long.',
  }))

test('10.8, 10.1 calendarExpansionMax above 50 is rejected', () =>
  expectError(post('/freeBusy', { ...thisWeek(), calendarExpansionMax: 51, items: [] }), 400))

test('10.9, 10.11 overlapping events are one busy time, also tentative ones', async () => {
  const id = calendarId()
  const half = { dateTime: `${day()}T09:30:00Z`, timeZone: 'UTC' }
  await expectOk(post('events', hour(9)))
  await expectOk(post('events', { start: half, end: hour(10).end }))
  await expectOk(post('events', { ...hour(13), status: 'tentative' }))
  const busy = [
    { start: instant(9), end: instant(11) },
    { start: instant(13), end: instant(14) },
  ]
  await expectOk(post('/freeBusy', { ...thisWeek(), items: [{ id }] }), { calendars: { [id]: { busy } } })
})

test('10.6, 10.8 calendars above calendarExpansionMax have the error tooManyCalendarsRequested', async () => {
  const [one, two] = [calendarId(), await secondCalendarId()]
  const errors = [{ domain: 'global', reason: 'tooManyCalendarsRequested' }]
  await expectOk(post('/freeBusy', { ...thisWeek(), calendarExpansionMax: 1, items: [{ id: one }, { id: two }] }), {
    calendars: { [one]: { errors: absent }, [two]: { errors } },
  })
})

test('10.1, 11.18 null for a limit of freeBusy is ignored', async () => {
  const body = { ...thisWeek(), groupExpansionMax: null, calendarExpansionMax: null, items: [] }
  await expectOk(post('/freeBusy', body), { kind: 'calendar#freeBusy' })
})

test('10.8 groupExpansionMax above 100 is rejected', async () => {
  const body = { ...thisWeek(), items: [] }
  await expectOk(post('/freeBusy', { ...body, groupExpansionMax: 100 }))
  await expectError(post('/freeBusy', { ...body, groupExpansionMax: 101 }), 400)
})

guestTest('10.9 a guest who declined is not busy', async () => {
  const { email, theirs } = await createMeeting()
  const items = [{ id: email }]
  const busy = { busy: [{ start: instant(9), end: instant(10) }] }
  await expectOk(post('/freeBusy', { ...thisWeek(), items }, AS_GUEST), { calendars: { [email]: busy } })
  await expectOk(patch(theirs, { attendees: [{ email, responseStatus: 'declined' }] }, AS_GUEST))
  await expectOk(post('/freeBusy', { ...thisWeek(), items }, AS_GUEST), { calendars: { [email]: { busy: [] } } })
})
