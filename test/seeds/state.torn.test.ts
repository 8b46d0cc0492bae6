import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { createFakeCalendar, type Seed, SeedError } from '../../src/index.ts'
import { ALICE, BOB, clientOf, hour, openCalendar } from '../support/calendar.ts'
import { share } from '../support/sharing.ts'

/** A state that holds something of everything. */
async function stateOfAll(): Promise<Seed> {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  const events = '/calendars/primary/events'
  fake.seed({ groups: [{ email: 'staff@example.com', members: [BOB] }], tokens: [{ token: 's', account: BOB }] })
  await share(alice, 'primary', BOB, 'reader')
  const conferenceData = { createRequest: { requestId: 'r1' } }
  const meeting = { attendees: [{ email: BOB }], conferenceData, ...hour('2026-03-02', 9) }
  await alice.post(`${events}?conferenceDataVersion=1&sendUpdates=all`, meeting)
  const recurrence = ['RRULE:FREQ=DAILY;COUNT=4']
  await alice.post(events, { id: 'stand001', recurrence, ...hour('2026-03-03', 9) })
  await alice.patch(`${events}/stand001_20260304T140000Z`, { summary: 'Later' })
  await alice.post(events, { id: 'dai00001', start: { date: '2026-03-04' }, end: { date: '2026-03-05' } })
  await alice.post(`${events}/watch`, { id: 'mine', type: 'web_hook', address: 'http://127.0.0.1:9/' })
  return fake.state()
}

type Path = (string | number)[]

const placesIn = (value: unknown, path: Path = []): Path[] =>
  typeof value !== 'object' || value === null
    ? [path]
    : [
        path,
        ...Object.entries(value).flatMap(([name, inner]) =>
          placesIn(inner, [...path, Array.isArray(value) ? Number(name) : name]),
        ),
      ]

const GONE = Symbol('gone')
const NASTY: unknown[] = [
  GONE,
  null,
  '',
  '☕',
  'x',
  -1,
  1e300,
  0.5,
  9e15,
  true,
  [],
  {},
  [null],
  { a: null },
  '\u0000',
  '__proto__',
]

/** A copy of a state with another value at a place, or none. */
function torn(state: Seed, path: Path, value: unknown): Seed {
  const copy = structuredClone(state)
  const last = path.at(-1) as string
  const holder = path.slice(0, -1).reduce((at: unknown, name) => (at as Record<string, unknown>)[name], copy)
  if (value !== GONE) (holder as Record<string, unknown>)[last] = value
  else if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else delete (holder as Record<string, unknown>)[last]
  return copy
}

const READS = [
  '/users/me/calendarList?showHidden=true&showDeleted=true',
  '/users/me/settings',
  '/calendars/primary/acl?showDeleted=true',
  '/calendars/primary/events?showDeleted=true',
  '/calendars/primary/events?singleEvents=true&orderBy=startTime&timeZone=Asia/Tokyo',
  '/calendars/primary/events/stand001/instances',
  '/calendars/primary/events/stand001',
  '/calendars/primary/events/stand001_20260304T140000Z',
]

test('a damaged state is refused with its place, or results in a working world', async () => {
  const state = await stateOfAll()
  const places = placesIn(state).filter((path) => path.length > 0)
  let [refused, accepted] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...places), fc.constantFrom(...NASTY), async (path, value) => {
      const seed = torn(state, path, value)
      let fake: ReturnType<typeof createFakeCalendar>
      try {
        fake = createFakeCalendar({ seed })
      } catch (error) {
        expect(error).toBeInstanceOf(SeedError)
        expect((error as Error).message).toMatch(/^[\w$[\].]+: .+/)
        refused += 1
        return
      }
      accepted += 1
      for (const token of [ALICE, BOB]) {
        const client = clientOf((at, init) => fake.request(at, init), { Authorization: `Bearer ${token}` })
        for (const read of READS) {
          const { status } = await client.get(read)
          expect(status, `${path.join('.')} = ${String(value)}: ${token} ${read}`).toBeLessThan(500)
        }
        expect((await client.post('/calendars/primary/events', hour('2026-03-09', 9))).status).toBeLessThan(500)
      }
      fake.clock.advance('1h')
      fake.channels()
      expect(() => createFakeCalendar({ seed: fake.state() })).not.toThrow()
    }),
    { numRuns: 150 },
  )
  expect(refused).toBeGreaterThan(50)
  expect(accepted).toBeGreaterThan(0)
})

test.each([
  [['calendars', 0, 'events', 0, 'etag'], '"☕"', 'calendars[0].events[0].etag: not an etag of this kind'],
  [['calendars', 0, 'events', 0, 'etag'], '"3"', 'calendars[0].events[0].etag: not an etag of an event'],
  [
    ['calendars', 0, 'events', 0, 'etag'],
    '"9000000000000000"',
    'calendars[0].events[0].etag: later than the counters say',
  ],
  [['calendars', 0, 'timeZone'], '', 'calendars[0].timeZone: no time zone'],
  [['accounts', 0, 'timeZone'], 'Mars', 'accounts[0].timeZone: no time zone'],
  [['calendars', 0, 'events', 0], {}, 'calendars[0].events[0].id: expected a text; it is missing'],
  [['calendars', 0, 'summary'], null, 'calendars[0].summary: expected a text; got null'],
  [['channels', 0, 'expiration'], 8.64e15, 'channels[0].expiration: not a moment of a clock'],
  [
    ['clock', 'now'],
    '2200-06-01T00:00:00Z',
    'clock.now: not between 1970-01-01 and 2200-01-01, where a clock goes: 2200-06-01T00:00:00.000Z',
  ],
] as const)('%j as %j is refused, by the route as well, and the world is unchanged', async (path, value, message) => {
  const seed = torn(await stateOfAll(), [...path], value)
  const { fake, anonymous } = openCalendar()
  const before = fake.state()

  const reply = await anonymous.post('/_control/replace', seed)

  expect(() => createFakeCalendar({ seed })).toThrow(message)
  const [first] = reply.body.error.message.split('\n')
  expect([reply.status, first]).toEqual([400, `Invalid value for: ${message}`])
  expect(fake.state()).toEqual(before)
})

