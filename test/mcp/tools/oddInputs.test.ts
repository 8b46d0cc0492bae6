import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../../src/index.ts'
import { callerOf, createCompany, NORA, OWEN, restOf } from '../../support/mcp.ts'

/** Opens the demo company, where it is 3:00 in New York on Monday 4 March 2030. */
function openCompany() {
  const fake = createCompany()
  return { fake, call: callerOf(fake), rest: restOf(fake) }
}
const HOURS = { startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' }
const DAY = { startTime: '2030-03-08', endTime: '2030-03-09' }
const LUNCH = { summary: 'Lunch', ...HOURS }

test.each([
  ['WORKING_LOCATION', { ...DAY, allDay: true }, { visibility: 'public', transparency: 'transparent', workingLocationProperties: { type: 'HOME_OFFICE' } }],
  ['WORKING_LOCATION', { ...HOURS, workingLocationProperties: { type: 'CUSTOM_LOCATION', customLocationLabel: 'Pier' } }, { workingLocationProperties: { type: 'CUSTOM_LOCATION', customLocationLabel: 'Pier' } }],
  ['BIRTHDAY', DAY, { visibility: 'private', transparency: 'transparent', recurrence: ['RRULE:FREQ=YEARLY'] }],
  ['BIRTHDAY', { startTime: '2032-02-29', endTime: '2032-03-01', allDay: true }, { recurrence: ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1'] }],
  ['OUT_OF_OFFICE', HOURS, { eventType: 'OUT_OF_OFFICE' }],
  ['FOCUS_TIME', HOURS, { eventType: 'FOCUS_TIME' }],
  ['EVENT_TYPE_UNSPECIFIED', HOURS, { eventType: 'DEFAULT' }],
])('17.7.5 create_event fills what %s needs, with %j', async (eventType, args, event) => {
  expect(await openCompany().call('create_event', { summary: 'x', eventType, ...args })).toMatchObject(event)
}) // biome-ignore format: a table

test('17.7.5 what is given for a type is kept, and refused by REST where the type forbids it', async () => {
  const args = { summary: 'x', ...DAY, allDay: true, eventType: 'WORKING_LOCATION', visibility: 'private' }
  await expect(openCompany().call('create_event', args)).rejects.toThrow('public visibility')
})

test('17.4 all tools reply in the zone of the user, or of the argument', async () => {
  const { fake, call, rest } = openCompany()
  const { id: calendarId } = await rest('POST', '/calendars', { summary: 'Tokyo', timeZone: 'Asia/Tokyo' })
  const { id: eventId, start } = await call('create_event', { ...LUNCH, calendarId })
  const own = { dateTime: '2030-03-08T12:30:00-05:00', timeZone: 'America/New_York' }
  const window = { startTime: '2030-03-08T00:00:00', endTime: '2030-03-09T00:00:00' }

  expect(start).toEqual(own)
  expect((await call('get_event', { calendarId, eventId })).start).toEqual(own)
  expect((await call('update_event', { calendarId, eventId, summary: 'x' })).start).toEqual(own)
  expect((await call('list_events', { calendarId, ...window })).events[0].start).toEqual(own)
  const guests = { calendarId, eventId, addedAttendeeEmails: [NORA] }
  expect((await call('update_event', { ...guests, timeZone: 'Asia/Tokyo' })).start).toEqual({
    ...{ dateTime: '2030-03-09T02:30:00+09:00', timeZone: 'Asia/Tokyo' },
  })
  const listed = await call('list_events', { calendarId, ...window, timeZone: 'Europe/Berlin' })
  expect(listed.events).toMatchObject([{ start: { dateTime: '2030-03-08T18:30:00+01:00' } }])
  expect((await call('respond_to_event', { calendarId, eventId, responseStatus: 'accepted' })).start.dateTime).toBe(own.dateTime)
  expect((await call('delete_event', { calendarId, eventId })).start.dateTime).toBe(own.dateTime)
  await fake.close()
}) // biome-ignore format: lines of a kind

test.each([
  ['+05:30', undefined],
  ['+05:45', undefined],
  ['-03:30', undefined],
  ['+13:00', 'Etc/GMT-13'],
  ['-05:00', 'Etc/GMT+5'],
  ['+00:00', 'UTC'],
  ['Z', 'UTC'],
])('17.11 the working hours are in the zone of the offset %s of startTime', async (offset, timeZone) => {
  const call = callerOf(createFakeCalendar({ now: '2030-03-04T08:00:00Z' }), 'a@example.com')
  const window = { startTime: `2030-04-06T00:00:00${offset}`, endTime: `2030-04-07T00:00:00${offset}` }
  const { timeSlots } = await call('suggest_time', { attendeeEmails: ['primary'], ...window })

  expect(timeSlots[0].start).toEqual({
    dateTime: `2030-04-06T09:00:00${offset.replace('Z', '+00:00')}`,
    ...(timeZone && { timeZone }),
  })
})

test.each([
  [['primary', 'stranger@example.org'], 'cannot be read: stranger@example.org (notFound)'],
  [['owen'], 'cannot be read: owen (notFound)'],
  [Array.from({ length: 51 }, (_, at) => `guest${at}@example.org`), 'guest4@example.org (notFound) and 46 more'],
  [[NORA, OWEN, ...Array.from({ length: 49 }, (_, at) => `guest${at}@example.org`)], '(notFound)'],
])('17.11 guests whose calendars cannot be read are an error that names them: %j', async (attendeeEmails, text) => {
  await expect(openCompany().call('suggest_time', { attendeeEmails, ...HOURS })).rejects.toThrow(text)
})

test('17.11 no period is in the past', async () => {
  const { call } = openCompany()
  const today = { startTime: '2030-03-04T00:00:00-05:00', endTime: '2030-03-05T00:00:00-05:00', preferences: { startHour: '00:00' } }
  const { timeSlots } = await call('suggest_time', { attendeeEmails: ['primary'], ...today })

  expect(timeSlots[0].startTime).toBe('2030-03-04T03:00:00-05:00')
  const past = { startTime: '2030-03-01T00:00:00', endTime: '2030-03-03T00:00:00' }
  expect(await call('suggest_time', { attendeeEmails: ['primary'], ...past })).toEqual({})
}) // biome-ignore format: lines of a kind

test.each([
  ['🎉', ['Party 🎉']],
  ['!!!', ['Deploy!!!']],
  ['deploy !!!', ['Deploy!!!']],
  ['party !!!', []],
  ['🎂', []],
  ['…', []],
  ['PARTY', ['Party 🎉']],
])('1.17 the text %j finds what has it, by fullText and by q', async (text, found) => {
  const { call, rest } = openCompany()
  for (const summary of ['Party 🎉', 'Deploy!!!']) await call('create_event', { ...LUNCH, summary })
  const window = { startTime: '2030-03-08T00:00:00', endTime: '2030-03-09T00:00:00' }
  const { events = [] } = await call('list_events', { ...window, fullText: text })
  const { items } = await rest('GET', `/calendars/primary/events?timeMin=2030-03-08T00:00:00Z&q=${encodeURIComponent(text)}`)
  const titlesOf = (all: { summary: string }[]) => all.map(({ summary }) => summary)

  expect(titlesOf(events)).toEqual(found)
  expect(titlesOf(items)).toEqual(found)
}) // biome-ignore format: lines of a kind

const MEET = /^https:\/\/meet\.google\.com\/[a-z]{3}-[a-z]{4}-[a-z]{3}$/

test('17.7.5 addGoogleMeetUrl returns the link at once, and keeps the one that an event has', async () => {
  const { call } = openCompany()
  const created = await call('create_event', { ...LUNCH, addGoogleMeetUrl: true })
  const { id } = await call('create_event', LUNCH)
  const added = await call('update_event', { eventId: id, addGoogleMeetUrl: true })
  const again = await call('update_event', { eventId: id, addGoogleMeetUrl: true })

  expect(created.conferenceUrl).toMatch(MEET)
  expect(added.conferenceUrl).toMatch(MEET)
  expect(again.conferenceUrl).toBe(added.conferenceUrl)
})

test('17.7.5 a policy that delays conferences delays those of tools', async () => {
  const call = callerOf(createCompany({ conferences: 'manual' }))
  expect(await call('create_event', { ...LUNCH, addGoogleMeetUrl: true })).not.toHaveProperty('conferenceUrl')
})

test.each([
  'abc-defg-hij',
  'https://meet.google.com/abc-defg-hij',
  'meet.google.com/abc-defg-hij?authuser=1',
  ' ABC-DEFG-HIJ ',
])('17.7.5 googleMeetUrl takes %j, of a new event and in place of another conference', async (googleMeetUrl) => {
  const { call } = openCompany()
  const conferenceUrl = 'https://meet.google.com/abc-defg-hij'
  const created = await call('create_event', { ...LUNCH, googleMeetUrl, addGoogleMeetUrl: true })
  const { id } = await call('create_event', { ...LUNCH, addGoogleMeetUrl: true })

  expect(created).toMatchObject({ conferenceUrl })
  expect(await call('update_event', { eventId: id, googleMeetUrl })).toMatchObject({ conferenceUrl })
})

test.each(['https://zoom.us/j/1', 'abc-defg', 'https://meet.google.com.example.org/abc-defg-hij', 'x'])(
  '17.7.5 googleMeetUrl refuses %j by its own name',
  async (googleMeetUrl) => {
    const message = `Invalid value at 'googleMeetUrl' (TYPE_STRING), "${googleMeetUrl}"`
    await expect(openCompany().call('create_event', { ...LUNCH, googleMeetUrl })).rejects.toThrow(message)
  },
)

test('17.7.4 timeZone alone changes the zone of an event, and of a series from then on', async () => {
  const { call, rest } = openCompany()
  const { id: eventId } = await call('create_event', { ...LUNCH, recurrenceData: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
  await call('update_event', { eventId, timeZone: 'Europe/Berlin' })
  const { items } = await rest('GET', `/calendars/primary/events/${eventId}/instances`)

  expect(items.map(({ start }: { start: object }) => start)).toMatchObject([
    { dateTime: '2030-03-08T12:30:00-05:00', timeZone: 'Europe/Berlin' },
    { dateTime: '2030-03-15T13:30:00-04:00' },
    { dateTime: '2030-03-22T13:30:00-04:00' },
  ])
  const day = await call('create_event', { summary: 'Off', ...DAY, allDay: true })
  await expect(call('update_event', { eventId: day.id, timeZone: 'Europe/Berlin' })).rejects.toThrow('has no time zone')
})

test.each([
  [{ startTime: '2030-03-10T15:00:00' }, 'lasts whole days'],
  [{ endTime: '2030-03-10T15:00:00-05:00' }, 'lasts whole days'],
  [{ startTime: '2030-03-10' }, { start: { date: '2030-03-10T00:00:00Z' }, end: { date: '2030-03-11T00:00:00Z' } }],
  [{ startTime: '2030-03-10T00:00:00Z' }, { start: { date: '2030-03-10T00:00:00Z' } }],
  [{ allDay: false, ...HOURS }, { start: { dateTime: '2030-03-08T12:30:00-05:00' } }],
])('17.7.4 an event of whole days with %j is never changed in silence', async (args, expected) => {
  const { call } = openCompany()
  const { id: eventId } = await call('create_event', { summary: 'Off', ...DAY, allDay: true })
  const updated = call('update_event', { eventId, ...args })

  if (typeof expected === 'string') await expect(updated).rejects.toThrow(expected)
  else expect(await updated).toMatchObject(expected)
})

test.each([
  ['2030-03-10T02:30:00', '2030-03-10T03:00:00', 30],
  ['2030-03-10T02:30:00', '2030-03-10T03:30:00', 60],
  ['2030-03-10T02:30:00', '2030-03-10T02:45:00', 15],
  ['2030-03-10T01:30:00', '2030-03-10T02:30:00', 60],
  ['2030-11-03T00:30:00', '2030-11-03T01:00:00', 30],
])('17.7.4 an event from %s to %s, near a clock change, is %i minutes long', async (startTime, endTime, minutes) => {
  const { call } = openCompany()
  const lengthOf = ({ start, end }: Record<string, { dateTime: string }>) =>
    (Date.parse(end?.dateTime ?? '') - Date.parse(start?.dateTime ?? '')) / 60_000
  const { id: eventId } = await call('create_event', LUNCH)

  expect(lengthOf(await call('create_event', { summary: 'x', startTime, endTime }))).toBe(minutes)
  expect(lengthOf(await call('update_event', { eventId, startTime, endTime }))).toBe(minutes)
})

test.each([
  [[{ email: OWEN, optionalAttendee: true }], true],
  [[{ email: OWEN.toUpperCase(), optionalAttendee: true }, { email: OWEN }], true],
  [
    [
      { email: OWEN, optionalAttendee: true },
      { email: OWEN, optionalAttendee: false },
    ],
    undefined,
  ],
])('17.7.2 the guests %j are one guest, in any case', async (addedAttendees, optionalAttendee) => {
  const { call } = openCompany()
  const { id: eventId } = await call('create_event', LUNCH)
  const isOptional = ({ attendees }: { attendees: { email: string }[] }) =>
    attendees.filter(({ email }) => email.toLowerCase() === OWEN).map((one) => Object(one).optionalAttendee)
  const added = await call('update_event', { eventId, addedAttendees })
  await call('update_event', { eventId, addedAttendees: [{ email: OWEN, optionalAttendee: false }] })

  expect(isOptional(added)).toEqual([optionalAttendee])
  expect(isOptional(await call('get_event', { eventId }))).toEqual([undefined])
  expect(isOptional(await call('update_event', { eventId, addedAttendees }))).toEqual([optionalAttendee])
})

test.each(['sms', 'pigeon', '', undefined])('17.7.3 a reminder by %j is refused', async (method) => {
  const overrideReminders = [{ method: 'popup', minutes: 5 }, { method, minutes: 5 }]
  const message = `Invalid value at 'overrideReminders[1].method' (TYPE_STRING), "${method ?? ''}"`
  await expect(openCompany().call('create_event', { ...LUNCH, overrideReminders })).rejects.toThrow(message)
}) // biome-ignore format: lines of a kind

test('17.7.3 a reminder at the start is shown', async () => {
  const overrideReminders = [{ method: 'popup', minutes: 0 }]
  expect(await openCompany().call('create_event', { ...LUNCH, overrideReminders })).toMatchObject({ overrideReminders })
})

test('17.7.5 a deleted event, and a deleted instance, is not found by update_event and respond_to_event', async () => {
  const { call } = openCompany()
  const { id: eventId } = await call('create_event', { ...LUNCH, attendeeEmails: [OWEN] })
  await call('delete_event', { eventId })

  for (const [tool, args] of [['update_event', { summary: 'x' }], ['respond_to_event', { responseStatus: 'declined' }]] as const)
    await expect(call(tool, { eventId, ...args })).rejects.toThrow('Requested entity was not found.')
  expect(await call('get_event', { eventId })).toMatchObject({ status: 'cancelled', summary: 'Lunch' })
}) // biome-ignore format: lines of a kind

test.each(['startTimeDesc', 'lastModified', 'default', undefined])('17.5 a page token with another order than startTime, %s, is refused', async (orderBy) => {
  const { call } = openCompany()
  const { nextPageToken: pageToken } = await call('list_events', { pageSize: 1, orderBy: 'startTime' })

  expect((await call('list_events', { pageSize: 1, orderBy: 'startTime', pageToken })).events).toHaveLength(1)
  await expect(call('list_events', { pageSize: 1, pageToken, orderBy })).rejects.toThrow('Invalid page token value.')
}) // biome-ignore format: lines of a kind
