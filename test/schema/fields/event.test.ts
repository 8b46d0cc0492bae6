import { expect, test } from 'vitest'
import { ALICE, BOB, hour, openCalendar } from '../../support/calendar.ts'
import { type FieldRow, testFields, testServiceFields } from '../../support/fields.ts'

const long = (length: number) => 'x'.repeat(length)
const typed = (field: string, type: string) => new RegExp(`^Invalid value for: ${field}: .*expected ${type}`)
const anyOf = (field: string) => new RegExp(`^Invalid value for: ${field}: Invalid option`)

/** Returns the row of a text: stored as it is given, removed by an empty text. */
const text = (name: string, longest: number): FieldRow => ({
  field: `Event.${name}`, path: name,
  write: { [name]: long(longest) }, shows: long(longest),
  patch: { [name]: 'Other' }, patched: 'Other',
  clear: { [name]: '' },
  bad: [
    [{ [name]: long(longest + 1) }, 'A provided value exceeds the allowed size limit.'],
    [{ [name]: {} }, typed(name, 'string')],
  ],
}) // biome-ignore format: a row

/** Returns the row of a boolean that replies omit at its default. */
const flag = (name: string, default_: boolean): FieldRow => ({
  field: `Event.${name}`, path: name,
  write: { [name]: !default_ }, shows: !default_,
  patch: { [name]: default_ }, patched: undefined,
  clear: { [name]: null },
  bad: [[{ [name]: 'yes' }, typed(name, 'boolean')]],
}) // biome-ignore format: a row

const one = { method: 'popup', minutes: 5 }
const manyProperties = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v']))
const properties = (kind: string): FieldRow => ({
  field: `Event.extendedProperties.${kind}`, path: `extendedProperties.${kind}`,
  write: { extendedProperties: { [kind]: { a: 'x', n: 5, yes: true, [long(44)]: 'kept', [long(45)]: 'dropped', cut: long(1025) } } },
  shows: { a: 'x', n: '5', yes: 'true', [long(44)]: 'kept', cut: long(1024) },
  patch: { extendedProperties: { [kind]: { a: null, n: '6', cut: null } } }, patched: { n: '6', yes: 'true', [long(44)]: 'kept' },
  clear: { extendedProperties: { [kind]: null } },
  bad: [
    [{ extendedProperties: { [kind]: manyProperties(301) } }, 'Invalid value for: extendedProperties: more than 300 properties or 32 kB'],
    [{ extendedProperties: { [kind]: Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`k${n}`, long(1024)])) } }, 'Invalid value for: extendedProperties: more than 300 properties or 32 kB'],
    [{ extendedProperties: { [kind]: { a: ['x'] } } }, /^Invalid value for: extendedProperties\.\w+\.a: /],
  ],
}) // biome-ignore format: a row

