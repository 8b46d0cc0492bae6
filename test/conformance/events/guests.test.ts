import { expect, test } from 'vitest'
import {
  AS_GUEST,
  calendarId,
  createEvent,
  createMeeting,
  del,
  get,
  guestEmail,
  guestTest,
  hour,
  ownerEmail,
  patch,
  post,
  QUIET,
  removeLater,
  thisWeek,
  useCalendar,
} from '../calendar.ts'
import { absent, contains, exactKeys, expectError, expectOk, expectShape, expectStatus } from '../expect.ts'

const ZOE = 'zoe@example.com'
const ADAM = 'adam@example.com'

/** Creates an event with two guests, or those of `body`, without mail. Returns its path. */
async function createGuestMeeting(body: object = {}): Promise<string> {
  const { id } = await createEvent({ attendees: [{ email: ZOE }, { email: ADAM }], ...body }, QUIET)
  return `events/${id}`
}

useCalendar()

test('7.11, 2.2.6 a guest without an address is rejected', () =>
  expectError(post('events', { ...hour(9), attendees: [{ displayName: 'Nobody' }] }, QUIET), 400, {
    reason: 'required',
    message: 'Missing attendee email.',
  }))

test('7.11, 2.2.6 a guest with an invalid address is rejected', () =>
  expectError(post('events', { ...hour(9), attendees: [{ email: 'not-an-email' }] }, QUIET), 400, {
    reason: 'invalid',
    message: 'Invalid attendee email.',
  }))

test('3.2.8, 7.1 the organizer of an event is its secondary calendar', async () => {
  const made = await post('events', { ...hour(9), organizer: { email: 'nobody@example.com' } })
  const { summary } = await expectOk(get(`/calendars/${calendarId()}`))
  const email = calendarId()
  await expectOk(made, { creator: exactKeys('email'), organizer: { email, displayName: summary, self: true } })
  expectShape(made.body.creator, { email: ownerEmail() })
})

test('1.19 a list accepts maxAttendees', async () => {
  await createGuestMeeting()
  const answer = await get('events', { ...thisWeek(), maxAttendees: 1 })
  await expectOk(answer, { items: [{ attendeesOmitted: true }] })
})

test('12.5, 7.20 more than 200 guests are rejected', () =>
  expectError(
    post(
      'events',
      { ...hour(9), attendees: Array.from({ length: 2000 }, (_, at) => ({ email: `g${at}@example.com` })) },
      QUIET,
    ),
    400,
  ))

test('7.10 guests without a responseStatus in a PATCH get needsAction', async () => {
  const path = await createGuestMeeting({ attendees: [{ email: ZOE, responseStatus: 'accepted' }] })
  await expectOk(patch(path, { attendees: [{ email: ZOE }] }, QUIET), {
    attendees: [{ email: ZOE, responseStatus: 'needsAction' }],
  })
})

test('7.10, 7.2 guests with a responseStatus in a PATCH keep it', async () => {
  const attendees = [{ email: ZOE, responseStatus: 'accepted' }]
  const path = await createGuestMeeting({ attendees })
  await expectOk(patch(path, { attendees, summary: 'Other' }, QUIET), { attendees })
})

test('7.20, 12.5 200 guests are accepted', async () => {
  const attendees = Array.from({ length: 200 }, (_, at) => ({ email: `guest${at}@example.com` }))
  const made = await expectOk(post('events', { ...hour(9), attendees }, QUIET))
  expect(made.attendees.length).toBe(200)
})

test('7.11.1 guests without a dot in their address are accepted', async () => {
  const attendees = [{ email: 'missing@domain' }]
  await expectOk(post('events', { ...hour(9), attendees }, QUIET), { attendees })
})

guestTest('7.1 a guest has a copy of the event with the same id', async () => {
  const { id, email, mine, theirs } = await createMeeting()
  const copy = await get(theirs, {}, AS_GUEST)
  const { iCalUID } = await expectOk(get(mine))
  await expectOk(copy, {
    id,
    iCalUID,
    summary: 'Meeting',
    organizer: { self: absent },
    attendees: contains({ email, self: true }),
  })
})

guestTest('7.2, 7.3 a guest’s response is stored in the organizer’s event', async () => {
  const { email, mine, theirs } = await createMeeting()
  const answer = { attendees: [{ email, responseStatus: 'accepted', comment: 'Yes' }] }
  await expectOk(patch(theirs, answer, AS_GUEST))
  await expectOk(get(mine), { attendees: contains({ email, responseStatus: 'accepted', comment: 'Yes' }) })
})

