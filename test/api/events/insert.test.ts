import { expect, test } from 'vitest'
import { ALICE, allDay, at, BOB, errorOf, hour, NOW, openCalendar } from '../../support/calendar.ts'
import { newCalendar } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const lunch = { summary: 'Lunch', ...hour('2026-03-02', 12) }

test('1.8, 3.1, 3.2.1, 3.2.2, 3.2.4, 3.2.5, 3.2.6, 3.2.8, 11.5 an insert returns 200, the etag as a header, and every field in the order of the service', async () => {
  const { as } = openCalendar()

  const { status, headers, body } = await as(ALICE).post(EVENTS, lunch)

  expect(status).toBe(200)
  expect(headers.get('ETag')).toBe(body.etag)
  expect(Object.keys(body)).toEqual([
    'kind', 'etag', 'id', 'status', 'htmlLink', 'created', 'updated', 'summary', 'creator', 'organizer', 'start', 'end',
    'iCalUID', 'sequence', 'reminders', 'eventType',
  ]) // biome-ignore format: a row of fields
  expect(body).toMatchObject({
    kind: 'calendar#event',
    status: 'confirmed',
    created: '2026-03-01T12:00:00.000Z',
    creator: { email: ALICE, self: true },
    organizer: { email: ALICE, self: true },
    iCalUID: `${body.id}@google.com`,
    sequence: 0,
    reminders: { useDefault: true },
    eventType: 'default',
  })
  expect(body.id).toMatch(/^[0-9a-v]{26}$/)
  expect(body.htmlLink).toBe(
    `https://www.google.com/calendar/event?eid=${Buffer.from(`${body.id} ${ALICE}`).toString('base64').replace(/=/g, '')}`,
  )
})

test('two equal runs give equal bytes', async () => {
  const run = async () => (await openCalendar().as(ALICE).post(EVENTS, lunch)).text
  expect(await run()).toBe(await run())
})

test('11.3, 11.4, 11.6, 14.12 a reply is JSON indented by one blank and ended by a line feed, with the headers of a write', async () => {
  const { as } = openCalendar()
  const { text, headers } = await as(ALICE).post(EVENTS, lunch)
  expect(text).toMatch(/^\{\n "kind": "calendar#event",\n[\s\S]*\}\n$/)
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
    'content-type': 'application/json; charset=UTF-8',
    expires: 'Mon, 01 Jan 1990 00:00:00 GMT',
    pragma: 'no-cache',
    server: 'ESF',
    vary: 'Origin, X-Origin, Referer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'x-xss-protection': '0',
  })
})

test('3.2.5, 3.2.8, 15.4 the organizer of an event on a secondary calendar is the calendar, and its creator has no self', async () => {
  const { as } = openCalendar()
  const { body: team } = await as(ALICE).post('/calendars', { summary: 'Team' })
  const { body } = await as(ALICE).post(`/calendars/${team.id}/events`, lunch)
  expect(body.creator).toEqual({ email: ALICE })
  expect(body.organizer).toEqual({ email: team.id, displayName: 'Team', self: true })
  expect(Buffer.from(new URL(body.htmlLink).searchParams.get('eid') ?? '', 'base64').toString()).toBe(
    `${body.id} ${team.id.replace('@group.calendar.google.com', '@g')}`,
  )
})

