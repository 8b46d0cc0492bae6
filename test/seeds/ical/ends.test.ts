import { expect, test } from 'vitest'
import { calendar, event, read, readOne } from './importEvents.ts'

test.each([
  ['a DURATION sets the end', 'DTSTART:20260706T090000Z', 'DURATION:PT1H30M', '2026-07-06T10:30:00Z'],
  ['an event without an end has no duration', 'DTSTART:20260706T090000Z', 'SUMMARY:x', '2026-07-06T09:00:00Z'],
  ['a malformed DURATION is ignored', 'DTSTART:20260706T090000Z', 'DURATION:P', '2026-07-06T09:00:00Z'],
  [
    'a date as the end of a timed event is read as midnight',
    'DTSTART:20260706T090000Z',
    'DTEND;VALUE=DATE:20260707',
    '2026-07-07T00:00:00Z',
  ],
  ['a DURATION in weeks sets the end', 'DTSTART;VALUE=DATE:20260706', 'DURATION:P1W', '2026-07-13'],
  ['an all-day event without an end lasts a day', 'DTSTART;VALUE=DATE:20260706', 'SUMMARY:x', '2026-07-07'],
  [
    'an all-day event without length lasts a day',
    'DTSTART;VALUE=DATE:20260706',
    'DTEND;VALUE=DATE:20260706',
    '2026-07-07',
  ],
  [
    'a time as the end of an all-day event is rounded',
    'DTSTART;VALUE=DATE:20260706',
    'DTEND:20260707T090000',
    '2026-07-08',
  ],
])('%s', async (_, start, end, ends) => {
  const { one } = await readOne(start, end)

  expect(one.end.dateTime ?? one.end.date).toBe(ends)
})

test.each(['Asia/Tokyo', 'America/New_York'])('midnight of UTC ends a day in any zone: %s', async (zone) => {
  const days = event('DTSTART;VALUE=DATE:20260706', 'DTEND:20260707T000000Z')
  const { events } = await read(calendar(`X-WR-TIMEZONE:${zone}`, ...days))

  expect(events[0].end).toEqual({ date: '2026-07-07' })
})

test('a day in a DURATION is a day of the local clock', async () => {
  const { one } = await readOne('DTSTART;TZID=Europe/Berlin:20260328T120000', 'DURATION:P1D')

  expect(one.end.dateTime).toBe('2026-03-29T10:00:00Z')
})

test('an event that ends before it starts is left out, and the others are loaded', async () => {
  const text = calendar(
    ...event('DTSTART:20260706T090000Z', 'DTEND:20260706T080000Z'),
    'BEGIN:VEVENT',
    'UID:two',
    'DTSTART:20260706T090000Z',
    'END:VEVENT',
  )
  const { events, seed } = await read(text)

  expect(events.map(({ iCalUID }: { iCalUID: string }) => iCalUID)).toEqual(['two'])
  expect(seed.report).toEqual([
    {
      uid: 'one',
      line: 4,
      reason: 'the event was left out, because it ends before it starts; correct DTSTART, DTEND or DURATION',
    },
  ])
})

test('an event without a start, or with an invalid one, is left out', async () => {
  const { reasons } = await read(
    calendar(...event('SUMMARY:x'), 'BEGIN:VEVENT', 'UID:two', 'DTSTART:20260231T090000Z', 'END:VEVENT'),
  )

  expect(reasons).toEqual([
    'the event was left out, because it has no DTSTART; add one',
    'the event was left out, because DTSTART "20260231T090000Z" is not a date or time; write it like 20260302 or 20260302T090000',
  ])
})
