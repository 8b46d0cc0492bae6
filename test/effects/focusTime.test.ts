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

test('8.13 an invitation in focus time is declined with the message on both calendars', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  const { body: born } = await alice.post(EVENTS, lunch)
  expect(born.attendees).toEqual(declined)
  expect((await alice.get(LUNCH)).body).toEqual(born)
  expect((await bob.get(LUNCH)).body.attendees).toEqual(declined)
})

test('an event that moves into focus time and one that adds the guest are declined', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, { ...lunch, ...hour('2026-03-02', 15) })
  expect((await alice.get(LUNCH)).body.attendees).toEqual(open)
  expect((await alice.patch(LUNCH, hour('2026-03-02', 12))).body.attendees).toEqual(declined)
  await alice.post(EVENTS, { ...lunch, id: 'dinner001', attendees: [] })
  expect((await alice.patch(`${EVENTS}/dinner001`, { attendees: [{ email: BOB }] })).body.attendees).toEqual(declined)
})

test('8.13 an earlier invitation stays open, unless the mode declines all', async () => {
  const { alice, bob } = people()
  await alice.post(EVENTS, lunch)
  const { body: focusTime } = await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  expect((await alice.get(LUNCH)).body.attendees).toEqual(open)
  await alice.patch(LUNCH, { summary: 'Lunch' })
  expect((await alice.get(LUNCH)).body.attendees).toEqual(open)
  const { focusTimeProperties } = focus('declineAllConflictingInvitations')
  await bob.patch(`${EVENTS}/${focusTime.id}`, { focusTimeProperties })
  expect((await alice.get(LUNCH)).body.attendees).toEqual(declined)
})

test('only the conflicting instances of a series are declined', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, { ...lunch, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  expect((await alice.get(LUNCH)).body.attendees).toEqual(open)
  expect((await alice.get(`${LUNCH}_20260302T170000Z`)).body.attendees).toEqual(declined)
  expect((await alice.get(`${LUNCH}_20260303T170000Z`)).body.attendees).toEqual(open)
})

test('an instance that was moved out of focus time stays open', async () => {
  const { alice, bob } = people()
  await alice.post(EVENTS, { ...lunch, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  await alice.patch(`${LUNCH}_20260302T170000Z`, hour('2026-03-02', 15))
  await bob.post(EVENTS, focus('declineAllConflictingInvitations'))
  expect((await alice.get(`${LUNCH}_20260302T170000Z`)).body.attendees).toEqual(open)
})

test('8.13 a guest of another account’s focus time declines no invitations', async () => {
  const { alice, bob, carol } = people()
  await alice.post(EVENTS, { ...focus('declineAllConflictingInvitations'), attendees: [{ email: BOB }] })
  expect((await carol.post(EVENTS, lunch)).body.attendees).toEqual(open)
  expect((await bob.get(LUNCH)).body.attendees).toEqual([{ ...open[0], self: true }])
})

test('7.15, 8.13 a group member with focus time declines with an entry of their own', async () => {
  const groups = [{ email: 'team@example.com', members: [BOB, CAROL] }]
  const { as } = openCalendar({ seed: { ...PEOPLE, groups } })
  await as(BOB).post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  const { body } = await as(ALICE).post(EVENTS, { ...lunch, attendees: [{ email: 'team@example.com' }] })
  expect(body.attendees).toEqual([{ email: 'team@example.com', responseStatus: 'needsAction' }, ...declined])
})

test('8.13, 14.35 a series that began long ago is declined where it conflicts today', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, { ...lunch, ...hour('2023-01-02', 12), recurrence: ['RRULE:FREQ=DAILY'] })
  expect((await alice.get(`${LUNCH}_20260302T170000Z`)).body.attendees).toEqual(declined)
  expect((await alice.get(`${LUNCH}_20260303T170000Z`)).body.attendees).toEqual(open)
})

