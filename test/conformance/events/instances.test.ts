import { expect, test } from 'vitest'
import {
  compact,
  createEvent,
  createSeries,
  DAILY,
  day,
  del,
  get,
  hour,
  instant,
  listAll,
  listStarts,
  patch,
  post,
  remove,
  secondCalendarId,
  thisWeek,
  useCalendar,
} from '../calendar.ts'
import { absent, contains, exactKeys, expectError, expectOk, expectStatus } from '../expect.ts'

useCalendar()

test('1.11, 5.5 maxResults of instances limits a page', async () => {
  const { id } = await createSeries()
  const { items, pages } = await listAll(`events/${id}/instances`, { maxResults: 3 })
  expect([items.length, pages]).toEqual([4, 2])
})

test('4.4 originalStart with a date alone is rejected', async () => {
  const { id } = await createSeries()
  await expectError(get(`events/${id}/instances`, { originalStart: day() }), 400, { reason: 'badRequest' })
})

test('4.1.3, 4.1.6, 4.5.1 an instance has the fields of its series without recurrence', async () => {
  const { id, at, made } = await createSeries({ location: 'Here' })
  await expectOk(get(`events/${at(2)}`), {
    summary: 'Series',
    location: 'Here',
    recurrence: absent,
    recurringEventId: id,
    etag: made.etag,
    iCalUID: made.iCalUID,
    start: { dateTime: instant(9, 2) },
    originalStartTime: { dateTime: instant(9, 2), timeZone: 'UTC' },
  })
  const shown = { recurringEventId: id, recurrence: absent }
  await expectOk(get(`events/${id}/instances`), { items: [shown, shown, shown, shown] })
})

test('4.5.1, 2.2.4 an instance that the rule does not give is 404', async () => {
  const { at } = await createSeries()
  await expectError(get(`events/${at(5)}`), 404, { reason: 'notFound' })
})

test('4.5.2, 4.1.4 a moved instance keeps its id and its original start', async () => {
  const { id, at } = await createSeries()
  const moved = { id: at(1), start: { dateTime: instant(15, 1) }, originalStartTime: { dateTime: instant(9, 1) } }
  await expectOk(patch(`events/${at(1)}`, hour(15, 1)), moved)
  await expectOk(get(`events/${at(1)}`), { ...moved, recurringEventId: id })
})

test('4.5.3, 4.4 a cancelled instance is hidden, and a DELETE of it is 410', async () => {
  const { id, at } = await createSeries()
  await expectStatus(del(`events/${at(1)}`), 204)
  await expectStatus(del(`events/${at(1)}`), 410)
  await expectOk(get(`events/${id}/instances`), { items: [0, 2, 3].map((day) => ({ id: at(day) })) })
  const all = await get(`events/${id}/instances`, { showDeleted: true })
  await expectOk(all, { items: contains({ id: at(1), status: 'cancelled' }) })
})

test('4.5.4 PATCH with status confirmed restores a cancelled instance', async () => {
  const { at } = await createSeries()
  await remove(`events/${at(1)}`)
  await expectOk(patch(`events/${at(1)}`, { ...hour(9, 1), status: 'confirmed' }), { status: 'confirmed' })
})

test('4.4, 14.3 the only instance of a single event is the event', async () => {
  const { id } = await createEvent()
  await expectOk(get(`events/${id}/instances`), { items: [{ id, recurringEventId: absent }] })
})

test('4.5.6, 7.7 an instance cannot be moved to another calendar', async () => {
  const { at } = await createSeries()
  const destination = await secondCalendarId()
  const answer = await post(`events/${at(1)}/move`, undefined, { query: { destination } })
  await expectError(answer, 400, {
    reason: 'cannotChangeOrganizerOfInstance',
    message: 'Cannot change the organizer of an instance.',
  })
})

test('4.11 an earlier end of a series keeps exceptions after it', async () => {
  const { id, at } = await createSeries()
  await expectOk(patch(`events/${at(3)}`, { summary: 'Own' }))
  await expectOk(patch(`events/${id}`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }))
  const { items } = await listAll('events', { ...thisWeek(), singleEvents: true, orderBy: 'startTime' })
  expect(items.map((item) => item.id).join()).toBe([at(0), at(1), at(3)].join())
})

