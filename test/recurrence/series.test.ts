import { expect, test } from 'vitest'
import { openSeries, type Start } from '../../src/recurrence/series.ts'

const NEW_YORK: Start = { wall: '2026-01-01T09:00:00', zone: 'America/New_York' }
const TOKYO_9999: Start = { wall: '9999-12-30T09:00:00', zone: 'Asia/Tokyo' }
const ALL_DAY: Start = { date: '2026-01-01' }

type Ends = { first?: string; last?: string; endless?: true }

// By hand: 09:00 in New York is 14:00 in winter and 13:00 in summer; 1 January 2026 is a Thursday.
const ends: [title: string, start: Start, lines: string[], ends: Ends][] = [
  ['without an end', NEW_YORK, ['RRULE:FREQ=DAILY'], { first: '2026-01-01T14:00Z', endless: true }],
  ['with an end', NEW_YORK, ['RRULE:FREQ=DAILY;COUNT=3'], { first: '2026-01-01T14:00Z', last: '2026-01-03T14:00Z' }],
  [
    'with an UNTIL between occurrences',
    NEW_YORK,
    ['RRULE:FREQ=MONTHLY;UNTIL=20260531T000000Z'],
    { first: '2026-01-01T14:00Z', last: '2026-05-01T13:00Z' },
  ],
  [
    'of two rules, one without an end',
    NEW_YORK,
    ['RRULE:FREQ=DAILY;COUNT=3', 'RRULE:FREQ=YEARLY'],
    { first: '2026-01-01T14:00Z', endless: true },
  ],
  [
    'of two rules that end',
    NEW_YORK,
    ['RRULE:FREQ=DAILY;COUNT=3', 'RRULE:FREQ=YEARLY;COUNT=2'],
    { first: '2026-01-01T14:00Z', last: '2027-01-01T14:00Z' },
  ],
  [
    'with a date after its end',
    NEW_YORK,
    ['RRULE:FREQ=DAILY;COUNT=3', 'RDATE:20280101T140000Z'],
    { first: '2026-01-01T14:00Z', last: '2028-01-01T14:00Z' },
  ],
  [
    'with dates out of order',
    NEW_YORK,
    ['RRULE:FREQ=DAILY;COUNT=3', 'RDATE:20280101T140000Z,20270101T140000Z,20260601T130000Z'],
    { first: '2026-01-01T14:00Z', last: '2028-01-01T14:00Z' },
  ],
  [
    'whose COUNT ends in the last week of the year 9999, which is cut short',
    { date: '9999-12-18' },
    ['RRULE:FREQ=WEEKLY;BYDAY=SA;COUNT=9'],
    { first: '9999-12-18', last: '9999-12-25' },
  ],
  [
    'whose COUNT reaches the year 9999, after years without a 29 February',
    { date: '1997-01-01' },
    ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=1000000000'],
    { first: '1997-01-01', last: '9996-02-29' },
  ],
  [
    'with a date before its start',
    NEW_YORK,
    ['RRULE:FREQ=DAILY;COUNT=3', 'RDATE:20200101T140000Z'],
    { first: '2020-01-01T14:00Z', last: '2026-01-03T14:00Z' },
  ],
  [
    'without its first and last instance',
    NEW_YORK,
    ['RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20260101T140000Z,20260104T140000Z'],
    { first: '2026-01-02T14:00Z', last: '2026-01-03T14:00Z' },
  ],
  [
    'whose last occurrence is excluded, decades after the one before',
    NEW_YORK,
    ['RRULE:FREQ=DAILY;COUNT=3', 'RDATE:20500101T140000Z', 'EXDATE:20500101T140000Z'],
    { first: '2026-01-01T14:00Z', last: '2026-01-03T14:00Z' },
  ],
  [
    'whose rule gives only its start',
    ALL_DAY,
    ['RRULE:FREQ=YEARLY;INTERVAL=100000'],
    { first: '2026-01-01', last: '2026-01-01' },
  ],
  ['with every instance excluded', NEW_YORK, ['RRULE:FREQ=DAILY;COUNT=1', 'EXDATE:20260101T140000Z'], {}],
  ['with every instance excluded by an EXRULE', NEW_YORK, ['RRULE:FREQ=DAILY;COUNT=9', 'EXRULE:FREQ=DAILY'], {}],
  [
    'without an end, with every instance excluded by an EXRULE',
    NEW_YORK,
    ['RRULE:FREQ=DAILY', 'EXRULE:FREQ=DAILY'],
    { endless: true },
  ],
  ['without lines', ALL_DAY, [], { first: '2026-01-01', last: '2026-01-01' }],
  ['of all-day events', ALL_DAY, ['RRULE:FREQ=WEEKLY;UNTIL=20260131'], { first: '2026-01-01', last: '2026-01-29' }],
  [
    'whose COUNT goes beyond the year 9999 by days',
    NEW_YORK,
    ['RRULE:FREQ=DAILY;COUNT=1000000000'],
    { first: '2026-01-01T14:00Z', last: '9999-12-31T14:00Z' },
  ],
  [
    'whose COUNT goes beyond the year 9999 by years',
    NEW_YORK,
    ['RRULE:FREQ=YEARLY;INTERVAL=1000;COUNT=1000000000'],
    { first: '2026-01-01T14:00Z', last: '9026-01-01T14:00Z' },
  ],
  [
    'that begins in the last days of the year 9999',
    TOKYO_9999,
    ['RRULE:FREQ=DAILY;COUNT=9'],
    { first: '9999-12-30T00:00Z', last: '9999-12-31T00:00Z' },
  ],
]