/** The instant is fixed by the offset or read in the zone given; it is shown by the calendar's clock (New York). */
const TIMES: [title: string, sent: object, shown: object][] = [
  ['an offset without a zone gets the calendar’s zone', { dateTime: '2026-03-02T12:00:00-05:00' }, { dateTime: '2026-03-02T12:00:00-05:00', timeZone: 'America/New_York' }],
  ['an offset beside a zone determines the instant, and the zone is returned', { dateTime: '2026-03-02T12:00:00+01:00', timeZone: 'Europe/Berlin' }, { dateTime: '2026-03-02T06:00:00-05:00', timeZone: 'Europe/Berlin' }],
  ['a local time is read in its zone', { dateTime: '2026-03-02T12:00:00', timeZone: 'Asia/Kolkata' }, { dateTime: '2026-03-02T01:30:00-05:00', timeZone: 'Asia/Kolkata' }],
  ['UTC is written as Z', { dateTime: '2026-03-02T12:00:00Z', timeZone: 'UTC' }, { dateTime: '2026-03-02T07:00:00-05:00', timeZone: 'UTC' }],
  ['fractions of a second are dropped', { dateTime: '2026-03-02T12:00:00.987-05:00' }, { dateTime: '2026-03-02T12:00:00-05:00', timeZone: 'America/New_York' }],
  ['a local time in a gap is read at the offset before the gap', { dateTime: '2026-03-08T02:30:00', timeZone: 'America/New_York' }, { dateTime: '2026-03-08T03:30:00-04:00', timeZone: 'America/New_York' }],
  ['an ambiguous local time is the first of the two instants', { dateTime: '2026-11-01T01:30:00', timeZone: 'America/New_York' }, { dateTime: '2026-11-01T01:30:00-04:00', timeZone: 'America/New_York' }],
] // biome-ignore format: a table

test.each(TIMES)('3.2.11, 13.3, 13.4, 13.6, 13.7, 14.19 %s', async (_, sent, shown) => {
  const { as } = openCalendar()
  const { body } = await as(ALICE).post(EVENTS, { start: sent, end: sent })
  expect(body.start).toEqual(shown)
  expect(body.end).toEqual(shown)
})

test('13.5, 13.7 a calendar in UTC shows an instant with Z', async () => {
  const { as } = openCalendar()
  const { body } = await as('carol@example.org').post(EVENTS, {
    start: at('2026-03-02T12:00:00', 'Europe/London'),
    end: at('2026-03-02T13:00:00', 'Europe/London'),
  })
  expect(body.start).toEqual({ dateTime: '2026-03-02T12:00:00Z', timeZone: 'Europe/London' })
})

test('1.9, 3.2.3, 3.2.12, 11.18 default and empty values are omitted, and read-only fields are ignored', async () => {
  const { as } = openCalendar()
  const { body } = await as(ALICE).post(EVENTS, {
    ...lunch,
    description: '',
    location: null,
    transparency: 'opaque',
    visibility: 'default',
    guestsCanInviteOthers: true,
    guestsCanModify: false,
    attendees: [],
    recurrence: [],
    extendedProperties: { private: {} },
    kind: 'something',
    etag: '"1"',
    created: '1999-01-01T00:00:00Z',
    htmlLink: 'http://example.com',
    creator: { email: BOB },
    organizer: { email: BOB },
    locked: true,
    sequence: 7,
    unheardOf: { a: 1 },
  })
  const { body: plain } = await openCalendar().as(ALICE).post(EVENTS, lunch)
  expect(body).toEqual(plain)
})

test('3.2.9, 7.11 attendees are normalised: one entry for each address, a response status, and no organizer flag', async () => {
  const { as } = openCalendar()
  const { body } = await as(ALICE).post(EVENTS, {
    ...lunch,
    attendees: [
      {
        responseStatus: 'accepted',
        email: 'Dave@Example.com',
        displayName: 'Dave',
        organizer: true,
        self: true,
        optional: true,
      },
      { email: ALICE, responseStatus: 'accepted' },
      { email: 'dave@example.com', comment: 'late' },
    ],
  })
  expect(JSON.stringify(body.attendees)).toBe(
    JSON.stringify([
      { email: 'dave@example.com', displayName: 'Dave', optional: true, responseStatus: 'accepted', comment: 'late' },
      { email: ALICE, organizer: true, self: true, responseStatus: 'accepted' },
    ]),
  )
})