testFields('12.7, 14.23, 14.23.1', [
  text('summary', 1024),
  text('location', 1024),
  text('description', 8192),
  flag('anyoneCanAddSelf', false),
  flag('guestsCanInviteOthers', true),
  flag('guestsCanModify', false),
  flag('guestsCanSeeOtherGuests', true),
  properties('private'),
  properties('shared'),
  { field: 'Event.status', path: 'status', write: { status: 'tentative' }, shows: 'tentative', patch: { status: 'confirmed' }, patched: 'confirmed', clear: { status: null }, cleared: 'confirmed', bad: [[{ status: 'perhaps' }, anyOf('status')]] },
  { field: 'Event.colorId', path: 'colorId', write: { colorId: '11' }, shows: '11', patch: { colorId: '1' }, patched: '1', clear: { colorId: '' }, bad: [[{ colorId: '12' }, 'Invalid value for: colorId: no color 12'], [{ colorId: {} }, typed('colorId', 'string')]] },
  { field: 'Event.transparency', path: 'transparency', write: { transparency: 'transparent' }, shows: 'transparent', patch: { transparency: 'opaque' }, patched: undefined, clear: { transparency: null }, bad: [[{ transparency: 'glass' }, anyOf('transparency')]] },
  { field: 'Event.visibility', path: 'visibility', write: { visibility: 'private' }, shows: 'private', patch: { visibility: 'public' }, patched: 'public', clear: { visibility: null }, bad: [[{ visibility: 'hidden' }, anyOf('visibility')]] },
  { field: 'Event.recurrence', path: 'recurrence', write: { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }, shows: ['RRULE:FREQ=DAILY;COUNT=3'], patch: { recurrence: ['RRULE:FREQ=WEEKLY'] }, patched: ['RRULE:FREQ=WEEKLY'], clear: { recurrence: [] }, bad: [[{ recurrence: ['FREQ=DAILY'] }, 'Invalid recurrence rule.'], [{ recurrence: 'RRULE:FREQ=DAILY' }, typed('recurrence', 'array')]] },
  { field: 'Event.reminders', path: 'reminders', write: { reminders: { useDefault: false, overrides: [one] } }, shows: { useDefault: false, overrides: [one] }, patch: { reminders: { useDefault: true } }, patched: { useDefault: true }, clear: { reminders: null }, cleared: { useDefault: true }, bad: [[{ reminders: { useDefault: true, overrides: [one] } }, 'Cannot specify both default reminders and overrides at the same time.'], [{ reminders: { useDefault: 1 } }, typed('reminders.useDefault', 'boolean')]] },
  { field: 'EventReminder.method', path: 'reminders.overrides[0].method', write: { reminders: { overrides: [{ method: 'email', minutes: 5 }] } }, shows: 'email', patch: { reminders: { overrides: [{ method: 'sms', minutes: 3 }, one] } }, patched: 'popup', clear: { reminders: { overrides: [] } }, bad: [[{ reminders: { overrides: [{ method: 'pigeon', minutes: 5 }] } }, 'Invalid value for: reminders.overrides: no reminder method pigeon'], [{ reminders: { overrides: [{ minutes: 5 }] } }, 'Invalid value for: reminders.overrides: no reminder method ']] },
  { field: 'EventReminder.minutes', path: 'reminders.overrides[0].minutes', write: { reminders: { overrides: [{ method: 'email', minutes: 40320 }] } }, shows: 40320, patch: { reminders: { overrides: [{ method: 'email', minutes: 0 }] } }, patched: 0, clear: { reminders: { overrides: null } }, bad: [[{ reminders: { overrides: [{ method: 'email', minutes: 40321 }] } }, 'Invalid value for: reminders.overrides: minutes must be 0 to 40320'], [{ reminders: { overrides: [{ method: 'email' }] } }, 'Invalid value for: reminders.overrides: minutes must be 0 to 40320'], [{ reminders: { overrides: [{ method: 'email', minutes: -1 }] } }, 'Invalid value for: reminders.overrides: minutes must be 0 to 40320'], [{ reminders: { overrides: Array(6).fill(one) } }, 'Invalid value for: reminders.overrides: more than 5 reminders']] },
  { field: 'Event.source.url', path: 'source.url', write: { source: { url: 'https://example.com/a', title: 'A' } }, shows: 'https://example.com/a', patch: { source: { url: 'http://example.com/b' } }, patched: 'http://example.com/b', clear: { source: null }, bad: [[{ source: { url: 'see https://example.com' } }, 'Invalid value for: source.url: not http or https'], [{ source: { url: 'ftp://example.com' } }, 'Invalid value for: source.url: not http or https']] },
  { field: 'Event.source.title', path: 'source.title', write: { source: { url: 'https://example.com/a', title: 'A' } }, shows: 'A', patch: { source: { title: 'B' } }, patched: 'B', clear: { source: { title: null } }, bad: [[{ source: { title: {} } }, typed('source.title', 'string')]] },
]) // biome-ignore format: a table

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

test('Event.id and Event.iCalUID: given once, and no patch changes them', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post('/calendars/primary/events', lunch)
  const { body } = await alice.patch(LUNCH, { id: 'other001', iCalUID: 'other@example.com', summary: 'Lunch' })
  expect(body).toMatchObject({ id: 'lunch001', iCalUID: 'lunch001@google.com', summary: 'Lunch' })
})

test('Event.sequence: moves with the times, may be raised, and not lowered', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post('/calendars/primary/events', lunch)
  expect((await alice.patch(LUNCH, { summary: 'Lunch' })).body.sequence).toBe(0)
  expect((await alice.patch(LUNCH, hour('2026-03-02', 13))).body.sequence).toBe(1)
  expect((await alice.patch(LUNCH, { sequence: 7 })).body.sequence).toBe(7)
  const { status, body } = await alice.patch(LUNCH, { sequence: 6 })
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(/^Invalid sequence value\./)])
})

test('7.14, 7.14.1 Event.source: only its creator sees it, and only they change it', async () => {
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

test('Event.reminders: changing them alone changes the etag and not updated', async () => {
  const { as, fake } = openCalendar()
  const { body: born } = await as(ALICE).post('/calendars/primary/events', lunch)
  fake.clock.advance('1h')
  const { body } = await as(ALICE).patch(LUNCH, { reminders: { useDefault: false, overrides: [one] } })
  expect(body.updated).toBe(born.updated)
  expect(body.etag).not.toBe(born.etag)
})

test('Event.attendeesOmitted: shown where more attendees are left out', async () => {
  const alice = openCalendar().as(ALICE)
  const attendees = ['a', 'b', 'c'].map((name) => ({ email: `${name}@example.net` }))
  await alice.post('/calendars/primary/events', { ...lunch, attendees })
  expect((await alice.get(`${LUNCH}?maxAttendees=2`)).body.attendeesOmitted).toBe(true)
  expect((await alice.get(`${LUNCH}?maxAttendees=3`)).body).not.toHaveProperty('attendeesOmitted')
})

test('Event.recurringEventId and Event.originalStartTime: an instance says what it is an instance of', async () => {
  const alice = openCalendar().as(ALICE)
  await alice.post('/calendars/primary/events', { ...lunch, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const moved = await alice.patch(`${LUNCH}_20260303T170000Z`, hour('2026-03-03', 15))
  expect(moved.body).toMatchObject({
    recurringEventId: 'lunch001',
    originalStartTime: { dateTime: '2026-03-03T12:00:00-05:00', timeZone: 'America/New_York' },
  })
})

test('12.8 extended properties of 32 kB are taken, and of one character more are not', async () => {
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
