import { test } from 'vitest'
import { createEvent, get, hour, instant, patch, put, QUIET, remove, useCalendar } from '../calendar.ts'
import { absent, expectError, expectOk } from '../expect.ts'

/** Values that a client writes, none of them a default. */
const WRITABLE = {
  location: 'Here',
  description: 'Why',
  colorId: '4',
  transparency: 'transparent',
  visibility: 'private',
  guestsCanModify: true,
  guestsCanInviteOthers: false,
  guestsCanSeeOtherGuests: false,
  anyoneCanAddSelf: true,
  extendedProperties: { private: { a: '1' }, shared: { b: '2' } },
  attendees: [{ email: 'zoe@example.com', displayName: 'Zoe', additionalGuests: 2, comment: 'Late', optional: true }],
  source: { title: 'A', url: 'https://example.com/' },
}

useCalendar()

test('2.2.4, 3.2.7 a lower sequence is rejected', async () => {
  const path = `events/${(await createEvent()).id}`
  await expectOk(patch(path, hour(11)))
  await expectError(put(path, { ...hour(11), sequence: 0 }), 400, { message: /^Invalid sequence value\./ })
})

test('3.2.7 a new time raises sequence by one, and a new summary does not', async () => {
  const path = `events/${(await createEvent()).id}`
  await expectOk(patch(path, { summary: 'Other', location: 'There' }), { sequence: 0 })
  await expectOk(patch(path, hour(11)), { sequence: 1 })
})

test('3.2.16 an earlier end of a series keeps its sequence, and another rule raises it', async () => {
  const { id } = await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=4'] })
  const path = `events/${id}`
  await expectOk(patch(path, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }), { sequence: 0 })
  await expectOk(patch(path, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] }), { sequence: 1 })
})

test('3.9.1, 14.8 PUT replaces all fields that a client may write', async () => {
  const { id, iCalUID, created } = await createEvent({ ...WRITABLE, summary: 'Old', status: 'tentative' }, QUIET)
  const path = `events/${id}`
  await expectOk(get(path), WRITABLE)
  const cleared = Object.fromEntries(Object.keys(WRITABLE).map((name) => [name, absent]))
  const after = { ...cleared, summary: 'New', status: 'confirmed', iCalUID, created }
  await expectOk(put(path, { ...hour(9), summary: 'New' }), after)
  await expectOk(get(path), after)
})

test('3.9.2, 3.9.3 PATCH merges objects at any depth, and null removes a field', async () => {
  const made = await createEvent({
    summary: 'Old',
    location: 'Here',
    extendedProperties: { private: { a: '1', b: '2' } },
  })
  const path = `events/${made.id}`
  const merged = { location: absent, summary: 'Old', extendedProperties: { private: { a: absent, b: '2', c: '3' } } }
  await expectOk(patch(path, { location: null, extendedProperties: { private: { a: null, c: '3' } } }), merged)
  await expectOk(get(path), merged)
})

test('3.9.4, 14.9 PUT of equal content changes nothing', async () => {
  const made = await createEvent({ summary: 'Same' })
  const { etag, updated } = made
  const path = `events/${made.id}`
  await expectOk(put(path, made), { etag, updated })
  await expectOk(patch(path, {}), { etag, updated })
})

test('2.3.1 PUT of an unchanged cancelled event changes nothing', async () => {
  const { id } = await createEvent({ summary: 'Gone' })
  const path = `events/${id}`
  await remove(path)
  const read = await expectOk(get(path))
  await expectOk(put(path, read), { status: 'cancelled', etag: read.etag, updated: read.updated })
})

test('3.9.2, 4.2.2 PATCH of recurrence replaces all lines', async () => {
  const { id } = await createEvent({
    recurrence: ['RRULE:FREQ=DAILY;COUNT=3', `EXDATE:${instant(9, 1).replace(/[-:]/g, '')}`],
  })
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
  await expectOk(patch(`events/${id}`, { recurrence }), { recurrence })
})

test('3.9.1, 4.6.3 PUT without recurrence removes it', async () => {
  const { id } = await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  await expectOk(put(`events/${id}`, hour(9)), { id, recurrence: absent })
})

test('3.2.7 PUT with a new time raises sequence, and with equal times does not', async () => {
  const { id } = await createEvent()
  const path = `events/${id}`
  await expectOk(put(path, { ...hour(9), summary: 'A' }), { sequence: 0 })
  await expectOk(put(path, hour(11)), { sequence: 1 })
})

test('1.25, 3.9.1 PUT of an event without times is rejected', async () =>
  expectError(put(`events/${(await createEvent()).id}`, { summary: 'A' }), 400, {
    reason: 'required',
    message: 'Missing end time.',
  }))

test('2.2.2 PATCH with null as the start is rejected', async () =>
  expectError(patch(`events/${(await createEvent()).id}`, { start: null }), 400))

test('2.2.4 PATCH of an event that does not exist is 404', () =>
  expectError(patch('events/nothing', { summary: 'A' }), 404, { reason: 'notFound' }))

test('3.2.6, 5.1 a write leaves the time of creation', async () => {
  const { id, created } = await createEvent()
  const isLater = async () => Date.parse((await get('//')).headers.get('Date') ?? '') > Date.parse(created)
  while (!(await isLater())); // `created` has whole seconds
  await expectOk(patch(`events/${id}`, { summary: 'Changed' }), { created })
  await expectOk(put(`events/${id}`, hour(11)), { created })
})
