import { expect, test } from 'vitest'
import { fromICalendar } from '../../../src/ical.ts'
import { ALICE, BOB, openCalendar } from '../../support/calendar.ts'
import { calendar, event, read } from './importEvents.ts'

const START = 'DTSTART:20260706T090000Z'
const uids = (events: { iCalUID: string }[]) => events.map(({ iCalUID }) => iCalUID)

test('a file results in a seed of its owner’s calendar and a report', async () => {
  const text = calendar('X-WR-CALNAME:Team', 'X-WR-TIMEZONE:Europe/Berlin', ...event(START))
  const seed = await fromICalendar(text, { owner: 'Alice@Example.com' })

  expect(Object.keys(seed)).toEqual(['accounts', 'calendars'])
  expect(seed.report).toEqual([])
  expect(seed.accounts).toEqual([{ email: ALICE, timeZone: 'Europe/Berlin' }])
  expect(seed.calendars).toMatchObject([{ id: ALICE, timeZone: 'Europe/Berlin', events: [{}] }])
})

test('a file can be imported into a secondary calendar of the owner', async () => {
  const { fake } = await read(calendar(...event(START)), { calendar: 'team@group.calendar.google.com' })
  const path = '/calendar/v3/calendars/team@group.calendar.google.com/events'
  const response = await fake.request(path, { headers: { Authorization: `Bearer ${ALICE}` } })

  expect(uids((await response.json()).items)).toEqual(['one'])
})

test('the files of an organizer and of a guest are merged in any order', async () => {
  const meeting = calendar(
    ...event(
      START,
      `ORGANIZER:mailto:${ALICE}`,
      `ATTENDEE:mailto:${ALICE}`,
      `ATTENDEE;PARTSTAT=ACCEPTED:mailto:${BOB}`,
    ),
  )
  const seeds = [await fromICalendar(meeting, { owner: ALICE }), await fromICalendar(meeting, { owner: BOB })]

  for (const seed of [seeds, seeds.toReversed()]) {
    const { as } = openCalendar({ seed: [{ accounts: [{ email: ALICE }, { email: BOB }] }, ...seed] })
    const own = await as(BOB).get('/calendars/primary/events')
    expect(own.body.items).toMatchObject([{ iCalUID: 'one', organizer: { email: ALICE } }])
    await as(ALICE).patch(`/calendars/primary/events/${own.body.items[0].id}`, { summary: 'Later' })
    expect((await as(BOB).get('/calendars/primary/events')).body.items).toMatchObject([{ summary: 'Later' }])
  }
})

test('an event without a UID gets the same one in every run', async () => {
  const text = calendar('BEGIN:VEVENT', START, 'END:VEVENT')
  const [first, second] = [await read(text), await read(text)]

  expect(first.events).toHaveLength(1)
  expect(uids(first.events)).toEqual(uids(second.events))
})

test('events without a UID stay separate, in any zone', async () => {
  const at = (zone: string) => ['BEGIN:VEVENT', `DTSTART;TZID=${zone}:20260706T090000`, 'END:VEVENT']
  const { events, reasons } = await read(calendar(...['Asia/Tokyo', 'Europe/Berlin', 'Europe/Berlin'].flatMap(at)))

  expect([new Set(uids(events)).size, reasons]).toEqual([3, []])
})

test('if the later version is unsupported, the earlier one is loaded', async () => {
  const { events, reasons } = await read(
    calendar(...event(START, 'SUMMARY:a'), ...event(START, 'DTEND:20260101T000000Z', 'SUMMARY:b')),
  )

  expect(events).toMatchObject([{ summary: 'a' }])
  expect(reasons).toContain(
    'the event was left out, because it ends before it starts; correct DTSTART, DTEND or DURATION',
  )
})

test('the later of two events with a UID is used', async () => {
  const { events, reasons } = await read(
    calendar(...event(START, 'SUMMARY:a'), ...event(START, 'SUMMARY:b', 'SEQUENCE:0')),
  )

  expect(events).toMatchObject([{ summary: 'b' }])
  expect(reasons).toEqual([
    'the event is used instead of the one in line 4, which has the same UID; give each event a UID of its own',
  ])
})

test('the one with the higher SEQUENCE of two events with a UID is used', async () => {
  const { events, reasons } = await read(
    calendar(...event(START, 'SUMMARY:a', 'SEQUENCE:2'), ...event(START, 'SUMMARY:b', 'SEQUENCE:1')),
  )

  expect(events).toMatchObject([{ summary: 'a' }])
  expect(reasons).toEqual([
    'the event was left out, because the one in line 4 has the same UID and a higher SEQUENCE; give each event a UID of its own',
  ])
})

test('the one with the higher SEQUENCE of two overrides of an instance is used', async () => {
  const change = (...lines: string[]) => event('RECURRENCE-ID:20260706T090000Z', ...lines)
  const { instances } = await read(
    calendar(
      ...event('DTSTART:20260706T090000Z', 'RRULE:FREQ=DAILY;COUNT=1'),
      ...change('DTSTART:20260706T100000Z', 'SEQUENCE:2'),
      ...change('DTSTART:20260706T110000Z'),
    ),
  )

  expect(instances.map(({ start }: { start: { dateTime: string } }) => start.dateTime)).toEqual([
    '2026-07-06T10:00:00Z',
  ])
})

