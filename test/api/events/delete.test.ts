import { expect, test } from 'vitest'
import { ALICE, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = `${EVENTS}/lunch001`
const lunch = { id: 'lunch001', summary: 'Lunch', ...hour('2026-03-02', 12) }

test('a stale etag refuses the deletion', async () => {
  const { as } = openCalendar()
  const { body } = await as(ALICE).post(EVENTS, lunch)
  expect((await as(ALICE).delete(LUNCH, undefined, { 'If-Match': '"1"' })).status).toBe(412)
  expect((await as(ALICE).get(EVENTS)).body.items).toHaveLength(1)
  expect((await as(ALICE).delete(LUNCH, undefined, { 'If-Match': body.etag })).status).toBe(204)
})

test('a reader cannot delete', async () => {
  const { as } = openCalendar()
  await as(ALICE).post(EVENTS, lunch)
  await as(ALICE).post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: BOB } })
  expect(errorOf(await as(BOB).delete(`/calendars/${ALICE}/events/lunch001`))).toMatchObject({
    status: 403,
    reason: 'requiredAccessLevel',
  })
})

test('1.7, 2.7 a DELETE without an id matches no route of the service', async () => {
  const { as } = openCalendar()
  const { status, headers, text } = await as(ALICE).delete(`${EVENTS}/`)
  expect(status).toBe(404)
  expect(headers.get('Content-Type')).toBe('text/html; charset=UTF-8')
  expect(text).toContain('<title>Error 404 (Not Found)!!1</title>')
})
