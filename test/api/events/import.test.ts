import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, type Client, errorOf, hour, openCalendar } from '../../support/calendar.ts'
import { rowsWithGuest } from '../../support/eventRows.ts'
import { valueAt } from '../../support/fields.ts'
import { invalid, newCalendar } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const IMPORT = `${EVENTS}/import`
const EVE = 'eve@example.net'
const lunch = { iCalUID: 'lunch@mail.example.net', summary: 'Lunch', ...hour('2026-03-02', 12) }
/** A meeting that somebody outside of the world organizes. */
const foreign = {
  ...lunch,
  organizer: { email: EVE, displayName: 'Eve' },
  attendees: [
    { email: EVE, responseStatus: 'accepted' },
    { email: ALICE, responseStatus: 'tentative' },
    { email: BOB },
  ],
}
const read = async (client: Client, id: string) => (await client.get(`${EVENTS}/${id}`)).body
const imported = async (client: Client, event: object) => {
  const { status, body } = await client.post(IMPORT, event)
  expect(status).toBe(200)
  return body
}

const IDS: [title: string, iCalUID: string, id: string][] = [
  ['a UID of the service determines the id', 'abcdefg12345@google.com', 'abcdefg12345'],
  ['any other UID determines an id in base32hex', 'lunch@mail.example.net', '_dhqmsor881mm2qbc5pingobde1m6abjeclq0'],
  ['a UID of the service that is not a valid id is written in base32hex too', 'No-Id@google.com', '_9pniqib481jmurr7dhiisorfdk'],
] // biome-ignore format: a table

test.each(IDS)('7.8 %s', async (_, iCalUID, id) => {
  const body = await imported(openCalendar().as(ALICE), { ...lunch, iCalUID })
  expect(body.iCalUID).toBe(iCalUID)
  expect(body.id).toBe(id)
})

test('7.8 an import without an organizer is a plain event that the calendar organizes', async () => {
  const { as } = openCalendar()
  const body = await imported(as(ALICE), { ...lunch, id: 'ignored', sequence: 3 })
  expect(body).toMatchObject({
    status: 'confirmed',
    creator: { email: ALICE, self: true },
    organizer: { email: ALICE, self: true },
    sequence: 3,
    eventType: 'default',
  })
  expect(body).not.toHaveProperty('privateCopy')
  expect(await read(as(ALICE), body.id)).toEqual(body)
})

test('7.3, 7.8 an import with a foreign organizer is a private copy, with all answers and no guest rights', async () => {
  const { as } = openCalendar()
  const body = await imported(as(ALICE), foreign)
  expect(body).toMatchObject({
    organizer: { email: EVE, displayName: 'Eve' },
    privateCopy: true,
    guestsCanInviteOthers: false,
    guestsCanSeeOtherGuests: false,
    attendees: [
      { email: EVE, organizer: true, responseStatus: 'accepted' },
      { email: ALICE, self: true, responseStatus: 'tentative' },
      { email: BOB, responseStatus: 'needsAction' },
    ],
  })
  expect(body.organizer).not.toHaveProperty('self')
  expect(await read(as(ALICE), body.id)).toEqual(body)
})

test('a private copy is not propagated: other attendees have no copy, and an answer sends no mail', async () => {
  const { fake, as } = openCalendar()
  const { id } = await imported(as(ALICE), foreign)
  const answer = { attendees: [{ email: ALICE, responseStatus: 'declined' }], attendeesOmitted: true }
  expect((await as(ALICE).patch(`${EVENTS}/${id}?sendUpdates=all`, answer)).status).toBe(200)
  expect((await as(BOB).get(`${EVENTS}/${id}`)).status).toBe(404)
  expect(fake.mail()).toEqual([])
})

