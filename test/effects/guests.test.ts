import { expect, test } from 'vitest'
import { EVENT_FIELDS, fieldsWhere, findFieldRule } from '../../src/model/events/fields.ts'
import type { Event } from '../../src/schema/event.ts'
import {
  ALICE,
  at,
  BOB,
  CAROL,
  type Client,
  errorOf,
  hour,
  openCalendar,
  PEOPLE,
  type Reply,
} from '../support/calendar.ts'
import { rowsWithGuest } from '../support/eventRows.ts'
import { valueAt } from '../support/fields.ts'

/** Alice (New York), Bob (Berlin) and Carol (UTC) at one event, over the methods of events (behaviour 7). */
const EVENTS = '/calendars/primary/events'
const MEET = `${EVENTS}/meet001`
const DAVE = 'dave@elsewhere.example'
const meeting = { id: 'meet001', summary: 'Meeting', location: 'Room 1', ...hour('2026-03-02', 12) }
const invited = (...emails: string[]) => ({ attendees: emails.map((email) => ({ email })) })

type Attendee = { email: string; responseStatus: string; self?: boolean; comment?: string }
const answers = (body: { attendees?: Attendee[] }) =>
  Object.fromEntries((body.attendees ?? []).map(({ email, responseStatus }) => [email, responseStatus]))

async function withMeeting(more: object = {}) {
  const { as, fake } = openCalendar()
  const [alice, bob, carol] = [as(ALICE), as(BOB), as(CAROL)]
  const { body, status } = await alice.post(EVENTS, { ...meeting, ...invited(ALICE, BOB, CAROL, DAVE), ...more })
  if (status !== 200) throw new Error(JSON.stringify(body))
  fake.clock.advance('1m')
  return { alice, bob, carol, as, fake, body }
}
const read = async (client: Client, path = MEET) => (await client.get(path)).body
/** Reads the meeting as each of the clients sees it. */
const readCopies = <C extends Client[]>(...clients: C) =>
  Promise.all(clients.map((client) => client.get(MEET))) as Promise<{ [N in keyof C]: Reply }>
const ids = async (client: Client, query = '') =>
  (await client.get(`${EVENTS}?${query}`)).body.items.map(({ id }: { id: string }) => id)

test('7.1 every guest with an account has a copy with the same id and iCalUID, and its own etag, link and self', async () => {
  const { alice, bob } = await withMeeting()
  const [own, copy] = [await read(alice), await read(bob)]
  expect(copy).toMatchObject({
    id: own.id,
    iCalUID: own.iCalUID,
    summary: 'Meeting',
    sequence: 0,
    reminders: { useDefault: true },
  })
  expect(copy.etag).not.toBe(own.etag)
  expect(copy.htmlLink).not.toBe(own.htmlLink)
  expect([own.creator, own.organizer]).toEqual([
    { email: ALICE, self: true },
    { email: ALICE, self: true },
  ])
  expect([copy.creator, copy.organizer]).toEqual([{ email: ALICE }, { email: ALICE }])
  expect(own.attendees.filter(({ self }: Attendee) => self).map(({ email }: Attendee) => email)).toEqual([ALICE])
  expect(copy.attendees.filter(({ self }: Attendee) => self).map(({ email }: Attendee) => email)).toEqual([BOB])
  expect(copy.attendees[0]).toEqual({ email: ALICE, organizer: true, responseStatus: 'needsAction' })
  expect(copy.start).toEqual({ dateTime: '2026-03-02T18:00:00+01:00', timeZone: 'America/New_York' })
})

