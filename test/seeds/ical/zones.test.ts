import { expect, test } from 'vitest'
import { calendar, event, read, readOne } from './importEvents.ts'

const resolvedZone = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
const BERLIN = { dateTime: '2026-07-06T07:00:00Z', timeZone: 'Europe/Berlin' }

/** Returns a VTIMEZONE with the rules of Berlin, or with the given offsets. */
const zone = (tzid: string, [winter, summer]: [string, string] = ['+0100', '+0200'], ...more: string[]) => [
  'BEGIN:VTIMEZONE',
  `TZID:${tzid}`,
  ...more,
  'BEGIN:STANDARD',
  'DTSTART:16010101T030000',
  `TZOFFSETFROM:${summer}`,
  `TZOFFSETTO:${winter}`,
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10',
  'END:STANDARD',
  'BEGIN:DAYLIGHT',
  'DTSTART:16010101T020000',
  `TZOFFSETFROM:${winter}`,
  `TZOFFSETTO:${summer}`,
  'RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3',
  'END:DAYLIGHT',
  'END:VTIMEZONE',
]

test.each([
  ['its name', 'Europe/Berlin'],
  ['the end of its name', '/mozilla.org/20070129_1/Europe/Berlin'],
  ['its Windows name', 'W. Europe Standard Time'],
])('a zone is recognized by %s', async (_, tzid) => {
  const { one, reasons } = await readOne(`DTSTART;TZID=${tzid}:20260706T090000`, 'RRULE:FREQ=WEEKLY;COUNT=2')

  expect([one.start, reasons]).toEqual([BERLIN, []])
})

test.each([
  ['US-Eastern', 'America/New_York'],
  ['America-Los_Angeles', 'America/Los_Angeles'],
  ['\\"Europe/Berlin\\"', 'Europe/Berlin'],
])('a zone name with other punctuation is recognized: %s', async (tzid, timeZone) => {
  const { one, reasons } = await readOne(`DTSTART;TZID=${tzid}:20260706T090000`, 'RRULE:FREQ=WEEKLY;COUNT=2')

  expect([resolvedZone(one.start.timeZone), reasons]).toEqual([resolvedZone(timeZone), []])
})

test.each([
  ['(UTC-07:00) Mountain Time (US & Canada)', 'America/Denver'],
  ['(GMT-08.00) Pacific Time (US & Canada)/Tijuana', 'America/Los_Angeles'],
  ['(UTC+01:00) Brussels, Copenhagen, Madrid, Paris', 'Europe/Brussels'],
  ['Nowhere, Kuala Lumpur', 'Asia/Kuala_Lumpur'],
  ['Kuala Lumpur', 'UTC'],
])('the zone of a display name without a definition is guessed and reported: %s', async (tzid, timeZone) => {
  const { one, reasons } = await readOne(`DTSTART;TZID="${tzid}":20260706T090000`)

  expect(one.start.timeZone).toBe(timeZone)
  expect(reasons).toEqual([
    `TZID "${tzid}" is not a known time zone, so ${timeZone} is used; write an IANA name such as Europe/Berlin`,
  ])
})

test('a definition has priority over a guess from a display name', async () => {
  const { events } = await read(calendar(...zone('(UTC) Tokyo'), ...event('DTSTART;TZID=(UTC) Tokyo:20260706T090000')))

  expect(events[0].start).toEqual(BERLIN)
})

test('quotes around the name in a definition are ignored', async () => {
  const { events } = await read(calendar(...zone('"Own"'), ...event('DTSTART;TZID="Own":20260706T090000')))

  expect(events[0].start).toEqual(BERLIN)
})

test('a zone name with three parts is recognized at the end of a longer name', async () => {
  const { one } = await readOne('DTSTART;TZID=/softwarestudio.org/Olson/America/Argentina/Salta:20260706T090000')

  expect(one.start).toEqual({ dateTime: '2026-07-06T12:00:00Z', timeZone: 'America/Argentina/Salta' })
})

test.each([
  ['/mozilla.org/20050126_1/Japan', 'Japan', '2026-07-06T00:00:00Z'],
  ['tzone://Microsoft/Utc', 'UTC', '2026-07-06T09:00:00Z'],
])('a zone name of one part is recognized at the end of a longer name: %s', async (tzid, timeZone, dateTime) => {
  const { one, reasons } = await readOne(`DTSTART;TZID="${tzid}":20260706T090000`)

  expect([one.start, reasons]).toEqual([{ dateTime, timeZone }, []])
})

