import { expect, test } from 'vitest'
import { ALICE, allDay, at, type Client, errorOf, hour, openCalendar } from '../../support/calendar.ts'

/** Writing and listing recurring events, over the methods of events (behaviour 4). */
const EVENTS = '/calendars/primary/events'
const SERIES = {
  id: 'stand0',
  summary: 'Stand-up',
  ...hour('2026-03-02', 9),
  recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4'],
}
const [FIRST, SECOND, THIRD, FOURTH] = ['02T14', '09T13', '16T13', '23T13'].map(
  (hour) => `stand0_202603${hour}0000Z`,
) as [string, string, string, string]
const LUNCH = { id: 'lunch001', ...hour('2026-03-03', 12) }

type Listed = { id: string; status: string; summary?: string }
const list = async (client: Client, query: Record<string, string | boolean> = {}) =>
  (
    await client.get(
      `${EVENTS}?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}`,
    )
  ).body
const ids = ({ items }: { items: Listed[] }) => items.map(({ id, status }) => (status === 'cancelled' ? `-${id}` : id))

async function withSeries(series: object = SERIES) {
  const { as, fake } = openCalendar()
  const alice = as(ALICE)
  const { body: master } = await alice.post(EVENTS, series)
  fake.clock.advance('1m')
  return { alice, fake, master }
}