test('7.10, 8.13 a second invitation is declined again', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, lunch)
  expect((await alice.patch(LUNCH, { attendees: [{ email: BOB }] })).body.attendees).toEqual(declined)
})

const ALL = 'declineAllConflictingInvitations'

test('8.13 a declined invitation keeps its comment, and an accepted one is declined', async () => {
  const { alice, bob } = people()
  await alice.post(EVENTS, lunch)
  await alice.post(EVENTS, { ...lunch, id: 'dinner001' })
  const answer = (id: string, response: object) =>
    bob.patch(`${EVENTS}/${id}`, { attendees: [{ email: BOB, ...response }] })
  await answer('lunch001', { responseStatus: 'declined', comment: 'Away' })
  await answer('dinner001', { responseStatus: 'accepted', comment: 'Gladly' })
  await bob.post(EVENTS, focus(ALL))

  expect((await alice.get(LUNCH)).body.attendees).toMatchObject([{ responseStatus: 'declined', comment: 'Away' }])
  expect((await alice.get(`${EVENTS}/dinner001`)).body.attendees).toEqual(declined)
})

test('11.8 an etag still matches after the service declined for a guest', async () => {
  const { alice, bob } = people()
  const { etag } = (await alice.post(EVENTS, lunch)).body
  await bob.post(EVENTS, focus(ALL))
  expect((await alice.get(LUNCH)).body.etag).not.toBe(etag)
  const patched = await alice.patch(LUNCH, { summary: 'Lunch' }, { 'If-Match': etag })
  expect(patched.body.attendees).toEqual(declined)
})