guestTest('7.1, 5.12 a removed guest loses the copy', async () => {
  const { mine, theirs } = await createMeeting()
  await expectOk(patch(mine, { attendees: [] }, QUIET), { attendees: absent })
  await expectOk(get(theirs, {}, AS_GUEST), { status: 'cancelled' })
})

guestTest('7.4 a deletion by the organizer cancels the guest’s copy', async () => {
  const { mine, theirs } = await createMeeting()
  await expectStatus(del(mine, QUIET), 204)
  await expectOk(get(theirs, {}, AS_GUEST), { status: 'cancelled' })
})

guestTest('7.18 without guestsCanSeeOtherGuests, a guest sees the organizer and itself', async () => {
  const email = guestEmail()
  const attendees = [{ email }, { email: 'zoe@example.com' }]
  const { mine, theirs } = await createMeeting({ guestsCanSeeOtherGuests: false, attendees })
  const { attendees: seen } = await expectOk(get(theirs, {}, AS_GUEST), { attendeesOmitted: true })
  expect(JSON.stringify(seen)).not.toContain('zoe@')
  await expectOk(get(mine), { attendees: contains({ email }, { email: 'zoe@example.com' }), attendeesOmitted: absent })
})

guestTest('7.14.1 a guest cannot write the source of an event', async () => {
  const { theirs } = await createMeeting({
    guestsCanModify: true,
    source: { url: 'https://example.com/', title: 'A' },
  })
  const source = { url: 'https://example.com/b', title: 'B' }
  await expectError(patch(theirs, { source }, AS_GUEST), 403, { domain: 'calendar', reason: 'forbiddenForNonCreator' })
})

guestTest('7.19 attendeesOmitted with the caller’s entry changes only that response', async () => {
  const email = guestEmail()
  const attendees = [{ email }, { email: 'zoe@example.com', responseStatus: 'accepted' }]
  const { mine, theirs } = await createMeeting({ attendees })
  const body = { attendeesOmitted: true, attendees: [{ email, responseStatus: 'tentative' }] }
  await expectOk(patch(theirs, body, AS_GUEST))
  const expected = [
    { email, responseStatus: 'tentative' },
    { email: 'zoe@example.com', responseStatus: 'accepted' },
  ]
  await expectOk(get(mine), { attendees: contains(...expected) })
})

guestTest('7.16 a removed guest has a cancelled copy without details', async () => {
  const { mine, theirs } = await createMeeting({ location: 'Here' })
  await expectOk(patch(mine, { attendees: [] }, QUIET))
  await expectOk(get(theirs, {}, AS_GUEST), {
    status: 'cancelled',
    summary: absent,
    location: absent,
    attendees: absent,
  })
})

guestTest('7.12, 7.1 each account has its own reminders of an event', async () => {
  const { mine, theirs } = await createMeeting()
  const reminders = { useDefault: false, overrides: [{ method: 'popup', minutes: 7 }] }
  await expectOk(patch(theirs, { reminders }, AS_GUEST))
  await expectOk(get(mine), { reminders: { useDefault: true } })
})

test('3.2.9 the caller’s entry among the guests has self', async () => {
  const email = ownerEmail()
  const body = { ...hour(9), attendees: [{ email, responseStatus: 'accepted' }, { email: 'zoe@example.com' }] }
  const made = await post('/calendars/primary/events', body, QUIET)
  removeLater(`/calendars/primary/events/${made.body.id}`, QUIET)
  await expectOk(made, {
    attendees: [
      { email, organizer: true, self: true, responseStatus: 'accepted' },
      { email: 'zoe@example.com', organizer: absent, self: absent },
    ],
  })
})

test('3.2.3, 7.11 flags of guests that are false are omitted', async () => {
  const attendees = [{ email: 'zoe@example.com', optional: false, resource: false, additionalGuests: 0 }]
  const made = await post('events', { ...hour(9), attendees }, QUIET)
  await expectOk(made, { attendees: [{ optional: absent, resource: absent, additionalGuests: absent }] })
})

test('1.19 maxAttendees=0 is rejected', () =>
  expectError(get('events', { maxAttendees: '0' }), 400, { reason: 'invalidParameter', location: 'maxAttendees' }))
