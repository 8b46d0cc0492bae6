import { expect, test } from 'vitest'
import { InvalidRecurrenceError, openSeries, type Start } from '../../src/recurrence/series.ts'

const TIMED: Start = { wall: '1997-09-02T09:00:00', zone: 'America/New_York' }
const ALL_DAY: Start = { date: '1997-09-02' }

const rejected: [why: string, line: string, start?: Start][] = [
  // RFC 5545, 3.8.5.3: the examples with frequencies that the service does not support (behaviour 14.18).
  ['by the hour', 'RRULE:FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z'],
  ['by the quarter of an hour', 'RRULE:FREQ=MINUTELY;INTERVAL=15;COUNT=6'],
  ['by the hour and a half', 'RRULE:FREQ=MINUTELY;INTERVAL=90;COUNT=4'],
  ['by the day at many hours', 'RRULE:FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40'],
  ['by the minute at some hours', 'RRULE:FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16'],
  ['by the second', 'RRULE:FREQ=SECONDLY'],
  ['BYHOUR', 'RRULE:FREQ=DAILY;BYHOUR=9'],
  ['BYMINUTE', 'RRULE:FREQ=DAILY;BYMINUTE=0'],
  ['BYSECOND', 'RRULE:FREQ=DAILY;BYSECOND=0'],

  ['no property name', 'FREQ=DAILY'],
  ['no property name but a colon', ':FREQ=DAILY'],
  ['no colon', 'RRULE'],
  ['no value', 'RRULE:'],
  ['nothing', ''],
  ['a blank', ' '],
  ['DTSTART', 'DTSTART;TZID=America/New_York:19970902T090000'],
  ['DTEND', 'DTEND:19970902T100000Z'],
  ['DURATION', 'DURATION:PT1H'],
  ['a property name of Object.prototype', 'constructor:FREQ=DAILY'],
  ['two lines in one', 'RRULE:FREQ=DAILY\nEXDATE:19970903T130000Z'],
  ['a parameter of RRULE', 'RRULE;TZID=America/New_York:FREQ=DAILY'],

  ['no FREQ', 'RRULE:INTERVAL=2'],
  ['an empty FREQ', 'RRULE:FREQ='],
  ['an unknown FREQ', 'RRULE:FREQ=FORTNIGHTLY'],
  ['text after a FREQ', 'RRULE:FREQ=DAILYS'],
  ['text before a FREQ', 'RRULE:FREQ=XDAILY'],
  ['an unknown part', 'RRULE:FREQ=DAILY;EVERY=2'],
  ['BYEASTER', 'RRULE:FREQ=YEARLY;BYEASTER=0'],
  ['RSCALE', 'RRULE:RSCALE=GREGORIAN;FREQ=YEARLY'],
  ['a part named like a property of Object.prototype', 'RRULE:FREQ=DAILY;CONSTRUCTOR=1'],
  ['DTSTART in a rule', 'RRULE:FREQ=DAILY;DTSTART=19970902T130000Z'],
  ['a part without a value', 'RRULE:FREQ=DAILY;COUNT'],
  ['a part with an empty value', 'RRULE:FREQ=DAILY;BYDAY='],
  ['FREQ twice', 'RRULE:FREQ=DAILY;FREQ=DAILY'],
  ['BYDAY twice', 'RRULE:FREQ=WEEKLY;BYDAY=MO;BYDAY=TU'],
  ['an empty part', 'RRULE:FREQ=DAILY;;COUNT=2'],
  ['two semicolons at the end', 'RRULE:FREQ=DAILY;;'],
  ['blanks between parts', 'RRULE:FREQ=DAILY; COUNT=2'],

  ['COUNT with UNTIL', 'RRULE:FREQ=DAILY;COUNT=2;UNTIL=19971224T000000Z'],
  ['COUNT=0', 'RRULE:FREQ=DAILY;COUNT=0'],
  ['a negative COUNT', 'RRULE:FREQ=DAILY;COUNT=-1'],
  ['a fractional COUNT', 'RRULE:FREQ=DAILY;COUNT=1.5'],
  ['two COUNTs', 'RRULE:FREQ=DAILY;COUNT=1,2'],
  ['a COUNT in hexadecimal', 'RRULE:FREQ=DAILY;COUNT=0X5'],
  ['a COUNT with a power of ten', 'RRULE:FREQ=DAILY;COUNT=1E1'],
  ['INTERVAL=0', 'RRULE:FREQ=DAILY;INTERVAL=0'],
  ['a negative INTERVAL', 'RRULE:FREQ=DAILY;INTERVAL=-2'],
  ['an INTERVAL in letters', 'RRULE:FREQ=DAILY;INTERVAL=TWO'],

  ['UNTIL with an offset', 'RRULE:FREQ=DAILY;UNTIL=2019-07-16T00:00:00+08:00'],
  ['UNTIL with dashes', 'RRULE:FREQ=DAILY;UNTIL=2019-07-16'],
  ['UNTIL on an impossible date', 'RRULE:FREQ=DAILY;UNTIL=20260230'],
  ['UNTIL at an impossible hour', 'RRULE:FREQ=DAILY;UNTIL=20260228T240000Z'],
  ['UNTIL without Z', 'RRULE:FREQ=DAILY;UNTIL=20260301T090000'],
  ['UNTIL to the minute', 'RRULE:FREQ=DAILY;UNTIL=20260228T1200Z'],

  ['month 13', 'RRULE:FREQ=YEARLY;BYMONTH=13'],
  ['month 0', 'RRULE:FREQ=YEARLY;BYMONTH=0'],
  ['month -1', 'RRULE:FREQ=YEARLY;BYMONTH=-1'],
  ['day 0 of the month', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=0'],
  ['day 32 of the month', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=32'],
  ['day -32 of the month', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=-32'],
  ['a fractional day of the month', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=1.5'],
  ['a day of the month in hexadecimal', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=0X5'],
  ['a day of the month in letters', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=X5'],
  ['a list that ends in a comma', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=1,'],
  ['day 0 of the year', 'RRULE:FREQ=YEARLY;BYYEARDAY=0'],
  ['day 367 of the year', 'RRULE:FREQ=YEARLY;BYYEARDAY=367'],
  ['week 0', 'RRULE:FREQ=YEARLY;BYWEEKNO=0'],
  ['week 54', 'RRULE:FREQ=YEARLY;BYWEEKNO=54'],
  ['an unknown weekday', 'RRULE:FREQ=WEEKLY;BYDAY=XX'],
  ['a weekday in full letters', 'RRULE:FREQ=WEEKLY;BYDAY=MONDAY'],
  ['text before a weekday', 'RRULE:FREQ=WEEKLY;BYDAY=XXMO'],
  ['a rank of three digits', 'RRULE:FREQ=YEARLY;BYDAY=120MO'],
  ['a 0th Monday', 'RRULE:FREQ=MONTHLY;BYDAY=0MO'],
  ['a 54th Monday', 'RRULE:FREQ=YEARLY;BYDAY=54MO'],
  ['an unknown WKST', 'RRULE:FREQ=WEEKLY;WKST=XX'],
  ['a ranked WKST', 'RRULE:FREQ=WEEKLY;WKST=1MO'],
  ['place 0', 'RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=0'],
  ['place 367', 'RRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367'],
  ['a BYSETPOS without a set', 'RRULE:FREQ=MONTHLY;BYSETPOS=1'],

  ['week numbers by the month', 'RRULE:FREQ=MONTHLY;BYWEEKNO=20'],
  ['days of the year by the day', 'RRULE:FREQ=DAILY;BYYEARDAY=100'],
  ['days of the year by the week', 'RRULE:FREQ=WEEKLY;BYYEARDAY=100'],
  ['days of the year by the month', 'RRULE:FREQ=MONTHLY;BYYEARDAY=100'],
  ['days of the month by the week', 'RRULE:FREQ=WEEKLY;BYMONTHDAY=1'],
  ['ranked weekdays by the day', 'RRULE:FREQ=DAILY;BYDAY=1MO'],
  ['ranked weekdays by the week', 'RRULE:FREQ=WEEKLY;BYDAY=1MO'],
  ['a ranked weekday among others', 'RRULE:FREQ=WEEKLY;BYDAY=MO,2TU'],
  ['ranked weekdays with week numbers', 'RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO'],

  ['an EXRULE without a rule', 'EXRULE:BYDAY=MO'],
  ['an EXRULE by the hour', 'EXRULE:FREQ=HOURLY'],
  ['an empty EXDATE', 'EXDATE:'],
  ['an all-day EXDATE that is not a date', 'EXDATE:20260230', ALL_DAY],
  ['an EXDATE that is not a date', 'EXDATE:tomorrow'],
  ['an EXDATE on an impossible date', 'EXDATE:20260230T090000Z'],
  ['an EXDATE at an impossible minute', 'EXDATE:20260228T096000Z'],
  ['an EXDATE at an impossible second', 'EXDATE:20260228T095960Z'],
  ['an EXDATE with an offset', 'EXDATE:19970903T090000-0400'],
  ['an EXDATE list that ends in a comma', 'EXDATE:19970903T130000Z,'],
  ['a date with VALUE=DATE-TIME', 'EXDATE;VALUE=DATE-TIME:19970903', ALL_DAY],
  ['a time with VALUE=DATE', 'EXDATE;VALUE=DATE:19970903T130000Z'],
  ['text before a VALUE', 'EXDATE;VALUE=XDATE:19970903', ALL_DAY],
  ['text after a VALUE', 'EXDATE;VALUE=DATES:19970903', ALL_DAY],
  ['a period', 'RDATE;VALUE=PERIOD:19970903T130000Z/PT1H'],
  ['an explicit period', 'RDATE:19970903T130000Z/PT1H'],
  ['an unknown zone', 'EXDATE;TZID=Eastern Standard Time:19970903T090000'],
  ['a zone in lower case', 'EXDATE;TZID=america/new_york:19970903T090000'],
  ['an unknown parameter', 'EXDATE;X-COLOR=red:19970903T130000Z'],
  ['TZID twice', 'EXDATE;TZID=UTC;TZID=UTC:19970903T130000'],
]

test.each(rejected)('4.2.1, 4.2.3, 4.2.7, 14.18 a line is refused for %s: %j', (_, line, start = TIMED) => {
  expect(() => openSeries(start, ['RRULE:FREQ=DAILY;COUNT=2', line])).toThrow(InvalidRecurrenceError)
})

const TEN_YEARS = [Date.UTC(1997, 0, 1), Date.UTC(2007, 0, 1)] as const

const accepted: [title: string, line: string, asIf: string, start?: Start][] = [
  ['with a semicolon at the end', 'RRULE:FREQ=WEEKLY;COUNT=4;', 'RRULE:FREQ=WEEKLY;COUNT=4'],
  ['in lower case', 'rrule:freq=weekly;byday=tu,th;count=4', 'RRULE:FREQ=WEEKLY;BYDAY=TU,TH;COUNT=4'],
  [
    'with the largest positions',
    'RRULE:FREQ=MONTHLY;BYDAY=TU;BYSETPOS=366,-366,1;COUNT=4',
    'RRULE:FREQ=MONTHLY;BYDAY=1TU;COUNT=4',
  ],
  [
    'with the first and last days of a year',
    'RRULE:FREQ=YEARLY;BYYEARDAY=366,-366;UNTIL=20010101',
    'RRULE:FREQ=YEARLY;BYYEARDAY=366,-366;COUNT=2',
  ],
  ['with FREQ last', 'RRULE:COUNT=4;FREQ=WEEKLY', 'RRULE:FREQ=WEEKLY;COUNT=4'],
  ['with surrounding blanks', ' RRULE:FREQ=WEEKLY;COUNT=4\r\n', 'RRULE:FREQ=WEEKLY;COUNT=4'],
  ['with INTERVAL=1 and WKST', 'RRULE:FREQ=WEEKLY;WKST=SU;INTERVAL=1;COUNT=4', 'RRULE:FREQ=WEEKLY;COUNT=4'],
  ['with leading zeros', 'RRULE:FREQ=WEEKLY;COUNT=04', 'RRULE:FREQ=WEEKLY;COUNT=4'],
  ['with plus signs', 'RRULE:FREQ=MONTHLY;BYDAY=+1TU;COUNT=4', 'RRULE:FREQ=MONTHLY;BYDAY=1TU;COUNT=4'],
  ['with a plus before a day', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=+15;COUNT=4', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=15;COUNT=4'],
  ['with a duplicate day', 'RRULE:FREQ=WEEKLY;BYDAY=TU,TU;COUNT=4', 'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=4'],
  ['with a duplicate ranked day', 'RRULE:FREQ=MONTHLY;BYDAY=1TU,1TU;COUNT=4', 'RRULE:FREQ=MONTHLY;BYDAY=1TU;COUNT=4'],
  ['with a duplicate date', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=2,2;COUNT=4', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=2;COUNT=4'],
  ['with months out of order', 'RRULE:FREQ=YEARLY;BYMONTH=11,10;COUNT=4', 'RRULE:FREQ=YEARLY;BYMONTH=10,11;COUNT=4'],
  ['with EXDATE in lower case', 'exdate;tzid=Europe/Berlin:19970902t150000', 'EXDATE:19970902T130000Z'],
  ['with a quoted zone', 'EXDATE;TZID="America/New_York":19970902T090000', 'EXDATE:19970902T130000Z'],
  [
    'with a zone beside UTC, which takes precedence',
    'EXDATE;TZID=Asia/Tokyo:19970902T130000Z',
    'EXDATE:19970902T130000Z',
  ],
  ['with VALUE=DATE-TIME', 'EXDATE;VALUE=DATE-TIME:19970902T130000Z', 'EXDATE:19970902T130000Z'],
  ['with both parameters', 'EXDATE;VALUE=DATE-TIME;TZID=UTC:19970902T130000', 'EXDATE:19970902T130000Z'],
  ['with the old name of a zone', 'EXDATE;TZID=US/Eastern:19970902T090000', 'EXDATE:19970902T130000Z'],
  ['with VALUE=DATE', 'EXDATE;VALUE=DATE:19970902', 'EXDATE:19970902', ALL_DAY],
  ['with VALUE=DATE in lower case', 'EXDATE;value=date:19970902', 'EXDATE:19970902', ALL_DAY],
  [
    'with a zone beside a date, which is ignored',
    'EXDATE;TZID=Asia/Tokyo;VALUE=DATE:19970902',
    'EXDATE:19970902',
    ALL_DAY,
  ],
]

test.each(accepted)('4.2.1 a line %s is accepted: %j', (_, line, asIf, start = TIMED) => {
  const rdate = start === TIMED ? 'RDATE:19980101T130000Z' : 'RDATE:19980101'
  const [odd, plain] = [line, asIf].map((each) => openSeries(start, [rdate, each]).between(...TEN_YEARS))
  expect(odd).toEqual(plain)
  expect(plain).not.toEqual(openSeries(start, [rdate]).between(...TEN_YEARS))
})

const WITHOUT_EFFECT: [title: string, line: string, start: Start][] = [
  ['a date if the start has a time', 'EXDATE;VALUE=DATE:19970902', TIMED],
  ['a date without VALUE if the start has a time', 'EXDATE:19970902', TIMED],
  ['an RDATE with a date if the start has a time', 'RDATE;VALUE=DATE:19980102', TIMED],
  ['a time if the start has none', 'EXDATE:19970902T000000Z', ALL_DAY],
  ['an RDATE with a time if the start has none', 'RDATE;TZID=America/New_York:19980102T090000', ALL_DAY],
]

test.each(WITHOUT_EFFECT)('4.2.7 %s is accepted and has no effect: %j', (_, line, start) => {
  const rule = 'RRULE:FREQ=DAILY;COUNT=3'
  const whole = (lines: string[]) => {
    const series = openSeries(start, lines)
    return [series.first, series.last, series.endless, ...series.between(...TEN_YEARS)]
  }
  expect(whole([rule, line])).toEqual(whole([rule]))
  expect(whole([rule])).toHaveLength(3 + 3)
})

test('4.2.7 only the dates of the start’s type in a list have an effect', () => {
  const series = openSeries(TIMED, ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:19970903T130000Z,19970904'])
  expect(series.between(...TEN_YEARS)).toEqual([Date.UTC(1997, 8, 2, 13), Date.UTC(1997, 8, 4, 13)])
})

const REASONS: [line: string, reason: string, start?: Start][] = [
  ['RRULE', 'No property: RRULE'],
  ['DTSTART:19970902', 'Not a property of a recurrence: DTSTART'],
  ['EXDATE;X-COLOR=red:19970903T130000Z', 'Unknown parameter: X-COLOR'],
  ['EXDATE;TZID=UTC;TZID=UTC:19970903T130000', 'TZID twice'],
  ['RRULE;TZID=UTC:FREQ=DAILY', 'A rule takes no parameters'],
  ['RDATE;VALUE=PERIOD:19970903T130000Z/PT1H', 'VALUE=PERIOD'],
  ['EXDATE;VALUE=XDATE:19970903', 'VALUE=XDATE'],
  ['EXDATE;VALUE=DATES:19970903', 'VALUE=DATES'],
  ['EXDATE;VALUE=DATE:19970903T130000Z', '19970903T130000Z is no DATE'],
  ['EXDATE;TZID=Mars:19970903T090000', 'TZID=Mars'],
  ['EXDATE;VALUE=DATE-TIME:19970903', '19970903 is no DATE-TIME', ALL_DAY],
  ['EXDATE:tomorrow', 'No date or date-time: TOMORROW'],
  ['EXDATE:20260230T090000Z', 'No such date: 20260230T090000Z'],
  ['EXDATE:20260228T246000Z', 'No such time of day: 20260228T246000Z'],
  ['RRULE:FREQ', 'No rule part: FREQ'],
  ['RRULE:FREQ=DAILY;FREQ=DAILY', 'FREQ twice'],
  ['RRULE:FREQ=DAILY;EVERY=2', 'Unknown rule part: EVERY'],
  ['RRULE:COUNT=2', 'No FREQ'],
  ['RRULE:FREQ=HOURLY', 'Unsupported FREQ: HOURLY'],
  ['RRULE:FREQ=DAILY;UNTIL=20260301T090000', 'UNTIL without Z: 20260301T090000'],
  ['RRULE:FREQ=WEEKLY;WKST=XX', 'No weekday: XX'],
  ['RRULE:FREQ=WEEKLY;BYDAY=1XX', 'No weekday: XX'],
  ['RRULE:FREQ=WEEKLY;BYDAY=MONDAY', 'No weekday: MONDAY'],
  ['RRULE:FREQ=DAILY;COUNT=2;UNTIL=19971224T000000Z', 'COUNT and UNTIL'],
  ['RRULE:FREQ=MONTHLY;BYWEEKNO=20', 'BYWEEKNO is for YEARLY'],
  ['RRULE:FREQ=DAILY;BYYEARDAY=100', 'BYYEARDAY is for YEARLY'],
  ['RRULE:FREQ=WEEKLY;BYMONTHDAY=1', 'BYMONTHDAY is not for WEEKLY'],
  ['RRULE:FREQ=WEEKLY;BYDAY=MO,2TU', 'Ranked weekdays are for months and years'],
  ['RRULE:FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO', 'Ranked weekdays do not go with BYWEEKNO'],
  ['RRULE:FREQ=MONTHLY;BYSETPOS=1', 'BYSETPOS needs a set'],
  ['RRULE:FREQ=MONTHLY;BYMONTHDAY=32', 'Out of range: 32'],
  ['RRULE:FREQ=DAILY;COUNT=0', 'Out of range: 0'],
]
test.each(REASONS)('%s is refused with its problem: %s', (line, reason, start = TIMED) => {
  const opened = () => openSeries(start, ['RRULE:FREQ=DAILY;COUNT=2', line])
  expect(opened).toThrow(new InvalidRecurrenceError(reason))
  expect(opened).toThrow(expect.objectContaining({ name: 'InvalidRecurrenceError' }))
})
