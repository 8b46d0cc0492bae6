import { expect, test } from 'vitest'
import { ALICE, allDay, hour, openCalendar } from '../../support/calendar.ts'
import { openServer } from '../../support/command.ts'

const EVENTS = '/calendars/primary/events'
const PUBLIC = `/calendar/ical/${encodeURIComponent(ALICE)}/public/basic.ics`
const lines = (text: string) => text.replace(/\r\n /g, '').trimEnd().split('\r\n')
/** Returns the lines of each event of a file. */
const eventsIn = (text: string) =>
  text
    .split('BEGIN:VEVENT\r\n')
    .slice(1)
    .map((one) => lines(one.slice(0, one.indexOf('END:VEVENT'))))

function open() {
  const { fake, as } = openCalendar()
  const file = async (path: string) => {
    const response = await fake.request(path)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  const share = (role: string) => as(ALICE).post(`/calendars/primary/acl`, { role, scope: { type: 'default' } })
  return { fake, alice: as(ALICE), file, share, secret: () => file(fake.ical(ALICE).private) }
}

test('16.1 a calendar is served as a file at its private address, and not with a token', async () => {
  const { secret } = open()
  const { status, headers, text } = await secret()

  expect([status, headers.get('Content-Type')]).toEqual([200, 'text/calendar; charset=UTF-8'])
  expect(text).toBe(
    [
      ...['BEGIN:VCALENDAR', 'PRODID:-//Google Inc//Google Calendar 70.9054//EN', 'VERSION:2.0', 'CALSCALE:GREGORIAN'],
      ...['METHOD:PUBLISH', `X-WR-CALNAME:${ALICE}`, 'X-WR-TIMEZONE:America/New_York', 'END:VCALENDAR', ''],
    ].join('\r\n'),
  )
})

test('16.1 a wrong token, that of another calendar and a missing one are 404', async () => {
  const { fake, file } = open()
  const [, token = ''] = /private-(\w+)/.exec(fake.ical('bob@example.com').private) ?? []
  const wrong = [`private-${token}`, 'private-', 'private', 'secret', `private-${'0'.repeat(32)}`]

  for (const secret of wrong) expect((await file(PUBLIC.replace('public', secret))).status).toBe(404)
  expect((await file(PUBLIC.replace('alice', 'nobody'))).status).toBe(404)
  expect(() => fake.ical('nobody@example.com')).toThrow('there is no calendar nobody@example.com')
})

test('16.1, 15.15 a calendar of holidays is served as a file, also before the first API request', async () => {
  const { fake } = open()
  const id = encodeURIComponent('en.usa#holiday@group.v.calendar.google.com')
  const response = await fake.request(`/calendar/ical/${id}/public/basic.ics`)

  expect(response.status).toBe(200)
  expect(lines(await response.text())).toContain('X-WR-CALNAME:Holidays in United States')
  expect((await fake.request(`/calendar/v3/calendars/${id}/events?key=any`)).status).toBe(200)
})

test('16.1 only public calendars have a public address', async () => {
  const { file, share, alice } = open()
  await alice.post(EVENTS, { summary: 'Seen', ...hour('2026-03-03', 9) })
  await alice.post(EVENTS, { summary: 'Hidden', visibility: 'private', ...hour('2026-03-04', 9) })
  const before = await file(PUBLIC)
  await share('reader')
  const { status, text } = await file(PUBLIC)

  expect([before.status, status]).toEqual([404, 200])
  expect(eventsIn(text).map((one) => one.find((line) => line.startsWith('SUMMARY')))).toEqual([
    'SUMMARY:Seen',
    'SUMMARY:Busy',
  ])
})

test('16.2 the properties of an event are in the service’s order', async () => {
  const { alice, secret } = open()
  await alice.post(`${EVENTS}?conferenceDataVersion=1`, {
    iCalUID: 'all@example.com',
    summary: 'All, of it; \\ and\nmore',
    description: 'Text',
    location: 'Room 1',
    visibility: 'private',
    transparency: 'transparent',
    attendees: [{ email: 'bob@example.com', displayName: 'Bob: x', optional: true, additionalGuests: 1 }],
    conferenceData: { createRequest: { requestId: '1' } },
    reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 1500 }] },
    ...hour('2026-03-03', 9),
  })
  await alice.get(EVENTS) // a read answers the conference request
  const [event = []] = eventsIn((await secret()).text)

  expect(event.map((line) => line.replace(/(https:\/\/meet.google.com\/).*/, '$1')).slice(0, 18)).toEqual([
    'DTSTART:20260303T140000Z',
    'DTEND:20260303T150000Z',
    'DTSTAMP:20260301T120000Z',
    `ORGANIZER;CN=${ALICE}:mailto:${ALICE}`,
    'UID:all@example.com',
    'ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=OPT-PARTICIPANT;PARTSTAT=NEEDS-ACTION;CN="Bob: x";X-NUM-GUESTS=1:mailto:bob@example.com',
    'CLASS:PRIVATE',
    'X-GOOGLE-CONFERENCE:https://meet.google.com/',
    'CREATED:20260301T120000Z',
    'DESCRIPTION:Text',
    'LAST-MODIFIED:20260301T120000Z',
    'LOCATION:Room 1',
    'SEQUENCE:0',
    'STATUS:CONFIRMED',
    'SUMMARY:All\\, of it\\; \\\\ and\\nmore',
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:EMAIL',
  ])
  expect(event).toContain('TRIGGER:-P1DT1H0M0S')
})