test('an import that the calendar organizes creates copies for attendees with an account, and sends no mail', async () => {
  const { fake, as } = openCalendar()
  const attendees = [{ email: BOB, responseStatus: 'accepted' }, { email: CAROL }]
  const { id, iCalUID } = await imported(as(ALICE), { ...lunch, attendees })
  for (const guest of [BOB, CAROL]) {
    expect(await read(as(guest), id)).toMatchObject({
      iCalUID,
      summary: 'Lunch',
      organizer: { email: ALICE },
      attendees: [
        { email: BOB, responseStatus: 'accepted' },
        { email: CAROL, responseStatus: 'needsAction' },
      ],
    })
  }
  expect(fake.mail()).toEqual([])
})

test('7.8 a second import keeps the id, replaces the given fields and removes the missing ones', async () => {
  const { as } = openCalendar()
  const first = await imported(as(ALICE), { ...lunch, location: 'Canteen', sequence: 1 })
  const second = await imported(as(ALICE), { ...lunch, summary: 'Late lunch', ...hour('2026-03-02', 14), sequence: 2 })
  expect(second).toMatchObject({ id: first.id, summary: 'Late lunch', created: first.created, sequence: 2 })
  expect(second).not.toHaveProperty('location')
  expect(second.etag).not.toBe(first.etag)
  expect((await as(ALICE).get(EVENTS)).body.items).toEqual([second])
})

test.each(rowsWithGuest('own', 'meeting', 'refused'))(
  '7.8 an import sets %s, and the next import without it removes it',
  async (_, { path, write, shows, cleared }) => {
    const { as } = openCalendar()
    expect(valueAt(await as(ALICE).post(IMPORT, { ...lunch, ...write }), path)).toEqual(shows)
    const { summary: _summary, ...without } = lunch
    expect(valueAt(await as(ALICE).post(IMPORT, without), path)).toEqual(cleared)
  },
)

test('3.2.7 an import with the stored sequence is accepted', async () => {
  const { as } = openCalendar()
  await imported(as(ALICE), { ...lunch, sequence: 1 })
  expect(await imported(as(ALICE), { ...lunch, summary: 'Brunch', sequence: 1 })).toMatchObject({
    summary: 'Brunch',
    sequence: 1,
  })
})

test.each([1, undefined])(
  '2.2.4, 7.8 the sequence %s below the stored one is refused, and changes nothing',
  async (sequence) => {
    const { as } = openCalendar()
    const first = await imported(as(ALICE), { ...lunch, sequence: 2 })
    expect(errorOf(await as(ALICE).post(IMPORT, { ...lunch, summary: 'Old', sequence }))).toEqual(
      invalid(
        'Invalid sequence value. The specified sequence number is below the current sequence number of the resource. Re-fetch the resource and use its sequence number on the following request.',
      ),
    )
    expect(await read(as(ALICE), first.id)).toEqual(first)
  },
)

test.each([
  ['organized by the caller', lunch],
  ['organized by somebody else', foreign],
])('a second import of an event %s changes nothing', async (_, event) => {
  const { as } = openCalendar()
  const first = await imported(as(ALICE), event)
  const token = (await as(ALICE).get(EVENTS)).body.nextSyncToken
  expect(await imported(as(ALICE), event)).toEqual(first)
  const { body } = await as(ALICE).get(`${EVENTS}?syncToken=${encodeURIComponent(token)}`)
  expect(body.items).toEqual([])
})

test('7.8, 14.1 an import can be cancelled, and a later import confirms it', async () => {
  const { as } = openCalendar()
  const cancelled = await imported(as(ALICE), { ...foreign, status: 'cancelled' })
  expect(cancelled.status).toBe('cancelled')
  expect((await as(ALICE).get(EVENTS)).body.items).toEqual([])
  expect(await imported(as(ALICE), { ...foreign, sequence: 1 })).toMatchObject({
    id: cancelled.id,
    status: 'confirmed',
  })
  expect((await as(ALICE).get(EVENTS)).body.items).toHaveLength(1)
})

test('7.8, 8.15 an imported event of any type becomes a default event', async () => {
  const away = { eventType: 'outOfOffice', outOfOfficeProperties: { autoDeclineMode: 'declineNone' } }
  const body = await imported(openCalendar().as(ALICE), { ...lunch, ...away })
  expect(body.eventType).toBe('default')
  expect(body).not.toHaveProperty('outOfOfficeProperties')
})

