import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ALICE, allDay, at, BOB, type Client, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const ids = ({ body }: { body: { items: { id: string }[] } }) => body.items.map(({ id }) => id)
type Query = Record<string, string | number | boolean | undefined>
const list = (client: Client, query: Query = {}) =>
  client.get(
    `${EVENTS}?${new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))}`,
  )

/** Alice's calendar (New York), with the events given put in a second after each other. */
async function withEvents(events: object[]) {
  const { as, fake } = openCalendar()
  for (const event of events) {
    await as(ALICE).post(EVENTS, event)
    fake.clock.advance('1s')
  }
  return { alice: as(ALICE), as, fake }
}

const WEEK = [
  { id: 'mon0009', summary: 'Stand-up', ...hour('2026-03-02', 9) },
  { id: 'fri0001', summary: 'Party', ...hour('2026-03-06', 18) },
  { id: 'tue0001', summary: 'Trip', ...allDay('2026-03-03', '2026-03-05') },
  { id: 'mon0008', summary: 'Coffee', ...hour('2026-03-02', 8) },
]

test('3.3, 3.11, 5.7 an empty list has its envelope in the order of the service, and a sync token', async () => {
  const { alice } = await withEvents([])
  const { body, headers } = await list(alice)
  expect(Object.keys(body)).toEqual([
    'kind',
    'etag',
    'summary',
    'description',
    'updated',
    'timeZone',
    'accessRole',
    'defaultReminders',
    'nextSyncToken',
    'items',
  ])
  expect(body).toMatchObject({
    kind: 'calendar#events',
    summary: ALICE,
    description: '',
    timeZone: 'America/New_York',
    accessRole: 'owner',
    defaultReminders: [{ method: 'popup', minutes: 10 }],
    items: [],
  })
  expect(body.etag).toMatch(/^"p3[0-9a-v]{13}o"$/)
  expect(body.nextSyncToken).toMatch(/=$/)
  expect(headers.has('ETag')).toBe(false)
})

test('3.3.1 lists of a calendar without a description have an empty description, and no other reply has', async () => {
  const { as, anonymous } = openCalendar()
  const alice = as(ALICE)
  const series = { id: 'series', ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }
  await alice.post(EVENTS, series)
  await alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'default' } })

  const replies = [
    await alice.get(EVENTS),
    await alice.get(`${EVENTS}/series/instances`),
    await as(BOB).get(`/calendars/${ALICE}/events`),
    await anonymous.get(`/calendars/${ALICE}/events?key=k`),
  ]

  for (const { body } of replies) {
    expect(body.description).toBe('')
    expect(Object.keys(body).slice(2, 4)).toEqual(['summary', 'description'])
  }
  expect((await alice.get('/calendars/primary')).body).not.toHaveProperty('description')
})

test('3.3 the envelope has the calendar’s description and last change', async () => {
  const { alice } = await withEvents(WEEK)
  await alice.patch('/calendars/primary', { description: 'Mine' })
  const { body } = await list(alice)
  expect(Object.keys(body).slice(0, 5)).toEqual(['kind', 'etag', 'summary', 'description', 'updated'])
  expect(body).toMatchObject({ description: 'Mine', updated: '2026-03-01T12:00:03.000Z' })
})

/**
 * Returns the events of the week that match a query, in the order of the list. The calendar's clock is New York's, at
 * five hours before UTC.
 */