test('16.2, 16.3 series and their exceptions name zones, and cancelled instances are excluded', async () => {
  const { alice, secret } = open()
  const { body } = await alice.post(EVENTS, {
    ...{ id: 'series1', summary: 'Weekly', ...hour('2026-03-02', 9) },
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=5', 'EXDATE;TZID=America/New_York:20260309T090000,20260316T090000'],
  })
  await alice.patch(`${EVENTS}/${body.id}_20260323T130000Z`, { summary: 'Moved', ...hour('2026-03-24', 10) })
  await alice.delete(`${EVENTS}/${body.id}_20260330T130000Z`)
  await alice.post(EVENTS, { id: 'gone1', ...hour('2026-03-03', 9) })
  await alice.delete(`${EVENTS}/gone1`)
  const { text } = await secret()
  const [weekly = [], moved = [], ...more] = eventsIn(text)

  expect(more).toEqual([])
  expect(weekly.slice(0, 6)).toEqual([
    'DTSTART;TZID=America/New_York:20260302T090000',
    'DTEND;TZID=America/New_York:20260302T100000',
    'RRULE:FREQ=WEEKLY;COUNT=5',
    'EXDATE;TZID=America/New_York:20260309T090000',
    'EXDATE;TZID=America/New_York:20260316T090000',
    'EXDATE;TZID=America/New_York:20260330T090000',
  ])
  expect(moved).toEqual(
    expect.arrayContaining([
      'DTSTART;TZID=America/New_York:20260324T100000',
      'UID:series1@google.com',
      'RECURRENCE-ID;TZID=America/New_York:20260323T090000',
      'SUMMARY:Moved',
    ]),
  )
  expect(lines(text).slice(7, 25)).toEqual([
    ...['BEGIN:VTIMEZONE', 'TZID:America/New_York', 'X-LIC-LOCATION:America/New_York', 'BEGIN:DAYLIGHT'],
    ...['TZOFFSETFROM:-0500', 'TZOFFSETTO:-0400', 'TZNAME:EDT', 'DTSTART:19700308T020000'],
    ...['RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU', 'END:DAYLIGHT', 'BEGIN:STANDARD', 'TZOFFSETFROM:-0400'],
    ...['TZOFFSETTO:-0500', 'TZNAME:EST', 'DTSTART:19701101T020000', 'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU'],
    ...['END:STANDARD', 'END:VTIMEZONE'],
  ])
})

test('16.2, 16.3 all-day events are dates, and a zone without clock changes has one observance', async () => {
  const { alice, secret } = open()
  await alice.post(EVENTS, { id: 'dated1', ...allDay('2026-03-03', '2026-03-05') })
  const daily = hour('2026-03-03', 9, 'Asia/Kolkata')
  await alice.post(EVENTS, { id: 'dated2', recurrence: ['RRULE:FREQ=DAILY'], ...daily })
  const { text } = await secret()

  expect(eventsIn(text)[0]?.slice(0, 2)).toEqual(['DTSTART;VALUE=DATE:20260303', 'DTEND;VALUE=DATE:20260305'])
  expect(text).toContain(
    'BEGIN:STANDARD\r\nTZOFFSETFROM:+0530\r\nTZOFFSETTO:+0530\r\nTZNAME:GMT+5:30\r\nDTSTART:19700101T000000\r\nEND:STANDARD',
  )
})

test('16.2 the calendar’s default reminders are not written', async () => {
  const { alice, secret } = open()
  await alice.post(EVENTS, hour('2026-03-03', 9))

  expect((await secret()).text).not.toContain('VALARM')
})

test('16.4 a calendar with public free/busy times is written as single events called Busy', async () => {
  const { alice, file, share } = open()
  await alice.post(EVENTS, {
    id: 'aaaaa',
    summary: 'Secret',
    recurrence: ['RRULE:FREQ=DAILY;COUNT=2'],
    ...hour('2026-03-03', 9),
  })
  await alice.post(EVENTS, { id: 'bbbbb', summary: 'Free', transparency: 'transparent', ...hour('2026-03-03', 9) })
  await share('freeBusyReader')
  const { text } = await file(PUBLIC)

  expect(eventsIn(text)).toEqual(
    ['03', '04'].map((day) => [
      `DTSTART:202603${day}T140000Z`,
      `DTEND:202603${day}T150000Z`,
      'DTSTAMP:20260301T120000Z',
      'UID:aaaaa@google.com',
      `RECURRENCE-ID:202603${day}T140000Z`,
      'SUMMARY:Busy',
    ]),
  )
})

