import { test } from 'vitest'
import { compact, get, hour, instant, post, remove, unusedId, useCalendar } from '../calendar.ts'
import { absent, expectError, expectOk } from '../expect.ts'

useCalendar()

test('7.8.1 an import with an invalid address of its organizer is rejected', () =>
  expectError(
    post('events/import', { ...hour(9), iCalUID: `${unusedId()}@example.com`, organizer: { email: 'nobody' } }),
    400,
  ))

test('7.8 an import with an existing iCalUID updates the event', async () => {
  const iCalUID = `${unusedId()}@example.com`
  const path = 'events/import'
  const { id } = await expectOk(post(path, { ...hour(9), iCalUID, summary: 'One' }))
  await expectOk(post(path, { ...hour(9), iCalUID, summary: 'Two' }), { id, summary: 'Two' })
  await expectOk(get('events', { iCalUID }), { items: [{ id, summary: 'Two' }] })
})

test('7.8, 2.3 an import restores a deleted event', async () => {
  const iCalUID = `${unusedId()}@example.com`
  const { id } = await expectOk(post('events/import', { ...hour(9), iCalUID }))
  await remove(`events/${id}`)
  await expectOk(post('events/import', { ...hour(9), iCalUID }), { id, status: 'confirmed' })
})

test('7.8, 8.15 an import drops the properties of event types', async () => {
  const body = { ...hour(9), iCalUID: `${unusedId()}@example.com`, eventType: 'focusTime', focusTimeProperties: {} }
  await expectOk(post('events/import', body), { eventType: 'default', focusTimeProperties: absent })
})

test('1.25, 7.8 an import without an iCalUID is rejected', () => expectError(post('events/import', hour(9)), 400))

test('7.8, 4.5.5 an import of an instance creates an exception', async () => {
  const iCalUID = `${unusedId()}@example.com`
  const master = { ...hour(9), iCalUID, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  const { id } = await expectOk(post('events/import', master))
  const exception = { ...hour(15, 1), iCalUID, recurringEventId: id, originalStartTime: hour(9, 1).start }
  await expectOk(post('events/import', exception), {
    id: `${id}_${compact(instant(9, 1))}`,
    recurringEventId: id,
    start: { dateTime: instant(15, 1) },
  })
})

test('1.25, 7.8 an import without times is rejected', () =>
  expectError(post('events/import', { iCalUID: `${unusedId()}@example.com` }), 400))
