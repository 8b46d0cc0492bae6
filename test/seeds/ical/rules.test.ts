import { expect, test } from 'vitest'
import { toICalendarRule } from '../../../src/seeds/ical/rules.ts'
import { calendar, event, read, readOne } from './importEvents.ts'

type Shown = { id: string; start: { dateTime?: string; date?: string }; summary?: string; status: string }
const starts = (instances: Shown[]) => instances.map(({ start }) => start.dateTime ?? start.date)

test.each([
  ['a date in a timed series', 'DTSTART:20260706T090000Z', '20260708', 'UNTIL=20260708T235959Z'],
  ['a time in an all-day series', 'DTSTART;VALUE=DATE:20260706', '20260708T120000Z', 'UNTIL=20260708'],
  ['without a zone', 'DTSTART;TZID=America/New_York:20260706T090000', '20260708T090000', 'UNTIL=20260708T130000Z'],
])('UNTIL is converted to the type of the start, in UTC: %s', async (_, start, until, written) => {
  const { one } = await readOne(start, `RRULE:FREQ=DAILY;UNTIL=${until}`)

  expect(one.recurrence).toEqual([`RRULE:FREQ=DAILY;${written}`])
})

test('RDATE of a PERIOD adds its start', async () => {
  const { instances } = await readOne(
    'DTSTART:20260706T090000Z',
    'RDATE;VALUE=PERIOD:20260708T090000Z/PT1H,20260710T090000Z/20260710T120000Z',
  )

  expect(starts(instances)).toEqual(['2026-07-06T09:00:00Z', '2026-07-08T09:00:00Z', '2026-07-10T09:00:00Z'])
})

test('RDATE of a PERIOD has its own end', async () => {
  const { instances } = await readOne(
    ...['DTSTART:20260706T090000Z', 'DTEND:20260706T100000Z', 'SUMMARY:Shift'],
    'RDATE;VALUE=PERIOD:20260708T090000Z/PT1H,20260710T090000Z/20260710T120000Z,20260711T090000Z/P1D',
    'EXDATE:20260711T090000Z',
  )
  type Instance = { summary: string; end: { dateTime: string } }

  expect(instances.map(({ summary, end }: Instance) => [summary, end.dateTime])).toEqual([
    ['Shift', '2026-07-06T10:00:00Z'],
    ['Shift', '2026-07-08T10:00:00Z'],
    ['Shift', '2026-07-10T12:00:00Z'],
  ])
})

test('an override has priority over the end of a PERIOD', async () => {
  const { instances } = await read(
    calendar(
      ...event('DTSTART:20260706T090000Z', 'RDATE;VALUE=PERIOD:20260710T090000Z/PT3H'),
      ...event('RECURRENCE-ID:20260710T090000Z', 'DTSTART:20260710T090000Z', 'DURATION:PT5H'),
    ),
  )

  expect(instances.map(({ end }: { end: { dateTime: string } }) => end.dateTime)).toEqual([
    '2026-07-06T09:00:00Z',
    '2026-07-10T14:00:00Z',
  ])
})

test('a rule with escaped separators is read', async () => {
  const { instances, reasons } = await readOne('DTSTART:20260706T090000Z', 'RRULE:FREQ=DAILY\\;COUNT=3')

  expect([instances.length, reasons]).toEqual([3, []])
})

