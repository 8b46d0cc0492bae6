import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'
import { NOT_FOUND, needsRole, newCalendar, share } from '../../support/sharing.ts'

test('15.9 the deletion of a calendar returns 204 without a body, and deletes everything in it', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))
  const event = (await as(ALICE).post(`/calendars/${id}/events`, hour('2026-03-02', 9))).body

  const reply = await as(ALICE).delete(`/calendars/${id}`)

  expect(reply).toMatchObject({ status: 204, text: '' })
  expect(reply.headers.get('Content-Length')).toBe('0')
  for (const path of ['', '/events', `/events/${event.id}`, '/acl', `/acl/user:${ALICE}`]) {
    expect(errorOf(await as(ALICE).get(`/calendars/${id}${path}`))).toEqual(NOT_FOUND)
  }
  expect(errorOf(await as(ALICE).delete(`/calendars/${id}`))).toEqual(NOT_FOUND)
})

test('14.25, 15.9.1 only the data owner can delete a calendar', async () => {
  const { as } = openCalendar()
  const id = await newCalendar(as(ALICE))

  expect(errorOf(await as(BOB).delete(`/calendars/${id}`))).toEqual(NOT_FOUND)
  await share(as(ALICE), id, BOB, 'writer')
  expect(errorOf(await as(BOB).delete(`/calendars/${id}`))).toEqual(needsRole('owner'))
  await share(as(ALICE), id, BOB, 'owner')
  expect(errorOf(await as(BOB).delete(`/calendars/${id}`))).toMatchObject({ status: 403, reason: 'forbidden' })
  expect((await as(ALICE).delete(`/calendars/${id}`)).status).toBe(204)
})