test('an event that was moved away can be imported again', async () => {
  const { as } = openCalendar()
  const { id } = await imported(as(ALICE), lunch)
  await as(ALICE).post(`${EVENTS}/${id}/move?destination=${await newCalendar(as(ALICE))}`)
  const body = await imported(as(ALICE), lunch)
  expect(body).toMatchObject({ id, status: 'confirmed', organizer: { email: ALICE, self: true } })
  expect(body).not.toHaveProperty('transparency')
  expect(body.created).toBe('2026-03-01T12:00:00.000Z')
})

test('2.2.4, 7.8 an insert with an imported iCalUID is refused as a duplicate', async () => {
  const { as } = openCalendar()
  await imported(as(ALICE), lunch)
  expect((await as(ALICE).post(EVENTS, lunch)).status).toBe(409)
})

const series = { ...foreign, iCalUID: 'standup@mail.example.net', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }
const TUESDAY = { dateTime: '2026-03-03T12:00:00', timeZone: 'America/New_York' }

test('4.5.5 an import of one instance with the UID of a series and an original start becomes an exception', async () => {
  const { as } = openCalendar()
  const master = await imported(as(ALICE), series)
  const { recurrence: _, ...once } = series
  const moved = { ...once, summary: 'Late', ...hour('2026-03-03', 16), originalStartTime: TUESDAY, sequence: 1 }
  const exception = await imported(as(ALICE), { ...moved, recurringEventId: master.id })
  expect(exception).toMatchObject({
    id: `${master.id}_20260303T170000Z`,
    recurringEventId: master.id,
    originalStartTime: { dateTime: '2026-03-03T12:00:00-05:00', timeZone: 'America/New_York' },
    iCalUID: master.iCalUID,
    summary: 'Late',
    organizer: { email: EVE, displayName: 'Eve' },
    privateCopy: true,
  })
  const { body } = await as(ALICE).get(`${EVENTS}?singleEvents=true&orderBy=startTime`)
  expect(body.items.map(({ summary }: { summary: string }) => summary)).toEqual(['Lunch', 'Late', 'Lunch'])
  const { etag, updated } = body.items[1]
  expect(await read(as(ALICE), master.id)).toEqual({ ...master, etag, updated })
})

test('an import of one cancelled instance cancels it in the series', async () => {
  const { as } = openCalendar()
  await imported(as(ALICE), series)
  const { recurrence: _, ...once } = series
  await imported(as(ALICE), { ...once, ...hour('2026-03-03', 12), originalStartTime: TUESDAY, status: 'cancelled' })
  expect((await as(ALICE).get(`${EVENTS}?singleEvents=true`)).body.items).toHaveLength(2)
})

test('an import of an instance that the series does not have is refused', async () => {
  const { as } = openCalendar()
  await imported(as(ALICE), series)
  const originalStartTime = { ...TUESDAY, dateTime: '2026-03-09T12:00:00' }
  const { recurrence: _, ...once } = series
  expect(errorOf(await as(ALICE).post(IMPORT, { ...once, originalStartTime }))).toEqual(
    invalid('Invalid original start time.'),
  )
})

test('14.31 an import over a guest’s copy changes that copy alone, which still follows its organizer', async () => {
  const { as } = openCalendar()
  const [alice, bob] = [as(ALICE), as(BOB)]
  const meeting = { ...lunch, attendees: [{ email: BOB }, { email: CAROL }] }
  const { id } = (await alice.post(EVENTS, meeting)).body
  await bob.patch(`${EVENTS}/${id}`, { attendees: [{ email: BOB, responseStatus: 'accepted' }, { email: CAROL }] })

  const body = await imported(bob, {
    ...lunch,
    summary: 'Lunch, as exported',
    sequence: 4,
    organizer: { email: ALICE },
    attendees: [{ email: BOB, responseStatus: 'declined' }],
  })

  expect(body).toMatchObject({ id, summary: 'Lunch, as exported', organizer: { email: ALICE }, sequence: 0 })
  expect(body).not.toHaveProperty('privateCopy')
  expect(body.attendees).toMatchObject([{ email: BOB, responseStatus: 'accepted' }, { email: CAROL }])
  expect(await read(alice, id)).toMatchObject({ summary: 'Lunch' })
  await alice.patch(`${EVENTS}/${id}`, { summary: 'Soup' })
  expect((await read(bob, id)).summary).toBe('Soup')
})

