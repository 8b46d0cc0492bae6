import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, type Client, hour, openCalendar, type Reply } from '../../support/calendar.ts'
import { newCalendar, share } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const TIMES = hour('2026-03-02', 9)
type Send = (alice: Client, as: (token: string) => Client) => Promise<Reply>

const IN_UTC = Object.fromEntries(Object.entries(TIMES).map(([side, time]) => [side, { ...time, timeZone: 'UTC' }]))
const syncTokenOf = async (alice: Client): Promise<string> => (await alice.get(EVENTS)).body.nextSyncToken

/** Requests with the hint of one in hints.test.ts that are right but for one thing: it must be true of them too. */
const ROWS: [title: string, send: Send, hint: string][] = [
  [
    'a new event with the iCalUID of another',
    async (alice) => {
      await alice.post(EVENTS, { iCalUID: 'a@example.net', ...TIMES })
      return alice.post(EVENTS, { iCalUID: 'a@example.net', ...TIMES })
    },
    'FC308 The iCalUID is in use by an event of the calendar',
  ],
  [
    'a move to an id that was in use',
    async (alice) => {
      const team = await newCalendar(alice)
      for (const path of [EVENTS, `/calendars/${team}/events`]) await alice.post(path, { id: 'event1', ...TIMES })
      return alice.post(`${EVENTS}/event1/move?destination=${team}`)
    },
    'FC308 The destination has had another event with this id',
  ],
  [
    'a move to a calendar that the caller reads',
    async (alice, as) => {
      const team = await newCalendar(as(BOB))
      await share(as(BOB), team, ALICE, 'reader')
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      return alice.post(`${EVENTS}/event1/move?destination=${team}`)
    },
    ' is reader. Grant the role writer',
  ],
  [
    'a change of an event that moved away',
    async (alice) => {
      const team = await newCalendar(alice)
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      await alice.post(`${EVENTS}/event1/move?destination=${team}`)
      return alice.patch(`${EVENTS}/event1`, { summary: 'Lunch' })
    },
    'FC206 The event has no content, because it moved to another calendar',
  ],
  [
    'a date for an event with a dateTime',
    async (alice) => {
      await alice.post(EVENTS, { id: 'event1', ...TIMES })
      return alice.patch(`${EVENTS}/event1`, allDay('2026-03-02', '2026-03-03'))
    },
    'FC206 start is not one valid time, either a date or a dateTime',
  ],
  [
    'a rule for one instance',
    async (alice) => {
      await alice.post(EVENTS, { id: 'series', ...TIMES, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
      return alice.patch(`${EVENTS}/series_20260302T140000Z`, { recurrence: ['RRULE:FREQ=DAILY'] })
    },
    'FC208 An instance of a series has no recurrence of its own. Write it to the series series',
  ],
  [
    'a page token of another list',
    async (alice) => {
      for (const id of ['event1', 'event2']) await alice.post(EVENTS, { id, ...TIMES })
      const { nextPageToken } = (await alice.get(`${EVENTS}?maxResults=1`)).body
      return alice.get(`/users/me/calendarList?pageToken=${nextPageToken}`)
    },
    'FC107 pageToken is not a valid token of this list',
  ],
  [
    'a timestamp without an offset',
    (alice) => alice.get(`${EVENTS}?timeMin=2026-03-02T00:00:00`),
    'Write timeMin=2026-03-02T00:00:00Z',
  ],
  [
    'an offset whose + is a space',
    (alice) => alice.get(`${EVENTS}?timeMin=2026-03-02T00:00:00+01:00`),
    'FC101 timeMin=2026-03-02T00:00:00 01:00 needs a time and an offset (a + in a URL is a space: write %2B)',
  ],
  [
    'a parameter in capitals',
    (alice) => alice.get(`${EVENTS}?MaxResults=5`),
    'FC102 events.list has no parameter MaxResults',
  ],
  [
    'a parameter of another list',
    (alice) => alice.get('/users/me/calendarList?timeMin=x'),
    'FC103 timeMin is a parameter of events.',
  ],
  [
    'a switch for a list of values',
    (alice) => alice.post(`${EVENTS}?sendUpdates=true`, TIMES),
    'FC104 sendUpdates cannot be true',
  ],
  [
    'an order with the other singleEvents',
    (alice) => alice.get(`${EVENTS}?singleEvents=false&orderBy=startTime`),
    'FC105 orderBy=startTime requires singleEvents=true',
  ],
  [
    'a window beside a sync token',
    async (alice) => alice.get(`${EVENTS}?syncToken=${await syncTokenOf(alice)}&timeMin=2026-03-02T00:00:00Z`),
    'FC106 timeMin cannot be combined with syncToken',
  ],
  [
    'a sync token of another calendar',
    async (alice) => alice.get(`/calendars/${await newCalendar(alice)}/events?syncToken=${await syncTokenOf(alice)}`),
    'FC107 syncToken was not issued for this list',
  ],
  [
    'a sync token as a page token',
    async (alice) => alice.get(`${EVENTS}?pageToken=${await syncTokenOf(alice)}`),
    'FC107 pageToken is not a valid token of this list',
  ],
  [
    'a field in lower case',
    (alice) => alice.post(EVENTS, { start: { datetime: '2026-03-02T09:00:00Z' }, end: TIMES.end }),
    'FC201 start.datetime is not a field of the service. Did you mean dateTime?',
  ],
  [
    'a field that the service sets',
    (alice) => alice.post(EVENTS, { htmlLink: 'x', ...TIMES }),
    'FC202 htmlLink is read-only',
  ],
  ['a list of one event', (alice) => alice.post(EVENTS, [TIMES] as never), 'FC204 The body is not a JSON object'],
  [
    'an offset at the start alone',
    (alice) => alice.post(EVENTS, { ...TIMES, end: { dateTime: '2026-03-02T16:00:00' } }),
    'FC205 end.dateTime=2026-03-02T16:00:00 has no offset and no zone',
  ],
  [
    'a date as a dateTime',
    (alice) => alice.post(EVENTS, { start: { dateTime: '2026-03-02' }, end: { dateTime: '2026-03-03' } }),
    'FC206 start.dateTime=2026-03-02 is not a date and a time',
  ],
  [
    'a zone of Windows',
    (alice) => alice.post(EVENTS, { ...TIMES, end: { ...TIMES.end, timeZone: 'W. Europe Standard Time' } }),
    'FC207 end.timeZone W. Europe Standard Time is not a known time zone',
  ],
  [
    'a rule without its name',
    (alice) => alice.post(EVENTS, { ...IN_UTC, recurrence: ['FREQ=DAILY'] }),
    'FC208 recurrence cannot be FREQ=DAILY. Write lines such as RRULE:',
  ],
  [
    'a reminder one minute too early',
    (alice) => {
      const overrides = [40_320, 40_321].map((minutes) => ({ method: 'popup', minutes }))
      return alice.post(EVENTS, { ...TIMES, reminders: { useDefault: false, overrides } })
    },
    'FC209 reminders.overrides: 40321 minutes are stored as the limit',
  ],
  [
    'guests as texts',
    (alice) => alice.post(EVENTS, { ...TIMES, attendees: [BOB] }),
    'FC210 attendees[0] cannot have this value. Send an object',
  ],
  [
    'a rule outside of a list',
    (alice) => alice.post(EVENTS, { ...IN_UTC, recurrence: 'RRULE:FREQ=DAILY' }),
    'FC210 recurrence cannot have this value. Send a list',
  ],
  ['the name of an account', (_, as) => as('alice').get(EVENTS), 'FC302 The token belongs to no account'],
  [
    'an address with a wrong end',
    (alice) => alice.get('/calendars/alice@example.con/events'),
    'Did you mean alice@example.com?',
  ],
]

test.each(ROWS)('the hint on %s is true', async (_, send, hint) => {
  const { as } = openCalendar()
  const { status, headers } = await send(as(ALICE), as)

  expect(status).toBeLessThan(500)
  expect(headers.get('X-Fake-Calendar-Hint')).toContain(hint)
})

test('a field that has no effect gets no hint if it is false', async () => {
  const { as } = openCalendar()
  const { headers } = await as(ALICE).post(EVENTS, { anyoneCanAddSelf: false, ...TIMES })

  expect(headers.get('X-Fake-Calendar-Hint')).toBeNull()
})