const REMINDERS: [title: string, sent: object, shown: object][] = [
  ['overrides with useDefault: false disable the defaults', { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] }, { useDefault: false, overrides: [{ method: 'popup', minutes: 5 }] }],
  ['empty overrides without useDefault are the defaults', { overrides: [] }, { useDefault: true }],
  ['minutes out of range are set to its limits', { useDefault: false, overrides: [{ method: 'popup', minutes: -1 }, { method: 'email', minutes: 40321 }] }, { useDefault: false, overrides: [{ method: 'email', minutes: 40320 }, { method: 'popup', minutes: 0 }] }],
  ['equal overrides are stored once, after their minutes are set to the limits', { useDefault: false, overrides: [{ method: 'popup', minutes: 0 }, { method: 'popup', minutes: -5 }, { method: 'popup', minutes: 0 }] }, { useDefault: false, overrides: [{ method: 'popup', minutes: 0 }] }],
  ['empty overrides are omitted', { useDefault: false, overrides: [] }, { useDefault: false }],
  ['the method sms is dropped', { useDefault: false, overrides: [{ method: 'sms', minutes: 5 }] }, { useDefault: false }],
  ['overrides are sorted', { useDefault: false, overrides: [{ method: 'popup', minutes: 30 }, { method: 'email', minutes: 40320 }, { method: 'popup', minutes: 0 }] }, { useDefault: false, overrides: [{ method: 'email', minutes: 40320 }, { method: 'popup', minutes: 0 }, { method: 'popup', minutes: 30 }] }],
] // biome-ignore format: a table

test.each(REMINDERS)('3.2.10, 12.7 reminders: %s', async (_, sent, shown) => {
  const { as } = openCalendar()
  expect((await as(ALICE).post(EVENTS, { ...lunch, reminders: sent })).body.reminders).toEqual(shown)
})

const UIDS = ['lunch001@google.com', 'lunch@example.com', 'Not Ours@google.com']

test('a given iCalUID is stored, and determines the id', async () => {
  const { as } = openCalendar()
  const [ours, foreign, upper] = await Promise.all(UIDS.map((iCalUID) => as(ALICE).post(EVENTS, { iCalUID, ...lunch })))
  expect(ours?.body).toMatchObject({ id: 'lunch001', iCalUID: 'lunch001@google.com' })
  expect(foreign?.body.iCalUID).toBe('lunch@example.com')
  expect(decoded(foreign?.body.id)).toBe('lunch@example.com')
  expect(decoded(upper?.body.id)).toBe('Not Ours@google.com')
})

/** Decodes an id of the form `_` and base32hex. */
function decoded(id: string): string {
  const bits = [...id.slice(1)].map((digit) => Number.parseInt(digit, 32).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))).toString()
}

const invalid = (message: string) => ({ status: 400, domain: 'global', reason: 'invalid', message })
const required = (message: string) => ({ status: 400, domain: 'global', reason: 'required', message })
const MIXED = invalid('Start and end times must either both be date or both be dateTime.')
const EMPTY = {
  status: 400,
  domain: 'calendar',
  reason: 'timeRangeEmpty',
  message: 'The specified time range is empty.',
  location: 'timeMax',
}
const BAD = { status: 400, domain: 'global', reason: 'badRequest', message: 'Bad Request' }
const start = at('2026-03-02T12:00:00')
const end = at('2026-03-02T13:00:00')

