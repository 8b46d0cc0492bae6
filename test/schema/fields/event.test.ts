import { expect, test } from 'vitest'
import { ALICE, BOB, hour, openCalendar } from '../../support/calendar.ts'
import { EVENT_ROWS } from '../../support/eventRows.ts'
import { testFields, testServiceFields } from '../../support/fields.ts'

testFields('12.7, 14.23, 14.23.1', EVENT_ROWS)

testServiceFields('1.9.1, 7.13, 14.43', [
  { field: 'Event.kind', path: 'kind', write: { kind: 'x' }, shows: 'calendar#event' },
  { field: 'Event.etag', path: 'etag', write: { etag: '"1"' }, shows: expect.stringMatching(/^"35447328000000\d\d"$/) },
  { field: 'Event.htmlLink', path: 'htmlLink', write: { id: 'lunch001', htmlLink: 'https://example.com' }, shows: `https://www.google.com/calendar/event?eid=${Buffer.from(`lunch001 ${ALICE}`).toString('base64').replace(/=/g, '')}` },
  { field: 'Event.created', path: 'created', write: { created: '1999-01-01T00:00:00Z' }, shows: '2026-03-01T12:00:00.000Z' },
  { field: 'Event.updated', path: 'updated', write: { updated: '1999-01-01T00:00:00Z' }, shows: '2026-03-01T12:00:00.000Z' },
  { field: 'Event.creator', path: 'creator', write: { creator: { email: BOB, id: '1', displayName: 'Bob' } }, shows: { email: ALICE, self: true } },
  { field: 'Event.organizer', path: 'organizer', write: { organizer: { email: BOB, id: '1', displayName: 'Bob' } }, shows: { email: ALICE, self: true } },
  { field: 'Event.hangoutLink', path: 'hangoutLink', write: { hangoutLink: 'https://meet.google.com/aaa-bbbb-ccc' }, shows: undefined },
  { field: 'Event.privateCopy', path: 'privateCopy', write: { privateCopy: true }, shows: undefined },
  { field: 'Event.endTimeUnspecified', path: 'endTimeUnspecified', write: { endTimeUnspecified: true }, shows: undefined },
  { field: 'Event.locked', path: 'locked', write: { locked: true }, shows: undefined },
  { field: 'Event.recurringEventId', path: 'recurringEventId', write: { recurringEventId: 'lunch001' }, shows: undefined },
  { field: 'Event.originalStartTime', path: 'originalStartTime', write: { originalStartTime: { date: '2026-03-02' } }, shows: undefined },
]) // biome-ignore format: a table

const LUNCH = '/calendars/primary/events/lunch001'
const lunch = { id: 'lunch001', ...hour('2026-03-02', 12) }

test('Event.id and Event.iCalUID: set by an insert, and unchanged by a patch', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post('/calendars/primary/events', lunch)
  const { body } = await alice.patch(LUNCH, { id: 'other001', iCalUID: 'other@example.com', summary: 'Lunch' })
  expect(body).toMatchObject({ id: 'lunch001', iCalUID: 'lunch001@google.com', summary: 'Lunch' })
})

test('Event.sequence: rises with a change of the times, can be raised, and cannot be lowered', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post('/calendars/primary/events', lunch)
  expect((await alice.patch(LUNCH, { summary: 'Lunch' })).body.sequence).toBe(0)
  expect((await alice.patch(LUNCH, hour('2026-03-02', 13))).body.sequence).toBe(1)
  expect((await alice.patch(LUNCH, { sequence: 7 })).body.sequence).toBe(7)
  const { status, body } = await alice.patch(LUNCH, { sequence: 6 })
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^Invalid sequence value\./)])
})

test('7.14, 7.14.1 Event.source: only its creator can read and change it', async () => {
  const { as } = openCalendar()
  const [alice, bob] = [as(ALICE), as(BOB)]
  await alice.post('/calendars/primary/acl', { role: 'writer', scope: { type: 'user', value: BOB } })
  await alice.post('/calendars/primary/events', { ...lunch, source: { url: 'https://example.com/a', title: 'A' } })
  const path = `/calendars/${ALICE}/events/lunch001`
  for (const source of [{ title: 'B' }, null]) {
    const refused = await bob.patch(path, { summary: 'Lunch', source })
    expect([refused.status, refused.body.error.errors[0].reason]).toEqual([403, 'forbiddenForNonCreator'])
  }
  expect((await bob.put(path, { ...hour('2026-03-02', 12), source: { title: 'B' } })).status).toBe(403)
  const { status, body } = await bob.put(path, { ...hour('2026-03-02', 12), summary: 'Lunch' })
  expect([status, body.summary, body.source]).toEqual([200, 'Lunch', undefined])
  expect((await alice.get(LUNCH)).body.source).toEqual({ url: 'https://example.com/a', title: 'A' })
})

test('Event.reminders: a change of them alone changes the etag and keeps updated', async () => {
  const { as, fake } = openCalendar()
  const { body: born } = await as(ALICE).post('/calendars/primary/events', lunch)
  fake.clock.advance('1h')
  const { body } = await as(ALICE).patch(LUNCH, {
    reminders: { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] },
  })
  expect(body.updated).toBe(born.updated)
  expect(body.etag).not.toBe(born.etag)
})

test('Event.attendeesOmitted: true if attendees are omitted', async () => {
  const alice = openCalendar().as(ALICE)
  const attendees = ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.net` }))
  await alice.post('/calendars/primary/events', { ...lunch, attendees })
  expect((await alice.get(`${LUNCH}?maxAttendees=2`)).body.attendeesOmitted).toBe(true)
  expect((await alice.get(`${LUNCH}?maxAttendees=3`)).body).not.toHaveProperty('attendeesOmitted')
})

test('Event.recurringEventId and Event.originalStartTime: returned for an instance', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post('/calendars/primary/events', { ...lunch, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const moved = await alice.patch(`${LUNCH}_20260303T170000Z`, hour('2026-03-03', 15))
  expect(moved.body).toMatchObject({
    recurringEventId: 'lunch001',
    originalStartTime: { dateTime: '2026-03-03T12:00:00-05:00', timeZone: 'America/New_York' },
  })
})

const long = (length: number) => 'x'.repeat(length)

test('12.8 extended properties of 32 kB are accepted, and one more character is refused', async () => {
  const { as } = openCalendar()
  const filled = (count: number, value: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${String(n).padStart(2, '0')}`, long(value)]))
  const insert = async (secret: object, shared: object) =>
    (
      await as(ALICE).post('/calendars/primary/events', {
        ...hour('2026-03-02', 9),
        extendedProperties: { private: secret, shared },
      })
    ).status

  expect(await insert(filled(16, 1021), filled(16, 1021))).toBe(200)
  expect(await insert(filled(16, 1021), { ...filled(15, 1021), last: long(1021) })).toBe(400)
})
