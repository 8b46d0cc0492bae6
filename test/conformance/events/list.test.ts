import { expect, test } from 'vitest'
import {
  allDay,
  createCalendar,
  createEvent,
  createSeries,
  DAILY,
  get,
  hour,
  instant,
  listAll,
  listStarts,
  patch,
  QUIET,
  remove,
  thisWeek,
  useCalendar,
} from '../calendar.ts'
import { absent, contains, exactKeys, expectError, expectOk, expectShape, keysInOrder, text } from '../expect.ts'

/** Creates events of an hour each on Monday. Returns their ids in the given order. */
async function createEventsAt(...hours: number[]): Promise<string[]> {
  const made: string[] = []
  for (const at of hours) made.push((await createEvent({ ...hour(at), summary: `At ${at}` })).id)
  return made
}

/** Creates an event with these fields and another one. Expects that `q` finds only the first, and a longer word none. */
async function expectFound(body: object, q: string): Promise<void> {
  const { id } = await createEvent(body, QUIET)
  await createEvent(hour(15))
  await expectOk(get('events', { ...thisWeek(), q }), { items: [{ id }] })
  await expectOk(get('events', { ...thisWeek(), q: `${q}zz` }), { items: [] })
}

useCalendar()

test('1.17 q finds words of a description', () => expectFound({ description: 'Bring the blue folder' }, 'blue'))

test('1.17 q finds words of a location', () => expectFound({ location: 'Harbour office' }, 'harbour'))

test('1.17 q finds a guest’s address', () =>
  expectFound({ attendees: [{ email: 'quincy@example.com' }] }, 'quincy@example.com'))

test('1.17 q finds a guest’s name', () =>
  expectFound({ attendees: [{ email: 'quincy@example.com', displayName: 'Quincy Adler' }] }, 'Adler'))

test('4.3 the instances of a deleted series are listed with singleEvents and showDeleted', async () => {
  const { id } = await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  await remove(`events/${id}`)
  const { items } = await listAll('events', { ...thisWeek(), singleEvents: true, showDeleted: true })
  expectShape(items, [{ status: 'cancelled' }, { status: 'cancelled' }])
})

test('3.3.1 a list of events describes a calendar without a description with an empty text', async () => {
  const { description } = await expectOk(get('events', thisWeek()), {})
  expect(description).toBe('')
})

test('3.3, 3.11 a list of events has an envelope of fixed keys', async () => {
  const answer = await get('events', thisWeek())
  const order = ['kind', 'etag', 'summary', 'description', 'updated', 'timeZone', 'accessRole', 'defaultReminders']
  await expectOk(answer, keysInOrder(...order, 'nextPageToken', 'nextSyncToken', 'items'))
  await expectOk(answer, {
    kind: 'calendar#events',
    etag: text,
    timeZone: 'UTC',
    accessRole: 'owner',
    defaultReminders: [],
    items: [],
    nextSyncToken: text,
  })
})

test('5.3.1 a list without orderBy is ordered by the last change, oldest first', async () => {
  const made = await createEventsAt(12, 9, 10)
  const [first = '', second, third] = made
  await expectOk(patch(`events/${first}`, { summary: 'Changed' }))
  await expectOk(get('events', thisWeek()), { items: [{ id: second }, { id: third }, { id: first }] })
})

test('5.3, 1.16, 5.6 orderBy=startTime orders by start', async () => {
  const made = await createEventsAt(12, 9, 10)
  const answer = await get('events', { ...thisWeek(), orderBy: 'startTime', singleEvents: true })
  await expectOk(answer, { items: [{ id: made[1] }, { id: made[2] }, { id: made[0] }], nextSyncToken: absent })
})

test('5.3, 1.16 orderBy=updated orders by the last change', async () => {
  const made = await createEventsAt(9, 10)
  await expectOk(patch(`events/${made[0]}`, { summary: 'Changed' }))
  await expectOk(get('events', { ...thisWeek(), orderBy: 'updated' }), { items: [{ id: made[1] }, { id: made[0] }] })
})

test('1.15 timeMin excludes an event that ends then, and timeMax one that starts then', async () => {
  const made = await createEventsAt(8, 9, 10)
  await expectOk(get('events', { timeMin: instant(9), timeMax: instant(10) }), { items: [{ id: made[1] }] })
})