const REFUSED: [title: string, body: object, refused: object][] = [
  ['a missing start and end', {}, required('Missing end time.')],
  ['a missing end', { start }, required('Missing end time.')],
  ['a missing start', { end }, required('Missing start time.')],
  ['a missing start beside an end date', { end: { date: '2026-03-02' } }, MIXED],
  ['an empty start', { start: {}, end }, MIXED],
  ['a start with a date and a dateTime', { start: { date: '2026-03-02' }, end }, MIXED],
  ['a text with date and time as date', { start: { ...start, date: '2026-03-02' }, end }, invalid('Invalid start time.')],
  ['an end before the start', { start: end, end: start }, EMPTY],
  ['an all-day event without a day', allDay('2026-03-02', '2026-03-02'), EMPTY],
  ['an unknown zone', { start: { ...start, timeZone: 'Eastern Standard Time' }, end }, invalid('Invalid time zone definition for start time.')],
  ['a zone in lower case', { start, end: { ...end, timeZone: 'america/new_york' } }, invalid('Invalid time zone definition for end time.')],
  ['a local time without a zone', { start: { dateTime: '2026-03-02T12:00:00' }, end }, BAD],
  ['an invalid time', { start: { dateTime: 'noon', timeZone: 'UTC' }, end }, BAD],
  ['the hour 24', { start: { dateTime: '2026-03-02T24:00:00Z' }, end: { dateTime: '2026-03-03T01:00:00Z' } }, BAD],
  ['an invalid date', { start: { date: '2026-02-30' }, end: { date: '2026-03-02' } }, BAD],
  ['a short id', { id: 'abcd', start, end }, invalid('Invalid resource id value.')],
  ['an id with a letter after v', { id: 'lunchw1', start, end }, invalid('Invalid resource id value.')],
  ['an id that begins with _', { id: '_abcde', start, end }, invalid('Invalid resource id value.')],
  ['an id beside an iCalUID of another id', { id: 'lunch001', iCalUID: 'x@y.z', start, end }, invalid('Invalid resource id value.')],
  ['an attendee without an address', { start, end, attendees: [{ displayName: 'Dave' }] }, required('Missing attendee email.')],
  ['an attendee with a partial address', { start, end, attendees: [{ email: 'not-an-email' }] }, invalid('Invalid attendee email.')],
  ['the status cancelled', { status: 'cancelled', start, end }, invalid('Invalid Value: status: a new event cannot have the status cancelled')],
  ['an unknown color', { colorId: '12', start, end }, invalid('Invalid Value: colorId: no color 12')],
  ['useDefault beside overrides', { start, end, reminders: { useDefault: true, overrides: [{ method: 'popup', minutes: 1 }] } }, { status: 400, domain: 'calendar', reason: 'cannotUseDefaultRemindersAndSpecifyOverride', message: 'Cannot specify both default reminders and overrides at the same time.' }],
  ['overrides without useDefault', { start, end, reminders: { overrides: [{ method: 'popup', minutes: 1 }] } }, { status: 400, domain: 'calendar', reason: 'cannotUseDefaultRemindersAndSpecifyOverride', message: 'Cannot specify both default reminders and overrides at the same time.' }],
  ['six reminders, one of them by sms', { start, end, reminders: { useDefault: false, overrides: Array.from({ length: 6 }, (_, minutes) => ({ method: minutes ? 'popup' : 'sms', minutes })) } }, { status: 400, domain: 'calendar', reason: 'eventRemindersCountExceedsLimit', message: 'The event exceeds the allowed maximum number of reminders.' }],
  ['a source that is not a web page', { start, end, source: { url: 'ftp://example.com' } }, invalid('Invalid Value: source.url: not http or https')],
] // biome-ignore format: a table

test.each(REFUSED)(
  '2.1.1, 2.2.2, 2.2.4, 2.2.6, 2.2.7, 3.2.10, 3.2.11, 3.2.12, 7.11, 13.2, 13.4, 14.1, 14.2, 14.39 %s is refused, and no event is created',
  async (_, body, refused) => {
    const { as } = openCalendar()
    expect(errorOf(await as(ALICE).post(EVENTS, body))).toEqual(refused)
    expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  },
)

test.each(['Nowhere', ''])('2.1.4, 13.2 one error names the invalid zone %j at start and end', async (timeZone) => {
  const { as } = openCalendar()
  const { status, body } = await as(ALICE).post(EVENTS, {
    start: { dateTime: '2026-03-02T12:00:00-05:00', timeZone },
    end: { dateTime: '2026-03-02T13:00:00-05:00', timeZone },
  })
  expect(status).toBe(400)
  expect(body.error.message).toBe('Invalid time zone definition for start time.')
  expect(body.error.errors.map(({ message }: { message: string }) => message)).toEqual([
    'Invalid time zone definition for start time.',
    'Invalid time zone definition for end time.',
  ])
})

