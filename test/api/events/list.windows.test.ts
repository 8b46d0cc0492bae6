import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'

test('13.8 an all-day event lasts from midnight to midnight in the zone of the request', async () => {
  const alice = openCalendar().as(ALICE) // in New York
  await alice.post(EVENTS, { id: 'second', ...allDay('2026-03-02', '2026-03-03') })
  await alice.post(EVENTS, {
    id: 'repeats',
    ...allDay('2026-03-02', '2026-03-03'),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
  })
  const ids = async (query: string) =>
    (await alice.get(`${EVENTS}?singleEvents=true&${query}`)).body.items.map(({ id }: { id: string }) => id)
  const after = 'timeMin=2026-03-03T04:00:00Z'
  expect(await ids(after)).toEqual(['second', 'repeats_20260302', 'repeats_20260303'])
  expect(await ids(`${after}&timeZone=UTC`)).toEqual(['repeats_20260303'])
  expect(await ids(`${after}&timeZone=UTC&orderBy=startTime`)).toEqual(['repeats_20260303'])
  const before = 'timeMax=2026-03-02T00:00:01Z'
  expect(await ids(before)).toEqual([])
  expect(await ids(`${before}&timeZone=UTC`)).toEqual(['second', 'repeats_20260302'])
})

const FILTERS = [
  'q=Standup',
  'privateExtendedProperty=a%3D1',
  'sharedExtendedProperty=b%3D2',
  'iCalUID=series%40google.com',
  'eventTypes=default',
]
const OTHERS = [
  'q=Lunch',
  'privateExtendedProperty=a%3D2',
  'sharedExtendedProperty=b%3D1',
  'iCalUID=other%40google.com',
  'eventTypes=focusTime',
]

test('4.3 a cancelled instance is listed only where its series passes the filters', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post(EVENTS, {
    id: 'series',
    summary: 'Standup',
    extendedProperties: { private: { a: '1' }, shared: { b: '2' } },
    ...hour('2026-03-02', 9),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  })
  const hole = 'series_20260303T140000Z'
  await alice.patch(`${EVENTS}/${hole}`, { summary: 'Another name' })
  expect((await alice.delete(`${EVENTS}/${hole}`)).status).toBe(204)
  const shown = async (query: string) =>
    (await alice.get(`${EVENTS}?${query}`)).body.items.map(({ id, status }: Record<string, string>) => [id, status])
  for (const query of FILTERS)
    expect(await shown(query)).toEqual([
      ['series', 'confirmed'],
      [hole, 'cancelled'],
    ])
  for (const query of OTHERS) expect(await shown(query)).toEqual([])
})

test('1.14.1, 5.16 updatedMin compares milliseconds, and the bounds of a window compare seconds', async () => {
  const alice = openCalendar({ now: '2026-03-01T12:00:00.500Z' }).as(ALICE)
  await alice.post(EVENTS, hour('2026-03-02', 9))
  const found = async (query: string) => (await alice.get(`${EVENTS}?${query}`)).body.items.length
  expect(await found('updatedMin=2026-03-01T12:00:00.500Z')).toBe(1)
  expect(await found('updatedMin=2026-03-01T12:00:00.501Z')).toBe(0)
  expect(await found('timeMin=2026-03-02T14:59:59.999Z')).toBe(1)
  expect(await found('timeMax=2026-03-02T14:00:00.999Z')).toBe(0)
})

test.each([EVENTS, `${EVENTS}/lunch001`, `${EVENTS}/lunch001/instances`])(
  '13.2.1, 14.6 an empty timeZone is invalid for %s',
  async (path) => {
    const alice = openCalendar().as(ALICE)
    await alice.post(EVENTS, { id: 'lunch001', ...hour('2026-03-02', 12) })
    expect(errorOf(await alice.get(`${path}?timeZone=`))).toMatchObject({
      status: 400,
      reason: 'invalid',
      location: 'timeZone',
    })
  },
)

test('13.2.1 an empty timeZone is invalid for a free/busy query', async () => {
  const bounds = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z' }
  const reply = await openCalendar()
    .as(ALICE)
    .post('/freeBusy', { ...bounds, timeZone: '' })
  expect(errorOf(reply)).toMatchObject({ status: 400, reason: 'invalid' })
})

test('1.19 maxAttendee is an alias of maxAttendees', async () => {
  const alice = openCalendar().as(ALICE)
  const attendees = [{ email: ALICE }, { email: BOB }, { email: 'dave@example.net' }]
  const { body } = await alice.post(EVENTS, { ...hour('2026-03-02', 12), attendees })
  for (const name of ['maxAttendees', 'maxAttendee']) {
    expect((await alice.get(`${EVENTS}/${body.id}?${name}=1`)).body).toMatchObject({ attendeesOmitted: true })
  }
  expect(errorOf(await alice.get(`${EVENTS}?maxAttendee=0`)).status).toBe(400)
})
