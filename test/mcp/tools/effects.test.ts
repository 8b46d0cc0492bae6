import { expect, test } from 'vitest'
import type { FakeWorld, Snapshot } from '../../../src/index.ts'
import { callerOf, createCompany, NORA, OWEN, restOf } from '../../support/mcp.ts'

type Rest = ReturnType<typeof restOf>
type Pair = { tool: string; title: string; args: object; rest: (rest: Rest) => Promise<unknown> }

const events = '/calendars/primary/events'
const noraAttends = { email: NORA, responseStatus: 'accepted' }
const instanceOf = async (world: FakeWorld) => {
  const path = `${events}?singleEvents=true&orderBy=startTime&q=Owen&timeMin=2030-03-04T08:00:00Z`
  const { items } = await restOf(world)('GET', path)
  return items.find((event: { recurringEventId?: string; summary?: string }) => event.summary === 'Nora / Owen')
}

/** Each call of a tool, and the requests of REST that the book names for it. */
const PAIRS: Pair[] = [
  {
    ...{ tool: 'create_event', title: '17.7.1 notifies all guests, and 17.7.2 adds the caller' },
    args: {
      ...{ summary: 'Lunch', startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' },
      ...{ attendees: [{ email: OWEN, optionalAttendee: true }], location: 'Bryant Park', colorId: '3' },
      ...{ availability: 'AVAILABILITY_FREE', visibility: 'private', guestPermissions: { guestsCanModify: true } },
    },
    rest: (rest) =>
      rest('POST', `${events}?sendUpdates=all`, {
        ...{ summary: 'Lunch', location: 'Bryant Park', colorId: '3', transparency: 'transparent' },
        ...{ visibility: 'private', guestsCanModify: true },
        start: { dateTime: '2030-03-08T12:30:00', timeZone: 'America/New_York' },
        end: { dateTime: '2030-03-08T13:30:00', timeZone: 'America/New_York' },
        attendees: [{ email: OWEN, optional: true }, noraAttends],
      }),
  },
  {
    ...{ tool: 'create_event', title: '17.7.4 reads a time with an offset in the zone that is named' },
    args: {
      ...{
        summary: 'Call',
        startTime: '2030-03-08T12:30:00Z',
        endTime: '2030-03-08T13:30:00Z',
        timeZone: 'Asia/Tokyo',
      },
      ...{ notificationLevel: 'NONE', recurrenceData: ['RRULE:FREQ=DAILY;COUNT=3'], useDefaultReminders: false },
    },
    rest: (rest) =>
      rest('POST', events, {
        summary: 'Call',
        start: { dateTime: '2030-03-08T12:30:00', timeZone: 'Asia/Tokyo' },
        end: { dateTime: '2030-03-08T13:30:00', timeZone: 'Asia/Tokyo' },
        recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
        reminders: { useDefault: false, overrides: [] },
      }),
  },
  {
    ...{ tool: 'create_event', title: '17.7.5 creates days and places of work' },
    args: {
      ...{ summary: 'Home', startTime: '2030-03-08T00:00:00', endTime: '2030-03-09T00:00:00', allDay: true },
      ...{ eventType: 'WORKING_LOCATION', workingLocationProperties: { type: 'HOME_OFFICE' } },
      ...{ visibility: 'public', availability: 'AVAILABILITY_FREE' },
    },
    rest: (rest) =>
      rest('POST', `${events}?sendUpdates=all`, {
        ...{ summary: 'Home', start: { date: '2030-03-08' }, end: { date: '2030-03-09' } },
        ...{ eventType: 'workingLocation', visibility: 'public', transparency: 'transparent' },
        workingLocationProperties: { type: 'homeOffice', homeOffice: {} },
      }),
  },
  {
    ...{ tool: 'create_event', title: '17.7.5 creates focus time' },
    args: {
      summary: 'Focus',
      startTime: '2030-03-08T12:30:00',
      endTime: '2030-03-08T13:30:00',
      eventType: 'FOCUS_TIME',
    },
    rest: (rest) =>
      rest('POST', `${events}?sendUpdates=all`, {
        ...{ summary: 'Focus', eventType: 'focusTime', focusTimeProperties: {} },
        start: { dateTime: '2030-03-08T12:30:00', timeZone: 'America/New_York' },
        end: { dateTime: '2030-03-08T13:30:00', timeZone: 'America/New_York' },
      }),
  },
  {
    ...{ tool: 'update_event', title: '17.7.3 keeps the reminders without new ones' },
    args: { overrideReminders: [], location: 'Bryant Park', notificationLevel: 'NONE' },
    rest: async (rest) =>
      rest('PATCH', `${events}/${(await instanceOf(current)).id}?sendUpdates=none`, { location: 'Bryant Park' }),
  },
  {
    ...{ tool: 'update_event', title: '17.7.4 keeps the duration of an instance that is moved' },
    args: { startTime: '2030-03-07T16:00:00', notificationLevel: 'EXTERNAL_ONLY', summary: 'Later' },
    rest: async (rest) => {
      const instance = await instanceOf(current)
      const length = Date.parse(instance.end.dateTime) - Date.parse(instance.start.dateTime)
      const start = Date.parse('2030-03-07T21:00:00Z')
      return rest('PATCH', `${events}/${instance.id}?sendUpdates=externalOnly`, {
        summary: 'Later',
        start: { dateTime: new Date(start).toISOString() },
        end: { dateTime: new Date(start + length).toISOString() },
      })
    },
  },
  {
    ...{ tool: 'update_event', title: '17.7.3 replaces the reminders, and changes the guests' },
    args: {
      overrideReminders: [{ method: 'popup', minutes: 5 }],
      ...{ addedAttendees: [{ email: 'guest@example.org' }], removedAttendeeEmails: [OWEN] },
    },
    rest: async (rest) => {
      const { id, attendees } = await instanceOf(current)
      return rest('PATCH', `${events}/${id}?sendUpdates=all`, {
        reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
        attendees: [
          ...attendees.filter(({ email }: { email: string }) => email !== OWEN),
          { email: 'guest@example.org' },
        ],
      })
    },
  },
  {
    ...{ tool: 'update_event', title: '17.7.4 makes an event last days' },
    args: { allDay: true, startTime: '2030-03-07', endTime: '2030-03-08' },
    rest: async (rest) => {
      const { id } = await instanceOf(current)
      return rest('PATCH', `${events}/${id}?sendUpdates=all`, {
        start: { date: '2030-03-07', dateTime: null },
        end: { date: '2030-03-08', dateTime: null },
      })
    },
  },
  {
    ...{ tool: 'respond_to_event', title: '17.7.2 sets the answer of the caller' },
    args: { responseStatus: 'declined', responseComment: 'I am away.' },
    rest: async (rest) => {
      const { id, attendees } = await instanceOf(current)
      const answer = { responseStatus: 'declined', comment: 'I am away.' }
      return rest('PATCH', `${events}/${id}?sendUpdates=all`, {
        attendees: attendees.map((one: { self?: boolean }) => (one.self ? { ...one, ...answer } : one)),
      })
    },
  },
  {
    ...{ tool: 'delete_event', title: '17.7.5 deletes an instance' },
    args: { notificationLevel: 'NONE' },
    rest: async (rest) => rest('DELETE', `${events}/${(await instanceOf(current)).id}?sendUpdates=none`),
  },
]

/** The world in which the requests of REST run. */
let current: FakeWorld

test.each(PAIRS)('$title: $tool has the effect of REST', async ({ tool, args, rest }) => {
  const fake = createCompany()
  const start = fake.snapshot('start')
  const [one, other] = [fake.fork(start, 'tool'), fake.fork(start, 'rest')]
  current = other
  const isNew = tool === 'create_event'
  const event = isNew ? {} : { eventId: (await instanceOf(one)).id }
  const reply = await callerOf(one)(tool, { ...event, ...args })
  const response = await rest(restOf(other))

  expect(Object(response)).not.toHaveProperty('error')
  if (isNew) expect(reply.id).toBe((response as { id: string }).id)
  expect(changesOf(one, start)).not.toEqual([])
  expect(changesOf(one, start)).toEqual(changesOf(other, start))
  expect(one.mail()).toEqual(other.mail())
})

/** Returns all changes of a world, the guests' copies included. */
const changesOf = (world: FakeWorld, start: Snapshot) => [...world.diff(start, { all: true, copies: true })]

test('17.7.5 an answer keeps a guest who is added at the same time', async () => {
  const fake = createCompany()
  const day = { startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' }
  const { id } = await callerOf(fake)('create_event', { summary: 'Lunch', ...day, attendeeEmails: [OWEN] })
  const fault = fake.faults.add({ on: 'events.patch', do: { delay: '1m', clock: 'world' } })
  const answer = callerOf(fake)('respond_to_event', { eventId: id, responseStatus: 'tentative' })
  await fault.until()
  await callerOf(fake)('update_event', { eventId: id, addedAttendees: [{ email: 'late@example.org' }] })
  fake.clock.advance('1m')
  await answer
  const { attendees } = await callerOf(fake)('get_event', { eventId: id })

  expect(attendees).toMatchObject([
    { email: OWEN, responseStatus: 'needsAction' },
    { email: NORA, responseStatus: 'tentative' },
    { email: 'late@example.org' },
  ])
})

const hours = { startTime: '2030-03-08T12:30:00', endTime: '2030-03-08T13:30:00' }

test.each<[string, string, object, string]>([
  ['17.7.4 all day without an end', 'update_event', { allDay: true, startTime: '2030-03-08' }, 'allDay needs startTime and endTime.'],
  ['17.7.4 all day without a start', 'update_event', { allDay: false, endTime: '2030-03-08' }, 'allDay needs startTime and endTime.'],
  ['an unknown zone', 'update_event', { ...hours, timeZone: 'Mars/Base' }, 'Invalid time zone: "Mars/Base"'],
  ['an unknown zone of a new event', 'create_event', { summary: 'x', ...hours, timeZone: 'Mars/Base' }, 'Invalid time zone: "Mars/Base"'],
  ['a type that cannot be created', 'create_event', { summary: 'x', ...hours, eventType: 'FROM_GMAIL' }, 'Events of type FROM_GMAIL cannot be created.'],
  ['a guest without an address', 'create_event', { summary: 'x', ...hours, attendees: [{ displayName: 'Owen' }] }, 'Missing required field: attendees.email'],
])('%s is an error of the tool, and nothing is written', async (_, tool, args, message) => {
  const fake = createCompany()
  const { id } = await instanceOf(fake)
  const start = fake.snapshot('start')
  const called = callerOf(fake)(tool, tool === 'update_event' ? { eventId: id, ...args } : args)

  await expect(called).rejects.toThrow(message)
  expect(changesOf(fake, start)).toEqual([])
}) // biome-ignore format: a table

test('reads change nothing', async () => {
  const fake = createCompany()
  const start = fake.snapshot('start')
  const call = callerOf(fake)
  const { id } = await instanceOf(fake)
  await call('list_events', {})
  await call('get_event', { eventId: id })
  await call('list_calendars', {})
  await call('search_events', { query: 'interview' })
  const window = { startTime: '2030-03-04T09:00:00', endTime: '2030-03-05T09:00:00' }
  await call('suggest_time', { attendeeEmails: ['primary', OWEN], ...window })

  fake.diff(start).verify([])
})