test.each(['Nowhere', ''])(
  '2.1.5, 13.2.1 without offsets, the invalid zone %j causes a second error for the missing zone',
  async (timeZone) => {
    const alice = openCalendar().as(ALICE)
    const body = {
      start: { dateTime: '2026-03-02T12:00:00', timeZone },
      end: { dateTime: '2026-03-02T13:00:00', timeZone },
    }
    const reply = await alice.post(EVENTS, body)
    expect(reply.status).toBe(400)
    expect(reply.body.error.errors.map(({ reason, message }: Record<string, string>) => [reason, message])).toEqual([
      ['invalid', 'Invalid time zone definition for start time.'],
      ['required', 'Missing time zone definition for start time.'],
      ['invalid', 'Invalid time zone definition for end time.'],
      ['required', 'Missing time zone definition for end time.'],
    ])
  },
)

test.each([
  ['an object as text', { summary: {} }],
  ['a text as start', { start: 'noon' }],
  ['attendees that are not an array', { attendees: {} }],
  ['a wrong type in a nested field', { attendees: [{ email: {} }] }],
  ['a value outside of the enum', { transparency: 'glass' }],
])('2.2.1 %s is 400 Invalid value', async (_, fields) => {
  const { as } = openCalendar()
  expect(errorOf(await as(ALICE).post(EVENTS, { ...lunch, ...fields }))).toEqual({
    status: 400,
    domain: 'global',
    reason: 'invalid',
    message: 'Invalid value',
  })
})

test('a body over 10 MB is refused, with and without a Content-Length', async () => {
  const { as, fake } = openCalendar()
  const large = JSON.stringify({ ...lunch, description: 'x'.repeat(10 * 1024 * 1024) })
  expect((await as(ALICE).post(EVENTS, large)).status).toBe(413)
  const reply = await fake.request('/calendar/v3/calendars/primary/events', {
    method: 'POST',
    headers: { Authorization: `Bearer ${ALICE}`, 'Content-Length': String(large.length) },
    body: large,
  })
  expect(reply.status).toBe(413)
  expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
})

test('1.2, 2.2.8 a calendar without a role for the caller is 404, and a reader gets 403', async () => {
  const { as } = openCalendar()
  const path = `/calendars/${ALICE}/events`
  expect(errorOf(await as(BOB).post(path, lunch))).toEqual({
    status: 404,
    domain: 'global',
    reason: 'notFound',
    message: 'Not Found',
  })
  await as(ALICE).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: BOB } })
  expect(errorOf(await as(BOB).post(path, lunch))).toEqual({
    status: 403,
    domain: 'calendar',
    reason: 'requiredAccessLevel',
    message: 'You need to have writer access to this calendar.',
  })
})

test('an event by a writer on another primary calendar has the writer as creator and the owner as organizer', async () => {
  const { as } = openCalendar()
  await as(ALICE).post('/calendars/primary/acl', { role: 'writer', scope: { type: 'user', value: BOB } })
  const { body } = await as(BOB).post(`/calendars/${ALICE}/events`, lunch)
  expect(body.creator).toEqual({ email: BOB })
  expect(body.organizer).toEqual({ email: ALICE, self: true })
})

test('the clock of a test is frozen', () => {
  expect(openCalendar().fake.clock.state()).toEqual({ mode: 'frozen', now: new Date(NOW).toISOString() })
})

test('3.2.3 a number within the range of its type is accepted as text, and text as a number', async () => {
  const alice = openCalendar().as(ALICE)
  const sent = {
    ...lunch,
    summary: 2026,
    colorId: 3,
    sequence: '0',
    attendees: [{ email: 'dave@example.net', additionalGuests: '2' }],
  }
  const { status, body } = await alice.post(EVENTS, sent)
  expect([status, body]).toMatchObject([200, { summary: '2026', colorId: '3', attendees: [{ additionalGuests: 2 }] }])
  for (const sequence of ['99999999999999', 99999999999999, '1.5', '']) {
    expect((await alice.patch(`${EVENTS}/${body.id}`, { sequence })).status).toBe(400)
  }
})