test('an EXDATE of the other type is accepted', async () => {
  const timed = await readOne(
    ...['DTSTART;TZID=Europe/Berlin:20260706T090000', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE;VALUE=DATE:20260707'],
  )
  const dated = await readOne(...['DTSTART;VALUE=DATE:20260706', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260707T000000'])

  expect(starts(timed.instances)).toEqual(['2026-07-06T07:00:00Z', '2026-07-08T07:00:00Z'])
  expect(starts(dated.instances)).toEqual(['2026-07-06', '2026-07-08'])
})

test('midnight of UTC excludes a day in any zone', async () => {
  const lines = ['DTSTART;VALUE=DATE:20260706', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260707T000000Z']
  const { instances } = await read(calendar('X-WR-TIMEZONE:America/New_York', ...event(...lines)))

  expect(starts(instances)).toEqual(['2026-07-06', '2026-07-08'])
})

test('an RDATE of the other type is read at the time of the series', async () => {
  const { instances } = await readOne('DTSTART;TZID=Europe/Berlin:20260706T090000', 'RDATE;VALUE=DATE:20260710')

  expect(starts(instances)).toEqual(['2026-07-06T07:00:00Z', '2026-07-10T07:00:00Z'])
})

test('several RRULEs and an EXRULE are kept', async () => {
  const { one } = await readOne(
    'DTSTART:20260706T090000Z',
    ...['RRULE:FREQ=WEEKLY;COUNT=4', 'RRULE:FREQ=MONTHLY;COUNT=2', 'EXRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2'],
  )

  expect(one.recurrence).toEqual([
    ...['RRULE:FREQ=WEEKLY;COUNT=4', 'RRULE:FREQ=MONTHLY;COUNT=2', 'EXRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=2'],
  ])
})

test.each([
  ['FREQ=HOURLY', 'FREQ=HOURLY;COUNT=3', 'use DAILY, WEEKLY, MONTHLY or YEARLY'],
  ['FREQ=MINUTELY', 'FREQ=MINUTELY;COUNT=3', 'use DAILY, WEEKLY, MONTHLY or YEARLY'],
  ['FREQ=SECONDLY', 'FREQ=SECONDLY;COUNT=3', 'use DAILY, WEEKLY, MONTHLY or YEARLY'],
  ['BYHOUR=9,17', 'FREQ=DAILY;BYHOUR=9,17', 'write one series for each time of day'],
  ['RSCALE=CHINESE', 'RSCALE=CHINESE;FREQ=YEARLY', 'write a rule without RSCALE'],
])('a series with %s is left out and reported', async (part, rule, advice) => {
  const { one, seed } = await readOne('DTSTART:20260706T090000Z', `RRULE:${rule}`)

  expect(one).toBeUndefined()
  const reason = `the event was left out, because the service has no series with ${part}; ${advice}`
  expect(seed.report).toEqual([{ uid: 'one', line: 7, reason }])
})

test('a BYHOUR equal to the hour of the start has no effect', async () => {
  const { one, reasons } = await readOne('DTSTART:20260706T090000Z', 'RRULE:FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=0')

  expect([one.recurrence, reasons]).toEqual([['RRULE:FREQ=DAILY'], []])
})

test('rule parts that the service rejects and other programs ignore are ignored and reported', async () => {
  const { one, reasons } = await readOne(
    'DTSTART:20260706T090000Z',
    'RRULE:freq=weekly;INTERVAL=0;BYDAY=1MO;BYMONTHDAY=6;COUNT=3;UNTIL=20270101T000000Z;X-APPLE=1;',
  )

  expect(one.recurrence).toEqual(['RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=3'])
  expect(reasons).toEqual([
    'X-APPLE=1 was ignored, because it is not a part of a rule; remove it from the rule',
    'INTERVAL=0 was ignored, because it must be at least 1; remove it from the rule',
    'UNTIL=20270101T000000Z was ignored, because the rule also has COUNT; remove it from the rule',
    'BYMONTHDAY=6 was ignored, because it does not apply with FREQ=WEEKLY; remove it from the rule',
    'the numbers in BYDAY=1MO were ignored, because they apply only with FREQ=MONTHLY or YEARLY; remove them',
  ])
})

const SERIES = event(
  'DTSTART;TZID=Europe/Berlin:20260706T090000',
  'RRULE:FREQ=DAILY;COUNT=4',
  'SEQUENCE:3',
  'LOCATION:Here',
)

test.each([
  ['in UTC', 'RECURRENCE-ID:20260707T070000Z'],
  ['in another zone', 'RECURRENCE-ID;TZID=America/New_York:20260707T030000'],
  ['without a zone', 'RECURRENCE-ID:20260707T090000'],
  ['of the other type', 'RECURRENCE-ID;VALUE=DATE:20260707'],
])('an override is an exception, with any sequence, type and id: %s', async (_, id) => {
  const change = event(id, 'DTSTART;VALUE=DATE:20260720', 'SUMMARY:Moved')
  const { instances, reasons } = await read(calendar(...SERIES, ...change))

  expect(reasons).toEqual([])
  expect(starts(instances)).toEqual([
    '2026-07-06T07:00:00Z',
    '2026-07-08T07:00:00Z',
    '2026-07-09T07:00:00Z',
    '2026-07-20',
  ])
  expect(instances[3]).toMatchObject({ id: '_dtn6a_20260707T070000Z', summary: 'Moved' })
  expect(instances[3].location).toBeUndefined()
})

test('an exception without a link, conference or reminder does not inherit that of its series', async () => {
  const alarm = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT5M', 'END:VALARM']
  const links = ['URL:https://example.com/a', 'X-GOOGLE-CONFERENCE:https://meet.google.com/abc-defg-hij']
  const change = event('RECURRENCE-ID:20260707T070000Z', 'DTSTART:20260707T080000Z')
  const { instances } = await read(calendar(...SERIES.slice(0, -1), ...links, ...alarm, 'END:VEVENT', ...change))

  expect(instances[0]).toMatchObject({ hangoutLink: expect.any(String), reminders: { overrides: [{ minutes: 5 }] } })
  expect(instances[1].reminders).toEqual({ useDefault: true })
  expect(['source', 'conferenceData', 'hangoutLink'].filter((field) => field in instances[1])).toEqual([])
})

test('a timed override of an all-day series is an exception', async () => {
  const days = event('DTSTART;VALUE=DATE:20260706', 'RRULE:FREQ=DAILY;COUNT=3')
  const change = event('RECURRENCE-ID:20260707T000000Z', 'DTSTART:20260707T100000Z')
  const { instances } = await read(calendar('X-WR-TIMEZONE:America/New_York', ...days, ...change))

  expect(starts(instances)).toEqual(['2026-07-06', '2026-07-07T06:00:00-04:00', '2026-07-08'])
})

test('a cancelled override is a cancelled instance', async () => {
  const cancelled = event('RECURRENCE-ID:20260707T070000Z', 'DTSTART:20260707T070000Z', 'STATUS:CANCELLED')
  const { events, instances } = await read(calendar(...cancelled, ...SERIES))

  expect(instances).toHaveLength(3)
  expect(events).toContainEqual(expect.objectContaining({ id: '_dtn6a_20260707T070000Z', status: 'cancelled' }))
})

test('an override outside of its series, or of an excluded start, is kept', async () => {
  const series = event('DTSTART:20260706T090000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20260707T090000Z')
  const text = calendar(
    ...series,
    ...event('RECURRENCE-ID:20260707T090000Z', 'DTSTART:20260707T100000Z', 'SUMMARY:Excluded'),
    ...event('RECURRENCE-ID:20260801T090000Z', 'DTSTART:20260801T100000Z', 'SUMMARY:Elsewhere'),
  )
  const { instances } = await read(text)

  expect(instances.map(({ summary }: Shown) => summary)).toEqual([undefined, 'Excluded', undefined, 'Elsewhere'])
})

test('overrides without a series are single events', async () => {
  const text = calendar(
    ...event('RECURRENCE-ID:20260707T090000Z', 'DTSTART:20260707T100000Z', 'SUMMARY:Busy'),
    ...event('RECURRENCE-ID:20260708T090000Z', 'DTSTART:20260708T100000Z', 'SUMMARY:Busy'),
  )
  const { events } = await read(text)

  expect(events.map(({ iCalUID, summary }: Shown & { iCalUID: string }) => [iCalUID, summary])).toEqual([
    ['one', 'Busy'],
    ['one', 'Busy'],
  ])
})

test('THISANDFUTURE splits a series, and the rest of its count continues', async () => {
  const text = calendar(
    ...event(
      'DTSTART;TZID=Europe/Berlin:20260706T090000',
      'RRULE:FREQ=WEEKLY;BYDAY=MO;COUNT=4',
      'EXDATE:20260727T090000',
    ),
    ...event('RECURRENCE-ID;RANGE=THISANDFUTURE:20260720T070000Z', 'DTSTART;TZID=Europe/Berlin:20260721T100000'),
    ...event('RECURRENCE-ID:20260727T070000Z', 'DTSTART:20260729T100000Z', 'SUMMARY:Later'),
  )
  const { events, instances } = await read(text)

  expect(starts(instances)).toEqual([
    ...['2026-07-06T07:00:00Z', '2026-07-13T07:00:00Z', '2026-07-21T08:00:00Z', '2026-07-29T10:00:00Z'],
  ])
  expect(events).toContainEqual(
    expect.objectContaining({ id: '_dtn6a_R20260720T070000', recurrence: expect.any(Array) }),
  )
})

test('THISANDFUTURE without a series is a series of its own, if it has a rule', async () => {
  const rest = event('RECURRENCE-ID;RANGE=THISANDFUTURE:20260706T090000Z', 'DTSTART:20260706T100000Z')
  const { instances } = await read(calendar(...rest.slice(0, -1), 'RRULE:FREQ=DAILY;COUNT=2', 'END:VEVENT'))

  expect(starts(instances)).toEqual(['2026-07-06T10:00:00Z', '2026-07-07T10:00:00Z'])
})

test('a rule of a single exception has no effect', async () => {
  const change = event('RECURRENCE-ID:20260707T070000Z', 'DTSTART:20260707T080000Z', 'RRULE:FREQ=HOURLY')
  const { instances, reasons } = await read(calendar(...SERIES, ...change))

  expect([instances.length, instances[1].start.dateTime, reasons]).toEqual([4, '2026-07-07T08:00:00Z', []])
})

test('an empty RECURRENCE-ID is ignored', async () => {
  const { one } = await readOne('DTSTART:20260706T090000Z', 'RECURRENCE-ID:', 'RRULE:FREQ=DAILY;COUNT=2')

  expect(one.recurrence).toEqual(['RRULE:FREQ=DAILY;COUNT=2'])
})

test('a cancelled THISANDFUTURE ends the series', async () => {
  const rest = event('RECURRENCE-ID;RANGE=THISANDFUTURE:20260708T070000Z', 'STATUS:CANCELLED', SERIES[2] ?? '')
  const { instances } = await read(calendar(...SERIES, ...rest))

  expect(starts(instances)).toEqual(['2026-07-06T07:00:00Z', '2026-07-07T07:00:00Z'])
})

test('THISANDFUTURE and a change of its first instance are both kept', async () => {
  const text = calendar(
    ...SERIES,
    ...event('RECURRENCE-ID;RANGE=THISANDFUTURE:20260708T070000Z', 'DTSTART:20260708T080000Z', 'SUMMARY:Rest'),
    ...event('RECURRENCE-ID:20260708T070000Z', 'DTSTART:20260708T120000Z', 'SUMMARY:First'),
  )
  const { instances } = await read(text)

  expect(instances.map(({ summary }: Shown) => summary)).toEqual([undefined, undefined, 'First', 'Rest'])
})

test.each([
  ['D2 #5', 'FREQ=DAILY;INTERVAL=2;COUNT=5'],
  ['W1 MO WE #0', 'FREQ=WEEKLY;INTERVAL=1;BYDAY=MO,WE'],
  ['MP1 2+ TU 1- FR #3', 'FREQ=MONTHLY;INTERVAL=1;BYDAY=2TU,-1FR;COUNT=3'],
  ['MD1 15 LD 20271231T000000', 'FREQ=MONTHLY;INTERVAL=1;BYMONTHDAY=15,-1;UNTIL=20271231T000000'],
  ['YM1 3 6', 'FREQ=YEARLY;INTERVAL=1;BYMONTH=3,6;COUNT=2'],
  ['FREQ=DAILY', 'FREQ=DAILY'],
])('a rule of vCalendar 1.0 is read: %s', (old, now) => {
  expect(toICalendarRule(old)).toBe(now)
})
