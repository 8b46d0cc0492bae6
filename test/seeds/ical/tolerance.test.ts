import { expect, test } from 'vitest'
import { fromICalendar } from '../../../src/ical.ts'
import { ALICE, openCalendar } from '../../support/calendar.ts'
import { calendar, event, read, readOne } from './importEvents.ts'

/** A VTIMEZONE with rules as Notes writes them, by local hours of the changes. */
const notesZone = (tzid: string, standard: [string, string, string], daylight: [string, string, string]) => [
  ...['BEGIN:VTIMEZONE', `TZID:${tzid}`],
  ...[standard, daylight].flatMap(([rule, hour, to], at) => [
    at === 0 ? 'BEGIN:STANDARD' : 'BEGIN:DAYLIGHT',
    `DTSTART:1950${at === 0 ? '11' : '03'}01T${hour}0000`,
    `TZOFFSETFROM:${at === 0 ? daylight[2] : standard[2]}`,
    `TZOFFSETTO:${to}`,
    `RRULE:FREQ=YEARLY;BYMINUTE=0;BYHOUR=${Number(hour)};${rule}`,
    at === 0 ? 'END:STANDARD' : 'END:DAYLIGHT',
  ]),
  'END:VTIMEZONE',
]
const EASTERN = notesZone('Eastern', ['BYDAY=1SU;BYMONTH=11', '02', '-0500'], ['BYDAY=2SU;BYMONTH=3', '02', '-0400'])

test.each([
  ['Eastern', EASTERN, 'America/New_York', '2026-07-06T13:00:00Z'],
  [
    'Western/Central Europe',
    notesZone(
      'Western/Central Europe',
      ['BYDAY=-1SU;BYMONTH=10', '03', '+0100'],
      ['BYDAY=-1SU;BYMONTH=3', '02', '+0200'],
    ),
    'Europe/Berlin',
    '2026-07-06T07:00:00Z',
  ],
  [
    'Habana',
    notesZone('Habana', ['BYDAY=1SU;BYMONTH=11', '01', '-0500'], ['BYDAY=2SU;BYMONTH=3', '00', '-0400']),
    'America/Havana',
    '2026-07-06T13:00:00Z',
  ],
])(
  'the zone %s of Notes is resolved from its rules, with the hour of the change',
  async (tzid, zone, timeZone, dateTime) => {
    const { events, reasons } = await read(
      calendar(...zone, ...event(`DTSTART;TZID="${tzid}":20260706T090000`, 'RRULE:FREQ=WEEKLY;COUNT=30')),
    )

    expect([events[0].start, reasons]).toEqual([{ dateTime, timeZone }, []])
  },
)

test('an EXDATE or a RECURRENCE-ID without an occurrence is reported with its line', async () => {
  const series = ['DTSTART:20260706T090000Z', 'RRULE:FREQ=DAILY;COUNT=3']
  const { seed, instances } = await read(
    calendar(
      ...event(
        ...series,
        'EXDATE:20260707T090000Z',
        'EXDATE:20260708T090000Z,20260709T090000Z',
        'EXDATE:20260801T090000Z',
      ),
      ...event('RECURRENCE-ID:20260720T090000Z', 'DTSTART:20260720T100000Z'),
      ...event('RECURRENCE-ID:20260721T090000Z', 'DTSTART:20260721T100000Z', 'STATUS:CANCELLED'),
      ...event('RECURRENCE-ID:20260706T090000Z', 'DTSTART:20260706T110000Z'),
    ),
  )

  expect(seed.report.map(({ line, reason }) => [line, reason])).toEqual([
    [
      9,
      expect.stringMatching(
        /^1 of 2 dates of EXDATE have no effect, because the series has no occurrence then; correct or remove them: /,
      ),
    ],
    [
      10,
      expect.stringMatching(
        /^EXDATE has no effect, because the series has no occurrence then; correct or remove them: 20260801T090000Z$/,
      ),
    ],
    [
      12,
      'the event was added as one more instance, because its series has no occurrence at its RECURRENCE-ID; correct RECURRENCE-ID',
    ],
    [17, 'the event was left out, because its series has no occurrence at its RECURRENCE-ID; correct RECURRENCE-ID'],
  ])
  expect(instances.map(({ start }: { start: { dateTime: string } }) => start.dateTime)).toEqual([
    '2026-07-06T11:00:00Z',
    '2026-07-20T10:00:00Z',
  ])
})

