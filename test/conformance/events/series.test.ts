import { expect, test } from 'vitest'
import {
  allDay,
  compact,
  createCalendar,
  createEvent,
  createSeries,
  DAILY,
  day,
  get,
  hour,
  instant,
  listAll,
  patch,
  post,
  put,
  thisWeek,
  useCalendar,
} from '../calendar.ts'
import { contains, expectError, expectOk, expectStatus } from '../expect.ts'

useCalendar()

test('1.7, 4.1.2 the id of an instance is case-sensitive', async () => {
  const { at } = await createSeries()
  await expectStatus(get(`events/${at(1).replace(/T(\d+)Z$/, 't$1z')}`), 404)
})

test('5.2 a write to an instance changes the etag of its series and of all exceptions', async () => {
  const { id, at, made } = await createSeries()
  const { etag } = await expectOk(patch(`events/${at(1)}`, { summary: 'Changed' }))
  await expectOk(get(`events/${id}`), { etag })
  await expectError(put(`events/${id}`, { ...made }, { headers: { 'If-Match': made.etag } }), 412)
})

test('4.6.1 an exception keeps its changes when its series changes', async () => {
  const { id, at } = await createSeries()
  await expectOk(patch(`events/${at(1)}`, { summary: 'Own' }))
  await expectOk(patch(`events/${id}`, { summary: 'Renamed', location: 'There' }))
  await expectOk(get(`events/${at(1)}`), { summary: 'Own', location: 'There' })
})

test('4.8, 4.1.2, 4.2.6 instances of an all-day series have dates', async () => {
  const { id } = await createEvent({ ...allDay(), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const instance = `${id}_${day(1).replaceAll('-', '')}`
  await expectOk(get(`events/${instance}`), { start: { date: day(1) }, originalStartTime: { date: day(1) } })
})

test('13.10, 4.8 a series keeps its local hour when the clocks change', async () => {
  const id = await createCalendar()
  const time = (at: string) => ({ dateTime: `2031-03-08T${at}`, timeZone: 'America/New_York' })
  const body = { start: time('09:00:00'), end: time('10:00:00'), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  await expectOk(post(`/calendars/${id}/events`, body))
  const list = await get(`/calendars/${id}/events`, { singleEvents: true, orderBy: 'startTime' })
  await expectOk(list, {
    items: [{ start: { dateTime: '2031-03-08T14:00:00Z' } }, { start: { dateTime: '2031-03-09T13:00:00Z' } }],
  })
})

test('4.6.1 a change of a series applies to its instances', async () => {
  const { id, at } = await createSeries()
  await expectOk(patch(`events/${id}`, { summary: 'Renamed' }))
  await expectOk(get(`events/${at(2)}`), { summary: 'Renamed' })
})

test('4.6.2 a new start moves all instances of a series', async () => {
  const { id, at } = await createSeries()
  await expectOk(patch(`events/${id}`, hour(11)))
  await expectStatus(get(`events/${at(1)}`), 404)
  await expectOk(get(`events/${at(1, 11)}`), { start: { dateTime: instant(11, 1) } })
})

test('4.3, 4.5.2 a changed instance is an item beside its series', async () => {
  const { id, at } = await createSeries()
  await expectOk(patch(`events/${at(1)}`, { summary: 'Changed' }))
  await expectOk(get('events', thisWeek()), {
    items: contains({ id }, { id: at(1), summary: 'Changed', recurringEventId: id }),
  })
})

test('4.2.6, 2.2.3, 2.2.2 a timed series without a zone at its start is rejected', () =>
  expectError(post('events', { ...hour(9), start: { dateTime: instant(9) }, recurrence: DAILY }), 400, {
    reason: 'required',
    message: 'Missing time zone definition for start time.',
  }))

test('4.2.6, 2.2.2 a timed series without a zone at its end is rejected', async () => {
  const { start, end } = hour(9)
  const body = { start, end: { dateTime: end.dateTime }, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  await expectError(post('events', body), 400, {
    reason: 'required',
    message: 'Missing time zone definition for end time.',
  })
})

test('5.2, 5.11.1 a write to one instance brings all exceptions into the delta', async () => {
  const { id, at } = await createSeries()
  await expectOk(patch(`events/${at(0)}`, { summary: 'First' }))
  const { last } = await listAll('events')
  const { etag } = await expectOk(patch(`events/${at(2)}`, { summary: 'Third' }))
  const delta = await get('events', { syncToken: last.nextSyncToken })
  await expectOk(delta, { items: contains({ id, etag }, { id: at(0), etag }, { id: at(2), etag }) })
})

test('4.6.3 PATCH with recurrence turns an event into a series', async () => {
  const { id } = await createEvent()
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=2']
  await expectOk(patch(`events/${id}`, { recurrence }), { id, recurrence })
  const day = (at: number) => ({ id: `${id}_${compact(instant(9, at))}` })
  await expectOk(get(`events/${id}/instances`), { items: [day(0), day(1)] })
})

test('4.2.7 the names of recurrence lines are returned in upper case', async () => {
  const { recurrence } = await createEvent({ recurrence: ['rrule:FREQ=DAILY;COUNT=2'] })
  expect(recurrence).toEqual(['RRULE:FREQ=DAILY;COUNT=2'])
})

test('4.2.7 UNTIL with a time is cut to its date in an all-day series', async () => {
  const until = day(2).replaceAll('-', '')
  const { id } = await createEvent({ ...allDay(), recurrence: [`RRULE:FREQ=DAILY;UNTIL=${until}T000000Z`] })
  const { items } = await expectOk(get(`events/${id}/instances`))
  expect(items.length).toBe(3)
})

test('4.2.7 an EXDATE of a date has no effect on a timed series', async () => {
  const date = day(1).replaceAll('-', '')
  const { id } = await createEvent({ recurrence: [`EXDATE;VALUE=DATE:${date}`, 'RRULE:FREQ=DAILY;COUNT=2'] })
  const { items } = await expectOk(get(`events/${id}/instances`))
  expect(items.length).toBe(2)
})