test('7.1, 7.7 copies of a meeting differ only in the fields that the table of event fields marks as each copy’s own', async () => {
  const { alice, bob } = await withMeeting({
    ...{ colorId: '3', reminders: { useDefault: false }, guestsCanModify: true },
    extendedProperties: { private: { mine: '1' }, shared: { ours: '1' } },
  })
  type Shown = Record<string, unknown>
  const isShared = (field: keyof Event) => findFieldRule(field)?.owner !== 'copy' && !/^(etag|updated)$/.test(field)
  const differing = (a: Shown, b: Shown) =>
    EVENT_FIELDS.filter((field) => isShared(field) && JSON.stringify(a[field]) !== JSON.stringify(b[field]))
  const inUtc = (client: Client, path = MEET) => read(client, `${path}?timeZone=UTC`)
  const own = await inUtc(alice)
  expect(differing(own, await inUtc(bob))).toEqual(
    fieldsWhere(({ ofCalendar, privatePart }) => ofCalendar === true || privatePart !== undefined),
  )

  const { id } = (await alice.post('/calendars', { summary: 'Team' })).body
  expect((await alice.post(`${MEET}/move?destination=${encodeURIComponent(id)}`)).status).toBe(200)
  const moved = await inUtc(alice, `/calendars/${encodeURIComponent(id)}/events/meet001`)
  const ofCalendar = fieldsWhere((rule) => rule.ofCalendar === true)
  const remaining = await inUtc(alice)
  expect(differing(moved, remaining)).toEqual(ofCalendar)
  expect(differing(own, remaining)).toEqual(['organizer', 'attendees'])
})

test('7.1 a meeting on a secondary calendar is organized by the calendar, also in guests’ copies', async () => {
  const { as } = openCalendar()
  const { body: team } = await as(ALICE).post('/calendars', { summary: 'Team' })
  await as(ALICE).post(`/calendars/${team.id}/events`, { ...meeting, ...invited(ALICE, BOB) })
  expect((await read(as(BOB))).organizer).toEqual({ email: team.id, displayName: 'Team' })
  expect(await read(as(ALICE))).toMatchObject({
    organizer: { email: team.id },
    attendees: [{ email: ALICE, self: true }, { email: BOB }],
  })
})

test('a change of the organizer reaches every copy and its sync, and no other event', async () => {
  const { alice, bob, carol, as } = await withMeeting()
  const erin = as('erin@example.com')
  const tokens = await Promise.all([bob, carol, erin].map(async (one) => (await one.get(EVENTS)).body.nextSyncToken))
  await alice.patch(MEET, { summary: 'Long meeting', location: null })
  for (const [at, one] of [bob, carol].entries()) {
    const { items } = (await one.get(`${EVENTS}?syncToken=${encodeURIComponent(tokens[at])}`)).body
    expect(items).toMatchObject([{ id: 'meet001', summary: 'Long meeting' }])
    expect(items[0]).not.toHaveProperty('location')
  }
  expect((await erin.get(`${EVENTS}?syncToken=${encodeURIComponent(tokens[2])}`)).body.items).toEqual([])
})

test.each(rowsWithGuest('own'))('7.1, 7.3 each copy has its own %s', async (_, { path, write, shows }) => {
  const { alice, bob, carol } = await withMeeting()
  await bob.patch(MEET, write)
  await alice.patch(MEET, { summary: 'Renamed' })
  const [own, ...others] = await readCopies(bob, alice, carol)
  expect(valueAt(own, path)).toEqual(shows)
  expect(own.body.summary).toBe('Renamed')
  for (const other of others) expect(valueAt(other, path)).not.toEqual(shows)
})

test('7.1, 7.3 shared extended properties belong to the meeting, private ones to each copy', async () => {
  const { alice, bob } = await withMeeting({ extendedProperties: { private: { a: '1' }, shared: { b: '2' } } })
  expect((await read(bob)).extendedProperties).toEqual({ shared: { b: '2' } })
  await bob.patch(MEET, { extendedProperties: { private: { c: '3' } } })
  await alice.patch(MEET, { extendedProperties: { shared: { b: '4' } } })
  expect((await read(bob)).extendedProperties).toEqual({ private: { c: '3' }, shared: { b: '4' } })
  expect((await read(alice)).extendedProperties).toEqual({ private: { a: '1' }, shared: { b: '4' } })
})