test('8.13 the mode for all declines earlier conflicting invitations, except own, past, free and other events', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, { id: 'his00001', ...hour('2026-03-02', 12), attendees: [{ email: ALICE }] })
  await alice.post(EVENTS, { ...lunch, id: 'free0001', transparency: 'transparent' })
  await alice.post(EVENTS, { ...lunch, id: 'after001', ...hour('2026-03-02', 13) })
  await alice.post(EVENTS, { ...lunch, id: 'gone0001' })
  await alice.delete(`${EVENTS}/gone0001`)
  await alice.post(EVENTS, { ...lunch, id: 'series01', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const { body } = await bob.post(EVENTS, { ...focus(ALL), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const answers = async (id: string) => (await alice.get(`${EVENTS}/${id}`)).body.attendees

  expect((await bob.get(`${EVENTS}/his00001`)).body.attendees).toMatchObject([{ responseStatus: 'needsAction' }])
  for (const id of ['free0001', 'after001', 'series01', 'series01_20260304T170000Z'])
    expect(await answers(id)).toEqual(open)
  for (const day of [2, 3]) expect(await answers(`series01_2026030${day}T170000Z`)).toEqual(declined)
  expect((await alice.get(`${EVENTS}/gone0001`)).body.status).toBe('cancelled')
  expect((await bob.get(`${EVENTS}/${body.id}`)).body).not.toHaveProperty('attendees')
})

test('8.13 focus time without a message declines without a comment', async () => {
  const { alice, bob } = people()
  await alice.post(EVENTS, lunch)
  await bob.post(EVENTS, { ...focus(ALL), focusTimeProperties: { autoDeclineMode: ALL } })
  await alice.post(EVENTS, { ...lunch, id: 'dinner001' })
  const without = [{ email: BOB, responseStatus: 'declined' }]

  expect((await alice.get(LUNCH)).body.attendees).toEqual(without)
  expect((await alice.get(`${EVENTS}/dinner001`)).body.attendees).toEqual(without)
})

test('8.13 an invitation that a guest accepted is not declined again until its time changes', async () => {
  const { alice, bob, carol } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, lunch)
  await bob.patch(LUNCH, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  await alice.patch(LUNCH, {
    summary: 'Lunch',
    attendees: [{ email: BOB, responseStatus: 'needsAction' }, { email: CAROL }],
  })
  await carol.patch(LUNCH, { attendees: [{ email: CAROL, responseStatus: 'tentative' }] })
  expect((await alice.get(LUNCH)).body.attendees).toMatchObject([
    { email: BOB, responseStatus: 'accepted' },
    { email: CAROL, responseStatus: 'tentative' },
  ])

  const { body } = await alice.patch(LUNCH, { end: hour('2026-03-02', 13).end })
  expect(body.attendees).toEqual([...declined, { email: CAROL, responseStatus: 'needsAction' }])
})

test('8.13 cancelled focus time declines nothing', async () => {
  const { alice, bob } = people()
  const { body } = await bob.post(EVENTS, focus(ALL))
  await alice.post(EVENTS, lunch)
  await bob.patch(LUNCH, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  await bob.patch(`${EVENTS}/${body.id}`, { status: 'cancelled' })

  expect((await alice.get(LUNCH)).body.attendees).toEqual([{ email: BOB, responseStatus: 'accepted' }])
})

test('7.8, 8.13 a new time of a private copy declines for nobody else', async () => {
  const { alice, bob } = people()
  const organizer = { email: 'eve@example.net' }
  const foreign = { iCalUID: 'x@example.net', organizer, attendees: [{ email: ALICE }, { email: BOB }] }
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  const { body } = await bob.post(`${EVENTS}/import`, { ...foreign, ...hour('2026-03-02', 12) })
  await alice.post(`${EVENTS}/import`, { ...foreign, ...hour('2026-03-02', 9) })
  expect((await alice.patch(`${EVENTS}/${body.id}`, hour('2026-03-02', 12))).status).toBe(200)

  expect((await bob.get(`${EVENTS}/${body.id}`)).body.attendees[1]).toMatchObject({ responseStatus: 'needsAction' })
})

test('7.3, 8.13 a guest who moves a meeting into their own focus time does not decline it', async () => {
  const { alice, bob } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  const guests = [{ email: BOB }, { email: CAROL }]
  await alice.post(EVENTS, { ...lunch, ...hour('2026-03-02', 15), guestsCanModify: true, attendees: guests })
  await bob.patch(LUNCH, hour('2026-03-02', 12))

  expect((await alice.get(LUNCH)).body.attendees).toMatchObject([
    { email: BOB, responseStatus: 'needsAction' },
    { email: CAROL, responseStatus: 'needsAction' },
  ])
})

test('7.10, 8.13 a second invitation is declined again for the guest, while other guests keep their answers', async () => {
  const { alice, bob, carol } = people()
  await bob.post(EVENTS, focus('declineOnlyNewConflictingInvitations'))
  await alice.post(EVENTS, { ...lunch, attendees: [{ email: BOB }, { email: CAROL }] })
  await bob.patch(LUNCH, { attendees: [{ email: BOB, responseStatus: 'accepted' }, { email: CAROL }] })
  await carol.patch(LUNCH, { attendees: [{ email: BOB }, { email: CAROL, responseStatus: 'accepted' }] })
  const attendees = [{ email: BOB }, { email: CAROL, responseStatus: 'accepted' }]

  expect((await alice.patch(LUNCH, { attendees })).body.attendees).toMatchObject([
    { email: BOB, responseStatus: 'declined', comment: 'Writing' },
    { email: CAROL, responseStatus: 'accepted' },
  ])
})

test('7.15, 8.13 a group member declines earlier invitations of the group with an entry of their own', async () => {
  const groups = [{ email: 'team@example.com', members: [BOB, CAROL] }]
  const { as } = openCalendar({ seed: { ...PEOPLE, groups } })
  await as(ALICE).post(EVENTS, { ...lunch, attendees: [{ email: 'team@example.com' }] })
  await as(BOB).post(EVENTS, focus(ALL))

  expect((await as(ALICE).get(LUNCH)).body.attendees).toEqual([
    { email: 'team@example.com', responseStatus: 'needsAction' },
    ...declined,
  ])
})
