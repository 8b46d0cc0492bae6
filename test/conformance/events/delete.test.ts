import { expect, test } from 'vitest'
import { createEvent, del, get, hour, patch, put, remove, thisWeek, useCalendar } from '../calendar.ts'
import { expectError, expectOk, expectStatus } from '../expect.ts'

useCalendar()

test('1.8, 11.7 a deletion is 204 without a body', async () => {
  const answer = await del(`events/${(await createEvent()).id}`)
  await expectStatus(answer, 204)
  expect(answer.text).toBe('')
})

test('2.3 a deleted event is returned as cancelled, and listed only with showDeleted=true', async () => {
  const { id } = await createEvent({ summary: 'Gone' })
  await remove(`events/${id}`)
  await expectOk(get(`events/${id}`), { id, status: 'cancelled', summary: 'Gone' })
  await expectOk(get('events', thisWeek()), { items: [] })
  await expectOk(get('events', { ...thisWeek(), showDeleted: true }), { items: [{ id, status: 'cancelled' }] })
})

test('2.3, 2.2.4 a DELETE of a deleted event is 410', async () => {
  const path = `events/${(await createEvent()).id}`
  await remove(path)
  await expectError(del(path), 410, { reason: 'deleted', message: 'Resource has been deleted', domain: 'global' })
})

test('2.3 PATCH with status confirmed restores a deleted event', async () => {
  const { id } = await createEvent({ summary: 'Back' })
  await remove(`events/${id}`)
  await expectOk(patch(`events/${id}`, { status: 'confirmed' }), { status: 'confirmed', summary: 'Back' })
  await expectOk(get('events', thisWeek()), { items: [{ id, status: 'confirmed' }] })
})

test('3.2.15 a deletion raises sequence', async () => {
  const { id } = await createEvent()
  const path = `events/${id}`
  await expectOk(patch(path, hour(11)))
  await remove(path)
  await expectOk(get(path), { sequence: 2 })
})

test('2.3 PUT with status confirmed restores a deleted event', async () => {
  const { id } = await createEvent({ summary: 'Back' })
  const path = `events/${id}`
  await remove(path)
  await expectOk(put(path, { ...hour(9), status: 'confirmed' }), { id, status: 'confirmed' })
  await expectOk(get('events', thisWeek()), { items: [{ id }] })
})

test('2.2.4 DELETE of an event that does not exist is 404', () =>
  expectError(del('events/nothing'), 404, { reason: 'notFound' }))