test.each(rowsWithGuest('own', 'meeting', 'refused'))(
  '7.3, 14.31 an import over a guest’s copy sets %s, unless only the organizer can write it',
  async (_, { path, guest, write, shows }) => {
    const { as } = openCalendar()
    const { id } = (await as(ALICE).post(EVENTS, { ...lunch, attendees: [{ email: BOB }] })).body
    const before = valueAt(await as(BOB).get(`${EVENTS}/${id}`), path)
    const copy = { ...lunch, organizer: { email: ALICE }, attendees: [{ email: BOB }], ...write }
    const reply = await as(BOB).post(IMPORT, copy)
    expect([reply.status, valueAt(reply, path)]).toEqual([200, guest === 'refused' ? before : shows])
  },
)

test('14.31 an invitation with the same UID does not overwrite a private copy', async () => {
  const { as } = openCalendar()
  const { id } = await imported(as(BOB), foreign)
  await as(ALICE).post(EVENTS, { ...lunch, summary: 'Another lunch', attendees: [{ email: BOB }] })
  expect(await read(as(BOB), id)).toMatchObject({ summary: 'Lunch', privateCopy: true })
})

const NEITHER = {
  ...invalid(
    'The owner of the calendar must either be the organizer or an attendee of an event that is imported.',
    undefined,
    'participantIsNeitherOrganizerNorAttendee',
  ),
  domain: 'calendar',
}
const required = (message: string) => invalid(message, undefined, 'required')
const REFUSED: [title: string, event: object, refused: object][] = [
  ['no iCalUID', { ...lunch, iCalUID: undefined }, required('Missing iCalUID.')],
  ['an empty iCalUID', { ...lunch, iCalUID: '' }, required('Missing iCalUID.')],
  ['no end', { ...lunch, end: undefined }, required('Missing end time.')],
  ['no start', { ...lunch, start: undefined }, required('Missing start time.')],
  ['a meeting of another organizer without the calendar’s owner', { ...foreign, attendees: [{ email: BOB }] }, NEITHER],
  ['a meeting of another organizer without attendees', { ...foreign, attendees: undefined }, NEITHER],
] // biome-ignore format: a table

test.each(REFUSED)('2.2.6, 7.8 %s is refused, and nothing is imported', async (_, event, refused) => {
  const { as } = openCalendar()
  expect(errorOf(await as(ALICE).post(IMPORT, event))).toEqual(refused)
  expect((await as(ALICE).get(`${EVENTS}?showDeleted=true`)).body.items).toEqual([])
})

test('the address of the calendar’s owner is matched without regard to case', async () => {
  const body = await imported(openCalendar().as(ALICE), { ...foreign, attendees: [{ email: 'ALICE@Example.com' }] })
  expect(body.attendees).toMatchObject([{ email: ALICE, self: true }])
})

test('7.6, 7.8 an import by a writer without private access does not overwrite a private event', async () => {
  const { as } = openCalendar()
  const [alice, bob] = [as(ALICE), as(BOB)]
  const { id } = await imported(alice, { ...lunch, visibility: 'private' })
  await alice.post('/calendars/primary/acl', {
    role: 'writerWithoutPrivateAccess',
    scope: { type: 'user', value: BOB },
  })
  const before = await read(alice, id)
  expect((await bob.post(`/calendars/${ALICE}/events/import`, { ...lunch, summary: 'Mine' })).status).toBe(403)
  expect(await read(alice, id)).toEqual(before)
})

