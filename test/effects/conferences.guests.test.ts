import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, hour, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = `${EVENTS}/lunch001`
const V1 = '?conferenceDataVersion=1'
const lunch = { id: 'lunch001', ...hour('2026-03-02', 12), attendees: [{ email: BOB }] }
const request = (requestId = 'r1') => ({ conferenceData: { createRequest: { requestId } } })

/** Alice's lunch, to which Bob is invited. */
async function invited(body: object) {
  const { as, fake } = openCalendar({ conferences: { delay: '1s' } })
  const [alice, bob] = [as(ALICE), as(BOB)]
  await alice.post(EVENTS + V1, { ...lunch, ...body })
  return { alice, bob, fake }
}

test('every copy gets the conference at the same moment, and an incremental sync returns it', async () => {
  const { alice, bob, fake } = await invited(request())
  const { nextSyncToken } = (await bob.get(EVENTS)).body
  expect((await bob.get(LUNCH)).body.conferenceData.createRequest.status.statusCode).toBe('pending')
  fake.clock.advance('1s')
  const { conferenceData, hangoutLink } = (await alice.get(LUNCH)).body
  const { body: copy } = await bob.get(LUNCH)
  expect(copy).toMatchObject({ conferenceData, hangoutLink })
  const { body: delta } = await bob.get(`${EVENTS}?syncToken=${encodeURIComponent(nextSyncToken)}`)
  expect(delta.items).toEqual([copy])
})

test('a read by a guest completes the request, and a guest’s answer creates no conference', async () => {
  const { as, fake } = openCalendar()
  fake.conferences.policy({ reads: 1 })
  await as(ALICE).post(EVENTS + V1, { ...lunch, ...request() })
  await as(BOB).patch(LUNCH, { attendees: [{ email: BOB, responseStatus: 'accepted' }] })
  expect(fake.conferences.state().pending).toHaveLength(1)
  await as(BOB).get(LUNCH)
  expect(fake.conferences.state().pending).toEqual([])
  expect((await as(ALICE).get(LUNCH)).body.conferenceData.createRequest.status.statusCode).toBe('success')
})

test('a guest who can modify the event creates a conference for all, and another guest only for their copy', async () => {
  const { alice, bob, fake } = await invited({ guestsCanModify: true })
  await bob.patch(LUNCH + V1, request())
  fake.clock.advance('1s')
  const { body: copy } = await bob.get(LUNCH)
  expect(copy.hangoutLink).toMatch(/^https:\/\/meet/)
  expect((await alice.get(LUNCH)).body).toMatchObject({
    conferenceData: copy.conferenceData,
    hangoutLink: copy.hangoutLink,
  })

  const other = await invited({})
  await other.bob.patch(LUNCH + V1, request())
  other.fake.clock.advance('1s')
  expect((await other.bob.get(LUNCH)).body.hangoutLink).toMatch(/^https:\/\/meet/)
  expect((await other.alice.get(LUNCH)).body).not.toHaveProperty('conferenceData')
})

test('a conference request moves with its event to another calendar', async () => {
  const { alice, fake } = await invited(request())
  const { body: team } = await alice.post('/calendars', { summary: 'Team' })
  await alice.post(`${LUNCH}/move?destination=${team.id}`)
  fake.clock.advance('1s')
  expect((await alice.get(`/calendars/${team.id}/events/lunch001`)).body.hangoutLink).toMatch(/^https:\/\/meet/)
})

const imported = { iCalUID: 'lunch@example.net', ...hour('2026-03-02', 12) }

test('an import with conferenceDataVersion 1 sets a conference, and a second import without it keeps the conference', async () => {
  const { as, fake } = openCalendar()
  const { body: born } = await as(ALICE).post(`${EVENTS}/import${V1}`, { ...imported, ...request() })
  fake.clock.advance('1s')
  const { body } = await as(ALICE).get(`${EVENTS}/${born.id}`)
  expect(body.conferenceData.createRequest.status.statusCode).toBe('success')
  const { body: again } = await as(ALICE).post(`${EVENTS}/import`, { ...imported, summary: 'Lunch' })
  expect(again).toMatchObject({ summary: 'Lunch', conferenceData: body.conferenceData, hangoutLink: body.hangoutLink })
})

test('an import turns any type into a default event, and only default events can be moved', async () => {
  const { as } = openCalendar()
  const focus = { eventType: 'focusTime', focusTimeProperties: { chatStatus: 'available' } }
  const { body } = await as(ALICE).post(`${EVENTS}/import`, { ...imported, ...focus })
  expect(body.eventType).toBe('default')
  expect(body).not.toHaveProperty('focusTimeProperties')
  const { body: team } = await as(ALICE).post('/calendars', { summary: 'Team' })
  const { body: focusTime } = await as(ALICE).post(EVENTS, { ...focus, ...hour('2026-03-02', 12) })
  expect(errorOf(await as(ALICE).post(`${EVENTS}/${focusTime.id}/move?destination=${team.id}`))).toMatchObject({
    status: 400,
    reason: 'eventTypeRestriction',
    message: "Attempt made to modify 'focusTime' event in a way that is not valid for this event type.",
  })
})
