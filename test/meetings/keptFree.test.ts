import { expect, test } from 'vitest'
import { ALICE, BOB, CAROL, hour, openCalendar, PEOPLE } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = `${EVENTS}/lunch001`
const lunch = { id: 'lunch001', ...hour('2026-03-02', 12), attendees: [{ email: BOB }] }
const focus = (autoDeclineMode: string) => ({
  eventType: 'focusTime',
  ...hour('2026-03-02', 12),
  focusTimeProperties: { autoDeclineMode, declineMessage: 'Writing' },
})
const declined = [expect.objectContaining({ email: BOB, responseStatus: 'declined', comment: 'Writing' })]
const open = [{ email: BOB, responseStatus: 'needsAction' }]
const people = () => {
  const { as } = openCalendar()
  return { alice: as(ALICE), bob: as(BOB), carol: as(CAROL) }
}

// behaviour 8.13
test('an invitation into focus time comes back declined, with the message, on both calendars', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  const { body: born } = await alice.post(EVENTS, lunch)
  expect(born.attendees).toEqual(declined)
  expect((await alice.get(LUNCH)).body).toEqual(born)
  expect((await bob.get(LUNCH)).body.attendees).toEqual(declined)
})

test('so does one that is moved into it, and one that he is added to', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, { ...lunch, ...hour('2026-03-02', 15) })
  expect((await alice.get(LUNCH)).body.attendees).toEqual(open)
  expect((await alice.patch(LUNCH, hour('2026-03-02', 12))).body.attendees).toEqual(declined)
  await alice.post(EVENTS, { ...lunch, id: 'dinner001', attendees: [] })
  expect((await alice.patch(`${EVENTS}/dinner001`, { attendees: [{ email: BOB }] })).body.attendees).toEqual(declined)
})

// behaviour 8.13
test('one that was there before stays open, unless all are declined', async () => {
  const { alice, bob } = people()
  await alice.post(EVENTS, lunch)
  const { body: kept } = await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  expect((await alice.get(LUNCH)).body.attendees).toEqual(open)
  await alice.patch(LUNCH, { summary: 'Lunch' })
  expect((await alice.get(LUNCH)).body.attendees).toEqual(open)
  const { focusTimeProperties } = focus('declineAllConflictingInvitations')
  await bob.patch(`${EVENTS}/${kept.id}`, { focusTimeProperties })
  expect((await alice.get(LUNCH)).body.attendees).toEqual(declined)
})

test('of a series the instances in the way are declined, and only those', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, { ...lunch, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  expect((await alice.get(LUNCH)).body.attendees).toEqual(open)
  expect((await alice.get(`${LUNCH}_20260302T170000Z`)).body.attendees).toEqual(declined)
  expect((await alice.get(`${LUNCH}_20260303T170000Z`)).body.attendees).toEqual(open)
})

test('an instance that was moved out of the way stays open', async () => {
  const { alice, bob } = people()
  await alice.post(EVENTS, { ...lunch, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  await alice.patch(`${LUNCH}_20260302T170000Z`, hour('2026-03-02', 15))
  await bob.post(EVENTS, focus('declineAllConflictingInvitations'))
  expect((await alice.get(`${LUNCH}_20260302T170000Z`)).body.attendees).toEqual(open)
})

// behaviour 8.13
test('who is invited to somebody’s focus time does not keep it free', async () => {
  const { alice, bob, carol } = people()
  await alice.post(EVENTS, { ...focus('declineAllConflictingInvitations'), attendees: [{ email: BOB }] })
  expect((await carol.post(EVENTS, lunch)).body.attendees).toEqual(open)
  expect((await bob.get(LUNCH)).body.attendees).toEqual([{ ...open[0], self: true }])
})

// behaviour 7.15, 8.13
test('a member of a group who keeps time free declines for themselves', async () => {
  const groups = [{ email: 'team@example.com', members: [BOB, CAROL] }]
  const { as } = openCalendar({ seed: { ...PEOPLE, groups } })
  await as(BOB).post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  const { body } = await as(ALICE).post(EVENTS, { ...lunch, attendees: [{ email: 'team@example.com' }] })
  expect(body.attendees).toEqual([{ email: 'team@example.com', responseStatus: 'needsAction' }, ...declined])
})

// behaviour 8.13, 14.35
test('a series that began long ago is declined where it is in the way today', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, { ...lunch, ...hour('2023-01-02', 12), recurrence: ['RRULE:FREQ=DAILY'] })
  expect((await alice.get(`${LUNCH}_20260302T170000Z`)).body.attendees).toEqual(declined)
  expect((await alice.get(`${LUNCH}_20260303T170000Z`)).body.attendees).toEqual(open)
})

// behaviour 7.10, 8.13
test('who is asked again declines again', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, lunch)
  expect((await alice.patch(LUNCH, { attendees: [{ email: BOB }] })).body.attendees).toEqual(declined)
})