const QUERIES: [title: string, query: Query, found: string[]][] = [
  ['in the order of creation, without parameters', {}, ['mon0009', 'fri0001', 'tue0001', 'mon0008']],
  ['in the order of start', { orderBy: 'startTime', singleEvents: true }, ['mon0008', 'mon0009', 'tue0001', 'fri0001']],
  ['in the order of the last change', { orderBy: 'updated' }, ['mon0009', 'fri0001', 'tue0001', 'mon0008']],
  ['without events that end before timeMin', { timeMin: '2026-03-02T14:00:00Z' }, ['mon0009', 'fri0001', 'tue0001']],
  ['without an event that ends at timeMin', { timeMin: '2026-03-02T15:00:00Z' }, ['fri0001', 'tue0001']],
  ['with an event that ends a second after timeMin', { timeMin: '2026-03-02T14:59:59Z' }, ['mon0009', 'fri0001', 'tue0001']],
  ['without an event that starts at timeMax', { timeMax: '2026-03-02T14:00:00Z' }, ['mon0008']],
  ['with an event that starts a second before timeMax', { timeMax: '2026-03-02T14:00:01Z' }, ['mon0009', 'mon0008']],
  ['with an all-day event that begins at the calendar’s midnight, before timeMax', { timeMax: '2026-03-03T05:00:01Z' }, ['mon0009', 'tue0001', 'mon0008']],
  ['without an all-day event that begins at timeMax', { timeMax: '2026-03-03T05:00:00Z' }, ['mon0009', 'mon0008']],
  ['with an all-day event that ends at the calendar’s midnight, after timeMin', { timeMin: '2026-03-05T04:59:59Z' }, ['fri0001', 'tue0001']],
  ['without an all-day event that ends at timeMin', { timeMin: '2026-03-05T05:00:00Z' }, ['fri0001']],
  ['of the same window in another offset', { timeMin: '2026-03-02T19:30:00+05:30', timeMax: '2026-03-03T00:00:00-05:00' }, ['mon0009']],
  ['of bounds whose fraction of a second is ignored', { timeMin: '2026-03-02T14:59:59.999Z', timeMax: '2026-03-03T00:00:00Z' }, ['mon0009']],
  ['with the events that contain a word', { q: 'party' }, ['fri0001']],
  ['with the events that contain all words in any order and case', { q: 'UP stand' }, ['mon0009']],
  ['without events that lack one word', { q: 'stand down' }, []],
  ['without events for a part of a word', { q: 'part' }, []],
  ['with the event of an iCalUID', { iCalUID: 'mon0008@google.com' }, ['mon0008']],
  ['with all events of a common type', { eventTypes: 'default' }, ['mon0009', 'fri0001', 'tue0001', 'mon0008']],
  ['without events of an unused type', { eventTypes: 'focusTime' }, []],
  ['with unknown parameters ignored', { nonsense: 'yes', alwaysIncludeEmail: true }, ['mon0009', 'fri0001', 'tue0001', 'mon0008']],
  ['with maxResults reduced to the maximum', { maxResults: 9999 }, ['mon0009', 'fri0001', 'tue0001', 'mon0008']],
  ['with an empty pageToken ignored', { pageToken: '' }, ['mon0009', 'fri0001', 'tue0001', 'mon0008']],
] // biome-ignore format: a table

test.each(QUERIES)('1.11, 1.15, 1.17, 1.18, 11.17 a list is filtered and ordered: %s', async (_, query, found) => {
  const { alice } = await withEvents(WEEK)
  expect(ids(await list(alice, query))).toEqual(found)
})

test('5.3 of two changes at the same moment the later one is listed later', async () => {
  const { as } = openCalendar()
  const alice = as(ALICE)
  for (const id of ['aaaaa', 'bbbbb', 'ccccc']) await alice.post(EVENTS, { id, ...hour('2026-03-02', 9) })
  await alice.patch(`${EVENTS}/aaaaa`, { summary: 'Last' })
  expect(ids(await list(alice, { orderBy: 'updated' }))).toEqual(['bbbbb', 'ccccc', 'aaaaa'])
})

