import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, CAROL, type Client, errorOf, hour, openCalendar, PEOPLE } from '../support/calendar.ts'

/** The responses of guests and the sequence of a meeting after each write. */
const EVENTS = '/calendars/primary/events'
const MEET = `${EVENTS}/meet001`
const DAVE = 'dave@elsewhere.example'
const people = (...emails: string[]) => emails.map((email) => ({ email }))

type Attendee = { email: string; responseStatus: string; self?: boolean }
const answers = (body: { attendees?: Attendee[] }) =>
  Object.fromEntries((body.attendees ?? []).map(({ email, responseStatus }) => [email, responseStatus]))
const read = async (client: Client, path = MEET) => (await client.get(path)).body
const respond = async (client: Client, responseStatus: string, email: string, path = MEET) =>
  (await client.patch(path, { attendeesOmitted: true, attendees: [{ email, responseStatus }] })).status

/** Creates a meeting that Bob has accepted, and Carol has tentatively accepted. */
async function answered(more: object = {}) {
  const calendar = await withMeeting(more)
  expect(await respond(calendar.bob, 'accepted', BOB)).toBe(200)
  expect(await respond(calendar.carol, 'tentative', CAROL)).toBe(200)
  return calendar
}

async function withMeeting(more: object = {}) {
  const { as, fake } = openCalendar()
  const [alice, bob, carol] = [as(ALICE), as(BOB), as(CAROL)]
  const meeting = { id: 'meet001', summary: 'Meeting', ...hour('2026-03-02', 12), attendees: people(BOB, CAROL, DAVE) }
  expect((await alice.post(EVENTS, { ...meeting, ...more })).status).toBe(200)
  fake.clock.advance('1m')
  return { as, fake, alice, bob, carol }
}

test('3.2.7, 3.2.15 a deletion raises the sequence, and so does a change of the rule', async () => {
  const { alice, bob } = await withMeeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  expect((await alice.patch(MEET, { recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })).body.sequence).toBe(1)
  await alice.delete(MEET)
  expect([(await read(alice)).sequence, (await read(bob)).sequence]).toEqual([2, 2])
  expect((await alice.patch(MEET, { status: 'confirmed' })).body.sequence).toBe(2)
  expect((await alice.patch(MEET, { status: 'cancelled' })).body.sequence).toBe(3)
})

