import { expect, test } from 'vitest'
import { shiftDatedValue } from '../../src/evaluation/shift.ts'
import { DAY_MS } from '../../src/recurrence/days.ts'

const twoWeeks = { weeks: 2, ms: 14 * DAY_MS, zones: new Map([['Europe/Berlin', 'Europe/Madrid']]) }

test.each([
  ['2030-03-11', '2030-03-25'],
  ['20300311', '20300325'],
  ['2030-03-11T10:00:00+01:00', '2030-03-25T10:00:00+01:00'],
  [
    'EXDATE;TZID=Europe/Berlin:20300311T100000,20300318T100000',
    'EXDATE;TZID=Europe/Madrid:20300325T100000,20300401T100000',
  ],
  ['RRULE:FREQ=WEEKLY;UNTIL=20300325T090000Z', 'RRULE:FREQ=WEEKLY;UNTIL=20300408T090000Z'],
  [
    'DELETE /calendars/primary/events/series_20300311T090000Z',
    'DELETE /calendars/primary/events/series_20300325T090000Z',
  ],
  ['series_20300311', 'series_20300325'],
  ['RRULE:FREQ=WEEKLY;UNTIL=99991231T235959Z', 'RRULE:FREQ=WEEKLY;UNTIL=99991231T235959Z'],
])('a shift by two weeks makes %s %s', (text, moved) => {
  expect(shiftDatedValue(text, twoWeeks)).toBe(moved)
})

test.each([
  'Ticket 20301934, phone 5550-12-99',
  'Ticket 20300230, phone 2030-02-30',
  '2030-02-30T10:00:00Z and 2030-03-01T25:00:00+01:00',
  '20301934T100000Z, 20300311T990000Z and 20300230T100000Z',
])('a shift keeps %s, whose dates do not exist', (text) => {
  expect(shiftDatedValue(text, twoWeeks)).toBe(text)
})
