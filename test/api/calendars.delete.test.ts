import { expect, test } from 'vitest'
import { ALICE, BOB, hour, openCalendar, refusal } from '../support/calendar.ts'
import { NOT_FOUND, needsRole, newCalendar, STALE, share } from '../support/sharing.ts'

// behaviour 15.9
test('a calendar is deleted with 204 and nothing in the body, and is gone with all that was in it', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  const event = (await as(ALICE).post(`/calendars/${id}/events`, hour('2026-03-02', 9))).body

  const reply = await as(ALICE).delete(`/calendars/${id}`)

  expect(reply).toMatchObject({ status: 204, text: '' })
  expect(reply.headers.get('Content-Length')).toBe('0')
  for (const path of ['', '/events', `/events/${event.id}`, '/acl', `/acl/user:${ALICE}`]) {
    expect(refusal(await as(ALICE).get(`/calendars/${id}${path}`))).toEqual(NOT_FOUND)
  }
  expect(refusal(await as(ALICE).delete(`/calendars/${id}`))).toEqual(NOT_FOUND)
})

test('a stale version is refused, * goes through', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  const remove = (version: string) => as(ALICE).delete(`/calendars/${id}`, undefined, { 'If-Match': version })

  expect(refusal(await remove('"1"'))).toEqual(STALE)
  expect((await remove('*')).status).toBe(204)
})

// behaviour 2.2.8, 15.9
test.each(['primary', ALICE])('a primary calendar, called %s, is never deleted', async (calendarId) => {
  const { as } = openCalendar()

  expect(refusal(await as(ALICE).delete(`/calendars/${calendarId}`))).toEqual({
    status: 403,
    domain: 'calendar',
    reason: 'cannotDeletePrimaryCalendar',
    message: 'Cannot delete primary calendar.',
  })
})

// behaviour 14.25, 15.9.1
test('only its data owner may', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))

  expect(refusal(await as(BOB).delete(`/calendars/${id}`))).toEqual(NOT_FOUND)
  await share(as(ALICE), id, BOB, 'writer')
  expect(refusal(await as(BOB).delete(`/calendars/${id}`))).toEqual(needsRole('owner'))
  await share(as(ALICE), id, BOB, 'owner')
  expect(refusal(await as(BOB).delete(`/calendars/${id}`))).toMatchObject({ status: 403, reason: 'forbidden' })
  expect((await as(ALICE).delete(`/calendars/${id}`)).status).toBe(204)
})
