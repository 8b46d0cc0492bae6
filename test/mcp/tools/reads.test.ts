import { expect, test } from 'vitest'
import { createFakeCalendar } from '../../../src/index.ts'
import { callerOf, createCompany, NORA, OWEN } from '../../support/mcp.ts'

const ALICE = 'alice@example.com'
type Listed = { id: string; summary: string; start: { dateTime?: string; date?: string } }
const titles = ({ events = [] }: { events?: Listed[] }) => events.map(({ summary }) => summary)

/** An event. Ids have the letters from a to v. */
const event = (summary: string, day: string, more: object = {}) => ({
  ...{
    id: summary.toLowerCase().replace(/[^a-v]/g, 'v'),
    summary,
    start: { dateTime: `${day}T10:00:00Z` },
    end: { dateTime: `${day}T11:00:00Z` },
    ...more,
  },
})
const createAlice = (events: object[], mcp = {}) =>
  createFakeCalendar({
    now: '2030-03-04T08:00:00Z',
    mcp,
    seed: { accounts: [{ email: ALICE, timeZone: 'America/New_York' }], calendars: [{ id: ALICE, events }] } as never,
  })

test('17.4 an event has the fields of the service, without empty values', async () => {
  const fake = createAlice([
    event('alone', '2030-03-05', {
      ...{ start: { date: '2030-03-05' }, end: { date: '2030-03-06' }, transparency: 'transparent', description: '' },
      reminders: { useDefault: false },
      attendees: [{ email: ALICE, optional: true }, { email: 'bob@example.com' }],
    }),
  ])
  const call = callerOf(fake, ALICE)
  const { events, ...calendar } = await call('list_events')

  expect(calendar).toEqual({
    ...{ accessRole: 'owner', summary: ALICE, timeZone: 'America/New_York', updated: '2030-02-25T08:00:00Z' },
    ...('defaultReminders' in calendar && { defaultReminders: calendar.defaultReminders }),
  })
  expect(events).toEqual([
    {
      ...{ id: 'alone', summary: 'alone', status: 'confirmed', eventType: 'DEFAULT' },
      htmlLink: expect.stringContaining('https://www.google.com/calendar/event?eid='),
      start: { date: '2030-03-05T00:00:00Z' },
      end: { date: '2030-03-06T00:00:00Z' },
      ...{ availability: 'AVAILABILITY_FREE', transparency: 'transparent' },
      organizer: { email: ALICE, self: true },
      creator: { email: ALICE, self: true },
      attendees: [
        { email: ALICE, self: true, organizer: true, optionalAttendee: true, responseStatus: 'accepted' },
        { email: 'bob@example.com', responseStatus: 'needsAction' },
      ].map((one) => expect.objectContaining({ email: one.email })),
      ...{ created: '2030-02-25T08:00:00Z', updated: '2030-02-25T08:00:00Z' },
    },
  ])
  expect(await call('search_events', { query: 'nothing like it' })).toEqual({})
  expect(await call('list_events', { startTime: '2031-01-01T00:00:00' })).not.toHaveProperty('events')
})

