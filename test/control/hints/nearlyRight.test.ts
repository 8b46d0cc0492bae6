import { expect, test } from 'vitest'
import { ALICE, allDay, BOB, type Client, hour, openCalendar, type Reply } from '../../support/calendar.ts'
import { newCalendar, share } from '../../support/sharing.ts'

const EVENTS = '/calendars/primary/events'
const TIMES = hour('2026-03-02', 9)
type Send = (alice: Client, as: (token: string) => Client) => Promise<Reply>

/** Requests of the same error as one in hints.test.ts, and right but for one thing: their hints must be true of them too. */
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
]

test.each(ROWS)('the hint on %s is true', async (_, send, hint) => {
  const { as } = openCalendar()
  const { status, headers } = await send(as(ALICE), as)
  expect(status).toBeGreaterThanOrEqual(400)
  expect(headers.get('X-Fake-Calendar-Hint')).toContain(hint)
})
