import { expect, test } from 'vitest'
import { calendar, event, read, readOne } from './importEvents.ts'

const TIMES = ['DTSTART:20260706T090000Z', 'DTEND:20260706T100000Z']
const alarm = (trigger: string, action = 'DISPLAY') => ['BEGIN:VALARM', `ACTION:${action}`, trigger, 'END:VALARM']

test.each([
  ['before the start', 'TRIGGER:-PT15M', 15],
  ['rounded to minutes', 'TRIGGER:-PT15M40S', 16],
  ['before the end', 'TRIGGER;RELATED=END:-PT90M', 30],
  ['at an instant', 'TRIGGER;VALUE=DATE-TIME:20260706T080000Z', 60],
  ['days before', 'TRIGGER:-P1D', 1440],
  ['at the start', 'TRIGGER:PT0S', 0],
  ['at the longest distance that the service allows', 'TRIGGER:-P28D', 40_320],
])('an alarm is a reminder: %s', async (_, trigger, minutes) => {
  const { one } = await readOne(...TIMES, ...alarm(trigger))

  expect(one.reminders).toEqual({ useDefault: false, overrides: [{ method: 'popup', minutes }] })
})

test('an alarm at an instant is relative to midnight of its day in the zone of the calendar', async () => {
  const { events } = await read(
    calendar(
      'X-WR-TIMEZONE:America/New_York',
      ...event('DTSTART;VALUE=DATE:20260706', ...alarm('TRIGGER;VALUE=DATE-TIME:20260706T030000Z')),
    ),
  )

  expect(events[0].reminders.overrides).toEqual([{ method: 'popup', minutes: 60 }])
})

test('an alarm by mail is a reminder by mail, and duplicates are merged', async () => {
  const { one } = await readOne(...TIMES, ...alarm('TRIGGER:-PT5M', 'EMAIL'), ...alarm('TRIGGER:-PT300S', 'EMAIL'))

  expect(one.reminders.overrides).toEqual([{ method: 'email', minutes: 5 }])
})

test.each([
  ['after the start', 'TRIGGER:PT15M'],
  ['seconds after the start', 'TRIGGER:PT20S'],
  ['after the start, relative to the end', 'TRIGGER;RELATED=END:-PT30M'],
  ['of the year 1976', 'TRIGGER;VALUE=DATE-TIME:19760401T005545Z'],
  ['beyond the longest distance that the service allows', 'TRIGGER:-P29D'],
  ['that is malformed', 'TRIGGER:-PT'],
])('an alarm is not a reminder: %s', async (_, trigger) => {
  const { one } = await readOne(...TIMES, ...alarm(trigger))

  expect(one.reminders).toEqual({ useDefault: false })
})

test('an alarm without a TRIGGER is left out and reported', async () => {
  const { one, reasons } = await readOne(...TIMES, 'BEGIN:VALARM', 'ACTION:DISPLAY', 'END:VALARM')

  expect([one.reminders, reasons]).toEqual([
    { useDefault: false },
    ['the alarm was left out, because it has no TRIGGER; add one such as TRIGGER:-PT10M'],
  ])
})

test('reminders above five are left out and reported', async () => {
  const { one, reasons } = await readOne(...TIMES, ...[1, 2, 3, 4, 5, 6].flatMap((at) => alarm(`TRIGGER:-PT${at}M`)))

  expect(one.reminders.overrides).toHaveLength(5)
  expect(reasons).toEqual(['the alarm was left out, because an event has at most 5 reminders'])
})

test("16.5 alarms: 'ignore' leaves the calendar's own reminders", async () => {
  const { events } = await read(calendar(...event(...TIMES, ...alarm('TRIGGER:-PT15M'))), { alarms: 'ignore' })

  expect(events[0].reminders).toEqual({ useDefault: true })
})
