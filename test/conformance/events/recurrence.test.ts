import { expect, test } from 'vitest'
import {
  compact,
  createEvent,
  day,
  hour,
  instant,
  listAll,
  listStarts,
  post,
  thisWeek,
  useCalendar,
} from '../calendar.ts'
import { absent, expectError, expectOk } from '../expect.ts'

useCalendar()

test('4.2.2, 4.1.1 recurrence lines are returned as sent', async () => {
  const lines = [`EXDATE:${compact(instant(9, 1))}`, 'RRULE:FREQ=WEEKLY;WKST=SU;COUNT=3;INTERVAL=1;BYDAY=MO,TU']
  await expectOk(post('events', { ...hour(9), recurrence: lines }), { recurrence: lines, recurringEventId: absent })
})

test('4.2.1, 11.18 an event with an empty recurrence is a single event', async () => {
  const { start, end } = hour(9)
  const body = { start: { dateTime: start.dateTime }, end: { dateTime: end.dateTime }, recurrence: [] }
  await expectOk(post('events', body), { recurrence: absent })
})

test.each<[title: string, lines: () => string[], days: number[]]>([
  ['4.2.1, 4.7 COUNT includes the first instance', () => ['RRULE:FREQ=DAILY;COUNT=3'], [0, 1, 2]],
  [
    '4.2.4 UNTIL includes the instance that starts then',
    () => [`RRULE:FREQ=DAILY;UNTIL=${compact(instant(9, 2))}`],
    [0, 1, 2],
  ],
  [
    '4.2.4 UNTIL as a date includes the instances of that day',
    () => [`RRULE:FREQ=DAILY;UNTIL=${day(2).replaceAll('-', '')}`],
    [0, 1, 2],
  ],
  ['4.2.2 BYDAY of a weekly rule selects weekdays', () => ['RRULE:FREQ=WEEKLY;BYDAY=MO,WE,FR;COUNT=3'], [0, 2, 4]],
  [
    '4.2.1 INTERVAL=3 of a daily rule selects every third day',
    () => ['RRULE:FREQ=DAILY;INTERVAL=3;COUNT=3'],
    [0, 3, 6],
  ],
  [
    '4.2.5, 4.2.1 an EXDATE excludes an instance',
    () => [`EXDATE:${compact(instant(9, 1))}`, 'RRULE:FREQ=DAILY;COUNT=3'],
    [0, 2],
  ],
  ['4.2.1, 4.2.5 an RDATE without a rule makes a series', () => [`RDATE:${compact(instant(9, 3))}`], [0, 3]],
  [
    '4.2.1 an EXDATE with a TZID excludes the instance at that instant',
    () => [`EXDATE;TZID=Asia/Tokyo:${compact(`${day(1)}T18:00:00`)}`, 'RRULE:FREQ=DAILY;COUNT=3'],
    [0, 2],
  ],
  [
    '4.2.1, 4.8 BYSETPOS=1,-1 selects the first and the last weekday of BYDAY',
    () => ['RRULE:FREQ=WEEKLY;BYDAY=MO,TU,TH;BYSETPOS=1,-1;COUNT=2'],
    [0, 3],
  ],
  [
    '4.2.1 a series with two rules has the instances of both',
    () => ['RRULE:FREQ=DAILY;COUNT=2', 'RRULE:FREQ=DAILY;INTERVAL=4;COUNT=2'],
    [0, 1, 4],
  ],
  [
    '4.2.1, 4.2.5 an RDATE adds an instance to a rule, and an EXDATE excludes an RDATE',
    () => [
      `RDATE:${compact(instant(9, 3))},${compact(instant(9, 5))}`,
      `EXDATE:${compact(instant(9, 5))}`,
      'RRULE:FREQ=DAILY;COUNT=2',
    ],
    [0, 1, 3],
  ],
  [
    '4.7 the start is an instance, even if the rule does not select it',
    () => ['RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=2'],
    [0, 2],
  ],
  ['4.2.1, 11.18 a rule may end in a semicolon', () => ['RRULE:FREQ=DAILY;COUNT=2;'], [0, 1]],
])('%s', async (_, lines, days) => {
  const { id } = await createEvent({ recurrence: lines() })
  const { items } = await listAll('events', { singleEvents: true, orderBy: 'startTime', ...thisWeek() })
  expect(listStarts(items.filter(({ recurringEventId }) => recurringEventId === id))).toEqual(
    days.map((at) => instant(9, at)),
  )
})

