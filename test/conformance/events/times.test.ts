import { test } from 'vitest'
import {
  allDay,
  createCalendar,
  createEvent,
  day,
  get,
  hour,
  instant,
  patch,
  post,
  thisWeek,
  useCalendar,
} from '../calendar.ts'
import { absent, expectError, expectOk } from '../expect.ts'

useCalendar()

test('13.3, 13.5 an offset fixes the instant, which is returned in the zone of the calendar', async () => {
  const time = (hour: number) => ({ dateTime: `${day()}T${hour}:00:00+05:30` })
  await expectOk(post('events', { start: time(14), end: time(15) }), {
    start: { dateTime: `${day()}T08:30:00Z`, timeZone: 'UTC' },
    end: { dateTime: `${day()}T09:30:00Z` },
  })
})

test('13.5, 13.6 an instant has the offset of the calendar’s zone and the zone of the event', async () => {
  const id = await createCalendar({ timeZone: 'Europe/London' })
  const time = (at: string) => ({ dateTime: at, timeZone: 'America/New_York' })
  const body = { start: time('2031-07-07T17:00:00'), end: time('2031-07-07T18:00:00') }
  await expectOk(post(`/calendars/${id}/events`, body), { start: time('2031-07-07T22:00:00+01:00') })
})

test('13.7 a time with the offset zero ends in Z', async () => {
  const id = await createCalendar({ timeZone: 'Europe/London' })
  const body = { start: { dateTime: '2031-01-06T17:00:00+00:00' }, end: { dateTime: '2031-01-06T18:00:00.750+00:00' } }
  await expectOk(post(`/calendars/${id}/events`, body), {
    start: { dateTime: '2031-01-06T17:00:00Z' },
    end: { dateTime: '2031-01-06T18:00:00Z' },
  })
})

test('13.6, 13.3 a time without a zone is returned with the zone of the calendar', async () => {
  const id = await createCalendar({ timeZone: 'Asia/Tokyo' })
  const body = { start: { dateTime: instant(1) }, end: { dateTime: instant(2) } }
  const start = { dateTime: `${day()}T10:00:00+09:00`, timeZone: 'Asia/Tokyo' }
  await expectOk(post(`/calendars/${id}/events`, body), { start })
})

test('13.5, 1.20 timeZone of a query changes the offsets of times, and not their zones', async () => {
  const { id } = await createEvent()
  const turned = { start: { dateTime: `${day()}T14:30:00+05:30`, timeZone: 'UTC' } }
  await expectOk(get(`events/${id}`, { timeZone: 'Asia/Kolkata' }), turned)
  await expectOk(get('events', { ...thisWeek(), timeZone: 'Asia/Kolkata' }), {
    timeZone: 'Asia/Kolkata',
    items: [turned],
  })
})

test('13.8 timeZone of a query does not change dates', async () => {
  const { id } = await createEvent(allDay(1))
  const shape = { start: { date: day(1), dateTime: absent }, end: { date: day(2) } }
  await expectOk(get(`events/${id}`, { timeZone: 'Pacific/Auckland' }), shape)
})

test('2.2.2, 1.25 an event without an end is rejected', () =>
  expectError(post('events', { start: hour(9).start }), 400, { reason: 'required', message: 'Missing end time.' }))

test('2.2.2, 2.4, 3.2.11 an event without start and end is rejected with an error that names the end', () =>
  expectError(post('events', { summary: 'x' }), 400, { reason: 'required', message: 'Missing end time.' }))

test('2.2.2, 3.2.11 an event without a start is rejected', () =>
  expectError(post('events', { end: hour(9).end }), 400, { reason: 'required', message: 'Missing start time.' }))

test('2.2.2, 3.2.11 a start with date and dateTime is rejected', () =>
  expectError(post('events', { start: { date: day() }, end: hour(9).end }), 400, {
    reason: 'invalid',
    message: 'Start and end times must either both be date or both be dateTime.',
  }))

test('2.2.2, 3.2.11 an event that ends before its start is rejected', () =>
  expectError(post('events', { start: hour(9).start, end: hour(7).end }), 400, {
    domain: 'calendar',
    reason: 'timeRangeEmpty',
    location: 'timeMax',
    message: 'The specified time range is empty.',
  }))

test('3.2.11, 14.39 an all-day event of no days is rejected', () =>
  expectError(post('events', { start: { date: day() }, end: { date: day() } }), 400, { reason: 'timeRangeEmpty' }))

test('13.4, 2.2.1 a time without an offset and a zone is rejected', () =>
  expectError(
    post('events', { start: { dateTime: `${day()}T09:00:00` }, end: { dateTime: `${day()}T10:00:00` } }),
    400,
    { reason: 'badRequest', message: 'Bad Request' },
  ))

test('13.2, 2.2.2, 13.1 an unknown zone of the start is rejected', () =>
  expectError(post('events', { ...hour(9), start: { ...hour(9).start, timeZone: 'Eastern Standard Time' } }), 400, {
    reason: 'invalid',
    message: 'Invalid time zone definition for start time.',
  }))

test('13.2, 2.2.2 an unknown zone of the end is rejected', () =>
  expectError(post('events', { ...hour(9), end: { ...hour(9).end, timeZone: 'Mars/Olympus' } }), 400, {
    reason: 'invalid',
    message: 'Invalid time zone definition for end time.',
  }))

test('13.2.1 an empty zone is rejected', () =>
  expectError(post('events', { ...hour(9), start: { ...hour(9).start, timeZone: '' } }), 400, {
    message: 'Invalid time zone definition for start time.',
  }))

test('2.1.5, 2.2.2 PATCH of a dateTime beside the date of an all-day event is rejected', async () =>
  expectError(
    patch(`events/${(await createEvent(allDay())).id}`, { start: { dateTime: instant(9), timeZone: 'UTC' } }),
    400,
    { reason: 'invalid', message: 'Invalid start time.' },
  ))

test('2.1.4, 13.2 unknown zones of start and end give one error item each', async () => {
  const bad = (hour: number) => ({ dateTime: instant(hour), timeZone: 'Mars/Olympus' })
  const answer = await post('events', { start: bad(9), end: bad(10) })
  const message = 'Invalid time zone definition for start time.'
  await expectOk(
    { ...answer, status: answer.status === 400 ? 200 : answer.status },
    { error: { message, errors: [{ message }, { message: 'Invalid time zone definition for end time.' }] } },
  )
})