test('all calendars in a file are read', async () => {
  const other = calendar('BEGIN:VEVENT', 'UID:two', START, 'END:VEVENT')

  expect(uids((await read(calendar(...event(START)) + other)).events)).toEqual(['one', 'two'])
})

test.each(['REPLY', 'CANCEL', 'COUNTER'])('METHOD:%s is not a seed', async (method) => {
  const message = calendar(`METHOD:${method}`, ...event(START))

  await expect(fromICalendar(message, { owner: ALICE })).rejects.toThrow(
    new RangeError(`text: METHOD:${method} is a message about a meeting, not a calendar`),
  )
  const { events, reasons } = await read(message + calendar('BEGIN:VEVENT', 'UID:two', START, 'END:VEVENT'))
  expect([uids(events), reasons]).toEqual([
    ['two'],
    [
      `the calendar was left out, because METHOD:${method} makes it a message about a meeting; remove METHOD to read its events`,
    ],
  ])
})

test('components other than events are left out and reported by UID', async () => {
  const { seed } = await read(calendar('BEGIN:VTODO', 'UID:task', 'END:VTODO', ...event(START)))

  expect(seed.report).toEqual([
    { uid: 'task', line: 4, reason: 'the VTODO was left out, because only events are read' },
  ])
})

test('events that the service rejects are left out with its message', async () => {
  const many = Array.from({ length: 11 }, (_, day) => `RRULE:FREQ=MONTHLY;BYMONTHDAY=${day + 1}`)
  const { events, reasons } = await read(calendar(...event(START, ...many)))

  expect(events).toEqual([])
  expect(reasons).toEqual([expect.stringMatching(/^the event was left out, because the service rejects it: ./)])
})

test('invalid lines and missing ends do not prevent the import', async () => {
  const text = `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:one\nX;Y="z:1\n${START}\nSUMMARY:x`
  const { events, reasons } = await read(text)

  expect(events).toMatchObject([{ summary: 'x' }])
  expect(reasons).toEqual(['the line is not a property such as NAME:value and was ignored: X;Y="z:1'])
})

test('vCalendar 1.0 is read, with its texts in quoted-printable', async () => {
  const text = [
    ...['BEGIN:VCALENDAR', 'VERSION:1.0', 'BEGIN:VEVENT', 'UID:one', 'DTSTART:20260706T090000Z', 'RRULE:D1 #3'],
    ...['SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8:Caf=C3=A9 =', 'noir', 'END:VEVENT', 'END:VCALENDAR'],
  ].join('\r\n')
  const { events } = await read(text)

  expect(events).toMatchObject([{ summary: 'Café noir', recurrence: ['RRULE:FREQ=DAILY;INTERVAL=1;COUNT=3'] }])
})

test('the dates, guests and free times of vCalendar 1.0 are read', async () => {
  const { events, reasons } = await read(
    [
      ...['BEGIN:VCALENDAR', 'VERSION:1.0', 'BEGIN:VEVENT', 'UID:one', START, 'RRULE:D1 #4', 'TRANSP:1'],
      ...['EXDATE:20260707T090000Z;20260708T090000Z', `ATTENDEE;STATUS=ACCEPTED:Bob <${BOB}>`],
      ...['END:VEVENT', 'END:VCALENDAR'],
    ].join('\r\n'),
  )

  expect(reasons).toEqual([])
  expect(events).toMatchObject([
    { transparency: 'transparent', attendees: [{ email: BOB, responseStatus: 'accepted' }] },
  ])
  expect(events[0].recurrence[1]).toBe('EXDATE:20260707T090000Z,20260708T090000Z')
})

const UMLAUT = calendar(...event(START, 'SUMMARY:Müller'))
test.each([
  ['UTF-8', new TextEncoder().encode(UMLAUT)],
  ['UTF-8 with a byte order mark', new TextEncoder().encode(`\uFEFF${UMLAUT}`)],
  ['UTF-16', Uint8Array.from(Buffer.from(`\uFEFF${UMLAUT}`, 'utf16le'))],
  ['UTF-16 without a byte order mark', Uint8Array.from(Buffer.from(UMLAUT, 'utf16le'))],
  ['UTF-16, big-endian', Uint8Array.from(Buffer.from(UMLAUT, 'utf16le').swap16())],
  ['windows-1252', Uint8Array.from(Buffer.from(UMLAUT, 'latin1'))],
])('a file is decoded: %s', async (_, bytes) => {
  expect((await read(bytes)).events).toMatchObject([{ summary: 'Müller' }])
})

type Wrong = { text?: string; owner?: string; timeZone?: string; alarms?: 'read' }
const WRONG: [string, Wrong, string][] = [
  ['text', { text: '{"accounts":[]}' }, 'text: not iCalendar: it has no line BEGIN:VCALENDAR'],
  ['owner', { owner: 'alice' }, 'owner: not an e-mail address: alice'],
  ['timeZone', { timeZone: 'Berlin' }, 'timeZone: no time zone: Berlin'],
  ['alarms', { alarms: 'none' as 'read' }, 'alarms: none (expected ignore or read)'],
]
test.each(WRONG)('an unreadable value is a RangeError that names the field: %s', async (_, wrong, message) => {
  const { text = UMLAUT, ...options } = wrong

  await expect(fromICalendar(text, { owner: ALICE, ...options })).rejects.toThrow(new RangeError(message))
})
