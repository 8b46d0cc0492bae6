import { test } from 'vitest'
import { createEvent, del, get, instant, patch, post, secondCalendarId, useCalendar } from '../calendar.ts'
import { absent, contains, expectError, expectOk, expectStatus } from '../expect.ts'

useCalendar()

test('7.7 a moved event keeps its id and iCalUID on the destination', async () => {
  const { id, iCalUID } = await createEvent({ summary: 'Moving' })
  const destination = await secondCalendarId()
  await expectOk(post(`events/${id}/move`, undefined, { query: { destination } }))
  const organizer = { email: destination, self: true }
  await expectOk(get(`/calendars/${destination}/events/${id}`), {
    id,
    iCalUID,
    status: 'confirmed',
    summary: 'Moving',
    organizer,
  })
})

test('7.7 a moved event leaves a stub on the source', async () => {
  const { id } = await createEvent({ summary: 'Moving' })
  const path = `events/${id}`
  const destination = await secondCalendarId()
  await expectOk(post(`${path}/move`, undefined, { query: { destination } }))
  await expectOk(get(path), { status: 'cancelled', summary: absent, transparency: 'transparent' })
  await expectStatus(del(path), 410)
  await expectError(patch(path, { summary: 'x' }), 400, { message: 'Invalid start time.' })
})

test('7.7, 4.5.6 a move of a series moves its exceptions', async () => {
  const { id } = await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
  const instance = `${id}_${instant(9, 1).replace(/[-:]/g, '')}`
  await expectOk(patch(`events/${instance}`, { summary: 'Own' }))
  const destination = await secondCalendarId()
  await expectOk(post(`events/${id}/move`, undefined, { query: { destination } }))
  await expectOk(get(`/calendars/${destination}/events`), { items: contains({ id }, { id: instance, summary: 'Own' }) })
})

test('7.7, 1.24, 2.2.1 a move without a destination is rejected', async () =>
  expectError(post(`events/${(await createEvent()).id}/move`), 400, {
    reason: 'required',
    location: 'destination',
    message: 'Required parameter: destination',
  }))

test('7.7 a move to a calendar that does not exist is 404', async () =>
  expectError(
    post(`events/${(await createEvent()).id}/move`, undefined, {
      query: { destination: 'fake-calendar-nobody@group.calendar.google.com' },
    }),
    404,
    { reason: 'notFound' },
  ))