test('17.5 a list has seven days from now, by start, or in the order that is asked for', async () => {
  const fake = createAlice([
    event('before', '2030-03-01'),
    event('monday', '2030-03-04'),
    event('series', '2030-03-06', {
      ...{ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'], start: { dateTime: '2030-03-06T10:00:00Z', timeZone: 'UTC' } },
      end: { dateTime: '2030-03-06T11:00:00Z', timeZone: 'UTC' },
    }),
    event('after', '2030-03-20'),
  ])
  const call = callerOf(fake, ALICE)

  expect(titles(await call('list_events'))).toEqual(['monday', 'series', 'series'])
  expect(titles(await call('list_events', { orderBy: 'startTimeDesc' }))).toEqual(['series', 'series', 'monday'])
  expect(titles(await call('list_events', { startTime: '2030-03-15T00:00:00' }))).toEqual(['after'])
  const once = callerOf(
    createAlice(
      [
        event('series', '2030-03-06', {
          recurrence: ['RRULE:FREQ=DAILY'],
          start: { dateTime: '2030-03-06T10:00:00Z', timeZone: 'UTC' },
          end: { dateTime: '2030-03-06T11:00:00Z', timeZone: 'UTC' },
        }),
      ],
      { expandSeries: false },
    ),
    ALICE,
  )
  expect((await once('list_events')).events).toMatchObject([{ id: 'series', recurrence: ['RRULE:FREQ=DAILY'] }])
})

test.each(['', 'default', 'startTime', 'startTimeDesc', 'lastModified'])(
  '17.5 a series that is listed once has no cancelled instances beside it in the order "%s"',
  async (orderBy) => {
    const fake = createCompany({ mcp: { expandSeries: false } })
    const call = callerOf(fake)
    const day = { startTime: '2030-03-05T10:00:00', endTime: '2030-03-05T11:00:00' }
    const { id } = await call('create_event', {
      ...day,
      summary: 'Series',
      recurrenceData: ['RRULE:FREQ=DAILY;COUNT=3'],
    })
    await call('delete_event', { eventId: `${id}_20300306T150000Z` })
    const { events } = await call('list_events', { orderBy, fullText: 'Series' })

    expect(events).toMatchObject([{ id, status: 'confirmed' }])
  },
)

test.each(['default', 'startTimeDesc', 'lastModified'])(
  '17.5 the pages of a list in the order %s have every event once',
  async (orderBy) => {
    const fake = createCompany()
    const call = callerOf(fake)
    const { events } = await call('list_events', { orderBy, pageSize: 250 })
    const paged: Listed[] = []
    let pageToken: string | undefined
    do {
      const page = await call('list_events', { orderBy, pageSize: 7, ...(pageToken && { pageToken }) })
      paged.push(...page.events)
      pageToken = page.nextPageToken
      await fake.advance('1m')
    } while (pageToken)

    expect(paged.length).toBeGreaterThan(14)
    expect(paged.map(({ id }) => id)).toEqual(events.map(({ id }: Listed) => id))
    await expect(call('list_events', { pageToken: 'wrong' })).rejects.toThrow('Invalid page token value.')
  },
)

test('17.5 the types are those that the service lists, unless they are named', async () => {
  const home = { eventType: 'workingLocation', visibility: 'public', transparency: 'transparent' }
  const place = { workingLocationProperties: { type: 'homeOffice', homeOffice: {} } }
  const call = callerOf(
    createAlice([event('meeting', '2030-03-05'), event('athome', '2030-03-05', { ...home, ...place })]),
    ALICE,
  )

  expect(titles(await call('list_events'))).toEqual(['meeting'])
  expect(titles(await call('list_events', { eventType: ['WORKING_LOCATION'] }))).toEqual(['athome'])
  expect(titles(await call('list_events', { eventTypeFilter: ['WORKING_LOCATION'] }))).toEqual(['athome'])
})

test('17.6 a search ranks the title before the description, equal words before stems, and then the nearest start', async () => {
  const call = callerOf(
    createAlice([
      event('Budget review in May', '2030-05-05'),
      event('Budget review in March', '2030-03-05'),
      event('Budgets reviewing', '2030-03-05'),
      event('Long talk', '2030-03-05', { description: 'about the budget' }),
      event('Dentist', '2030-03-05'),
    ]),
    ALICE,
  )
  const all = ['Budget review in March', 'Budget review in May', 'Budgets reviewing', 'Long talk']

  expect(titles(await call('search_events', { query: 'the budget REVIEW' }))).toEqual(all)
  const first = await call('search_events', { query: 'budget review', pageSize: 3 })
  const second = await call('search_events', { query: 'budget review', pageSize: 3, pageToken: first.nextPageToken })
  expect([...titles(first), ...titles(second)]).toEqual(all)
  expect(second).not.toHaveProperty('nextPageToken')
})

test('17.11 suggested times are free for all guests, in working hours, and do not overlap', async () => {
  const fake = createCompany()
  const call = callerOf(fake)
  const window = { startTime: '2030-03-09T00:00:00', endTime: '2030-03-11T18:00:00' }
  const preferences = { startHour: '10:00', endHour: '17:00', excludeWeekends: true, pageSize: 20 }
  const args = { attendeeEmails: ['primary', OWEN], durationMinutes: 45, ...window, preferences }
  const { timeSlots } = await call('suggest_time', args)

  expect(timeSlots.length).toBeGreaterThan(0)
  for (const { start, end, startTime, endTime, durationMinutes } of timeSlots) {
    expect([start.dateTime, end.dateTime, durationMinutes]).toEqual([startTime, endTime, 45])
    expect(startTime.slice(0, 11)).toBe('2030-03-11T')
    expect(startTime.slice(11, 16) >= '10:00' && endTime.slice(11, 16) <= '17:00').toBe(true)
    const body = JSON.stringify({ timeMin: startTime, timeMax: endTime, items: [{ id: NORA }, { id: OWEN }] })
    const headers = { Authorization: `Bearer ${NORA}`, 'Content-Type': 'application/json' }
    const reply = await fake.request('/calendar/v3/freeBusy', { method: 'POST', headers, body })
    const { calendars } = await reply.json()
    expect(Object.values(calendars).flatMap((one) => (one as { busy: object[] }).busy)).toEqual([])
  }
  const plain = await call('suggest_time', {
    attendeeEmails: [NORA],
    startTime: '2030-03-04T09:00:00+02:00',
    endTime: '2030-03-05',
  })
  expect(plain.timeSlots).toHaveLength(5)
  expect(plain.timeSlots[0].startTime).toMatch(/^2030-03-04T10:00:00\+02:00$/)
})