test('12.17, 14.23.1 a seed or an import can exceed the limits of a request', async () => {
  const attendees = Array.from({ length: 201 }, (_, n) => ({ email: `guest${n}@example.net` }))
  const large = { summary: 'x'.repeat(1025), location: 'x'.repeat(1025), description: 'x'.repeat(8193), attendees }
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  const noon = hour('2026-03-02', 12)
  fake.seed({ calendars: [{ id: ALICE, events: [{ id: 'seeded', ...noon, ...large }] }] })
  const imported = await alice.post(`${EVENTS}/import`, { iCalUID: 'imported@example.net', ...noon, ...large })
  for (const id of ['seeded', imported.body.id]) {
    const { body } = await alice.patch(`${EVENTS}/${id}`, { colorId: '3' })
    expect(body).toMatchObject({ colorId: '3', ...large, attendees: { length: 201 } })
    expect((await alice.patch(`${EVENTS}/${id}`, { description: 'y'.repeat(8193) })).status).toBe(400)
  }
})

test('2.2.4 a recurringEventId that is no event id is refused, and any other is ignored', async () => {
  const { as } = openCalendar()
  const refusal = { status: 400, domain: 'global', reason: 'invalid', message: 'Invalid recurringEventId value.' }
  const uid = '040000008200E00074C5B7101A82E008'
  for (const recurringEventId of ['lunch@google.com', 'a b', 'x', 'wxyz00', 'Lunch', 'lunch_R', 'lunch_2026', uid])
    for (const [path, body] of [
      [EVENTS, lunch],
      [`${EVENTS}/import`, { ...lunch, iCalUID: 'u@x' }],
    ] as const)
      expect(errorOf(await as(ALICE).post(path, { ...body, recurringEventId }))).toEqual(refusal)
  for (const known of ['abcde12345_20260303T100000Z', 'abc_R20260303T100000', 'other00_20260302', 'other00']) {
    const { status, body } = await as(ALICE).post(EVENTS, { ...lunch, recurringEventId: known })
    expect([status, body]).toEqual([200, expect.not.objectContaining({ recurringEventId: known })])
  }
})

test('13.2 an unreadable dateTime is reported before its zone and before a date beside it', async () => {
  const { as } = openCalendar()
  const { start, end } = hour('2026-03-02', 9)
  for (const bad of [
    { dateTime: 'soon', timeZone: 'Nowhere' },
    { dateTime: '2026-02-30T09:00:00Z', date: '2026-03-02' },
  ])
    for (const times of [
      { start: bad, end },
      { start, end: bad },
    ])
      expect(errorOf(await as(ALICE).post(EVENTS, times))).toMatchObject({ status: 400, message: 'Bad Request' })
})

test('3.2.8 an account that shows its name is shown as the creator of an event on a group calendar', async () => {
  const seed = { accounts: [{ email: ALICE, displayName: 'Alice', showDisplayName: true }] }
  const { as } = openCalendar({ seed })
  const team = await newCalendar(as(ALICE))
  const { body } = await as(ALICE).post(`/calendars/${team}/events`, lunch)
  expect(body.creator).toEqual({ email: ALICE, displayName: 'Alice' })
})

test('14.56 an iCalUID of spaces, with control characters or of 1,025 characters is refused, and a long one makes a short id', async () => {
  const alice = openCalendar().as(ALICE)
  const refusal = { status: 400, domain: 'global', reason: 'invalid', message: 'Invalid iCalUID value.' }
  for (const path of [EVENTS, `${EVENTS}/import`]) {
    for (const iCalUID of ['   ', 'a\nb', 'a\u0000', 'x'.repeat(1025)])
      expect(errorOf(await alice.post(path, { ...lunch, iCalUID })), iCalUID).toEqual(refusal)
  }
  const long = (last: string) => 'x'.repeat(1023) + last
  const ids = new Set<string>()
  for (const iCalUID of [long('a'), long('b')]) {
    const { status, body } = await alice.post(`${EVENTS}/import`, { ...lunch, iCalUID })
    expect([status, body.iCalUID, body.id.length]).toEqual([200, iCalUID, 1024])
    expect((await alice.get(`${EVENTS}/${body.id}`)).body.iCalUID).toBe(iCalUID)
    ids.add(body.id)
  }
  expect(ids.size).toBe(2)
})
