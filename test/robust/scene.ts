import { expect } from 'vitest'
import { ALICE, BOB, CAROL, hour, openCalendar, PEOPLE_WITH_ADMIN } from '../support/calendar.ts'
import { share } from '../support/sharing.ts'

/** A world with a meeting, a series with a changed instance, a shared calendar, a watch, and an open conference request. */
export async function openScene() {
  const { fake, as, anonymous } = openCalendar({ seed: PEOPLE_WITH_ADMIN })
  const alice = as(ALICE)
  const events = '/calendars/primary/events'
  const guests = { attendees: [{ email: BOB }, { email: CAROL }] }
  fake.conferences.policy({ mode: 'reads', reads: 1 })
  const conferenceData = { createRequest: { requestId: 'r1' } }
  await alice.post(`${events}?conferenceDataVersion=1`, {
    id: 'meet0001',
    ...guests,
    conferenceData,
    ...hour('2026-03-02', 9),
  })
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=4']
  await alice.post(events, { id: 'stand001', ...guests, recurrence, ...hour('2026-03-03', 9) })
  await alice.patch(`${events}/stand001_20260304T140000Z`, { summary: 'Later' })
  const { id: team } = (await alice.post('/calendars', { summary: 'Team' })).body
  await share(alice, team, BOB, 'writer')
  await as(BOB).post('/users/me/calendarList', { id: team })
  // Set before the watch, because a rejected message would delay all others.
  fake.onNotification(() => 200)
  const channel = { id: 'mine', type: 'web_hook', address: 'http://127.0.0.1:9/' }
  const { resourceId } = (await alice.post(`${events}/watch`, channel)).body
  await fake.notifications.settled()
  expect(fake.notifications.list().map(({ progress }) => progress)).toEqual(['delivered'])
  return { fake, as, anonymous, team, resourceId }
}
