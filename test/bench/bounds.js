import { createFakeCalendar } from '../../dist/index.js'
import { call, createFilled, MONDAY, PERSON } from './world.js'

/**
 * Operations that once took seconds, each with its former duration. The bounds themselves are counted in steps by the
 * tests.
 */
const EVENTS = '/calendars/primary/events'
const FOREVER = '9999-12-31T00:00:00Z'
const DAY = 86_400_000
const day = (nth, from = MONDAY) => new Date(from + nth * DAY).toISOString().slice(0, 10)
const timed = (id, recurrence, more = {}) => ({
  ...{ id, summary: id, recurrence },
  start: { dateTime: '2026-03-02T09:00:00Z', timeZone: 'UTC' },
  end: { dateTime: '2026-03-02T09:30:00Z', timeZone: 'UTC' },
  ...more,
})
const WEEK = { timeMin: new Date(MONDAY).toISOString(), timeMax: new Date(MONDAY + 7 * DAY).toISOString() }

const seededFake = (events, more = {}) =>
  createFakeCalendar({
    now: new Date(MONDAY),
    seed: { accounts: [{ email: PERSON }], calendars: [{ id: PERSON, events }], ...more },
  })
const post = (body, verb = 'POST') => ({ method: verb, body: JSON.stringify(body) })
const list = (fake, query, path = EVENTS) => call(fake, `${path}?${new URLSearchParams(query)}`)
const inOrder = { singleEvents: 'true', orderBy: 'startTime' }

/** All pages of a list. Returns how many items they have. */
async function drained(fake, query, path) {
  let count = 0
  let pageToken
  do {
    const page = await list(fake, { ...query, ...(pageToken && { pageToken }) }, path)
    count += page.items.length
    pageToken = page.nextPageToken
  } while (pageToken)
  return count
}

const many = (count, of) => Array.from({ length: count }, (_, nth) => of(nth))
const endless = () => seededFake([timed('endless', ['RRULE:FREQ=DAILY'])])
const deleted = (event) => ({ ...event, status: 'cancelled' })
const series = () => seededFake([timed('series', ['RRULE:FREQ=DAILY;COUNT=10000'])])

async function withExceptions() {
  const fake = series()
  for (let nth = 0; nth < 10_000; nth++)
    await call(
      fake,
      `${EVENTS}/series_${day(nth).replaceAll('-', '')}T090000Z`,
      post({ location: `Room ${nth}` }, 'PATCH'),
    )
  return fake
}

/**
 * Title, former duration in milliseconds, function that opens the world, and the operation. Of three runs the median
 * is told.
 */