test.each([
  ['its name', 'Europe/Berlin', 'Asia/Tokyo', ['-0300', '-0300'], 'Europe/Berlin'],
  ['its Windows name', 'Tokyo Standard Time', 'Europe/Berlin', ['-0300', '-0300'], 'Asia/Tokyo'],
  ['X-LIC-LOCATION', 'Custom', 'Asia/Tokyo', ['+0100', '+0200'], 'Asia/Tokyo'],
])('%s has priority over later sources of a zone', async (_, tzid, location, offsets, timeZone) => {
  const text = calendar(
    'X-WR-TIMEZONE:America/New_York',
    ...zone(tzid, offsets as [string, string], `X-LIC-LOCATION:${location}`),
    ...event(`DTSTART;TZID=${tzid}:20260706T090000`),
  )

  expect((await read(text)).events[0].start).toMatchObject({ timeZone })
})

test('the rules of a known zone have priority over X-WR-TIMEZONE', async () => {
  const text = calendar(
    'X-WR-TIMEZONE:America/New_York',
    ...zone('Custom'),
    ...event('DTSTART;TZID=Custom:20260706T090000', 'RRULE:FREQ=DAILY;COUNT=2'),
  )
  const { instances, reasons } = await read(text)

  expect([new Date(instances[0].start.dateTime).toISOString(), reasons]).toEqual(['2026-07-06T07:00:00.000Z', []])
})

test('X-LIC-LOCATION names the zone of a definition', async () => {
  const text = calendar(
    ...zone('Custom', undefined, 'X-LIC-LOCATION:Europe/Berlin'),
    ...event('DTSTART;TZID=Custom:20260706T090000'),
  )

  expect((await read(text)).events[0].start).toEqual(BERLIN)
})

test('a definition is the zone with its rules', async () => {
  const name = '(UTC+01:00) Amsterdam, Berlin, Bern'
  const text = calendar(...zone(name), ...event(`DTSTART;TZID="${name}":20260706T090000`, 'RRULE:FREQ=MONTHLY;COUNT=6'))
  const { instances, reasons } = await read(text)

  expect(reasons).toEqual([])
  expect(instances.map(({ start }: { start: { dateTime: string } }) => start.dateTime.slice(11))).toEqual([
    ...['07:00:00Z', '07:00:00Z', '07:00:00Z', '07:00:00Z', '08:00:00Z', '08:00:00Z'],
  ])
})

test('a single event with rules of no known zone is an instant', async () => {
  const text = calendar(...zone('Nowhere', ['+0107', '+0207']), ...event('DTSTART;TZID=Nowhere:20260706T090000'))
  const { events, reasons } = await read(text)

  expect(events[0].start.dateTime).toBe('2026-07-06T06:53:00Z')
  expect(reasons).toEqual([])
})

test('an end without a zone follows the unknown rules of its start', async () => {
  const times = ['DTSTART;TZID=Nowhere:20260706T090000', 'DTEND:20260706T100000']
  const { events } = await read(calendar(...zone('Nowhere', ['+0107', '+0207']), ...event(...times)))

  expect(events[0].end.dateTime).toBe('2026-07-06T07:53:00Z')
})

test('a series with rules of no known zone is in X-WR-TIMEZONE, and is reported', async () => {
  const text = calendar(
    'X-WR-TIMEZONE:Europe/Berlin',
    ...zone('Nowhere', ['+0107', '+0207']),
    ...event('DTSTART;TZID=Nowhere:20260706T090000', 'RRULE:FREQ=DAILY;COUNT=2'),
  )
  const { events, reasons } = await read(text)

  expect(events[0].start).toMatchObject({ dateTime: '2026-07-06T09:00:00+02:00', timeZone: 'Europe/Berlin' })
  expect(reasons).toEqual([
    'TZID "Nowhere" is not a known time zone, so Europe/Berlin is used; write an IANA name such as Europe/Berlin',
  ])
})