test('BYHOUR in a time zone has priority over the time of its DTSTART', async () => {
  const zone = EASTERN.map((line) => line.replace(/(DTSTART:\d{8}T)\d{6}/, '$1050000'))
  const { events } = await read(calendar(...zone, ...event('DTSTART;TZID=Eastern:20260706T090000', 'RRULE:FREQ=DAILY')))

  expect(events[0].start.timeZone).toBe('America/New_York')
})

test('a rule of a time zone that cannot be read is reported with its line', async () => {
  const zone = EASTERN.map((line) => line.replace('BYMONTH=11', 'BYMONTH=111'))
  const { seed } = await read(calendar(...zone, ...event('DTSTART;TZID=Eastern:20260706T090000')))

  expect(seed.report).toContainEqual(
    expect.objectContaining({
      line: 10,
      reason: expect.stringMatching(/^the rule of the VTIMEZONE is invalid and was ignored: /),
    }),
  )
})

test.each([
  ['dates', false, 0],
  ['rules, of which 50 apply', true, 10_000 - 50],
])('a time zone with 10,000 observances is read: %s', async (_, isRuled, ignored) => {
  const observances = Array.from({ length: 10_000 }, (_, at) => [
    ...['BEGIN:STANDARD', `DTSTART:${1000 + (at % 1500)}0301T0200${String(at % 60).padStart(2, '0')}`],
    ...['TZOFFSETFROM:+0123', `TZOFFSETTO:+0${at % 10}17`],
    ...[...(isRuled ? ['RRULE:FREQ=YEARLY'] : []), 'END:STANDARD'],
  ])
  const events = Array.from({ length: 200 }, (_, at) => [
    ...['BEGIN:VEVENT', `UID:${at}`, `DTSTART;TZID=Own:${1700 + at}0706T090000`, 'END:VEVENT'],
  ])
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Own', ...observances.flat(), 'END:VTIMEZONE']
  const seed = await fromICalendar(calendar(...zone, ...events.flat()), { owner: ALICE })

  expect([seed.calendars?.[0]?.events?.length, seed.report.length]).toEqual([200, ignored])
})

test('a rule of a time zone without an occurrence is ignored and reported', async () => {
  const zone = EASTERN.map((line) => line.replace('BYDAY=1SU;BYMONTH=11', 'BYMONTH=4,6;BYMONTHDAY=31;BYDAY=MO'))
  const { reasons } = await read(calendar(...zone, ...event('DTSTART;TZID=Eastern:20260706T090000')))

  expect(reasons).toEqual([expect.stringMatching(/^the rule of the VTIMEZONE is invalid and was ignored: /)])
})

test('windows-1252 has its own characters from 0x80 to 0x9F', async () => {
  const bytes = Buffer.from(
    calendar(...event('DTSTART:20260706T090000Z', 'SUMMARY:\x92\x93\x94\x96\x80\xe9')),
    'latin1',
  )
  const { events, reasons } = await read(bytes)

  expect([events[0].summary, reasons]).toEqual(['’“”–€é', []])
})

test.each(['windows-1252', 'ISO-8859-1'])(
  'quoted-printable in %s is decoded with the characters of windows-1252',
  async (charset) => {
    const { one } = await readOne(
      'DTSTART:20260706T090000Z',
      `SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=${charset}:It=92s =80 5`,
    )

    expect(one.summary).toBe('It’s € 5')
  },
)

test('a broken byte in UTF-8 is replaced and reported, and the rest stays UTF-8', async () => {
  const [head = '', tail = ''] = calendar(...event('DTSTART:20260706T090000Z', 'SUMMARY:Café ★ Zoë |')).split('|')
  const { events, seed } = await read(Buffer.concat([Buffer.from(head), Buffer.from([0xff]), Buffer.from(tail)]))

  expect(events[0].summary).toBe('Café ★ Zoë \uFFFD')
  expect(seed.report).toEqual([
    { line: 7, reason: 'a byte that is not UTF-8 was replaced by U+FFFD; save the file in UTF-8' },
  ])
})