test('16.4 in a series with public free/busy times, moved instances are at their new time, and deleted ones are omitted', async () => {
  const { alice, file, share } = open()
  const daily = { recurrence: ['RRULE:FREQ=DAILY;COUNT=3'], ...hour('2026-03-03', 9) }
  for (const id of ['aaaaa', 'bbbbb']) {
    await alice.post(EVENTS, { id, summary: 'Secret', ...daily })
    await alice.patch(`${EVENTS}/${id}_20260304T140000Z`, { summary: 'Moved', ...hour('2026-03-04', 12) })
  }
  await alice.delete(`${EVENTS}/aaaaa_20260305T140000Z`)
  await alice.delete(`${EVENTS}/bbbbb`)
  await alice.post(EVENTS, { id: 'ccccc', transparency: 'opaque', ...allDay('2026-03-09', '2026-03-10') })
  await share('freeBusyReader')
  const busy = eventsIn((await file(PUBLIC)).text).map(([start, , , uid]) => [start, uid])

  expect(busy.toSorted()).toEqual([
    ['DTSTART:20260303T140000Z', 'UID:aaaaa@google.com'],
    ['DTSTART:20260304T170000Z', 'UID:aaaaa@google.com'],
    ['DTSTART;VALUE=DATE:20260309', 'UID:ccccc@google.com'],
  ])
})

test('16.1 a text never ends its line, with any characters', async () => {
  const { alice, secret } = open()
  await alice.post(`${EVENTS}?supportsAttachments=true`, {
    ...{ summary: 'a\u0001b\u0085c\td', location: '\r\nX-A:1', ...hour('2026-03-03', 9) },
    attachments: [{ fileUrl: 'https://example.com/a\r\nX-B:1', title: 't\nX-C:1' }],
    attendees: [{ email: 'bob@example.com', displayName: 'B"ob\r\nX-D:1' }],
  })
  const [event = []] = eventsIn((await secret()).text)

  expect(event).toEqual(expect.arrayContaining(['SUMMARY:abc\td', 'LOCATION:\\nX-A:1']))
  expect(event.filter((line) => line.startsWith('X-') || /[^\P{Cc}\t]/u.test(line))).toEqual([])
})

test('16.1 lines are folded at 75 bytes, and never within a character', async () => {
  const { alice, secret } = open()
  await alice.post(EVENTS, { summary: 'ü€😀'.repeat(40), ...hour('2026-03-03', 9) })
  const { text } = await secret()

  expect(Math.max(...text.split('\r\n').map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(75)
  expect(lines(text)).toContain(`SUMMARY:${'ü€😀'.repeat(40)}`)
})

test('a feed is served over a socket, and for other worlds', async () => {
  const { url } = await openServer()
  const addresses = await fetch(`${url}/w/other/_control/ical?calendarId=${ALICE}`)
  const { private: path } = await addresses.json()
  const found = await fetch(url + path)
  const head = await fetch(url + path, { method: 'HEAD' })
  const text = await found.text()

  expect(path).toMatch(/^\/w\/other\/calendar\/ical\/alice%40example\.com\/private-[0-9a-f]{32}\/basic\.ics$/)
  expect([found.status, head.status]).toEqual([200, 200])
  expect(text).toContain('BEGIN:VCALENDAR')
})

test('16.1 a program with a token reads its calendar by the address of CalDAV', async () => {
  const { fake, alice, secret } = open()
  await alice.post(EVENTS, { summary: 'Lunch', visibility: 'private', ...hour('2026-03-02', 12) })
  const read = async (token: string | undefined, id = ALICE) => {
    const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` }
    const reply = await fake.fetch(`https://apidata.googleusercontent.com/caldav/v2/${encodeURIComponent(id)}/events`, {
      headers,
    })
    return { status: reply.status, type: reply.headers.get('Content-Type'), text: await reply.text() }
  }
  const own = await read(ALICE)

  expect(own).toEqual({ status: 200, type: 'text/calendar; charset=UTF-8', text: (await secret()).text })
  expect(own.text).toContain('SUMMARY:Lunch')
  await alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: 'bob@example.com' } })
  const shared = await read('bob@example.com')
  expect([shared.status, shared.text.includes('BEGIN:VEVENT'), shared.text.includes('Lunch')]).toEqual([
    200,
    true,
    false,
  ])
  await alice.post('/calendars/primary/acl', {
    role: 'freeBusyReader',
    scope: { type: 'user', value: 'carol@example.com' },
  })
  expect([
    (await read('carol@example.com')).status,
    (await read('dave@example.com')).status,
    (await read(undefined)).status,
    (await read(ALICE, 'none@example.com')).status,
  ]).toEqual([403, 404, 401, 404])
})