test('an event longer than any window is found in a window', async () => {
  const { alice } = await withEvents([
    { id: 'sabbatical', start: at('2020-01-01T00:00:00'), end: at('2030-01-01T00:00:00') },
  ])
  expect(ids(await list(alice, { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z' }))).toEqual([
    'sabbatical',
  ])
})

test('1.17 q matches the text of an event, but not its extended properties', async () => {
  const { alice } = await withEvents([
    { id: 'lunch001', ...hour('2026-03-02', 12), location: 'Café Zoë', description: 'salad', attendees: [{ email: 'dave@example.com', displayName: 'Dave' }], extendedProperties: { shared: { key: 'hidden' } } },
  ]) // biome-ignore format: one event
  for (const q of ['café', 'zoë salad', 'dave', 'dave@example.com', ALICE])
    expect(ids(await list(alice, { q }))).toEqual(['lunch001'])
  for (const q of ['hidden', 'key', 'cafe']) expect(ids(await list(alice, { q }))).toEqual([])
})

test('1.18 extended properties are matched whole, and all of them must match', async () => {
  const { alice } = await withEvents([
    { id: 'aaaaa', ...hour('2026-03-02', 9), extendedProperties: { private: { a: '1', b: '2=3' } } },
    { id: 'bbbbb', ...hour('2026-03-02', 9), extendedProperties: { private: { a: '1' }, shared: { a: '1' } } },
  ])
  const found = async (query: string) => ids(await alice.get(`${EVENTS}?${query}`))
  expect(await found('privateExtendedProperty=a%3D1')).toEqual(['aaaaa', 'bbbbb'])
  expect(await found('privateExtendedProperty=a%3D1&privateExtendedProperty=b%3D2%3D3')).toEqual(['aaaaa'])
  expect(await found('sharedExtendedProperty=a%3D1')).toEqual(['bbbbb'])
  expect(await found('sharedExtendedProperty=a')).toEqual([])
})

test('an extended property with an empty name is found', async () => {
  const { alice } = await withEvents([
    { id: 'aaaaa', ...hour('2026-03-02', 9), extendedProperties: { private: { '': '1' } } },
  ])
  const found = async (query: string) => ids(await alice.get(`${EVENTS}?${query}`))
  expect(await found('privateExtendedProperty=%3D1')).toEqual(['aaaaa'])
  expect(await found('privateExtendedProperty=1')).toEqual([])
})

test('3.3, 13.5 timeZone sets the zone of the envelope and the offset of the times, and keeps the zone of each event', async () => {
  const { alice } = await withEvents([WEEK[0] ?? {}])
  const { body } = await list(alice, { timeZone: 'Asia/Kolkata' })
  expect(body.timeZone).toBe('Asia/Kolkata')
  expect(body.items[0].start).toEqual({ dateTime: '2026-03-02T19:30:00+05:30', timeZone: 'America/New_York' })
})

test('q does not match text that the caller cannot see', async () => {
  const { alice, as } = await withEvents([
    { id: 'secret1', summary: 'Psst', visibility: 'private', ...hour('2026-03-02', 9) },
  ])
  await alice.post('/calendars/primary/acl', { role: 'reader', scope: { type: 'user', value: BOB } })
  const path = `/calendars/${ALICE}/events`
  expect(ids(await as(BOB).get(path))).toEqual(['secret1'])
  expect(ids(await as(BOB).get(`${path}?q=Psst`))).toEqual([])
  expect((await as(BOB).get(path)).body).toMatchObject({ accessRole: 'reader', defaultReminders: [] })
})

const parameter = (message: string, location: string) => ({
  status: 400,
  domain: 'global',
  reason: 'invalidParameter',
  message,
  location,
})
const BAD = { status: 400, domain: 'global', reason: 'badRequest', message: 'Bad Request' }
const LONG_AGO = '2026-01-31T12:00:00Z'

const REFUSED: [query: string, refused: object][] = [
  ['maxResults=0', parameter("Invalid value '0'. Values must be within the range: [1, 2147483647]", 'maxResults')],
  ['maxResults=-1', parameter("Invalid value '-1'. Values must be within the range: [1, 2147483647]", 'maxResults')],
  ['maxResults=many', parameter("Invalid integer value: 'many'.", 'maxResults')],
  ['showDeleted=maybe', parameter("Invalid boolean value: 'maybe'.", 'showDeleted')],
  ['orderBy=start', parameter("Invalid string value: 'start'. Allowed values: [startTime, updated]", 'orderBy')],
  ['eventTypes=party', parameter("Invalid string value: 'party'. Allowed values: [birthday, default, focusTime, fromGmail, outOfOffice, workingLocation]", 'eventTypes')],
  ['timeMin=yesterday', BAD],
  ['timeMin=2026-03-02', BAD],
  ['timeMin=2026-03-02T00:00:00', BAD],
  ['timeMax=2026-03-02T00:00:00+01:00', BAD],
  ['timeMax=2026-02-30T00:00:00Z', BAD],
  ['timeMin=2026-03-02T24:00:00Z', BAD],
  ['timeMin=2026-03-02T00:00:00Z&timeMax=2026-03-02T00:00:00Z', { status: 400, domain: 'calendar', reason: 'timeRangeEmpty', message: 'The specified time range is empty.', location: 'timeMax' }],
  ['orderBy=startTime', { status: 400, domain: 'global', reason: 'invalid', message: 'The requested ordering is not available for the particular query.', location: 'orderBy' }],
  [`updatedMin=${LONG_AGO}`, { status: 410, domain: 'calendar', reason: 'updatedMinTooLongAgo', message: 'The requested minimum modification time lies too far in the past.', location: 'updatedMin' }],
  ['pageToken=nonsense', { status: 400, domain: 'global', reason: 'invalid', message: 'Invalid page token value.', location: 'pageToken' }],
  ['syncToken=nonsense', { status: 400, domain: 'global', reason: 'invalid', message: 'Invalid sync token value.', location: 'syncToken' }],
  ['timeZone=Mars', { status: 400, domain: 'global', reason: 'invalid', message: 'Invalid value for: timeZone', location: 'timeZone' }],
] // biome-ignore format: a table

test.each(REFUSED)(
  '1.11, 1.12, 1.13, 1.14, 1.16, 1.20, 2.2.1, 2.2.5, 5.15, 14.6 ?%s is refused',
  async (query, refused) => {
    const { alice } = await withEvents([])
    expect(errorOf(await alice.get(`${EVENTS}?${query}`))).toEqual(refused)
  },
)

test('1.14 the offset of a bound can be written without a colon', async () => {
  const { alice } = await withEvents(WEEK)
  const bounds = (offset: string) => ({
    timeMin: `2026-03-02T00:00:00-05${offset}00`,
    timeMax: `2026-03-03T12:00:00-05${offset}00`,
  })
  const expected = ids(await list(alice, bounds(':')))

  expect(expected.length).toBeGreaterThan(0)
  expect(ids(await list(alice, bounds('')))).toEqual(expected)
})

test.each([{}, { orderBy: 'startTime', singleEvents: true }, { timeMin: '2026-03-01T00:00:00Z' }])(
  '14.48 writes between the pages of %o neither repeat nor lose an event',
  async (query) => {
    const { alice } = await withEvents(WEEK)
    const all = ids(await list(alice, query))
    const first = await list(alice, { ...query, maxResults: 2 })
    const listedIds = ids(first)
    await alice.patch(`${EVENTS}/${all[0]}`, hour('2026-03-20', 9))
    await alice.patch(`${EVENTS}/${all[3]}`, hour('2026-03-01', 20))
    await alice.delete(`${EVENTS}/${all[2]}`)
    await alice.post(EVENTS, { id: 'born001', ...hour('2026-03-04', 9) })
    const last = await list(alice, { ...query, maxResults: 2, pageToken: first.body.nextPageToken })
    expect([...listedIds, ...ids(last)]).toEqual(all)
    if (!('orderBy' in query)) {
      const delta = await list(alice, { syncToken: last.body.nextSyncToken })
      expect(ids(delta).sort()).toEqual([all[0], all[2], all[3], 'born001'].sort())
    }
  },
)

test('5.10, 6.4 a sync returns each changed event once in its current state, and deleted ones as ids', async () => {
  const { alice } = await withEvents(WEEK)
  const { nextSyncToken } = (await list(alice)).body
  await alice.patch(`${EVENTS}/mon0008`, { summary: 'Tea' })
  await alice.delete(`${EVENTS}/mon0009`)
  await alice.post(EVENTS, { id: 'born001', ...hour('2026-03-04', 9) })
  await alice.patch(`${EVENTS}/mon0008`, { summary: 'Cocoa' })

  const { body } = await list(alice, { syncToken: nextSyncToken })

  expect(body.items).toEqual([
    { kind: 'calendar#event', etag: expect.any(String), id: 'mon0009', status: 'cancelled' },
    expect.objectContaining({ id: 'born001' }),
    expect.objectContaining({ id: 'mon0008', summary: 'Cocoa' }),
  ])
  expect((await list(alice, { syncToken: body.nextSyncToken })).body.items).toEqual([])
})

test('5.10 a sync of a list with showDeleted returns deleted events whole', async () => {
  const { alice } = await withEvents(WEEK)
  const { nextSyncToken } = (await list(alice, { showDeleted: true })).body
  await alice.delete(`${EVENTS}/mon0009`)
  expect((await list(alice, { syncToken: nextSyncToken })).body.items[0]).toMatchObject({
    status: 'cancelled',
    summary: 'Stand-up',
  })
})

test('5.9, 14.7 a sync keeps the window of its list: it omits changes outside, and includes deletions', async () => {
  const { alice } = await withEvents(WEEK)
  const window = { timeMin: '2026-03-02T00:00:00Z', timeMax: '2026-03-03T00:00:00Z' }
  const { nextSyncToken: syncToken } = (await list(alice, window)).body
  await alice.patch(`${EVENTS}/fri0001`, { location: 'Roof' })
  await alice.patch(`${EVENTS}/mon0009`, { location: 'Roof' })
  await alice.delete(`${EVENTS}/tue0001`)
  expect(ids(await list(alice, { syncToken }))).toEqual(['mon0009', 'tue0001'])
})

/** Parameters that contradict a sync token (behaviour 5.8, 14.5, 14.7). */
const CONFLICTS = [
  'iCalUID=x', 'orderBy=updated', 'privateExtendedProperty=a%3D1', 'q=x', 'sharedExtendedProperty=a%3D1', 'timeMin=2026-03-02T00:00:00Z',
  'timeMax=2026-03-02T00:00:00Z', 'updatedMin=2026-03-01T00:00:00Z', 'showDeleted=false', 'singleEvents=true', 'eventTypes=default', 'timeZone=UTC',
] // biome-ignore format: a list

test.each(CONFLICTS)('5.8, 14.5, 14.7 a sync token beside %s is refused', async (parameters) => {
  const { alice } = await withEvents([])
  const { nextSyncToken } = (await list(alice)).body
  const { status, reason, location } = {
    location: '',
    ...errorOf(await alice.get(`${EVENTS}?syncToken=${encodeURIComponent(nextSyncToken)}&${parameters}`)),
  }
  const name = parameters.split('=')[0]
  const expected = name === 'orderBy' ? 'syncTokenWithNonDefaultOrdering' : 'invalid'
  expect({ status, reason, location }).toEqual({ status: 400, reason: expected, location: name })
})

const EXPIRED = {
  status: 410,
  domain: 'calendar',
  reason: 'fullSyncRequired',
  message: 'Sync token is no longer valid, a full sync is required.',
  location: 'syncToken',
}

test('2.2.5, 5.14, 5.15, 12.13, 15.13 a sync token expires on request, by age, with a reset, and with a change of role', async () => {
  const { alice, as, fake } = await withEvents(WEEK)
  const token = async (client = alice, path = EVENTS) => (await client.get(path)).body.nextSyncToken
  const use = async (syncToken: string, client = alice, path = EVENTS) =>
    errorOf(await client.get(`${path}?syncToken=${encodeURIComponent(syncToken)}`))

  const injected = await token()
  await alice.post('/_control/syncTokens/expire')
  expect(await use(injected)).toEqual(EXPIRED)
  expect((await use(await token())).status).toBe(200)

  const old = await token()
  fake.clock.advance('31d')
  expect(await use(old)).toEqual(EXPIRED)

  const path = `/calendars/${ALICE}/events`
  const share = (role: string) => alice.post('/calendars/primary/acl', { role, scope: { type: 'user', value: BOB } })
  await share('reader')
  const reader = await token(as(BOB), path)
  await share('writer')
  expect(await use(reader, as(BOB), path)).toEqual(EXPIRED)

  const before = await token()
  fake.reset()
  expect(await use(before)).toEqual(EXPIRED)
})

test('a token of another calendar or another caller is invalid', async () => {
  const { alice, as } = await withEvents(WEEK)
  const { nextSyncToken } = (await list(alice)).body
  expect((await as(BOB).get(`${EVENTS}?syncToken=${encodeURIComponent(nextSyncToken)}`)).status).toBe(400)
})

test('pages of any size add up to the list in any order', async () => {
  const day = fc.integer({ min: 1, max: 28 })
  const event = fc.oneof(
    fc
      .tuple(day, fc.integer({ min: 0, max: 22 }))
      .map(([on, at]) => hour(`2026-03-${String(on).padStart(2, '0')}`, at)),
    day.map((on) => allDay(`2026-03-${String(on).padStart(2, '0')}`, '2026-03-29')),
  )
  const query = fc.constantFrom(
    {},
    { orderBy: 'startTime', singleEvents: true },
    { orderBy: 'updated' },
    { timeMin: '2026-03-10T00:00:00Z' },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { maxLength: 12 }),
      query,
      fc.integer({ min: 1, max: 5 }),
      async (events, query, maxResults) => {
        const { alice } = await withEvents(events)
        const whole = ids(await list(alice, query))
        const paged: string[] = []
        let pageToken = ''
        do {
          const reply = await list(alice, { ...query, maxResults, pageToken })
          paged.push(...ids(reply))
          pageToken = reply.body.nextPageToken ?? ''
        } while (pageToken)
        expect(paged).toEqual(whole)
      },
    ),
    { numRuns: 40 },
  )
})