test('a definition whose changes are days apart from any zone is the zone with its offsets in most months', async () => {
  const text = calendar(
    ...zone('Own').map((line) => line.replace('BYDAY=-1SU;BYMONTH=10', 'BYMONTHDAY=20;BYMONTH=10')),
    ...event('DTSTART;TZID=Own:20260706T090000', 'RRULE:FREQ=MONTHLY;COUNT=6'),
  )
  const { events, reasons } = await read(text)

  expect(events[0].start).toEqual(BERLIN)
  expect(reasons).toEqual([
    'no time zone has the rules of the VTIMEZONE "Own", so the most similar one, Europe/Berlin, is used; write an IANA name such as Europe/Berlin',
  ])
})

test('a single event keeps the offset of a definition that differs from the nearest zone at that time', async () => {
  const text = calendar(
    ...zone('Own').map((line) => line.replace('BYDAY=-1SU;BYMONTH=10', 'BYMONTHDAY=20;BYMONTH=10')),
    ...event('DTSTART;TZID=Own:20261022T090000'),
  )
  const { events, reasons } = await read(text)

  expect([events[0].start.dateTime, reasons]).toEqual(['2026-10-22T08:00:00Z', []])
})

test('before the first change of a definition, its first STANDARD applies', async () => {
  const text = calendar(
    ...['BEGIN:VTIMEZONE', 'TZID:Own'],
    ...['BEGIN:DAYLIGHT', 'DTSTART:20270404T020000', 'TZOFFSETFROM:-0107', 'TZOFFSETTO:-0007', 'END:DAYLIGHT'],
    ...['BEGIN:STANDARD', 'DTSTART:20261025T020000', 'TZOFFSETFROM:-0007', 'TZOFFSETTO:-0107', 'END:STANDARD'],
    'END:VTIMEZONE',
    ...event('DTSTART;TZID=Own:20260312T083000'),
  )

  expect((await read(text)).events[0].start.dateTime).toBe('2026-03-12T09:37:00Z')
})

test('the zone of DTSTART applies to a DTEND, an UNTIL and an EXDATE without a zone', async () => {
  const { instances, one } = await readOne(
    'DTSTART;TZID=Europe/Berlin:20260706T090000',
    'DTEND:20260706T100000',
    'RRULE:FREQ=DAILY;UNTIL=20260709T090000',
    'EXDATE:20260707T090000',
  )

  expect(one.end).toEqual({ dateTime: '2026-07-06T08:00:00Z', timeZone: 'Europe/Berlin' })
  expect(one.recurrence).toEqual(['RRULE:FREQ=DAILY;UNTIL=20260709T070000Z', 'EXDATE:20260707T070000Z'])
  expect(instances.length).toBe(3)
})

test('a floating time is in X-WR-TIMEZONE, or else in the zone of the import', async () => {
  const floating = event('DTSTART:20260706T090000')
  const [named, given] = [
    await read(calendar('X-WR-TIMEZONE:Europe/Berlin', ...floating), { timeZone: 'Asia/Tokyo' }),
    await read(calendar(...floating), { timeZone: 'Asia/Tokyo' }),
  ]

  expect(named.events[0].start).toMatchObject({ dateTime: '2026-07-06T09:00:00+02:00', timeZone: 'Europe/Berlin' })
  expect(given.events[0].start).toMatchObject({ dateTime: '2026-07-06T09:00:00+09:00', timeZone: 'Asia/Tokyo' })
})

test('an invalid X-WR-TIMEZONE is reported, and the given zone applies', async () => {
  const text = calendar('X-WR-TIMEZONE:Nowhere', ...event('DTSTART:20260706T090000'))
  const { seed, events } = await read(text, { timeZone: 'Asia/Tokyo' })

  expect(seed.report).toEqual([
    {
      line: 4,
      reason:
        'X-WR-TIMEZONE "Nowhere" is not a known time zone, so Asia/Tokyo is used; write an IANA name such as Europe/Berlin',
    },
  ])
  expect([seed.accounts?.[0]?.timeZone, events[0].start.timeZone]).toEqual(['Asia/Tokyo', 'Asia/Tokyo'])
})

test('a date without VALUE is a date', async () => {
  const { one } = await readOne('DTSTART:20190101')

  expect([one.start, one.end]).toEqual([{ date: '2019-01-01' }, { date: '2019-01-02' }])
})

test('a series in UTC has the zone UTC', async () => {
  const { one } = await readOne('DTSTART:20260706T090000Z', 'RRULE:FREQ=DAILY;COUNT=3')

  expect(one.start).toEqual({ dateTime: '2026-07-06T09:00:00Z', timeZone: 'UTC' })
})