test('a state with events of year 0 and of the end of 9999 is restored', async () => {
  const { fake } = openCalendar()
  const events = '/calendar/v3/calendars/primary/events'
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  const times = [
    ['0000-01-02T00:00:00Z', '0000-01-02T01:00:00Z'],
    ['9999-12-31T22:15:30Z', '9999-12-31T23:15:45Z'],
  ]
  for (const [start, end] of times) {
    const body = JSON.stringify({ start: { dateTime: start }, end: { dateTime: end } })
    expect((await fake.request(events, { method: 'POST', headers, body })).status).toBe(200)
  }
  const state = fake.state()

  const other = createFakeCalendar({ seed: state })

  expect(other.state()).toEqual(state)
  const listIn = async (world: typeof other) => (await world.request(events, { headers })).text()
  expect(await listIn(other)).toBe(await listIn(fake))
})

test('no instance of a restored state is after 9999, and no write can create one', async () => {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  const events = '/calendars/primary/events'
  const utc = (dateTime: string) => ({ dateTime, timeZone: 'UTC' })
  const end = utc('9999-12-31T12:00:00Z')
  await alice.post(events, {
    ...{ id: 'last0', recurrence: ['RRULE:FREQ=DAILY;COUNT=2'] },
    ...{ start: utc('9999-12-30T00:00:00Z'), end },
  })
  const before = JSON.stringify(fake.state())

  const beyond = { end: utc('+010000-01-01T12:00:00Z') }
  expect((await alice.patch(`${events}/last0_99991231T000000Z`, { summary: 'Beyond' })).status).toBe(404)
  expect((await alice.patch(`${events}/last0_99991230T000000Z`, beyond)).status).toBe(400)
  expect((await alice.patch(`${events}/last0`, beyond)).status).toBe(400)

  expect(JSON.stringify(fake.state())).toBe(before)
  expect(createFakeCalendar({ seed: fake.state() }).state()).toEqual(fake.state())
})

const OUTSIDE = [
  { dateTime: '10000-01-01T00:00:00Z' },
  { dateTime: '+010000-01-01T00:00:00Z' },
  { dateTime: '-000001-12-31T00:00:00Z' },
  { dateTime: '9999-12-31T23:59:59-01:00' },
  { dateTime: '0000-01-01T00:00:00+01:00' },
  { date: '10000-01-01' },
  { date: '-0001-01-01' },
]
test.each(OUTSIDE)('a seed with an event at %j is refused with its place, and changes nothing', async (start) => {
  const { fake, anonymous } = openCalendar()
  const end = 'date' in start ? { date: '9999-12-31' } : { dateTime: '9999-12-31T23:59:59Z' }
  const seed = {
    accounts: [{ email: ALICE }, { email: 'new@example.com' }],
    calendars: [{ id: ALICE, events: [{ ...hour('2026-03-02', 9) }, { start, end }] }],
  }
  const before = JSON.stringify(fake.state())
  const message = /^calendars\[0\]\.events\[1\](\.start)?: /

  expect(() => fake.seed(seed)).toThrow(message)
  expect(() => createFakeCalendar({ seed })).toThrow(message)
  const { status, body } = await anonymous.post('/_control/seed', seed)
  expect([status, body.error.message]).toEqual([400, expect.stringMatching(/calendars\[0\]\.events\[1\]/)])
  expect(JSON.stringify(fake.state())).toBe(before)
})

test('unbounded nesting is rejected in one line', async () => {
  const { anonymous } = openCalendar()
  const deep = `{"accounts":${'['.repeat(200_000)}${']'.repeat(200_000)}}`

  expect(() => createFakeCalendar({ seed: JSON.parse(deep) })).toThrow(
    new SeedError('seed: nested more than 100 levels deep'),
  )
  expect((await anonymous.post('/_control/seed', deep)).status).toBe(400)
})

test('the state of a world at the last instant of the clock is restored, and its tokens stay valid', async () => {
  const { fake, as } = openCalendar({ now: '2199-12-31T23:59:59.999Z' })
  const alice = as(ALICE)
  const events = '/calendars/primary/events'
  fake.onNotification(() => 200)
  await alice.post(`${events}/watch`, { id: 'mine', type: 'web_hook', address: 'http://127.0.0.1:9/' })
  fake.conferences.policy({ delay: '9000w' })
  const conferenceData = { createRequest: { requestId: 'r1' } }
  await alice.post(`${events}?conferenceDataVersion=1`, { conferenceData, ...hour('2026-03-02', 9) })
  const { nextSyncToken } = (await alice.get(events)).body
  const machine = vi.spyOn(Date, 'now').mockReturnValue(0)
  fake.clock.run()
  machine.mockReturnValue(60_000)

  expect(fake.clock.state()).toEqual({ mode: 'set', now: '2200-01-01T00:00:00.000Z' })
  fake.clock.freeze()
  const state = fake.state()
  expect(createFakeCalendar({ seed: state }).state()).toEqual(state)
  fake.replace(state)
  expect((await alice.get(`${events}?syncToken=${encodeURIComponent(nextSyncToken)}`)).body.items).toEqual([])
})