test('7.8 an event can be imported again after the calendar dropped its label', async () => {
  const alice = openCalendar().as(ALICE)
  const id = '00000000-0000-4000-8000-000000000001'
  await alice.patch('/calendars/primary', {
    labelProperties: { eventLabels: [{ id, name: 'Food', backgroundColor: '#0088aa' }] },
  })
  const labelled = { ...lunch, eventLabelId: id }
  expect((await alice.post(`${IMPORT}?eventLabelVersion=1`, labelled)).status).toBe(200)
  await alice.patch('/calendars/primary', { labelProperties: { eventLabels: [] } })
  expect(await imported(alice, { ...lunch, summary: 'Late lunch' })).toMatchObject({ summary: 'Late lunch' })
  expect((await alice.post(`${IMPORT}?eventLabelVersion=1`, labelled)).status).toBe(200)
})

test.each([
  ...['eve', 'eve@', '@example.net', 'eve smith@example.net', 'eve..smith@example.net', 'eve@exam ple.net'],
  ...['.eve@example.net', 'eve.@example.net', 'eve@example..net', 'eve@.net', 'eve@example.net.', 'eve@example.net,'],
  ...[
    '"eve@example.net',
    'eve"smith"@example.net',
    '"eve"smith"@example.net',
    'eve@[10 0]',
    'eve@[10',
    'x <eve@example.net>',
  ],
])('7.8.1 an organizer whose address is %s is refused', async (email) => {
  const alice = openCalendar().as(ALICE)
  const { status, body } = await alice.post(IMPORT, { ...foreign, organizer: { email } })
  expect([status, body.error.errors[0].reason]).toEqual([400, 'invalid'])
})

test.each([
  ...['Eve@example.net', '"eve smith"@example.net', "o'eve+x@localhost", 'eve.s.m@mail.example-1.net'],
  ...['"eve \\"s\\" smith"@example.net', '""@example.net', 'eve@[10.0.0.1]', '"@"@example.net'],
])('7.8.1 an organizer can have the address %s', async (email) => {
  const body = await imported(openCalendar().as(ALICE), { ...foreign, organizer: { email } })
  expect(body.organizer.email).toBe(email.toLowerCase())
})

test('12.17 an imported or seeded event can exceed the limits of a write, and stays writable', async () => {
  const attendees = [{ email: ALICE }, ...Array.from({ length: 250 }, (_, n) => ({ email: `guest${n}@example.net` }))]
  const seed = {
    accounts: [{ email: ALICE }],
    calendars: [{ id: ALICE, events: [{ id: 'large001', ...lunch, attendees }] }],
  }
  const alice = openCalendar({ seed }).as(ALICE)
  const { id } = await imported(alice, { ...lunch, iCalUID: 'large@example.net', attendees })
  for (const large of [id, 'large001']) {
    const { status, body } = await alice.patch(`${EVENTS}/${large}`, { summary: 'All of us' })
    expect([status, body.attendees.length]).toEqual([200, 251])
    const more = [...attendees, { email: BOB }]
    expect((await alice.patch(`${EVENTS}/${large}`, { attendees: more })).status).toBe(400)
  }
})

test('1.6 an organizer whose address a seed writes in capitals organizes the event', async () => {
  const organizer = { email: ALICE.toUpperCase() }
  const event = {
    id: 'seeded01',
    ...lunch,
    iCalUID: 'seeded01@google.com',
    organizer,
    creator: organizer,
    attendees: [{ email: BOB }],
  }
  const { as } = openCalendar({
    seed: { accounts: [{ email: ALICE }, { email: BOB }], calendars: [{ id: ALICE, events: [event] }] },
  })
  await as(ALICE).patch(`${EVENTS}/seeded01`, { summary: 'Ours' })
  const { summary, organizer: importedOrganizer } = await read(as(BOB), 'seeded01')
  expect([summary, importedOrganizer]).toEqual(['Ours', { email: ALICE }])
  expect((await read(as(ALICE), 'seeded01')).organizer).toEqual({ email: ALICE, self: true })
})