test('13.8, 1.15 an all-day event is in a window from midnight to midnight', async () => {
  const { id } = await createEvent(allDay(2))
  await expectOk(get('events', { timeMin: instant(23, 2), timeMax: instant(0, 3) }), { items: [{ id }] })
  await expectOk(get('events', { timeMin: instant(0, 3), timeMax: instant(1, 3) }), { items: [] })
})

test('1.18, 5.6 filters by extended properties must all match', async () => {
  const { id } = await createEvent({ extendedProperties: { private: { a: '1', b: '2=3' } } })
  await createEvent({ extendedProperties: { private: { a: '1' } } })
  const find = async (...privateExtendedProperty: string[]) => get('events', { ...thisWeek(), privateExtendedProperty })
  await expectOk(find('a=1', 'b=2=3'), { items: [{ id }], nextSyncToken: absent })
  await expectOk(find('b=2=3', 'a=1'), { items: [{ id }] })
})

test('1.18, 4.1.6 iCalUID selects the event with that UID', async () => {
  const { id, iCalUID } = await createEvent()
  await expectOk(get('events', { iCalUID }), { items: [{ id }] })
})

test('1.18, 8.14, 11.17 eventTypes may be repeated, and lists events of all these types', async () => {
  const { id } = await createEvent()
  for (const eventTypes of [
    ['default', 'focusTime'],
    ['focusTime', 'default'],
  ])
    await expectOk(get('events', { ...thisWeek(), eventTypes }), { items: [{ id }] })
  await expectOk(get('events', { ...thisWeek(), eventTypes: 'focusTime' }), { items: [] })
})

test('5.16, 2.3 updatedMin also returns deleted events', async () => {
  const made = await createEvent()
  await remove(`events/${made.id}`)
  await expectOk(get('events', { updatedMin: made.updated }), { items: contains({ id: made.id, status: 'cancelled' }) })
})

test('1.11 a maxResults above the maximum is reduced without an error', async () => {
  await expectOk(get('events', { maxResults: 9999 }), { kind: 'calendar#events' })
})

test('1.10 unknown parameters are ignored', async () => {
  await expectOk(get('events', { nonsense: 'yes', ...thisWeek() }), { items: [] })
})

test('5.3, 5.5 pages continue in the order of start', async () => {
  const made = await createEventsAt(12, 9, 10)
  const { items } = await listAll('events', { ...thisWeek(), maxResults: 1, orderBy: 'startTime', singleEvents: true })
  expect(items.map(({ id }) => id)).toEqual([made[1], made[2], made[0]])
})

test('5.16, 2.2.5 an updatedMin too far in the past is 410', async () => {
  const answer = await get('events', { updatedMin: '2001-01-01T00:00:00Z' })
  await expectError(answer, 410, { domain: 'calendar', reason: 'updatedMinTooLongAgo' })
})

test('4.3 a list contains a series, or with singleEvents=true its instances', async () => {
  const { id } = await createSeries()
  await expectOk(get('events', thisWeek()), { items: [{ id, recurrence: DAILY }] })
  const { items } = await listAll('events', { ...thisWeek(), singleEvents: true })
  expect(items.length).toBe(4)
  expect(items.every((item) => item.recurringEventId === id && item.recurrence === undefined)).toBe(true)
})

test('4.1.5, 4.3 a list without singleEvents contains a cancelled instance as a stub', async () => {
  const { id, at } = await createSeries()
  await remove(`events/${at(1)}`)
  const list = await get('events', thisWeek())
  await expectOk(list, { items: contains({ id }, { id: at(1), status: 'cancelled', recurringEventId: id }) })
  const keys = ['kind', 'etag', 'id', 'status', 'recurringEventId', 'originalStartTime']
  await expectOk(list, { items: contains(exactKeys(...keys)) })
})

test('4.3 a list with singleEvents=true omits a cancelled instance', async () => {
  const { at } = await createSeries()
  await remove(`events/${at(1)}`)
  const { items } = await listAll('events', { ...thisWeek(), singleEvents: true })
  expect(listStarts(items)).toEqual([instant(9), instant(9, 2), instant(9, 3)])
})