const instant = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text))

test.each(ends)(
  '4.7 a series %s has the right first, last and endless',
  (_, start, lines, { first, last, endless = false }) => {
    const series = openSeries(start, lines)
    const { first: found, last: foundLast, endless: isEndless } = series
    expect({ first: found, last: foundLast, endless: isEndless }).toEqual({
      first: instant(first),
      last: instant(last),
      endless,
    })
  },
)

const UNMATCHABLE = [
  'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=DAILY;INTERVAL=7;BYDAY=FR',
  'FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2',
  'FREQ=MONTHLY;BYMONTH=2;BYMONTHDAY=30',
  'FREQ=MONTHLY;BYDAY=6MO',
  'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=31',
  'FREQ=YEARLY;BYYEARDAY=1;BYMONTH=2',
  'FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO;BYMONTH=1',
]

test.each(UNMATCHABLE)('the search for an occurrence that does not exist ends: %s', (rule) => {
  const start = Date.parse('2026-01-01T14:00Z')
  for (const end of ['', ';COUNT=5', ';UNTIL=99991231T235959Z']) {
    const series = openSeries(NEW_YORK, [`RRULE:${rule}${end}`])
    expect(series.between(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)).toEqual([start])
    expect([series.first, series.endless]).toEqual([start, false])
    expect(series.last).toBe(start)
  }
})

test('a limit of 0 returns nothing, and an inverted window is empty', () => {
  const series = openSeries(NEW_YORK, ['RRULE:FREQ=DAILY'])
  const day = Date.parse('2026-02-01T00:00Z')
  expect(series.between(day, Number.POSITIVE_INFINITY, 0)).toEqual([])
  expect(series.between(day + 1, day)).toEqual([])
  expect(series.between(day, day)).toEqual([])
})

test('between with a limit returns that many instances of an open window', () => {
  const series = openSeries(NEW_YORK, ['RRULE:FREQ=DAILY', 'EXDATE:20260202T140000Z'])
  expect(series.between(Date.parse('2026-02-01T00:00Z'), Number.POSITIVE_INFINITY, 2)).toEqual([
    Date.parse('2026-02-01T14:00Z'),
    Date.parse('2026-02-03T14:00Z'),
  ])
})

test('the results of a series do not depend on earlier calls', () => {
  const lines = ['RRULE:FREQ=MONTHLY;BYDAY=-1FR;COUNT=40', 'EXDATE:20260327T130000Z']
  const [queried, fresh] = [openSeries(NEW_YORK, lines), openSeries(NEW_YORK, lines)]
  const year = [Date.UTC(2027, 0), Date.UTC(2028, 0)] as const
  expect([queried.last, queried.first, queried.includes(0), queried.between(0, 1)]).toHaveLength(4)
  expect(queried.between(...year)).toEqual(fresh.between(...year))
  expect(fresh.between(...year)).toHaveLength(12)
})