type Edit = { kind: 'insert' | 'patch' | 'delete' | 'restore'; of: number }

test('a sync after random edits equals a new full list', async () => {
  const done = new Set<Edit['kind']>()
  const edit: fc.Arbitrary<Edit> = fc.record({
    kind: fc.constantFrom('insert', 'patch', 'delete', 'restore'),
    of: fc.integer({ min: 0, max: 9 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(edit, { maxLength: 6 }), { maxLength: 5 }), async (rounds) => {
      const { alice } = await withEvents([])
      const items = new Map<string, unknown>()
      let syncToken = (await list(alice)).body.nextSyncToken
      for (const edits of rounds) {
        for (const { kind, of } of edits) {
          const path = `${EVENTS}/event${of}`
          const { status } = await {
            insert: () => alice.post(EVENTS, { id: `event${of}`, ...hour('2026-03-02', of) }),
            patch: () => alice.patch(path, { summary: `Number ${edits.length}` }),
            delete: () => alice.delete(path),
            restore: () => alice.patch(path, { status: 'confirmed' }),
          }[kind]()
          if (status < 300) done.add(kind)
        }
        const { body } = await list(alice, { syncToken })
        for (const item of body.items) item.status === 'cancelled' ? items.delete(item.id) : items.set(item.id, item)
        syncToken = body.nextSyncToken
        const fresh = (await list(alice)).body.items
        expect([...items.values()]).toHaveLength(fresh.length)
        for (const item of fresh) expect(items.get(item.id)).toEqual(item)
      }
    }),
    { numRuns: 40 },
  )
  expect([...done].sort()).toEqual(['delete', 'insert', 'patch', 'restore'])
})