/** A series with its second instance moved and its third cancelled, a deleted series, a lunch and a deleted one. */
async function withAll() {
  const { alice, fake } = await withSeries()
  await alice.patch(`${EVENTS}/${SECOND}`, hour('2026-03-10', 9))
  await alice.delete(`${EVENTS}/${THIRD}`)
  await alice.post(EVENTS, LUNCH)
  await alice.post(EVENTS, { ...LUNCH, id: 'lunch002' })
  await alice.delete(`${EVENTS}/lunch002`)
  await alice.post(EVENTS, { id: 'dead00', ...hour('2026-03-04', 9), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  await alice.delete(`${EVENTS}/dead00`)
  return { alice, fake }
}

/** The listed items (behaviour 4.3); a dash marks a cancelled one. */
const MATRIX: [singleEvents: boolean, showDeleted: boolean, found: string[]][] = [
  [false, false, ['stand0', SECOND, `-${THIRD}`, 'lunch001']],
  [false, true, ['stand0', SECOND, `-${THIRD}`, 'lunch001', '-lunch002', '-dead00']],
  [true, false, [FIRST, FOURTH, SECOND, 'lunch001']],
  [true, true, [FIRST, FOURTH, SECOND, `-${THIRD}`, 'lunch001', '-lunch002', '-dead00_20260304T140000Z', '-dead00_20260305T140000Z']],
] // biome-ignore format: a table

test.each(MATRIX)(
  '4.3 series are listed with singleEvents %s and showDeleted %s',
  async (singleEvents, showDeleted, found) => {
    const { alice } = await withAll()
    expect(ids(await list(alice, { singleEvents, showDeleted })).sort()).toEqual([...found].sort())
  },
)

test('4.3, 5.3 the order of start uses the current times of instances', async () => {
  const { alice } = await withAll()
  expect(ids(await list(alice, { singleEvents: true, orderBy: 'startTime' }))).toEqual([
    FIRST,
    'lunch001',
    SECOND,
    FOURTH,
  ])
})

const WINDOWS: [title: string, query: Record<string, string | boolean>, found: string[]][] = [
  ['a series is in a window that contains any of its instances', { timeMin: '2026-03-23T00:00:00Z', timeMax: '2026-03-24T00:00:00Z' }, ['stand0']],
  ['a series is not in a window between its instances', { timeMin: '2026-03-24T00:00:00Z' }, []],
  ['a moved instance is at its current time', { timeMin: '2026-03-10T00:00:00Z', timeMax: '2026-03-11T00:00:00Z' }, [SECOND]],
  ['a cancelled instance is at its original time', { timeMin: '2026-03-16T00:00:00Z', timeMax: '2026-03-17T00:00:00Z' }, ['stand0', `-${THIRD}`]],
  ['instances are filtered by the window', { singleEvents: true, timeMin: '2026-03-09T00:00:00Z', timeMax: '2026-03-24T00:00:00Z' }, [FOURTH, SECOND]],
  ['instances are filtered by a word', { singleEvents: true, q: 'stand' }, [FIRST, FOURTH, SECOND]],
  ['the iCalUID of a series finds its changed instances too', { iCalUID: 'stand0@google.com' }, ['stand0', SECOND, `-${THIRD}`]],
] // biome-ignore format: a table

test.each(WINDOWS)('4.1.6, 4.10 %s', async (_, query, found) => {
  const { alice } = await withAll()
  expect(ids(await list(alice, query))).toEqual(found)
})

const invalidRule = { status: 400, domain: 'global', reason: 'invalid', message: 'Invalid recurrence rule.' }
const missing = (message: string) => ({ status: 400, domain: 'global', reason: 'required', message })
const bare = { start: { dateTime: '2026-03-02T09:00:00-05:00' }, end: { dateTime: '2026-03-02T10:00:00-05:00' } }

const REFUSED: [title: string, body: object, refused: object][] = [
  ['a rule without a property name', { recurrence: ['FREQ=DAILY'] }, invalidRule],
  ['a rule without a valid part', { recurrence: ['RRULE:FREQ=SOMETIMES'] }, invalidRule],
  ['hourly', { recurrence: ['RRULE:FREQ=HOURLY'] }, invalidRule],
  ['COUNT and UNTIL', { recurrence: ['RRULE:FREQ=DAILY;COUNT=2;UNTIL=20260401T000000Z'] }, invalidRule],
  ['COUNT=0', { recurrence: ['RRULE:FREQ=DAILY;COUNT=0'] }, invalidRule],
  ['a DTSTART among the lines', { recurrence: ['DTSTART:20260302T090000Z', 'RRULE:FREQ=DAILY'] }, invalidRule],
  ['an UNTIL with an offset', { recurrence: ['RRULE:FREQ=DAILY;UNTIL=2019-07-16T00:00:00+08:00'] }, invalidRule],
  ['an UNTIL without Z', { recurrence: ['RRULE:FREQ=DAILY;UNTIL=20260310T090000'] }, invalidRule],
  ['a missing zone at both ends', { ...bare, recurrence: ['RRULE:FREQ=DAILY'] }, missing('Missing time zone definition for start time.')],
  ['a missing zone at the end', { ...bare, start: at('2026-03-02T09:00:00'), recurrence: ['RRULE:FREQ=DAILY'] }, missing('Missing time zone definition for end time.')],
] // biome-ignore format: a table

test.each(REFUSED)(
  '2.2.3, 4.2.1, 4.2.3, 4.2.6, 14.18 %s is refused, and no event is created',
  async (_, body, refused) => {
    const { as } = openCalendar()
    expect(errorOf(await as(ALICE).post(EVENTS, { ...hour('2026-03-02', 9), ...body }))).toEqual(refused)
    expect((await list(as(ALICE))).items).toEqual([])
  },
)

test.each([
  [{ ...bare, recurrence: [] }],
  [{ ...allDay('2026-03-02', '2026-03-03'), recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] }],
  [{ ...hour('2026-03-02', 9), recurrence: ['RRULE:FREQ=WEEKLY;COUNT=4;'] }],
])('4.2.1, 4.2.6, 11.18 %o is accepted', async (body) => {
  expect((await openCalendar().as(ALICE).post(EVENTS, body)).status).toBe(200)
})

test('4.6.1 an exception at its original time follows a changed length of its series, unless it has its own', async () => {
  const { alice } = await withSeries()
  await alice.patch(`${EVENTS}/${SECOND}`, { summary: 'Long stand-up' })
  await alice.patch(`${EVENTS}/${THIRD}`, hour('2026-03-17', 9))
  await alice.patch(`${EVENTS}/${FOURTH}`, { end: at('2026-03-23T09:15:00') })
  await alice.patch(`${EVENTS}/stand0`, { end: at('2026-03-02T11:00:00') })
  expect((await alice.get(`${EVENTS}/${SECOND}`)).body.end).toEqual(at('2026-03-09T11:00:00-04:00'))
  expect((await alice.get(`${EVENTS}/${THIRD}`)).body.end).toEqual(at('2026-03-17T10:00:00-04:00'))
  expect((await alice.get(`${EVENTS}/${FOURTH}`)).body.end).toEqual(at('2026-03-23T09:15:00-04:00'))
})

test('4.6.2, 14.20 a new start moves the series, keeps exceptions, and drops cancelled instances that match no start', async () => {
  const { alice } = await withSeries()
  await alice.patch(`${EVENTS}/${SECOND}`, { summary: 'Long stand-up' })
  await alice.delete(`${EVENTS}/${THIRD}`)
  await alice.patch(`${EVENTS}/stand0`, hour('2026-03-02', 10))
  expect(ids(await list(alice, { singleEvents: true, orderBy: 'startTime' }))).toEqual([
    'stand0_20260302T150000Z',
    SECOND,
    'stand0_20260309T140000Z',
    'stand0_20260316T140000Z',
    'stand0_20260323T140000Z',
  ])
  expect(ids(await list(alice))).toEqual(['stand0', SECOND])
})

test('4.6.3 a series becomes a single event and a series again under the same id', async () => {
  const { alice } = await withSeries()
  await alice.patch(`${EVENTS}/${SECOND}`, { summary: 'Long stand-up' })
  const { body } = await alice.patch(`${EVENTS}/stand0`, { recurrence: null })
  expect(body).not.toHaveProperty('recurrence')
  expect(ids(await list(alice))).toEqual(['stand0'])
  expect(ids(await list(alice, { singleEvents: true }))).toEqual(['stand0'])
  expect((await alice.get(`${EVENTS}/${FIRST}`)).status).toBe(404)
  await alice.patch(`${EVENTS}/stand0`, { recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  expect(ids(await list(alice, { singleEvents: true }))).toEqual([FIRST, 'stand0_20260303T140000Z'])
})

test('14.20 a change from times to dates drops the exceptions', async () => {
  const { alice } = await withSeries()
  await alice.patch(`${EVENTS}/${SECOND}`, { summary: 'Long stand-up' })
  await alice.put(`${EVENTS}/stand0`, {
    ...allDay('2026-03-02', '2026-03-03'),
    recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'],
  })
  expect(ids(await list(alice, { singleEvents: true }))).toEqual(['stand0_20260302', 'stand0_20260309'])
})

test('5.11.1 a sync returns a cancelled instance without times if its trimmed series no longer has it', async () => {
  const { alice } = await withSeries()
  await alice.delete(`${EVENTS}/${FOURTH}`)
  const { nextSyncToken: syncToken } = await list(alice)

  await alice.patch(`${EVENTS}/stand0`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=2'] })

  const { items } = await list(alice, { syncToken })
  expect(items[1]).toEqual({ kind: 'calendar#event', etag: items[0].etag, id: FOURTH, status: 'cancelled' })
})

test('5.3.1 without orderBy a changed series and its exceptions are last', async () => {
  const { alice } = await withSeries()
  await alice.post(EVENTS, LUNCH)
  await alice.patch(`${EVENTS}/${SECOND}`, { summary: 'Long' })

  expect(ids(await list(alice))).toEqual(['lunch001', 'stand0', SECOND])
})

test('5.11 a sync of instances returns all instances of a changed series, and those it lost as cancelled', async () => {
  const { alice } = await withSeries()
  await alice.delete(`${EVENTS}/${SECOND}`)
  const { nextSyncToken: syncToken } = await list(alice, { singleEvents: true })
  await alice.patch(`${EVENTS}/stand0`, { recurrence: ['RRULE:FREQ=WEEKLY;COUNT=3'] })
  expect(ids(await list(alice, { syncToken }))).toEqual([FIRST, THIRD, `-${FOURTH}`, `-${SECOND}`])
  await alice.delete(`${EVENTS}/stand0`)
  expect(ids(await list(alice, { syncToken })).sort()).toEqual(
    [`-${FIRST}`, `-${SECOND}`, `-${THIRD}`, `-${FOURTH}`].sort(),
  )
})

test('extended properties and types filter instances too', async () => {
  const { alice } = await withSeries({ ...SERIES, extendedProperties: { private: { a: '1' } } })
  expect(
    ids(await list(alice, { singleEvents: true, privateExtendedProperty: 'a=1', eventTypes: 'default' })),
  ).toHaveLength(4)
  expect(ids(await list(alice, { singleEvents: true, privateExtendedProperty: 'a=2' }))).toEqual([])
})

test('a seed can change an instance of its own series', async () => {
  const { fake, as } = openCalendar()
  fake.seed({
    calendars: [
      {
        id: ALICE,
        events: [
          SERIES,
          { recurringEventId: 'stand0', originalStartTime: at('2026-03-09T09:00:00'), summary: 'Long' },
          { recurringEventId: 'stand0', originalStartTime: at('2026-03-16T09:00:00'), status: 'cancelled' },
        ],
      },
    ],
  })
  const { items } = await list(as(ALICE), { singleEvents: true, orderBy: 'startTime' })
  expect(items.map(({ id, summary }: Listed) => [id, summary])).toEqual([
    [FIRST, 'Stand-up'],
    [SECOND, 'Long'],
    [FOURTH, 'Stand-up'],
  ])
})

test('a seed that changes an instance in an unknown zone is refused, and stores nothing', () => {
  const { fake } = openCalendar()
  const before = fake.state()
  const originalStartTime = { dateTime: '2026-03-09T09:00:00', timeZone: 'Mars/Olympus' }
  const events = [SERIES, { recurringEventId: 'stand0', originalStartTime, summary: 'Long' }]

  expect(() => fake.seed({ calendars: [{ id: ALICE, events }] })).toThrow(/time zone/i)
  expect(fake.state()).toEqual(before)
})

test('14.41 every instance lasts as long as the first, also when clocks change', async () => {
  const night = { start: at('2026-03-06T23:00:00'), end: at('2026-03-07T04:00:00') }
  const { alice } = await withSeries({ ...SERIES, ...night, recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] })
  const { items } = await list(alice, { singleEvents: true, orderBy: 'startTime' })
  expect(items.map(({ end }: { end: { dateTime: string } }) => end.dateTime)).toEqual([
    '2026-03-07T04:00:00-05:00',
    '2026-03-08T05:00:00-04:00',
  ])
})