test('3.2.15, 7.3 a new time by a guest who can modify the event resets the answers of others', async () => {
  const { alice, bob, carol } = await answered({ guestsCanModify: true, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const { body } = await bob.patch(MEET, hour('2026-03-03', 15))
  for (const one of [alice, bob, carol]) {
    const copy = await read(one)
    expect(copy.sequence).toBe(1)
    expect(answers(copy)).toEqual({ [BOB]: 'accepted', [CAROL]: 'needsAction', [DAVE]: 'needsAction' })
    const eid = Buffer.from(copy.htmlLink.split('eid=')[1], 'base64').toString()
    expect(eid).toMatch(/^meet001_20260303T200000Z /)
  }
  expect(body).toEqual(await read(bob))
})

test('7.3, 8.13 a meeting that a guest moves into focus time is declined there', async () => {
  const { alice, bob, carol } = await withMeeting({ guestsCanModify: true })
  const focusTimeProperties = { autoDeclineMode: 'declineOnlyNewConflictingInvitations' }
  await carol.post(EVENTS, { eventType: 'focusTime', ...hour('2026-03-02', 16), focusTimeProperties })
  await bob.patch(MEET, hour('2026-03-02', 16))
  expect(answers(await read(alice))[CAROL]).toBe('declined')
})

test('7.2 a new end of a series resets every answer, also those to single instances', async () => {
  const { alice, bob } = await answered({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const tuesday = `${MEET}_20260303T170000Z`
  expect(await respond(bob, 'declined', BOB, tuesday)).toBe(200)
  await alice.patch(MEET, { end: { dateTime: '2026-03-02T14:00:00', timeZone: 'America/New_York' } })
  expect(answers(await read(alice, tuesday))).toEqual({
    [BOB]: 'needsAction',
    [CAROL]: 'needsAction',
    [DAVE]: 'needsAction',
  })
})

test('7.2 a new end of a series keeps the answer of its organizer to one instance', async () => {
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=3']
  const attendees = [{ email: ALICE, responseStatus: 'accepted' }, { email: BOB }]
  const { alice } = await withMeeting({ recurrence, attendees })
  const tuesday = `${MEET}_20260303T170000Z`
  expect(await respond(alice, 'tentative', ALICE, tuesday)).toBe(200)
  await alice.patch(MEET, { end: { dateTime: '2026-03-02T14:00:00', timeZone: 'America/New_York' } })
  expect(answers(await read(alice, tuesday))).toEqual({ [ALICE]: 'tentative', [BOB]: 'needsAction' })
})

test('7.2, 14.20 answers to an exception stay when its series gets another start', async () => {
  const { alice, bob } = await withMeeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const second = `${MEET}_20260303T170000Z`
  expect((await alice.patch(second, hour('2026-03-03', 18))).status).toBe(200)
  expect(await respond(bob, 'accepted', BOB)).toBe(200)
  expect(await respond(bob, 'tentative', BOB, second)).toBe(200)
  await alice.patch(MEET, hour('2026-03-02', 14))
  expect(answers(await read(alice))[BOB]).toBe('needsAction')
  for (const one of [alice, bob]) expect(answers(await read(one, second))[BOB]).toBe('tentative')
})

test('7.4 a guest who deletes a series declines every instance, also those answered before', async () => {
  const { alice, bob } = await withMeeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const tuesday = `${MEET}_20260303T170000Z`
  expect(await respond(bob, 'tentative', BOB, tuesday)).toBe(200)
  await bob.delete(MEET)
  expect([answers(await read(alice))[BOB], answers(await read(alice, tuesday))[BOB]]).toEqual(['declined', 'declined'])
})

test('7.16 a series that its guest deletes and restores has its exceptions again', async () => {
  const { alice, bob } = await withMeeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  await alice.patch(`${MEET}_20260303T170000Z`, { summary: 'Long meeting', ...hour('2026-03-03', 15) })
  await alice.delete(`${MEET}_20260304T170000Z`)
  const statuses = async () => {
    const { items } = (await bob.get(`${EVENTS}?singleEvents=true&orderBy=startTime`)).body
    return items.map(({ summary, start }: { summary: string; start: { dateTime: string } }) => [
      summary,
      start.dateTime,
    ])
  }
  const before = await statuses()
  await bob.delete(MEET)
  expect(await statuses()).toEqual([])
  const { body } = await bob.patch(MEET, { status: 'confirmed' })
  expect(before).toEqual([
    ['Meeting', '2026-03-02T18:00:00+01:00'],
    ['Long meeting', '2026-03-03T21:00:00+01:00'],
  ])
  expect(await statuses()).toEqual(before)
  expect(body.etag).toBe((await read(bob)).etag)
})

test('7.16 an instance that its organizer cancels meanwhile stays cancelled when a guest restores the series', async () => {
  const { alice, bob } = await withMeeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const second = `${MEET}_20260303T170000Z`
  await alice.patch(second, { summary: 'Long meeting' })
  await bob.delete(MEET)
  await alice.delete(second)
  await bob.patch(MEET, { status: 'confirmed' })
  expect([(await read(bob)).status, (await read(bob, second)).status]).toEqual(['confirmed', 'cancelled'])
})

test('4.6.1, 7.1 an exception with guests of its own loses and gets the guests that its series loses and gets', async () => {
  const { alice } = await withMeeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], attendees: people(BOB, CAROL) })
  const second = `${MEET}_20260303T170000Z`
  const third = `${MEET}_20260304T170000Z`
  await alice.patch(second, { attendees: people(BOB) })
  await alice.patch(third, { attendees: people(BOB, CAROL, 'erin@elsewhere.example') })
  const guests = async (path: string) => Object.keys(answers(await read(alice, path)))

  await alice.patch(MEET, { attendees: people(BOB, CAROL, DAVE) })
  expect(await guests(second)).toEqual([BOB, DAVE])
  await alice.patch(MEET, { attendees: people(BOB, DAVE) })
  expect(await guests(third)).toEqual([BOB, 'erin@elsewhere.example', DAVE])
})

test('7.16 a removed guest keeps a stub, and gets the meeting back with the next invitation', async () => {
  const { alice, bob } = await withMeeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const tuesday = `${MEET}_20260303T170000Z`
  await bob.patch(tuesday, { colorId: '3' })
  await alice.patch(MEET, { attendees: people(CAROL) })
  const stub = await read(bob)
  expect(Object.keys(stub)).toEqual([
    'kind',
    'etag',
    'id',
    'status',
    'htmlLink',
    'updated',
    'start',
    'end',
    'transparency',
    'iCalUID',
  ])
  expect([stub.status, stub.start.dateTime]).toEqual(['cancelled', '2000-01-01T01:00:00+01:00'])
  expect(await read(bob, tuesday)).not.toHaveProperty('summary')
  expect((await bob.patch(MEET, { summary: 'Mine' })).status).toBe(400)
  await alice.patch(MEET, { attendees: people(BOB, CAROL) })
  expect((await bob.get(`${EVENTS}?singleEvents=true`)).body.items).toHaveLength(3)
})

test('7.16, 10.9 the stub of one day of an all-day series is on that day', async () => {
  const { alice, bob } = await withMeeting({
    ...allDay('2026-03-02', '2026-03-03'),
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3'],
  })
  await alice.patch(`${MEET}_20260303`, { attendees: people(CAROL) })
  const window = 'timeMin=2026-03-02T23:30:00Z&timeMax=2026-03-03T22:30:00Z' // the third, by Bob's clock
  const { items } = (await bob.get(`${EVENTS}?singleEvents=true&showDeleted=true&${window}`)).body
  expect(items).toMatchObject([{ id: 'meet001_20260303', status: 'cancelled' }])
})

test('7.16, 4.1.5 a guest who is removed from one instance has it cancelled', async () => {
  const { alice, bob } = await withMeeting({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  await alice.patch(`${MEET}_20260303T170000Z`, { attendees: people(CAROL) })
  expect((await bob.get(`${EVENTS}?singleEvents=true`)).body.items).toHaveLength(2)
  expect((await bob.get(EVENTS)).body.items).toContainEqual(
    expect.objectContaining({ id: 'meet001_20260303T170000Z', status: 'cancelled', recurringEventId: 'meet001' }),
  )
})

test('2.3, 2.3.1 a PUT of a cancelled event as it was read changes nothing; other content is refused', async () => {
  const { alice, bob } = await withMeeting()
  await alice.delete(MEET)
  for (const one of [alice, bob]) {
    const before = await read(one)
    const { status, body } = await one.put(MEET, before)
    expect([status, body]).toEqual([200, before])
    expect((await one.put(MEET, { ...before, summary: 'Other' })).status).toBe(403)
    expect(await read(one)).toEqual(before)
  }
})

test('7.11.1 an address needs no dot, and a later write cannot change the resource flag', async () => {
  const { alice } = await withMeeting({ attendees: [{ email: 'missing@domain' }, { email: DAVE, resource: true }] })
  await alice.patch(MEET, { attendees: [{ email: 'missing@domain', resource: true }, { email: DAVE }] })
  expect((await read(alice)).attendees).toEqual([
    { email: 'missing@domain', responseStatus: 'needsAction' },
    { email: DAVE, resource: true, responseStatus: 'needsAction' },
  ])
})

test('7.19 with attendeesOmitted some attendees can be sent, and they keep their positions', async () => {
  const guests = Array.from({ length: 150 }, (_, n) => ({ email: `guest${n}@elsewhere.example` }))
  const { alice } = await withMeeting({ attendees: [...guests, ...people(BOB, CAROL)] })
  const named = guests.slice(0, 60).map((guest) => ({ ...guest, responseStatus: 'accepted' }))
  expect((await alice.patch(MEET, { attendeesOmitted: true, attendees: named })).status).toBe(200)
  const after = await read(alice)
  expect(after.attendees.map(({ email }: Attendee) => email)).toEqual(
    [...guests, ...people(BOB, CAROL)].map(({ email }) => email),
  )
  expect(after.attendees.slice(59, 61).map(({ responseStatus }: Attendee) => responseStatus)).toEqual([
    'accepted',
    'needsAction',
  ])
})

test('7.19 a patch with attendeesOmitted and no attendees keeps them all', async () => {
  const { alice } = await withMeeting()
  const { attendees } = await read(alice)
  expect((await alice.patch(MEET, { attendeesOmitted: true, summary: 'Later' })).status).toBe(200)
  expect(await read(alice)).toMatchObject({ summary: 'Later', attendees })
})

test('7.19 an insert with attendeesOmitted omits no attendee', async () => {
  const { alice } = await withMeeting({ attendeesOmitted: true })
  expect(await read(alice)).not.toHaveProperty('attendeesOmitted')
})

test('3.9.4 a PUT with its keys in another order changes nothing, and sends no mail', async () => {
  const extendedProperties = { shared: { a: '1', b: '2' }, private: { c: '3', d: '4' } }
  const { alice, fake } = await withMeeting({ extendedProperties })
  const before = await read(alice)
  const turned = { private: { d: '4', c: '3' }, shared: { b: '2', a: '1' } }
  const { body } = await alice.put(`${MEET}?sendUpdates=all`, { ...before, extendedProperties: turned })
  expect(body).toEqual(before)
  expect(fake.mail()).toEqual([])
})

test('7.13.1, 14.43.1 the text and times of a locked copy cannot change, and other fields can', async () => {
  const locked = { id: 'locked01', summary: 'Locked', locked: true, ...hour('2026-03-02', 9) }
  const seed = { ...PEOPLE, calendars: [{ id: ALICE, events: [locked] }] }
  const alice = openCalendar({ seed }).as(ALICE)
  const path = `${EVENTS}/locked01`
  const changes = [
    { summary: 'Mine' },
    { description: 'Mine' },
    { location: 'Here' },
    hour('2026-03-02', 10),
    { recurrence: ['RRULE:FREQ=DAILY'] },
  ]
  for (const change of changes)
    expect(errorOf(await alice.patch(path, change))).toMatchObject({ status: 403, reason: 'forbidden' })
  const { status, body } = await alice.patch(path, { colorId: '3', summary: 'Locked' })
  expect([status, body.colorId, body.locked]).toEqual([200, '3', true])
})

test('9.3 a deleted meeting has no pending conference request', async () => {
  const { alice, fake } = await withMeeting()
  fake.conferences.policy({ mode: 'manual' })
  const conferenceData = { createRequest: { requestId: 'r1', conferenceSolutionKey: { type: 'hangoutsMeet' } } }
  await alice.patch(`${MEET}?conferenceDataVersion=1`, { conferenceData })
  expect(fake.conferences.state().pending).toHaveLength(1)
  await alice.delete(MEET)
  expect(fake.conferences.state().pending).toEqual([])
})
