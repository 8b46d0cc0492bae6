import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { NOT_FOUND, newCalendar, STALE, share } from '../../support/sharing.ts'

const LIST = '/users/me/calendarList'

async function subscribed() {
  const opened = openCalendar()
  const id = await newCalendar(opened.as(ALICE))
  await share(opened.as(ALICE), id, BOB, 'owner')
  const { etag } = (await opened.as(BOB).post(LIST, { id })).body
  return { ...opened, id, etag, bob: opened.as(BOB) }
}

test('3.5.6, 15.11 the deletion of an entry returns 204 without a body, and keeps the calendar', async () => {
  const { bob, id } = await subscribed()

  const reply = await bob.delete(`${LIST}/${id}`)

  expect(reply).toMatchObject({ status: 204, text: '' })
  expect(reply.headers.get('Content-Length')).toBe('0')
  expect((await bob.get(`${LIST}/${id}`)).status).toBe(404)
  expect((await bob.get(`/calendars/${id}`)).status).toBe(200)
  expect(errorOf(await bob.delete(`${LIST}/${id}`))).toEqual(NOT_FOUND)
})

test('a stale etag is refused, the current one is accepted', async () => {
  const { bob, id, etag } = await subscribed()

  expect(errorOf(await bob.delete(`${LIST}/${id}`, undefined, { 'If-Match': '"1"' }))).toEqual(STALE)
  expect((await bob.delete(`${LIST}/${id}`, undefined, { 'If-Match': etag })).status).toBe(204)
})