const CASES = [
  [
    '10 of an endless series, timeMax=9999',
    11_700,
    endless,
    (fake) => list(fake, { ...inOrder, maxResults: 10, timeMax: FOREVER }),
  ],
  [
    '10 instances of it, timeMax=9999',
    33_000,
    endless,
    (fake) => list(fake, { maxResults: 10, timeMax: FOREVER }, `${EVENTS}/endless/instances`),
  ],
  [
    '10 of a series UNTIL=9999',
    64_700,
    () => seededFake([timed('longer', ['RRULE:FREQ=DAILY;UNTIL=99991231T000000Z'])]),
    (fake) => list(fake, { ...inOrder, maxResults: 10 }),
  ],
  [
    '10 of 300 endless series',
    550,
    () => seededFake(many(300, (nth) => timed(`endless${nth}`, ['RRULE:FREQ=DAILY']))),
    (fake) => list(fake, { ...inOrder, maxResults: 10 }),
  ],
  [
    'iCalUID of one of them',
    550,
    () => seededFake(many(300, (nth) => timed(`endless${nth}`, ['RRULE:FREQ=DAILY'], { iCalUID: `uid${nth}` }))),
    (fake) => list(fake, { ...inOrder, iCalUID: 'uid7', maxResults: 10 }),
  ],
  [
    'insert of COUNT=1000000000 with a guest',
    49_000,
    () => seededFake([]),
    (fake) =>
      call(
        fake,
        EVENTS,
        post(timed(undefined, ['RRULE:FREQ=DAILY;COUNT=1000000000'], { attendees: [{ email: 'bob@example.com' }] })),
      ),
  ],
  [
    'insert of YEARLY;BYWEEKNO=20;COUNT=5000',
    3_600,
    () => seededFake([]),
    (fake) => call(fake, EVENTS, post(timed(undefined, ['RRULE:FREQ=YEARLY;BYWEEKNO=20;COUNT=5000']))),
  ],
  [
    'free/busy of an all-day series of all years',
    3_700,
    () =>
      seededFake([
        {
          id: 'eternal',
          start: { date: '0001-01-01' },
          end: { date: '0001-01-02' },
          transparency: 'opaque',
          recurrence: ['RRULE:FREQ=DAILY;UNTIL=99991231'],
        },
      ]),
    (fake) => call(fake, '/freeBusy', post({ ...WEEK, items: [{ id: 'primary' }] })),
  ],
  [
    '10,000 instances in pages of 2,500',
    750,
    series,
    (fake) => drained(fake, { maxResults: 2500 }, `${EVENTS}/series/instances`),
  ],
  [
    '10,000 instances in pages of 250',
    5_000,
    series,
    (fake) => drained(fake, { maxResults: 250 }, `${EVENTS}/series/instances`),
  ],
  ['a list of 20 beside 20,000 deleted', 18.8, besideDeleted, (fake) => list(fake, {})],
  ['a week of them', 17.3, besideDeleted, (fake) => list(fake, { ...inOrder, ...WEEK })],
  [
    'an empty list beside 100 deleted ten-year series',
    2_600,
    () => seededFake(many(100, (nth) => deleted(timed(`older${nth}`, ['RRULE:FREQ=DAILY;COUNT=3650'])))),
    (fake) => list(fake, inOrder),
  ],
  [
    '20,000 events by startTime in pages of 250',
    1_015,
    () => createFilled(20_000),
    (fake) => drained(fake, { ...inOrder, maxResults: 250 }),
  ],
  [
    '20,000 events from timeMin in pages of 250',
    862,
    () => createFilled(20_000),
    (fake) => drained(fake, { timeMin: '2000-01-01T00:00:00Z', maxResults: 250 }),
  ],
  [
    'a seed of one event beside 10,000',
    undefined,
    () => createFilled(10_000),
    (fake) => fake.seed({ calendars: [{ id: PERSON, events: [timed(undefined, undefined)] }] }),
  ],
  [
    'PATCH of a series with 10,000 exceptions',
    1_300,
    withExceptions,
    (fake, run) => call(fake, `${EVENTS}/series`, post({ summary: `Now ${run}` }, 'PATCH')),
  ],
  ['a week of its instances', 50, withExceptions, (fake) => list(fake, WEEK, `${EVENTS}/series/instances`)],
]

function besideDeleted() {
  const events = many(20_020, (nth) => timed(`event${nth}`, undefined))
  return seededFake(events.map((event, nth) => (nth < 20 ? event : deleted(event))))
}

const RUNS = 3
const shown = (ms) => (ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(ms < 10 ? 2 : 0)} ms`)

export const bounds = {
  name: 'bounds',
  async run() {
    const rows = []
    for (const [what, was, open, act] of CASES) {
      const fake = await open()
      const durations = []
      for (let run = 0; run < RUNS; run++) {
        const start = performance.now()
        await act(fake, run)
        durations.push(performance.now() - start)
      }
      await fake.close()
      const [, median] = durations.sort((a, b) => a - b)
      const ratio = was === undefined ? '' : `${(was / median).toFixed(0)} x`
      rows.push({ what, ours: shown(median), beside: was === undefined ? '' : `was ${shown(was)}`, ratio })
    }
    return rows
  },
}