test('VALUE=DATE with a time is a date-time, and reported', async () => {
  const { one, reasons } = await readOne('DTSTART;VALUE=DATE:20110804T120000', 'DTEND;VALUE=DATE:20110804T130000')

  expect([one.start, one.end]).toEqual([
    { dateTime: '2011-08-04T12:00:00Z', timeZone: 'UTC' },
    { dateTime: '2011-08-04T13:00:00Z', timeZone: 'UTC' },
  ])
  expect(reasons).toEqual(
    Array(2).fill(
      'the value has VALUE=DATE and a time of day, and was read as a date-time; remove VALUE=DATE or the time',
    ),
  )
})

test('RDATE and EXDATE of VALUE=DATE with a time are date-times, and reported', async () => {
  const { instances, reasons } = await readOne(
    'DTSTART:20260706T090000Z',
    'RDATE;VALUE=DATE:20260710T150000Z',
    'RRULE:FREQ=DAILY;COUNT=2',
  )

  expect(instances.map(({ start }: { start: { dateTime: string } }) => start.dateTime)).toContain(
    '2026-07-10T15:00:00Z',
  )
  expect(reasons).toEqual([
    'the value has VALUE=DATE and a time of day, and was read as a date-time; remove VALUE=DATE or the time',
  ])
})

test('a date with a Z is a date', async () => {
  const { instances, reasons } = await readOne('DTSTART;VALUE=DATE:20131201', 'RDATE:20131210Z')

  expect(instances.map(({ start }: { start: object }) => start)).toEqual([
    { date: '2013-12-01' },
    { date: '2013-12-10' },
  ])
  expect(reasons).toEqual([])
})

test('detached instances of one UID are read back from a file, each with its RECURRENCE-ID', async () => {
  const text = calendar(
    ...event('RECURRENCE-ID:20260707T090000Z', 'DTSTART:20260707T100000Z', 'SUMMARY:First'),
    ...event('RECURRENCE-ID:20260708T090000Z', 'DTSTART:20260708T110000Z', 'SUMMARY:Second'),
    ...event('RECURRENCE-ID;VALUE=DATE:20260709', 'DTSTART;VALUE=DATE:20260709', 'SUMMARY:Third'),
  )
  const { fake, events } = await read(text)
  const written = await (await fake.request(fake.ical(ALICE).private)).text()
  const again = await read(written)

  type Item = { id: string; iCalUID: string; summary: string; start: object }
  const shown = (items: Item[]) => items.map(({ id, iCalUID, summary, start }) => ({ id, iCalUID, summary, start }))
  expect(shown(again.events)).toEqual(shown(events))
  expect(again.events).toHaveLength(3)
  expect(written).toContain('RECURRENCE-ID:20260707T090000Z')
  expect(written).toContain('RECURRENCE-ID;VALUE=DATE:20260709')
})

test('X-WR-CALNAME renames the primary calendar of an account only if `name` asks for it', async () => {
  const text = calendar('X-WR-CALNAME:Work', 'X-WR-CALDESC:All of it', ...event('DTSTART:20260706T090000Z'))
  const nameOf = async (options: object) => {
    const { as } = openCalendar({ seed: await fromICalendar(text, options) })
    const { body } = await as(ALICE).get('/users/me/calendarList')
    return body.items.map(({ summary, primary, description }: Record<string, unknown>) => [
      summary,
      primary,
      description,
    ])
  }

  expect(await nameOf({ owner: ALICE })).toEqual([[ALICE, true, undefined]])
  expect(await nameOf({ owner: ALICE, name: 'Mine' })).toEqual([['Mine', true, undefined]])
  expect(await nameOf({ calendar: 'primary' })).toEqual([[ALICE, true, undefined]])
  expect(await nameOf({})).toEqual([
    [ALICE, true, undefined],
    ['Work', undefined, 'All of it'],
  ])
  expect(await nameOf({ owner: ALICE, calendar: 'Home' })).toEqual([
    [ALICE, true, undefined],
    ['Home', undefined, 'All of it'],
  ])
})
