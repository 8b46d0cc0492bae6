import { allDay, at } from '../../support/calendar.ts'
import { testFields, WRONG_KIND } from '../../support/fields.ts'

const noon = at('2026-03-02T12:00:00')
const one = at('2026-03-02T13:00:00')
const MIXED = 'Start and end times must either both be date or both be dateTime.'
const timed = { start: { ...noon, date: null }, end: { ...one, date: null } }

testFields('3.2.11', [
  { field: 'EventDateTime.date', path: 'start.date', write: allDay('2026-3-2', '2026-03-03'), shows: '2026-03-02', patch: allDay('2026-03-01', '2026-03-03'), patched: '2026-03-01', clear: timed, bad: [[{ start: { date: '2026-02-30' } }, 'Bad Request'], [{ start: { date: '2026-03-09' } }, 'The specified time range is empty.'], [{ start: { date: null } }, MIXED], [{ start: { date: 20260302 } }, WRONG_KIND]] },
  { field: 'EventDateTime.dateTime', path: 'start.dateTime', write: { start: noon, end: one }, shows: '2026-03-02T12:00:00-05:00', patch: { start: { dateTime: '2026-03-02T17:30:00Z' } }, patched: '2026-03-02T12:30:00-05:00', clear: { start: { date: '2026-03-02', dateTime: null }, end: { date: '2026-03-03', dateTime: null } }, bad: [[{ start: { dateTime: 'noon' } }, 'Bad Request'], [{ end: { dateTime: '2026-03-02T01:00:00-05:00' } }, 'The specified time range is empty.'], [{ start: { dateTime: null } }, MIXED], [{ start: { dateTime: 12 } }, WRONG_KIND]] },
  { field: 'EventDateTime.timeZone', path: 'start.timeZone', write: { start: at('2026-03-02T12:00:00', 'Europe/Berlin'), end: one }, shows: 'Europe/Berlin', patch: { start: { timeZone: 'Asia/Tokyo', dateTime: '2026-03-02T12:00:00' } }, patched: 'Asia/Tokyo', clear: { start: { timeZone: null, dateTime: '2026-03-02T12:00:00-05:00' } }, cleared: 'America/New_York', bad: [[{ start: { ...noon, timeZone: 'Eastern Standard Time' } }, 'Invalid time zone definition for start time.']] },
  { field: 'Event.start', path: 'start', write: { start: noon, end: one }, shows: { dateTime: '2026-03-02T12:00:00-05:00', timeZone: 'America/New_York' }, patch: { start: at('2026-03-02T11:00:00') }, patched: { dateTime: '2026-03-02T11:00:00-05:00', timeZone: 'America/New_York' }, clear: { start: { date: '2026-03-02', dateTime: null, timeZone: null }, end: { date: '2026-03-03', dateTime: null } }, cleared: { date: '2026-03-02' }, bad: [[{ start: null }, 'Missing start time.'], [{ start: 'noon' }, WRONG_KIND]] },
  { field: 'Event.end', path: 'end', write: { start: noon, end: one }, shows: { dateTime: '2026-03-02T13:00:00-05:00', timeZone: 'America/New_York' }, patch: { end: at('2026-03-02T14:00:00') }, patched: { dateTime: '2026-03-02T14:00:00-05:00', timeZone: 'America/New_York' }, clear: { start: { date: '2026-03-02', dateTime: null, timeZone: null }, end: { date: '2026-03-03', dateTime: null } }, cleared: { date: '2026-03-03' }, bad: [[{ end: null }, 'Missing end time.'], [{ end: 'noon' }, WRONG_KIND]] },
]) // biome-ignore format: a table