test('12.8 a guest adds no more shared properties than the event of its organizer can have', async () => {
  const named = (count: number, of: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${of}${n}`, '']))
  const { alice, bob } = await withMeeting({ extendedProperties: { private: named(200, 'own') } })
  const refused = await bob.patch(MEET, { extendedProperties: { shared: named(150, 'shared') } })

  expect(errorOf(refused)).toMatchObject({ status: 400, message: expect.stringContaining('more than 300 properties') })
  expect((await read(bob)).extendedProperties).toBeUndefined()
  expect((await alice.patch(MEET, { summary: 'Renamed' })).status).toBe(200)
})

test('the copy of a private event is private, and hidden from readers of the guest’s calendar', async () => {
  const { bob, carol } = await withMeeting({ visibility: 'private' })
  await bob.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: 'erin@example.com' } })
  expect((await read(carol)).visibility).toBe('private')
})

test('5.12, 7.1 a removed guest has a cancelled copy, which a new invitation restores', async () => {
  const { alice, bob, carol } = await withMeeting()
  const { nextSyncToken } = (await bob.get(EVENTS)).body
  await alice.patch(MEET, invited(ALICE, CAROL))
  expect(await ids(bob)).toEqual([])
  expect((await bob.get(`${EVENTS}?syncToken=${encodeURIComponent(nextSyncToken)}`)).body.items).toMatchObject([
    { id: 'meet001', status: 'cancelled' },
  ])
  expect(Object.keys(answers(await read(carol)))).toEqual([ALICE, CAROL])
  await alice.patch(MEET, invited(ALICE, CAROL, BOB))
  expect(await ids(bob)).toEqual(['meet001'])
})

test('a new account has the invitations that were sent to its address', async () => {
  const { as } = await withMeeting()
  expect(await read(as(DAVE))).toMatchObject({ id: 'meet001', attendees: [{}, {}, {}, { email: DAVE, self: true }] })
})

test('an account that is created after its invitation was withdrawn has no copy', async () => {
  const { as } = openCalendar()
  await as(ALICE).post(EVENTS, { ...meeting, ...invited(BOB, DAVE) })
  await as(ALICE).patch(MEET, invited(BOB))
  expect(await ids(as(DAVE))).toEqual([])
})

test('7.15, 14.36 the members of an invited group have copies', async () => {
  const { as } = openCalendar({ seed: { ...PEOPLE, groups: [{ email: 'all@example.com', members: [BOB, CAROL] }] } })
  await as(ALICE).post(EVENTS, { ...meeting, ...invited('all@example.com') })
  expect(await ids(as(BOB))).toEqual(['meet001'])
  await as(CAROL).patch(MEET, { attendees: [{ email: CAROL, responseStatus: 'accepted' }] })
  expect(answers(await read(as(ALICE)))).toEqual({ 'all@example.com': 'needsAction', [CAROL]: 'accepted' })
})

test('a group member who deletes their copy declines with an entry of their own, and keeps no copy', async () => {
  const { as } = openCalendar({ seed: { ...PEOPLE, groups: [{ email: 'all@example.com', members: [BOB, CAROL] }] } })
  await as(ALICE).post(EVENTS, { ...meeting, ...invited('all@example.com') })
  await as(BOB).delete(MEET)
  expect(answers(await read(as(ALICE)))).toEqual({ 'all@example.com': 'needsAction', [BOB]: 'declined' })
  await as(ALICE).patch(MEET, { summary: 'Still on' })
  expect(await ids(as(BOB))).toEqual([])
  expect(await ids(as(CAROL))).toEqual(['meet001'])
})

test('7.2 an answer, its comment and extra guests reach the organizer and every other copy', async () => {
  const { alice, bob, carol, body } = await withMeeting()
  const attendees = (await read(bob)).attendees.map((one: Attendee) =>
    one.self ? { ...one, responseStatus: 'accepted', comment: 'Gladly', additionalGuests: 2 } : one,
  )
  const reply = await bob.patch(MEET, { attendees })
  expect(answers(reply.body)[BOB]).toBe('accepted')
  for (const one of [alice, carol]) {
    const entry = (await read(one)).attendees.find(({ email }: Attendee) => email === BOB)
    expect(entry).toEqual({ email: BOB, responseStatus: 'accepted', comment: 'Gladly', additionalGuests: 2 })
  }
  expect((await read(alice)).sequence).toBe(0)
  expect((await read(alice)).etag).not.toBe(body.etag)
})

test('7.19 with attendeesOmitted a single entry is an answer, and other entries stay', async () => {
  const { alice, bob } = await withMeeting()
  await bob.patch(MEET, { attendeesOmitted: true, attendees: [{ email: BOB, responseStatus: 'tentative' }] })
  expect(answers(await read(alice))).toEqual({
    [ALICE]: 'needsAction',
    [BOB]: 'tentative',
    [CAROL]: 'needsAction',
    [DAVE]: 'needsAction',
  })
  await alice.patch(MEET, { attendeesOmitted: true, attendees: [{ email: ALICE, responseStatus: 'accepted' }] })
  expect(answers(await read(bob))).toEqual({
    [ALICE]: 'accepted',
    [BOB]: 'tentative',
    [CAROL]: 'needsAction',
    [DAVE]: 'needsAction',
  })
  expect(await read(alice)).not.toHaveProperty('attendeesOmitted')
  const nobody = await alice.patch(MEET, { attendeesOmitted: true, attendees: [{ responseStatus: 'accepted' }] })
  expect(errorOf(nobody)).toMatchObject({ status: 400, message: 'Missing attendee email.' })
})

test('7.2, 7.3, 14.34 an answer for another guest is ignored, also from the organizer after the invitation', async () => {
  const { alice, bob } = await withMeeting()
  await bob.patch(MEET, {
    attendees: [
      { email: BOB, responseStatus: 'accepted' },
      { email: CAROL, responseStatus: 'declined' },
    ],
  })
  await alice.patch(MEET, {
    attendees: [
      { email: BOB, responseStatus: 'declined' },
      { email: CAROL },
      { email: DAVE, responseStatus: 'accepted' },
    ],
  })
  expect(answers(await read(alice))).toEqual({ [BOB]: 'accepted', [CAROL]: 'needsAction', [DAVE]: 'accepted' })
})

test('7.2 a new time resets all answers', async () => {
  const { alice, bob } = await withMeeting()
  await bob.patch(MEET, { attendees: [{ email: BOB, responseStatus: 'accepted', comment: 'Yes' }] })
  await alice.patch(MEET, { summary: 'Same time' })
  expect(answers(await read(alice))[BOB]).toBe('accepted')
  await alice.patch(MEET, hour('2026-03-02', 15))
  expect((await read(bob)).attendees[1]).toEqual({ email: BOB, self: true, responseStatus: 'needsAction' })
})

test('7.4 a guest who deletes the copy declines, and the copy keeps its fields', async () => {
  const { alice, bob, carol } = await withMeeting()
  expect((await bob.delete(MEET)).status).toBe(204)
  expect(await ids(bob)).toEqual([])
  expect(await read(bob)).toMatchObject({ status: 'cancelled', summary: 'Meeting' })
  expect((await bob.delete(MEET)).status).toBe(410)
  expect(answers(await read(alice))[BOB]).toBe('declined')
  expect((await read(carol)).status).toBe('confirmed')
  await alice.patch(MEET, { summary: 'Still on' })
  expect(await ids(bob)).toEqual([])
  await alice.patch(MEET, hour('2026-03-03', 12))
  expect(await ids(bob)).toEqual(['meet001'])
})

test('7.4 a deletion by the organizer cancels every copy', async () => {
  const { alice, bob, carol } = await withMeeting()
  await alice.delete(MEET)
  for (const one of [alice, bob, carol]) expect((await read(one)).status).toBe('cancelled')
  await alice.patch(MEET, { status: 'confirmed' })
  for (const one of [alice, bob, carol]) expect((await read(one)).status).toBe('confirmed')
})

const FORBIDDEN = {
  status: 403,
  domain: 'calendar',
  reason: 'forbiddenForNonOrganizer',
  message: 'Shared properties can only be changed by the organizer of the event.',
}

test.each(rowsWithGuest('refused'))(
  '2.2.6, 7.3 a guest can neither set %s nor omit it from a PUT if the organizer set it',
  async (_, { write }) => {
    const plain = await withMeeting()
    expect(errorOf(await plain.bob.patch(MEET, write))).toEqual(FORBIDDEN)
    const set = await withMeeting(write)
    const before = await read(set.bob)
    expect(errorOf(await set.bob.put(MEET, { summary: 'Mine', ...hour('2026-03-02', 12) }))).toEqual(FORBIDDEN)
    expect(await read(set.bob)).toEqual(before)
  },
)

test.each(rowsWithGuest('meeting'))(
  '7.3 without guestsCanModify a guest’s %s changes only their copy, until the organizer’s next change',
  async (_, { path, write, shows }) => {
    const { alice, bob, carol } = await withMeeting()
    await bob.patch(MEET, write)
    const [own, ...others] = await readCopies(bob, alice, carol)
    expect(valueAt(own, path)).toEqual(shows)
    for (const other of others) expect(valueAt(other, path)).not.toEqual(shows)
    await alice.patch(MEET, { extendedProperties: { shared: { next: 'change' } } })
    const [organizers, guests] = await readCopies(alice, bob)
    expect(valueAt(guests, path)).toEqual(valueAt(organizers, path))
  },
)

test.each(rowsWithGuest('meeting'))('7.3 with guestsCanModify a guest’s %s changes every copy', async (_, row) => {
  const { alice, bob, carol } = await withMeeting({ guestsCanModify: true })
  await bob.patch(MEET, row.write)
  for (const copy of await readCopies(alice, bob, carol)) expect(valueAt(copy, row.path)).toEqual(row.shows)
})

test('7.3 without guestsCanModify a guest’s changes stay in their copy until the organizer’s next change', async () => {
  const { alice, bob, carol } = await withMeeting()
  const { body } = await bob.patch(MEET, { summary: 'My name for it', ...hour('2026-03-02', 13) })
  expect(body).toMatchObject({ summary: 'My name for it', start: { dateTime: '2026-03-02T19:00:00+01:00' } })
  expect((await read(alice)).summary).toBe('Meeting')
  expect((await read(carol)).summary).toBe('Meeting')
  await alice.patch(MEET, { location: 'Room 2' })
  expect(await read(bob)).toMatchObject({
    summary: 'Meeting',
    location: 'Room 2',
    start: { dateTime: '2026-03-02T18:00:00+01:00' },
  })
})

test('7.3 with guestsCanModify a guest’s changes reach every copy', async () => {
  const { alice, bob, carol } = await withMeeting({ guestsCanModify: true })
  await bob.patch(MEET, { summary: 'Our name for it', colorId: '3' })
  for (const one of [alice, bob, carol]) expect((await read(one)).summary).toBe('Our name for it')
  expect(await read(alice)).not.toHaveProperty('colorId')
})

test('7.3 a guest can add others unless guestsCanInviteOthers is false, and only the organizer can remove guests', async () => {
  const { alice, bob, carol, as } = await withMeeting()
  await bob.patch(MEET, { attendees: [{ email: BOB }, { email: 'erin@example.com' }] })
  expect(Object.keys(answers(await read(alice)))).toEqual([ALICE, BOB, CAROL, DAVE, 'erin@example.com'])
  expect(Object.keys(answers(await read(carol)))).toContain('erin@example.com')
  expect(await ids(as('erin@example.com'))).toEqual(['meet001'])
  const closed = await withMeeting({ guestsCanInviteOthers: false })
  expect(errorOf(await closed.bob.patch(MEET, { attendees: [{ email: BOB }, { email: 'erin@example.com' }] }))).toEqual(
    FORBIDDEN,
  )
  expect((await closed.bob.patch(MEET, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })).status).toBe(200)
})

test('7.18 with guestsCanSeeOtherGuests false a guest gets the organizer and themselves, and can still answer', async () => {
  const { alice, bob } = await withMeeting({ guestsCanSeeOtherGuests: false })
  const copy = await read(bob)
  expect(copy.attendees.map(({ email }: Attendee) => email)).toEqual([ALICE, BOB])
  expect(copy.attendeesOmitted).toBe(true)
  await bob.patch(MEET, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  expect(answers(await read(alice))).toEqual({
    [ALICE]: 'needsAction',
    [BOB]: 'accepted',
    [CAROL]: 'needsAction',
    [DAVE]: 'needsAction',
  })
  expect((await bob.get(`${EVENTS}?q=carol`)).body.items).toEqual([])
})

const STANDUP = {
  id: 'stand0',
  summary: 'Stand-up',
  ...hour('2026-03-02', 9),
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
  ...invited(ALICE, BOB, CAROL),
}
const MONDAY = `${EVENTS}/stand0_20260309T130000Z`

test('every guest has a copy of a series and its instances', async () => {
  const { bob } = await withMeeting(STANDUP)
  expect(await ids(bob, 'singleEvents=true')).toHaveLength(4)
  expect((await read(bob, MONDAY)).start).toEqual({
    dateTime: '2026-03-09T14:00:00+01:00',
    timeZone: 'America/New_York',
  })
})

test('a changed or cancelled instance of the organizer changes for every guest', async () => {
  const { alice, bob, carol } = await withMeeting(STANDUP)
  await alice.patch(MONDAY, { summary: 'Long stand-up', ...hour('2026-03-10', 9) })
  await alice.delete(`${EVENTS}/stand0_20260316T130000Z`)
  for (const one of [bob, carol]) {
    expect(await read(one, MONDAY)).toMatchObject({ summary: 'Long stand-up', recurringEventId: 'stand0' })
    expect(await ids(one, 'singleEvents=true')).toHaveLength(3)
  }
})

test('an answer to one instance applies to that instance on every calendar', async () => {
  const { alice, bob, carol } = await withMeeting(STANDUP)
  await bob.patch(MONDAY, { attendees: [{ email: BOB, responseStatus: 'declined' }] })
  for (const one of [alice, bob, carol]) {
    expect(answers(await read(one, MONDAY))[BOB]).toBe('declined')
    expect(answers(await read(one, `${EVENTS}/stand0`))[BOB]).toBe('needsAction')
    expect(answers(await read(one, `${EVENTS}/stand0_20260316T130000Z`))[BOB]).toBe('needsAction')
  }
  await bob.delete(`${EVENTS}/stand0_20260316T130000Z`)
  expect(answers(await read(alice, `${EVENTS}/stand0_20260316T130000Z`))[BOB]).toBe('declined')
  expect(await ids(carol, 'singleEvents=true')).toHaveLength(4)
})

test('an answer to the series applies to every instance without its own answer', async () => {
  const { alice, bob } = await withMeeting(STANDUP)
  await bob.patch(MONDAY, { attendees: [{ email: BOB, responseStatus: 'declined' }] })
  await bob.patch(`${EVENTS}/stand0`, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  expect(answers(await read(alice, MONDAY))[BOB]).toBe('declined')
  expect(answers(await read(alice, `${EVENTS}/stand0_20260316T130000Z`))[BOB]).toBe('accepted')
})

test('a guest of the series is added to its exceptions; a guest of one instance has only that instance', async () => {
  const { alice, as } = await withMeeting(STANDUP)
  await alice.patch(MONDAY, { summary: 'Long stand-up' })
  await alice.patch(`${EVENTS}/stand0`, invited(ALICE, BOB, CAROL, 'erin@example.com'))
  await alice.patch(
    `${EVENTS}/stand0_20260316T130000Z`,
    invited(ALICE, BOB, CAROL, 'erin@example.com', 'fred@example.com'),
  )
  expect(await ids(as('erin@example.com'), 'singleEvents=true')).toHaveLength(4)
  expect((await read(as('erin@example.com'), MONDAY)).summary).toBe('Long stand-up')
  expect(await ids(as('fred@example.com'), 'singleEvents=true')).toEqual(['stand0_20260316T130000Z'])
})

test('a guest’s own change of one instance stays when the series changes', async () => {
  const { alice, bob } = await withMeeting(STANDUP)
  await bob.patch(MONDAY, { reminders: { useDefault: false } })
  await alice.patch(`${EVENTS}/stand0`, { summary: 'Sit-down' })
  expect(await read(bob, MONDAY)).toMatchObject({ summary: 'Sit-down', reminders: { useDefault: false } })
})

test('7.17, 14.35, 15.14 a room accepts a free time and declines a busy one', async () => {
  const room = { id: 'room1@example.com', autoAcceptInvitations: true }
  const { as } = openCalendar({
    seed: { accounts: [...(PEOPLE.accounts ?? []), { email: room.id }], calendars: [room] },
  })
  const book = async (id: string, at: number) =>
    answers(
      (
        await as(ALICE).post(EVENTS, {
          ...meeting,
          id,
          ...hour('2026-03-02', at),
          attendees: [{ email: room.id, resource: true }],
        })
      ).body,
    )[room.id]
  expect(await book('first01', 12)).toBe('accepted')
  expect(await book('first02', 12)).toBe('declined')
  expect(await book('first03', 13)).toBe('accepted')
  await as(ALICE).patch(`${EVENTS}/first02`, hour('2026-03-02', 15))
  expect(answers(await read(as(ALICE), `${EVENTS}/first02`))[room.id]).toBe('accepted')
})

test('2.2.6, 7.21, 15.20 a service account cannot invite guests, and can write all other fields', async () => {
  const { as } = openCalendar()
  const robot = as('robot@project.iam.gserviceaccount.com')
  expect(errorOf(await robot.post(EVENTS, { ...meeting, ...invited(BOB) }))).toEqual({
    status: 403,
    domain: 'calendar',
    reason: 'forbiddenForServiceAccounts',
    message: 'Service accounts cannot invite attendees without Domain-Wide Delegation of Authority.',
  })
  expect((await robot.post(EVENTS, meeting)).status).toBe(200)
  expect((await robot.patch(MEET, invited(BOB))).status).toBe(403)
})

test('the deletion of a secondary calendar cancels its meetings on every guest’s calendar', async () => {
  const { as } = openCalendar()
  const { body: team } = await as(ALICE).post('/calendars', { summary: 'Team' })
  await as(ALICE).post(`/calendars/${team.id}/events`, { ...meeting, ...invited(BOB) })
  await as(ALICE).delete(`/calendars/${team.id}`)
  expect((await read(as(BOB))).status).toBe('cancelled')
})

test('a clear of a primary calendar cancels the events it organizes and declines those it attends', async () => {
  const { alice, bob, carol } = await withMeeting()
  await bob.post(EVENTS, { id: 'bobs001', ...hour('2026-03-02', 8), ...invited(CAROL) })
  await bob.post('/calendars/primary/clear')
  expect(answers(await read(alice))[BOB]).toBe('declined')
  expect((await read(carol, `${EVENTS}/bobs001`)).status).toBe('cancelled')
})

test('accounts without access and free/busy readers get no private text in any reply', async () => {
  const words = /Psst|cellar|whisper|hushed/
  const secret = {
    summary: 'Psst',
    location: 'cellar',
    description: 'whisper',
    extendedProperties: { shared: { k: 'hushed' }, private: { k: 'hushed' } },
  }
  const { alice, as } = await withMeeting({ ...secret, recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  await alice.post(EVENTS, { ...secret, id: 'secret1', visibility: 'private', ...hour('2026-03-02', 8) })
  await alice.patch(`${MEET}_20260303T170000Z`, { description: 'whispered' })
  const [stranger, busy, reader] = ['stan@x.example', 'fay@x.example', 'ray@x.example'].map((email) => as(email)) as [
    Client,
    Client,
    Client,
  ]
  await alice.post('/calendars/primary/acl', {
    role: 'freeBusyReader',
    scope: { type: 'user', value: 'fay@x.example' },
  })
  await alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: 'ray@x.example' } })
  const everything = async (client: Client) => {
    const path = `/calendars/${ALICE}`
    const paths = [
      path,
      `${path}/events`,
      `${path}/events?singleEvents=true&showDeleted=true`,
      `${path}/events?q=Psst`,
      `${path}/events/meet001`,
    ]
    paths.push(
      `${path}/events/meet001/instances`,
      `${path}/events/secret1`,
      `${path}/acl`,
      '/users/me/calendarList',
      '/calendars/primary/events',
    )
    const window = { timeMin: '2026-03-01T00:00:00Z', timeMax: '2026-03-09T00:00:00Z', items: [{ id: ALICE }] }
    const replies = await Promise.all([...paths.map((one) => client.get(one)), client.post('/freeBusy', window)])
    return replies.map(({ status, text }) => `${status} ${text}`).join('\n')
  }
  expect(await everything(stranger)).not.toMatch(words)
  expect(await everything(busy)).not.toMatch(words)
  expect(await everything(reader)).toMatch(words)
  const secret1 = await reader.get(`/calendars/${ALICE}/events/secret1`)
  expect(secret1.status).toBe(200)
  expect(secret1.text).not.toMatch(words)
})

test('times keep their zone on every copy', async () => {
  const { carol } = await withMeeting({
    start: at('2026-03-02T12:00:00', 'Asia/Kolkata'),
    end: at('2026-03-02T13:00:00', 'Asia/Kolkata'),
  })
  expect((await read(carol)).start).toEqual({ dateTime: '2026-03-02T06:30:00Z', timeZone: 'Asia/Kolkata' })
})

test('the same instant in another zone keeps the answers', async () => {
  const { alice, bob } = await withMeeting()
  await bob.patch(MEET, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  await alice.patch(MEET, {
    start: at('2026-03-02T18:00:00', 'Europe/Berlin'),
    end: at('2026-03-02T19:00:00', 'Europe/Berlin'),
  })
  expect(answers(await read(bob))[BOB]).toBe('accepted')
})

test('a guest who accepts despite focus time is not declined again when the zone changes', async () => {
  const { as } = openCalendar()
  const [alice, bob] = [as(ALICE), as(BOB)]
  const keeping = { autoDeclineMode: 'declineOnlyNewConflictingInvitations' }
  await bob.post(EVENTS, { ...hour('2026-03-02', 12), eventType: 'focusTime', focusTimeProperties: keeping })
  await alice.post(EVENTS, { ...meeting, ...invited(BOB) })
  expect(answers(await read(alice))[BOB]).toBe('declined')
  await bob.patch(MEET, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  const berlin = { start: at('2026-03-02T18:00:00', 'Europe/Berlin'), end: at('2026-03-02T19:00:00', 'Europe/Berlin') }
  await alice.patch(MEET, berlin)
  expect(answers(await read(alice))[BOB]).toBe('accepted')
  await alice.patch(MEET, { end: at('2026-03-02T19:30:00', 'Europe/Berlin') })
  expect(answers(await read(alice))[BOB]).toBe('declined')
})
