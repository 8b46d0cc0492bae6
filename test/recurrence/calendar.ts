import type { Row } from './row.ts'

/** Rules, grouped by the part of the calendar that they test. */
export const CALENDAR: Row[] = [
  // By hand.
  [
    'every Monday and on the second Tuesday',
    '2026-01-05T09:00',
    'UTC',
    ['RRULE:FREQ=MONTHLY;BYDAY=MO,2TU;COUNT=7'],
    '2026',
    [
      '2026-01-05T09:00Z',
      '2026-01-12T09:00Z',
      '2026-01-13T09:00Z',
      '2026-01-19T09:00Z',
      '2026-01-26T09:00Z',
      '2026-02-02T09:00Z',
      '2026-02-09T09:00Z',
    ],
  ],
  [
    'on 29 February skips 2100',
    '2092-02-29T09:00',
    'UTC',
    ['RRULE:FREQ=YEARLY'],
    '2090/2110',
    ['2092-02-29T09:00Z', '2096-02-29T09:00Z', '2104-02-29T09:00Z', '2108-02-29T09:00Z'],
  ],
  // By hand: the week of Saturday 1 January depends on the length of the year before.
  [
    'on the Saturday of week 53, of which 1 January is one after 2004 and none after 2021',
    '2005-01-01T09:00',
    'UTC',
    ['RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=SA'],
    '2005/2030',
    ['2005-01-01T09:00Z', '2010-01-02T09:00Z', '2016-01-02T09:00Z', '2021-01-02T09:00Z', '2027-01-02T09:00Z'],
  ],
  // By hand.
  [
    'on the Monday of week 53 from the end, which depends on the length of the next year',
    '2003-12-29T09:00',
    'UTC',
    ['RRULE:FREQ=YEARLY;BYWEEKNO=-53;BYDAY=MO'],
    '2003/2031',
    ['2003-12-29T09:00Z', '2008-12-29T09:00Z', '2014-12-29T09:00Z', '2019-12-30T09:00Z', '2025-12-29T09:00Z'],
  ],
  [
    'on 30 February has only its start',
    '2026-01-01T09:00',
    'UTC',
    ['RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30'],
    '2026/2400',
    ['2026-01-01T09:00Z'],
  ],
  [
    'by the day on 30 February has only its start',
    '2026-01-01T09:00',
    'UTC',
    ['RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30'],
    '2026/2100',
    ['2026-01-01T09:00Z'],
  ],
  [
    'every seventh day on another weekday has only its start',
    '2026-01-05T09:00',
    'UTC',
    ['RRULE:FREQ=DAILY;INTERVAL=7;BYDAY=TU'],
    '2026/2030',
    ['2026-01-05T09:00Z'],
  ],
  [
    'every seventh month on the 31st stays in step',
    '2000-01-31T09:00',
    'UTC',
    ['RRULE:FREQ=MONTHLY;INTERVAL=7'],
    '2024/2030',
    ['2024-07-31T09:00Z', '2028-01-31T09:00Z', '2028-08-31T09:00Z', '2029-03-31T09:00Z', '2029-10-31T09:00Z'],
  ],
  [
    'every thousandth day',
    '2000-01-01T09:00',
    'UTC',
    ['RRULE:FREQ=DAILY;INTERVAL=1000'],
    '2020/2030',
    ['2021-11-26T09:00Z', '2024-08-22T09:00Z', '2027-05-19T09:00Z'],
  ],
  // By hand.
  [
    'with an interval beyond all years has only its start',
    '2026-01-01T09:00',
    'UTC',
    ['RRULE:FREQ=YEARLY;INTERVAL=100000'],
    '2026/3000',
    ['2026-01-01T09:00Z'],
  ],
]