test('4.2.5 a series that ends on a date has no instance at the midnight after it', () => {
  const series = openSeries({ wall: '2026-03-02T00:00:00', zone: 'Europe/Berlin' }, ['RRULE:FREQ=DAILY;UNTIL=20260304'])

  expect(series.between(Date.UTC(2026, 0, 1), Date.UTC(2027, 0, 1))).toEqual([
    Date.UTC(2026, 2, 1, 23),
    Date.UTC(2026, 2, 2, 23),
    Date.UTC(2026, 2, 3, 23),
  ])
})

/** Excluded instances count for COUNT. */
const COUNTED = [
  ...['DAILY', 'DAILY;INTERVAL=3', 'DAILY;INTERVAL=7;BYMONTH=1', 'DAILY;BYDAY=MO,SU'],
  ...['WEEKLY;BYDAY=MO,WE,FR', 'WEEKLY;INTERVAL=2;BYDAY=SU,TH;WKST=SU', 'WEEKLY;BYDAY=MO,TU,SU;BYSETPOS=-2,1'],
  ...[
    'MONTHLY',
    'MONTHLY;BYMONTHDAY=28,1',
    'MONTHLY;BYMONTHDAY=29',
    'MONTHLY;BYMONTHDAY=-29',
    'MONTHLY;BYMONTHDAY=1,-28',
  ],
  ...[
    'MONTHLY;BYDAY=1MO,4FR',
    'MONTHLY;BYDAY=-4MO,-1FR',
    'MONTHLY;BYDAY=5MO',
    'MONTHLY;BYDAY=-5MO',
    'MONTHLY;BYDAY=4MO,-1MO',
  ],
  ...['MONTHLY;BYDAY=MO', 'MONTHLY;BYDAY=MO,2TU', 'MONTHLY;BYDAY=FR;BYMONTHDAY=13', 'MONTHLY;INTERVAL=5;BYMONTHDAY=31'],
  ...['MONTHLY;BYMONTH=2;BYMONTHDAY=-1', 'YEARLY;BYMONTH=2;BYMONTHDAY=29', 'YEARLY;INTERVAL=3;BYDAY=53TH'],
  ...['YEARLY;BYWEEKNO=53;BYDAY=MO', 'YEARLY;INTERVAL=4;BYYEARDAY=366,1'],
]

/** The rules that do not make 1 January 2024, a Monday. */
const OUTSIDE = COUNTED.filter((rule) =>
  /SU,TH|BYMONTHDAY=(29|-29|13|31|-1)$|-4MO|BYDAY=5MO|4MO,-1MO|BYMONTHDAY=13|BYDAY=53TH|BYWEEKNO=53|BYMONTH=2/.test(
    rule,
  ),
)

test.each(COUNTED)('the last instance of a rule with COUNT is that occurrence of the rule without it: %s', (rule) => {
  const date = '2024-01-01'
  const all = openSeries({ date }, [`RRULE:FREQ=${rule}`]).between(
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    5000,
  )
  // A start that the rule does not make comes first and is not counted (behaviour 14.10).
  const uncounted = openSeries({ date }, [`RRULE:FREQ=${rule};COUNT=1`]).between(0, Number.POSITIVE_INFINITY).length - 1
  expect(uncounted).toBe(OUTSIDE.includes(rule) ? 1 : 0)
  for (const count of [1, 2, 3, 7, 96, 97, 400, 485, 2000, 4800].filter((one) => one + uncounted <= all.length)) {
    expect([count, openSeries({ date }, [`RRULE:FREQ=${rule};COUNT=${count}`]).last]).toEqual([
      count,
      all[count - 1 + uncounted],
    ])
  }
})

test('the instances of many lines are in order, without duplicates', () => {
  const lines = [7, 5, 3, 2, 11, 13].map((interval) => `RRULE:FREQ=DAILY;INTERVAL=${interval};COUNT=8`)
  const found = openSeries({ date: '2026-03-01' }, [...lines, 'RDATE:20260302,20260501,20260303']).between(
    Date.UTC(2026, 0, 1),
    Date.UTC(2027, 0, 1),
  )

  const days = [7, 5, 3, 2, 11, 13].flatMap((interval) => Array.from({ length: 8 }, (_, nth) => nth * interval))
  const all = [...new Set([...days, 1, 61, 2])].sort((a, b) => a - b)
  expect(found).toEqual(all.map((day) => Date.UTC(2026, 2, 1 + day)))
})
