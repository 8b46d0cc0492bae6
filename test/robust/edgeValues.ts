/** Values that have broken programs, by kind. */
// biome-ignore format: tables
export const TEXTS = [
  '', '0', '-1', '1e999', 'null', 'true', 'NaN', '%', '%00', '%E0%A4%A', '../..', '//', '\u0000', '\ud800', '💥', 'é', ' ', '\t', '\r\n', '"', "'", '\\',
  '*', '(', ')', 'a(b', 'items(', 'items/*/x', 'a,,b', '__proto__', 'constructor', 'toString', 'hasOwnProperty', 'primary', 'events', 'watch', 'import',
  '\uffff', '\u202e', 'a'.repeat(3000), '☕'.repeat(300), '~', 'x~y', '{{}}', '<script>', '99999999999999999999', '9'.repeat(400), '{}', '[]', 'undefined',
] as const
// biome-ignore format: tables
export const NUMBERS = [0, -0, 1, -1, 1.5, 2 ** 31 - 1, 2 ** 31, 2 ** 53, -(2 ** 53), 8.64e15, 1e21, 1e308, 5e-324] as const
/** JSON values of other types. */
// biome-ignore format: tables
export const OTHERS: readonly unknown[] = [
  null, true, false, [], {}, [[]], [null], [{}], { date: '2026-03-01' }, { dateTime: 'x' }, { '': '' }, JSON.parse('{"__proto__":{"x":1}}'), JSON.parse(`${'['.repeat(200)}${']'.repeat(200)}`),
]
// biome-ignore format: tables
export const INSTANTS = [
  '2026-03-01T12:00:00Z', '2026-03-08T02:30:00-05:00', '2026-03-10T00:00:00+01:00', '2026-04-01T00:00:00.000Z', '2025-01-01T00:00:00Z', '2030-01-01T00:00:00Z',
] as const
// biome-ignore format: tables
export const BAD_INSTANTS = [
  '2026-02-30T00:00:00Z', '9999-12-31T23:59:59+14:00', '9999-12-31T23:59:59-14:00', '0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '2026-03-01T24:00:00Z', '2026-03-01T23:59:60Z',
  '2026-03-01T00:00:00', '2026-03-01', '+010000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', '2026-03-01T00:00:00+99:99', '1970-01-01T00:00:00Z', '2255-06-05T23:47:34.740992Z',
] as const
export const DATES = ['2026-03-01', '2026-03-02', '2026-03-09', '2026-04-01', '2025-12-31', '2028-02-29'] as const
export const BAD_DATES = [
  '2026-02-30',
  '0000-00-00',
  '0001-01-01',
  '9999-12-31',
  '10000-01-01',
  '2026-3-1',
  '',
] as const
export const ZONES = ['America/New_York', 'Europe/Berlin', 'UTC', 'Asia/Kolkata', 'Pacific/Apia'] as const
// biome-ignore format: tables
export const BAD_ZONES = [
  '', ' ', 'Mars/Phobos', 'UTC+25', '+14:00', 'America', 'europe/berlin', 'GMT+1', 'Etc/GMT-14', 'EST5EDT', 'x'.repeat(500), '__proto__', 'constructor',
] as const
// biome-ignore format: tables
export const RULES = [
  'RRULE:FREQ=DAILY;COUNT=5', 'RRULE:FREQ=WEEKLY;BYDAY=MO,WE;COUNT=6', 'RRULE:FREQ=DAILY', 'RRULE:FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20270101T000000Z', 'RRULE:FREQ=YEARLY;COUNT=3',
  'EXDATE:20260303T140000Z', 'RDATE;VALUE=DATE:20260305', 'RDATE;TZID=Europe/Berlin:20260305T090000',
] as const
// biome-ignore format: tables
export const BAD_RULES = [
  'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'RRULE:FREQ=DAILY;INTERVAL=0', 'RRULE:FREQ=DAILY;INTERVAL=999999999', 'RRULE:FREQ=SECONDLY', 'RRULE:FREQ=DAILY;COUNT=0', 'RRULE:FREQ=DAILY;UNTIL=99991231',
  'RRULE:FREQ=WEEKLY;BYDAY=XX', 'RRULE:FREQ=MONTHLY;BYSETPOS=999', 'RRULE:', 'RRULE', '', 'EXRULE:FREQ=DAILY;COUNT=3', 'EXDATE:', 'RDATE;TZID=Mars/Phobos:20260305T090000', 'DTSTART:20260301T000000Z',
  'RRULE:FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO', 'RRULE:FREQ=DAILY;WKST=QQ', 'RRULE:FREQ=DAILY;BYHOUR=25', 'RRULE:FREQ=DAILY\r\nRRULE:FREQ=DAILY', 'RDATE;VALUE=PERIOD:20260305T090000Z/PT1H',
] as const
export const BAD_PEOPLE = [
  '',
  'x',
  '@',
  'x@',
  '@x',
  'a b@c.example',
  `${'a'.repeat(300)}@x.example`,
  'é@example.com',
  'ALICE@EXAMPLE.COM',
  'x@y@z.example',
] as const
export const DURATIONS = ['0s', '1ms', '90s', '1h30m', '2d', 60_000] as const
// biome-ignore format: tables
export const BAD_DURATIONS = ['', '-1s', '1y', 's', '1e3s', '20000000w', '9'.repeat(400), Number.MAX_VALUE, -1, 8.64e15, '1s 2s', null] as const