test('4.1.5, 4.3 a list with showDeleted=true contains a cancelled instance with all fields', async () => {
  const { id, at } = await createSeries()
  await remove(`events/${at(1)}`)
  const whole = { id: at(1), status: 'cancelled', summary: 'Series', recurringEventId: id }
  for (const singleEvents of [false, true])
    await expectOk(get('events', { ...thisWeek(), showDeleted: true, singleEvents }), { items: contains(whole) })
})

test('4.4, 3.3.1 a list of instances has the envelope of a list of events', async () => {
  const { id } = await createSeries()
  await expectOk(get(`events/${id}/instances`), {
    kind: 'calendar#events',
    etag: /^".+"$/,
    description: '',
    timeZone: 'UTC',
    accessRole: 'owner',
    defaultReminders: [],
  })
})

test('3.3, 3.3.1 a list of events names its calendar', async () => {
  const id = await createCalendar({ description: 'What for', timeZone: 'Asia/Kolkata' })
  const { summary } = await expectOk(get(`/calendars/${id}`))
  await expectOk(get(`/calendars/${id}/events`), { summary, description: 'What for', timeZone: 'Asia/Kolkata' })
})

test('1.12 booleans are accepted in any case', async () => {
  await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const { items } = await expectOk(get('events', { ...thisWeek(), singleEvents: 'TRUE' }))
  expect(items.length).toBe(2)
})

test.each([
  [
    '1.16, 2.2.5 orderBy=startTime without singleEvents is rejected',
    { orderBy: 'startTime' },
    {
      reason: 'invalid',
      location: 'orderBy',
      message: 'The requested ordering is not available for the particular query.',
    },
  ],
  [
    '1.13, 2.2.1 an unknown orderBy is rejected',
    { orderBy: 'start' },
    {
      reason: 'invalidParameter',
      location: 'orderBy',
      message: "Invalid string value: 'start'. Allowed values: [startTime, updated]",
    },
  ],
  [
    '1.11, 2.2.1 maxResults=0 is rejected',
    { maxResults: 0 },
    {
      reason: 'invalidParameter',
      location: 'maxResults',
      message: "Invalid value '0'. Values must be within the range: [1, 2147483647]",
    },
  ],
  [
    '1.12, 2.2.1 an invalid boolean is rejected',
    { singleEvents: 'maybe' },
    { reason: 'invalidParameter', location: 'singleEvents', message: "Invalid boolean value: 'maybe'." },
  ],
  [
    '1.14, 2.2.1 a timestamp without an offset is rejected',
    { timeMin: '2031-01-01T00:00:00' },
    { reason: 'badRequest', message: 'Bad Request' },
  ],
  [
    '1.13 an unknown eventTypes is rejected',
    { eventTypes: 'party' },
    { reason: 'invalidParameter', location: 'eventTypes' },
  ],
  ['1.11 maxResults=-1 is rejected', { maxResults: '-1' }, { reason: 'invalidParameter', location: 'maxResults' }],
  ['1.14 a timeMax that is not a timestamp is rejected', { timeMax: 'tomorrow' }, { reason: 'badRequest' }],
  ['1.14 an updatedMin without an offset is rejected', { updatedMin: '2031-01-01T00:00:00' }, { reason: 'badRequest' }],
  [
    '1.14 a timestamp with a space instead of the plus is rejected',
    { timeMin: '2031-01-01T00:00:00 01:00' },
    { reason: 'badRequest' },
  ],
  [
    '1.15, 2.2.5 a timeMax before timeMin is rejected',
    { timeMin: '2031-01-02T00:00:00Z', timeMax: '2031-01-01T00:00:00Z' },
    { domain: 'calendar', reason: 'timeRangeEmpty' },
  ],
])('%s', (_, query, error) => expectError(get('events', query), 400, error))

test('1.11 a page of events has 250 without maxResults', async () => {
  const { iCalUID } = await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=251'] })
  const page = await expectOk(get('events', { iCalUID, singleEvents: true }))
  expect([page.items.length, typeof page.nextPageToken]).toEqual([250, 'string'])
})