/** All-day series: the lines, the days, and the start if it is not the first day. */
const DAYS: [title: string, lines: string, days: string, start?: string][] = [
  [
    '4.2.1, 4.8 a monthly rule from the 31st skips shorter months',
    'RRULE:FREQ=MONTHLY;COUNT=3',
    '2031-01-31,2031-03-31,2031-05-31',
  ],
  [
    '4.2.1, 4.8 BYMONTHDAY=-1 selects the last day of each month',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=-1;COUNT=3',
    '2031-01-31,2031-02-28,2031-03-31',
  ],
  [
    '4.2.1, 4.8 BYDAY=-1FR selects the last Friday of each month',
    'RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=3',
    '2031-01-31,2031-02-28,2031-03-28',
  ],
  [
    '4.2.1, 4.8 BYSETPOS=-1 selects the last working day of each month',
    'RRULE:FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1;COUNT=3',
    '2031-05-30,2031-06-30,2031-07-31',
  ],
  [
    '4.2.1, 4.8 a yearly rule from 29 February selects leap years only',
    'RRULE:FREQ=YEARLY;COUNT=2',
    '2032-02-29,2036-02-29',
  ],
  [
    '4.2.1 weeks of a rule with INTERVAL=2 begin on the day of WKST',
    'RRULE:FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=TU,SU;COUNT=4',
    '2031-01-07,2031-01-19,2031-01-21,2031-02-02',
  ],
  [
    '4.2.1 weeks of a rule with INTERVAL=2 begin on Monday without WKST',
    'RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;COUNT=4',
    '2031-01-07,2031-01-12,2031-01-21,2031-01-26',
  ],
  [
    '4.2.1 BYDAY=2TU selects the second Tuesday of each month',
    'RRULE:FREQ=MONTHLY;BYDAY=2TU;COUNT=3',
    '2031-01-14,2031-02-11,2031-03-11',
  ],
  [
    '4.2.1 BYMONTH of a monthly rule selects months',
    'RRULE:FREQ=MONTHLY;BYMONTH=1,4;COUNT=3',
    '2031-01-14,2031-04-14,2032-01-14',
  ],
  [
    '4.2.1 BYYEARDAY selects days of the year',
    'RRULE:FREQ=YEARLY;BYYEARDAY=1,-1;COUNT=3',
    '2031-01-01,2031-12-31,2032-01-01',
  ],
  [
    '4.2.1 BYWEEKNO selects weeks of the year',
    'RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;COUNT=2',
    '2031-05-12,2032-05-10',
  ],
  [
    '4.2.1, 4.8 BYMONTHDAY=31 skips shorter months',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=31;COUNT=3',
    '2031-01-31,2031-03-31,2031-05-31',
  ],
  [
    '4.2.1 BYMONTHDAY=1,15 selects two days of each month',
    'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,15;COUNT=3',
    '2031-01-01,2031-01-15,2031-02-01',
  ],
  [
    '4.2.1 INTERVAL=2 of a monthly rule selects every second month',
    'RRULE:FREQ=MONTHLY;INTERVAL=2;COUNT=3',
    '2031-01-14,2031-03-14,2031-05-14',
  ],
  [
    '4.2.1 INTERVAL=2 of a yearly rule selects every second year',
    'RRULE:FREQ=YEARLY;INTERVAL=2;COUNT=2',
    '2031-01-14,2033-01-14',
  ],
  [
    '4.2.1 BYMONTH=11 with BYDAY=4TH selects the fourth Thursday of November',
    'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;COUNT=2',
    '2031-11-27,2032-11-25',
  ],
  [
    '4.2.1, 8.7 BYMONTH=2 with BYMONTHDAY=-1 selects the last day of February',
    'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1;COUNT=2',
    '2032-02-29,2033-02-28',
  ],
  [
    '4.2.4 UNTIL includes its date in an all-day series',
    'RRULE:FREQ=DAILY;UNTIL=20310116',
    '2031-01-14,2031-01-15,2031-01-16',
  ],
  [
    '4.2.5 EXDATE;VALUE=DATE excludes a day of an all-day series',
    'EXDATE;VALUE=DATE:20310115 RRULE:FREQ=DAILY;COUNT=3',
    '2031-01-14,2031-01-16',
  ],
  [
    '4.2.5 RDATE;VALUE=DATE adds a day to an all-day series',
    'RDATE;VALUE=DATE:20310120 RRULE:FREQ=DAILY;COUNT=2',
    '2031-01-14,2031-01-15,2031-01-20',
  ],
  [
    '4.2.1 an EXRULE excludes the days that it selects',
    'EXRULE:FREQ=DAILY;INTERVAL=2 RRULE:FREQ=DAILY;COUNT=4',
    '2031-01-15,2031-01-17',
    '2031-01-14',
  ],
  [
    '4.2.5 an excluded instance counts for COUNT',
    'RRULE:FREQ=WEEKLY;COUNT=3 EXDATE;VALUE=DATE:20310114',
    '2031-01-21,2031-01-28',
    '2031-01-14',
  ],
  [
    '4.2.5 an EXDATE of a day without an instance has no effect',
    'RRULE:FREQ=DAILY;COUNT=2 EXDATE;VALUE=DATE:20310120',
    '2031-01-14,2031-01-15',
  ],
  [
    '4.2.5 the example of the API guide has the days that it describes',
    'EXDATE;VALUE=DATE:20150610 RDATE;VALUE=DATE:20150609,20150611 RRULE:FREQ=DAILY;UNTIL=20150628;INTERVAL=3',
    '2015-06-01,2015-06-04,2015-06-07,2015-06-09,2015-06-11,2015-06-13,2015-06-16,2015-06-19,2015-06-22,2015-06-25,2015-06-28',
  ],
]