test('4.12 a series is split by an earlier end and a new series', async () => {
  const { id } = await createSeries()
  await expectOk(patch(`events/${id}`, { recurrence: [`RRULE:FREQ=DAILY;UNTIL=${compact(instant(8, 2))}`] }))
  await createEvent({ ...hour(14, 2), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const { items } = await listAll('events', { ...thisWeek(), singleEvents: true, orderBy: 'startTime' })
  const expected = [instant(9), instant(9, 1), instant(14, 2), instant(14, 3)].join()
  expect(listStarts(items).join()).toBe(expected)
})

test('4.4.1 an instance that ends at timeMin is listed', async () => {
  const { id, at } = await createSeries()
  const window = { timeMin: instant(10, 2) }
  await expectOk(get(`events/${id}/instances`, window), { items: [{ id: at(2) }, { id: at(3) }] })
})

test('4.13 the instances of a deleted series are deleted', async () => {
  const { id } = await createSeries()
  await expectStatus(del(`events/${id}`), 204)
  await expectOk(get('events', { ...thisWeek(), singleEvents: true }), { items: [] })
  await expectOk(get(`events/${id}`), { status: 'cancelled' })
})

test('4.10 a series is listed if one of its instances is in the window', async () => {
  const { id } = await createSeries()
  const window = { timeMin: instant(0, 2), timeMax: instant(0, 3) }
  await expectOk(get('events', window), { items: [{ id, start: { dateTime: instant(9) } }] })
})

test('4.1.4, 4.1.3 a moved instance keeps its originalStartTime with the zone of the series', async () => {
  const time = (hour: number) => ({ dateTime: `${day()}T0${hour}:00:00`, timeZone: 'America/New_York' })
  const { id } = await createEvent({ start: time(3), end: time(4), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const { items } = await expectOk(get(`events/${id}/instances`))
  const [first] = items
  const moved = await patch(`events/${first?.id}`, hour(20))
  await expectOk(moved, { id: first?.id, recurringEventId: id, originalStartTime: first?.start })
  await expectOk({ ...moved, body: moved.body.originalStartTime }, exactKeys('dateTime', 'timeZone'))
})

test('4.5.3 PATCH with status cancelled deletes an instance', async () => {
  const { id, at } = await createSeries()
  await expectOk(patch(`events/${at(1)}`, { status: 'cancelled' }), { id: at(1), status: 'cancelled' })
  await expectOk(get(`events/${id}/instances`), { items: [{ id: at(0) }, { id: at(2) }, { id: at(3) }] })
  await expectStatus(del(`events/${at(1)}`), 410)
})

test('4.13 a deletion of a series cancels its exceptions', async () => {
  const { id, at } = await createSeries()
  await expectOk(patch(`events/${at(1)}`, { summary: 'Own' }))
  await remove(`events/${id}`)
  await expectOk(get(`events/${at(1)}`), { status: 'cancelled' })
  await expectOk(get('events', thisWeek()), { items: [] })
})

test('4.10 a series without an instance in the window is not listed', async () => {
  await createEvent({ recurrence: ['RRULE:FREQ=DAILY;INTERVAL=3;COUNT=2'] })
  const window = { timeMin: instant(0, 1), timeMax: instant(0, 3) }
  await expectOk(get('events', window), { items: [] })
})

test('4.5.5 recurringEventId in an insert is ignored', async () => {
  const { id } = await createSeries()
  const body = { ...hour(9, 1), recurringEventId: id, originalStartTime: hour(9, 1).start }
  await expectOk(post('events', body), { recurringEventId: absent, originalStartTime: absent })
})

test('4.1.2 the id of an instance names its start in UTC, in any zone', async () => {
  const start = { dateTime: `${day()}T09:00:00`, timeZone: 'America/New_York' }
  const end = { dateTime: `${day()}T10:00:00`, timeZone: 'America/New_York' }
  const { id } = await createEvent({ start, end, recurrence: DAILY })
  const { items } = await listAll(`events/${id}/instances`)
  const utc = new Date(items[0].start.dateTime).toISOString().replace('.000', '')
  expect(items[0].id).toBe(`${id}_${compact(utc)}`)
  expect(items[0].id).not.toContain('T090000')
})

test('1.11, 4.4 a page of instances has 250 without maxResults', async () => {
  const { id } = await createEvent({ recurrence: ['RRULE:FREQ=DAILY;COUNT=251'] })
  const page = await expectOk(get(`events/${id}/instances`))
  expect([page.items.length, typeof page.nextPageToken]).toEqual([250, 'string'])
})