test.each(DAYS)('%s', async (_, lines, days, start = days.slice(0, 10)) => {
  const end = new Date(Date.parse(start) + 86_400_000).toISOString().slice(0, 10)
  const { id } = await createEvent({ start: { date: start }, end: { date: end }, recurrence: lines.split(' ') })
  const { items } = await listAll(`events/${id}/instances`, { timeMax: '2045-01-01T00:00:00Z' })
  expect(listStarts(items).join()).toBe(days)
})

/** Timed series of an hour: the lines, the zone, the first start by its clock, and the starts in UTC. */
const TIMES: [title: string, lines: string, timeZone: string, start: string, starts: string][] = [
  [
    '13.10, 4.8 a series keeps its local hour when the clocks go back',
    'RRULE:FREQ=DAILY;COUNT=2',
    'Europe/Berlin',
    '2031-10-25T09:00:00',
    '2031-10-25T07:00:00Z,2031-10-26T08:00:00Z',
  ],
  [
    '4.2.1, 4.8 a timed monthly series on the 31st skips shorter months',
    'RRULE:FREQ=MONTHLY;COUNT=3',
    'America/New_York',
    '2031-01-31T09:00:00',
    '2031-01-31T14:00:00Z,2031-03-31T13:00:00Z,2031-05-31T13:00:00Z',
  ],
  [
    '4.2.4 UNTIL of a timed series is in UTC',
    'RRULE:FREQ=DAILY;UNTIL=20310115T140000Z',
    'America/New_York',
    '2031-01-14T09:00:00',
    '2031-01-14T14:00:00Z,2031-01-15T14:00:00Z',
  ],
  [
    '4.2.4 UNTIL excludes an instance that starts a second later',
    'RRULE:FREQ=DAILY;UNTIL=20310115T135959Z',
    'America/New_York',
    '2031-01-14T09:00:00',
    '2031-01-14T14:00:00Z',
  ],
  [
    '4.8 BYDAY selects weekdays in the zone of the series',
    'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=2',
    'Asia/Tokyo',
    '2031-01-14T01:00:00',
    '2031-01-13T16:00:00Z,2031-01-20T16:00:00Z',
  ],
  [
    '4.2.5 an EXDATE in UTC excludes the instance at that instant',
    'EXDATE:20310115T140000Z RRULE:FREQ=DAILY;COUNT=3',
    'America/New_York',
    '2031-01-14T09:00:00',
    '2031-01-14T14:00:00Z,2031-01-16T14:00:00Z',
  ],
  [
    '4.2.5 an RDATE with a TZID adds an instance at that instant',
    'RDATE;TZID=Asia/Tokyo:20310120T090000 RRULE:FREQ=DAILY;COUNT=1',
    'America/New_York',
    '2031-01-14T09:00:00',
    '2031-01-14T14:00:00Z,2031-01-20T00:00:00Z',
  ],
]

test.each(TIMES)('%s', async (_, lines, timeZone, start, starts) => {
  const end = start.replace(/T(\d\d)/, (_, at) => `T${String(Number(at) + 1).padStart(2, '0')}`)
  const times = { start: { dateTime: start, timeZone }, end: { dateTime: end, timeZone } }
  const { id } = await createEvent({ ...times, recurrence: lines.split(' ') })
  const { items } = await listAll(`events/${id}/instances`, { timeMax: '2045-01-01T00:00:00Z' })
  expect(listStarts(items).join()).toBe(starts)
})

test.each([
  ['4.2.1, 2.2.3 a recurrence line without its name is rejected', 'FREQ=DAILY'],
  ['4.2.1, 2.2.3 a recurrence with a DTSTART line is rejected', 'DTSTART:20310101T090000Z'],
  ['4.2.1, 2.2.3 a rule with an unknown FREQ is rejected', 'RRULE:FREQ=NEVER'],
  ['4.2.3, 2.2.3 a rule by the hour is rejected', 'RRULE:FREQ=HOURLY;COUNT=2'],
  ['4.2.3, 2.2.3 a rule with COUNT and UNTIL is rejected', 'RRULE:FREQ=DAILY;COUNT=2;UNTIL=20310109T000000Z'],
  ['4.2.3, 2.2.3 a rule with COUNT=0 is rejected', 'RRULE:FREQ=DAILY;COUNT=0'],
  ['4.2.7, 2.2.3 a rule with a local time in UNTIL is rejected', 'RRULE:FREQ=DAILY;UNTIL=20400101T000000'],
])('%s', (_, line) =>
  expectError(post('events', { ...hour(9), recurrence: [line] }), 400, {
    reason: 'invalid',
    message: 'Invalid recurrence rule.',
  }),
)
