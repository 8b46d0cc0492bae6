import { describe, expect, test } from 'vitest'
import { connect } from '../../src/connect.ts'
import type { Fault, FaultHandle } from '../../src/control/faults/faults.ts'
import type { ExpectedMail } from '../../src/control/types/messages.ts'
import { type ExpectedCall, type ExpectedChange, VerificationError } from '../../src/index.ts'
import {
  assertChanged,
  assertEvent,
  assertReceived,
  assertSent,
  type ReceivedFilter,
} from '../../src/runners/assertions.ts'
import { matchers, type WorldMatchers } from '../../src/runners/matchers.ts'
import { ALICE, allDay, BOB, CAROL, hour, NOW, openCalendar } from '../support/calendar.ts'
import { callerOf } from '../support/mcp.ts'

declare module 'vitest' {
  interface Matchers<T> extends WorldMatchers<T> {}
}

expect.extend(matchers)

type Opened = ReturnType<typeof openCalendar>
/** A world is what was done in it. */
type Act = (opened: Opened) => unknown
/** An assertion, by its arguments, that passes in the world `holds` and fails in the world `fails`, the nearest one. */
type Row<A extends unknown[]> = { args: A; holds: readonly Act[]; fails: readonly Act[] }
/** Rows for every option: a new option without a row does not compile. */
type Rows<O, A extends unknown[]> = { readonly [N in keyof Required<O>]: readonly Row<A>[] }

const row = <A extends unknown[]>(args: A, holds: readonly Act[], fails: readonly Act[]): Row<A> => ({
  args,
  holds,
  fails,
})

const pathOf = (calendarId: string) => `/calendars/${encodeURIComponent(calendarId)}/events`
const insert =
  (event: object, { by = ALICE, calendarId = 'primary', query = '' } = {}): Act =>
  async ({ as }) => {
    const body = { ...allDay('2026-03-09', '2026-03-10'), ...event }
    expect((await as(by).post(`${pathOf(calendarId)}${query}`, body)).status).toBe(200)
  }
const patch =
  (id: string, body: object, by = ALICE): Act =>
  async ({ as }) =>
    expect((await as(by).patch(`${pathOf('primary')}/${id}`, body)).status).toBe(200)
const cancel =
  (id: string, by = ALICE): Act =>
  async ({ as }) =>
    expect((await as(by).delete(`${pathOf('primary')}/${id}`)).status).toBe(204)
const list =
  (by = ALICE, query = ''): Act =>
  async ({ as }) =>
    expect((await as(by).get(`${pathOf('primary')}${query}`)).status).toBe(200)
const times = (count: number, act: Act): Act[] => Array.from({ length: count }, () => act)

const LUNCH = insert({ summary: 'Lunch' })
const DINNER = insert({ summary: 'Dinner' })
const WITH_BOB = insert({ id: 'lunch', summary: 'Lunch', attendees: [{ email: BOB }] })
const WITH_CAROL = insert({ id: 'lunch', summary: 'Lunch', attendees: [{ email: CAROL }] })
const remindersAt = (...some: [method: string, minutes: number][]) => ({
  useDefault: false,
  overrides: some.map(([method, minutes]) => ({ method, minutes })),
})
const TEAM: Act = ({ fake }) =>
  fake.seed({ calendars: [{ id: 'team@example.com', summary: 'Team', dataOwner: ALICE }] })
const SERIES = insert({ id: 'series', summary: 'Daily', recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] })
const instanceOf = (day: string) => `series_${day}`

/** The rows of `times`, for any matcher: `args` adds them to the arguments, and `act` makes one match. */
const countRows = <A extends unknown[]>(args: (times: ReceivedFilter['times']) => A, act: Act, setUp: Act[] = []) => {
  const after = (count: number) => [...setUp, ...times(count, act)]
  return [
    row(args(1), after(1), after(2)),
    row(args(1), after(1), after(10)),
    row(args(1), after(1), after(0)),
    row(args(2), after(2), after(1)),
    row(args(2), after(2), after(3)),
    row(args(0), after(0), after(1)),
    row(args({ min: 2 }), after(2), after(1)),
    row(args({ min: 2 }), after(5), after(0)),
    row(args({ max: 1 }), after(1), after(2)),
    row(args({ max: 1 }), after(0), after(10)),
    row(args({ max: 0 }), after(0), after(1)),
    row(args({ min: 1, max: 2 }), after(2), after(3)),
    row(args({ min: 1, max: 2 }), after(1), after(0)),
    row(args({ min: 1, max: 1 }), after(1), after(2)),
  ]
}

type ReceivedArgs = [method: string | string[], expected?: ExpectedCall, which?: ReceivedFilter]
const INSERT = 'events.insert'
const OFF = { sendUpdates: 'none' }
const failing =
  (by: string): Act =>
  async ({ as }) =>
    expect((await as(by).get('/calendars/none')).status).toBe(404)
const faulty: Act = ({ fake }) => fake.faults.add({ on: INSERT, do: { fail: 'backendError' } })
const failedInsert: Act = async ({ as }) =>
  expect(
    (await as(ALICE).post(pathOf('primary'), { summary: 'Lunch', ...allDay('2026-03-09', '2026-03-10') })).status,
  ).toBeGreaterThan(499)

const listByTool: Act = ({ fake }) => callerOf(fake, ALICE)('list_events')

const RECEIVED: Rows<ExpectedCall & ReceivedFilter & { method: 1; nested: 1 }, ReceivedArgs> = {
  method: [
    row([INSERT], [LUNCH], [list()]),
    row(['events.*'], [list()], [failing(ALICE)]),
    row([[INSERT, 'events.delete']], [LUNCH], [list()]),
    row(['*'], [list()], []),
  ],
  times: [
    ...countRows((times): ReceivedArgs => [INSERT, { body: { summary: 'Lunch' } }, { times }], LUNCH, [DINNER]),
    ...countRows((times): ReceivedArgs => [INSERT, undefined, { times }], LUNCH, [list()]),
    ...countRows(
      (times): ReceivedArgs => [INSERT, {}, { times, account: BOB }],
      insert({}, { by: BOB }),
      times(3, LUNCH),
    ),
  ],
  account: [
    row([INSERT, {}, { account: BOB }], [insert({}, { by: BOB })], [LUNCH]),
    row([INSERT, {}, { account: BOB, times: 0 }], [LUNCH], [insert({}, { by: BOB })]),
    row([INSERT, { account: BOB }], [insert({}, { by: BOB })], [LUNCH]),
  ],
  calendarId: [
    row(
      [INSERT, {}, { calendarId: 'team@example.com' }],
      [TEAM, insert({}, { calendarId: 'team@example.com' })],
      [TEAM, LUNCH],
    ),
    row([INSERT, {}, { calendarId: BOB, times: 0 }], [LUNCH], [insert({}, { by: BOB })]),
    row([INSERT, {}, { calendarId: ALICE }], [LUNCH], [insert({}, { by: BOB })]),
  ],
  params: [
    row(
      [INSERT, { params: { sendUpdates: 'all' } }],
      [insert({}, { query: '?sendUpdates=all' })],
      [insert({}, { query: '?sendUpdates=none' })],
    ),
    row([INSERT, { params: { ...OFF, calendarId: 'primary' } }], [insert({}, { query: '?sendUpdates=none' })], [LUNCH]),
    row(
      ['events.list', { params: { maxResults: 5 } }],
      [list(ALICE, '?maxResults=5')],
      [list(ALICE, '?maxResults=50')],
    ),
  ],
  body: [
    row([INSERT, { body: { summary: 'Lunch' } }], [LUNCH], [DINNER]),
    row([INSERT, { body: { location: null } }], [LUNCH], [insert({ location: 'Here' })]),
  ],
  nested: [
    row([INSERT, { body: { attendees: [{ email: BOB }] } }], [WITH_BOB], [WITH_CAROL]),
    row(
      [INSERT, { body: { attendees: [{ email: BOB, optional: true }] } }],
      [insert({ attendees: [{ email: BOB, optional: true }] })],
      [WITH_BOB],
    ),
    row(
      [INSERT, { body: { attendees: [{ email: BOB }, { email: CAROL }] } }],
      [insert({ attendees: [{ email: CAROL }, { email: BOB }] })],
      [WITH_BOB],
    ),
    row([INSERT, { body: { attendees: [] } }], [LUNCH], [WITH_BOB]),
    row(
      [INSERT, { body: { reminders: { overrides: [{ method: 'email', minutes: 60 }] } } }],
      [insert({ reminders: remindersAt(['popup', 5], ['email', 60]) })],
      [insert({ reminders: remindersAt(['popup', 60], ['email', 5]) })],
    ),
    row([INSERT, { body: { summary: { contains: 'unc' } } }], [LUNCH], [DINNER]),
    row([INSERT, { body: { summary: { startsWith: 'Lun' } } }], [LUNCH], [insert({ summary: 'A Lunch' })]),
    row([INSERT, { body: { summary: { endsWith: 'nch' } } }], [LUNCH], [insert({ summary: 'Lunches' })]),
    row([INSERT, { body: { summary: { matches: '^L.*h$' } } }], [LUNCH], [insert({ summary: 'Lunches' })]),
    row([INSERT, { body: { start: { date: '2026-03-09' } } }], [LUNCH], [insert(allDay('2026-03-08', '2026-03-10'))]),
  ],
  client: [row(['events.list', { client: null }], [list()], [])],
  verb: [row(['*', { verb: 'POST' }], [LUNCH], [list()])],
  path: [row(['*', { path: { endsWith: 'none' } }], [failing(ALICE)], [list()])],
  status: [row(['*', { status: 404 }], [failing(ALICE)], [list()])],
  reason: [row(['*', { reason: 'notFound' }], [failing(ALICE)], [list()])],
  response: [row([INSERT, { response: { summary: 'Lunch' } }], [LUNCH], [DINNER])],
  fault: [row([INSERT, { fault: { contains: 'fault' } }], [faulty, failedInsert], [LUNCH])],
  batch: [row(['events.list', { batch: null }], [list()], [])],
  toolCall: [row(['events.list', { toolCall: null }], [list()], [listByTool])],
  hints: [row(['*', { hints: [] }], [list()], [])],
}

type EventArgs = [expected: object, which?: ReceivedFilter]
const EVENT: Rows<ReceivedFilter & { fields: 1; nested: 1; copies: 1; cancelled: 1; series: 1 }, EventArgs> = {
  fields: [
    row([{ summary: 'Lunch' }], [LUNCH], [DINNER]),
    row([{}], [LUNCH], []),
    row([{ summary: 'Lunch', location: null }], [LUNCH], [insert({ summary: 'Lunch', location: 'Here' })]),
  ],
  times: [
    ...countRows((times): EventArgs => [{ summary: 'Lunch' }, { times }], LUNCH, [DINNER]),
    ...countRows(
      (times): EventArgs => [{ summary: 'Lunch' }, { times, account: ALICE }],
      LUNCH,
      times(2, insert({ summary: 'Lunch' }, { by: BOB })),
    ),
    ...countRows((times): EventArgs => [{}, { times }], LUNCH),
  ],
  account: [
    row([{ summary: 'Lunch' }, { account: ALICE }], [LUNCH], [insert({ summary: 'Lunch' }, { by: BOB })]),
    row([{ summary: 'Lunch' }, { account: BOB, times: 0 }], [LUNCH], [insert({ summary: 'Lunch' }, { by: BOB })]),
    row([{}, { account: 'Alice@Example.com' }], [LUNCH], [insert({}, { by: BOB })]),
  ],
  calendarId: [
    row(
      [{}, { calendarId: 'team@example.com' }],
      [TEAM, insert({}, { calendarId: 'team@example.com' })],
      [TEAM, LUNCH],
    ),
    row([{}, { calendarId: ALICE, times: 1 }], [LUNCH], [TEAM, insert({}, { calendarId: 'team@example.com' })]),
    row([{}, { calendarId: 'primary', account: BOB }], [insert({}, { by: BOB })], [LUNCH]),
  ],
  nested: [
    row([{ attendees: [{ email: BOB }] }], [WITH_BOB], [WITH_CAROL]),
    row(
      [{ attendees: [{ email: BOB, responseStatus: 'accepted' }] }, { account: ALICE }],
      [WITH_BOB, patch('lunch', { attendees: [{ email: BOB, responseStatus: 'accepted' }] }, BOB)],
      [WITH_BOB],
    ),
    row([{ summary: { contains: 'unc' } }], [LUNCH], [DINNER]),
    row([{ summary: /^L/ }], [LUNCH], [DINNER]),
    row([{ summary: expect.stringMatching('nch$') }], [LUNCH], [DINNER]),
    row(
      [{ start: { dateTime: new Date('2026-03-09T16:00:00Z') } }],
      [insert(hour('2026-03-09', 12))],
      [insert(hour('2026-03-09', 13))],
    ),
  ],
  copies: [
    row([{ summary: 'Lunch' }, { times: 1 }], [WITH_BOB], [WITH_BOB, LUNCH]),
    row([{ summary: 'Lunch' }, { account: BOB, times: 1 }], [WITH_BOB], [WITH_CAROL]),
    row(
      [{ summary: 'Lunch' }, { calendarId: BOB, times: 1 }],
      [WITH_BOB],
      [WITH_BOB, insert({ summary: 'Lunch' }, { by: BOB })],
    ),
  ],
  cancelled: [
    row([{ summary: 'Lunch' }], [WITH_BOB], [WITH_BOB, cancel('lunch')]),
    row([{ summary: 'Lunch' }, { times: 0 }], [WITH_BOB, cancel('lunch')], [WITH_BOB]),
    row([{ summary: 'Lunch' }, { times: 1 }], [WITH_BOB, cancel('lunch'), LUNCH], [WITH_BOB, LUNCH]),
  ],
  series: [
    row([{ summary: 'Daily' }, { times: 1 }], [SERIES], [SERIES, patch(instanceOf('20260310'), { location: 'Here' })]),
    row([{ recurrence: ['RRULE:FREQ=DAILY;COUNT=3'] }, { times: 1 }], [SERIES], [LUNCH]),
    row(
      [{ recurringEventId: 'series' }, { times: 1 }],
      [SERIES, patch(instanceOf('20260310'), { location: 'Here' })],
      [SERIES],
    ),
    row(
      [{ recurringEventId: 'series' }, { times: 0 }],
      [SERIES, cancel(instanceOf('20260310'))],
      [SERIES, patch(instanceOf('20260310'), { location: 'Here' })],
    ),
  ],
}

type SentArgs = [mail: ExpectedMail, which?: Pick<ReceivedFilter, 'times'>]
const invite = (email: string, more: object = {}) =>
  insert({ summary: 'Lunch', attendees: [{ email }], ...more }, { query: '?sendUpdates=all' })
const quiet = insert({ summary: 'Lunch', attendees: [{ email: BOB }] }, { query: '?sendUpdates=none' })
const reply = [
  invite(BOB, { id: 'lunch' }),
  async ({ as }: Opened) =>
    expect(
      (
        await as(BOB).patch(`${pathOf('primary')}/lunch?sendUpdates=all`, {
          attendees: [{ email: BOB, responseStatus: 'accepted' }],
        })
      ).status,
    ).toBe(200),
]
const agenda: Act = async ({ fake, as }) => {
  expect(
    (
      await as(ALICE).patch('/users/me/calendarList/primary', {
        notificationSettings: { notifications: [{ type: 'agenda', method: 'email' }] },
      })
    ).status,
  ).toBe(200)
  fake.clock.advance('24h')
}
const moved = hour('2026-03-09', 13)
const SENT: Rows<ExpectedMail & Pick<ReceivedFilter, 'times'>, SentArgs> = {
  times: countRows((times): SentArgs => [{ to: BOB }, { times }], invite(BOB), [invite(CAROL)]),
  to: [row([{ to: BOB }], [invite(BOB)], [invite(CAROL)]), row([{ to: BOB }], [invite(BOB)], [quiet])],
  from: [
    row(
      [{ from: ALICE }],
      [invite(BOB)],
      [insert({ attendees: [{ email: CAROL }] }, { by: BOB, query: '?sendUpdates=all' })],
    ),
  ],
  id: [row([{ id: 2, to: CAROL }], [invite(BOB), invite(CAROL)], [invite(CAROL)])],
  start: [row([{ start: { dateTime: '2026-03-09T17:00:00Z' } }], [invite(BOB, moved)], [invite(BOB)])],
  end: [row([{ end: { dateTime: new Date('2026-03-09T18:00:00Z') } }], [invite(BOB, moved)], [invite(BOB)])],
  location: [row([{ location: 'Roof' }], [invite(BOB, { location: 'Roof' })], [invite(BOB)])],
  kind: [
    row([{ to: ALICE, kind: 'eventResponse' }], reply, reply.slice(0, 1)),
    row([{ kind: 'eventCreation' }], [invite(BOB)], [quiet]),
  ],
  calendarId: [row([{ calendarId: ALICE }], [invite(BOB)], [quiet])],
  eventId: [row([{ eventId: 'lunch' }], [invite(BOB, { id: 'lunch' })], [invite(BOB)])],
  summary: [row([{ summary: /^Lun/ }], [invite(BOB)], [invite(BOB, { summary: 'Dinner' })])],
  responseStatus: [row([{ responseStatus: 'accepted' }], reply, reply.slice(0, 1))],
  events: [
    row(
      [{ events: [{ summary: 'Lunch' }] }],
      [insert({ summary: 'Lunch', ...allDay('2026-03-02', '2026-03-03') }), agenda],
      [insert({ summary: 'Dinner', ...allDay('2026-03-02', '2026-03-03') }), agenda],
    ),
  ],
  sentAt: [row([{ sentAt: NOW }], [invite(BOB)], [({ fake }) => fake.clock.advance('1h'), invite(BOB)])],
}

type ChangedArgs = [expected: ExpectedChange[]]
const ADDED: ExpectedChange = { change: 'added', kind: 'event' }
const titled = (title: string, more: ExpectedChange = {}): ExpectedChange => ({
  ...ADDED,
  where: { summary: title },
  ...more,
})
const CHANGED: Rows<ExpectedChange & { claims: 1; rest: 1; copies: 1 }, ChangedArgs> = {
  change: [
    row([[{ change: 'added' }]], [LUNCH], [LUNCH, DINNER]),
    row([[{ change: 'added' }]], [LUNCH], [WITH_BOB, cancel('lunch')]),
  ],
  kind: [
    row(
      [
        [
          { kind: 'event' },
          { kind: 'calendar', times: { min: 0 } },
          { kind: 'calendarList', times: { min: 0 } },
          { kind: 'acl', times: { min: 0 } },
        ],
      ],
      [TEAM, LUNCH],
      [TEAM],
    ),
  ],
  account: [row([[{ account: ALICE }]], [LUNCH], [insert({}, { by: BOB })])],
  calendarId: [row([[{ calendarId: ALICE }]], [LUNCH], [insert({}, { by: BOB })])],
  id: [row([[{ id: 'lunch' }]], [WITH_BOB], [LUNCH])],
  title: [row([[{ title: 'Lunch' }]], [LUNCH], [DINNER]), row([[{ title: { endsWith: 'ch' } }]], [LUNCH], [DINNER])],
  where: [
    row([[titled('Lunch')]], [LUNCH], [DINNER]),
    row([[{ where: { attendees: [{ email: BOB }] } }]], [WITH_BOB], [WITH_CAROL]),
  ],
  fields: [
    row([[{ fields: { summary: 'Lunch' } }]], [LUNCH], [DINNER]),
    row([[{ fields: { summary: [null, 'Lunch'] } }]], [LUNCH], [DINNER]),
  ],
  times: [
    ...countRows((times): ChangedArgs => [[{ ...ADDED, times }]], LUNCH),
    ...countRows((times): ChangedArgs => [[titled('Lunch', { times }), titled('Dinner')]], LUNCH, [DINNER]),
  ],
  claims: [
    row([[titled('Lunch'), titled('Lunch')]], [LUNCH, LUNCH], [LUNCH]),
    row([[ADDED, titled('Lunch')]], [LUNCH, DINNER], [LUNCH]),
    row([[ADDED, titled('Lunch')]], [LUNCH, LUNCH], [DINNER, DINNER]),
    row([[titled('Lunch', { times: 0 }), { times: { min: 0 } }]], [DINNER], [DINNER, LUNCH]),
  ],
  rest: [row([[]], [list()], [LUNCH]), row([[titled('Lunch')]], [LUNCH], [LUNCH, DINNER])],
  copies: [row([[titled('Lunch')]], [WITH_BOB], [WITH_BOB, insert({ summary: 'Lunch' }, { by: BOB })])],
}

/** Opens a world in which something was done. */
async function openWorld(acts: readonly Act[]): Promise<Opened> {
  const opened = openCalendar()
  for (const act of acts) await act(opened)
  return opened
}

/** Ways to make the assertion of a row. Each passes or fails with a VerificationError. */
type Surface<A extends unknown[]> = {
  name: string
  run(opened: Opened, ...args: A): unknown
  canRun?(...args: A): boolean
}

/** Returns true if an assertion passes, and false if it fails. Any other error is thrown. */
async function isVerified(
  act: () => unknown,
  isFailure: (error: unknown) => boolean = (error) => error instanceof VerificationError,
): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (isFailure(error)) return false
    throw error
  }
}

/** A matcher fails with the error of the runner, whose message it gives. */
const isMatcherError = (error: unknown) => !(error instanceof TypeError || error instanceof RangeError)
const remote = ({ fake }: Opened) =>
  connect('http://fake-calendar.localhost', { fetch: (input, init) => fake.fetch(input as string, init) })
const post = async ({ anonymous }: Opened, path: string, body: object) => {
  const { status } = await anonymous.post(`/_control${path}`, body)
  expect([200, 417]).toContain(status)
  if (status === 417) throw new VerificationError('417')
}
/** Returns true if JSON can represent the arguments. */
const isJson = (...args: unknown[]): boolean =>
  JSON.stringify(args) ===
  JSON.stringify(args, (_, value) => (value instanceof RegExp || value?.asymmetricMatch ? 'none' : value))

const TABLES = {
  toHaveReceived: {
    rows: RECEIVED,
    surfaces: [
      { name: 'assertReceived', run: ({ fake }, ...args) => assertReceived(fake, ...args) },
      { name: 'calls.verify', run: ({ fake }, ...args) => fake.calls.verify(...args) },
      {
        name: 'HTTP',
        run: (opened, method, where = {}, which = {}) => post(opened, '/calls/verify', { method, where, ...which }),
      },
      { name: 'connect', run: (opened, ...args) => remote(opened).calls.verify(...args) },
    ] satisfies Surface<ReceivedArgs>[],
  },
  toHaveEvent: {
    rows: EVENT,
    surfaces: [
      { name: 'assertEvent', run: ({ fake }, ...args) => assertEvent(fake, ...args) },
    ] satisfies Surface<EventArgs>[],
  },
  toHaveSent: {
    rows: SENT,
    surfaces: [
      { name: 'assertSent', run: ({ fake }, ...args) => assertSent(fake, ...args) },
    ] satisfies Surface<SentArgs>[],
  },
  toHaveChanged: {
    rows: CHANGED,
    surfaces: [
      { name: 'assertChanged', run: ({ fake }, ...args) => assertChanged(fake, ...args) },
      { name: 'diff.verify', run: ({ fake }, expected) => fake.diff().verify(expected) },
      { name: 'HTTP', run: (opened, expected) => post(opened, '/diff/verify', { expected }) },
      { name: 'connect', run: async (opened, expected) => (await remote(opened).diff()).verify(expected) },
    ] satisfies Surface<ChangedArgs>[],
  },
} satisfies Record<keyof WorldMatchers, { rows: object; surfaces: readonly object[] }>

type AnyTable = { rows: Record<string, readonly Row<unknown[]>[]>; surfaces: readonly Surface<unknown[]>[] }

describe.each(Object.entries(TABLES as unknown as Record<keyof WorldMatchers, AnyTable>))('%s', (matcher, { rows, surfaces }) => {
  const cases = Object.entries(rows).flatMap(([option, some]) => some.map((one, at) => ({ option, at, one })))

  test.each(cases)('$option $at passes in one world and fails in the nearest', async ({ one: { args, holds, fails } }) => {
    for (const [acts, verdict] of [[holds, true], [fails, false]] as const) {
      const opened = await openWorld(acts)
      const world = expect(opened.fake) as unknown as Record<string, (...args: unknown[]) => unknown> & { not: Record<string, (...args: unknown[]) => unknown> }
      const verdicts: Record<string, boolean> = {}
      verdicts[matcher] = await isVerified(() => world[matcher]?.(...args), isMatcherError)
      verdicts.not = !(await isVerified(() => world.not[matcher]?.(...args), isMatcherError))
      for (const { name, run } of surfaces)
        if (!['HTTP', 'connect'].includes(name) || isJson(...args)) verdicts[name] = await isVerified(() => run(opened, ...args))
      expect(verdicts).toEqual(Object.fromEntries(Object.keys(verdicts).map((name) => [name, verdict])))
    }
  })
}) // biome-ignore format: a table

type FaultRow = { fault: Fault; holds: number; fails: number }
const FAIL = { fail: 'backendError' } as const
/** The number of inserts after which the faults are verified, and the nearest one after which they are not. */
const FAULTS: { readonly [N in keyof Required<Fault>]: readonly FaultRow[] } = {
  on: [{ fault: { on: INSERT, do: FAIL }, holds: 1, fails: 0 }],
  account: [{ fault: { on: INSERT, account: ALICE, do: FAIL }, holds: 1, fails: 0 }],
  calendarId: [{ fault: { on: INSERT, calendarId: ALICE, do: FAIL }, holds: 1, fails: 0 }],
  where: [{ fault: { on: INSERT, where: { body: { summary: { startsWith: 'L' } } }, do: FAIL }, holds: 1, fails: 0 }],
  skip: [{ fault: { on: INSERT, skip: 1, do: FAIL }, holds: 2, fails: 1 }],
  times: [{ fault: { on: INSERT, times: 3, do: FAIL }, holds: 3, fails: 2 }, { fault: { on: INSERT, times: 'always', do: FAIL }, holds: 1, fails: 0 }],
  every: [{ fault: { on: INSERT, every: 2, do: FAIL }, holds: 2, fails: 1 }],
  until: [{ fault: { on: INSERT, until: '2026-03-01T13:00:00Z', do: FAIL }, holds: 1, fails: 0 }],
  for: [{ fault: { on: INSERT, for: '1h', do: FAIL }, holds: 1, fails: 0 }],
  probability: [],
  optional: [],
  do: [{ fault: { on: INSERT, do: [FAIL, FAIL] }, holds: 2, fails: 1 }],
} // biome-ignore format: a table

const insertBy =
  (by: string): Act =>
  async ({ as }) =>
    (await as(by).post(pathOf('primary'), { summary: 'Lunch', ...allDay('2026-03-09', '2026-03-10') })).status
const tryInsert = insertBy(ALICE)

test.each(Object.entries(FAULTS).flatMap(([option, rows]) => rows.map((one) => ({ option, ...one }))))(
  'faults.verify passes only after a fault with $option fired as planned',
  async ({ fault, holds, fails }) => {
    for (const [count, verdict] of [[holds, true], [fails, false]] as const) {
      const opened = await openWorld([({ fake }) => fake.faults.add(fault), ...times(count, tryInsert)])
      const { status } = await opened.anonymous.get('/_control/faults/verify')
      expect({
        process: await isVerified(() => opened.fake.faults.verify()),
        http: status === 200,
        connect: await isVerified(() => remote(opened).faults.verify()),
      }).toEqual({ process: verdict, http: verdict, connect: verdict })
    }
  },
) // biome-ignore format: a table

test.each([{ optional: true as const }, { probability: 0 }])('faults.verify passes for an unused fault with %j', async (more) => {
  const { fake } = await openWorld([({ fake }) => fake.faults.add({ on: INSERT, do: FAIL, ...more })])
  fake.faults.verify()
}) // biome-ignore format: one line

const isTimeout = (error: unknown) => /in time/.test(String(error))
type UntilOptions = Required<NonNullable<Parameters<Opened['fake']['calls']['until']>[2]>>
const UNTIL: { readonly [N in Exclude<keyof UntilOptions, 'timeout'> | 'count']: readonly Row<[number, object]>[] } = {
  count: [row([2, {}], times(2, LUNCH), [LUNCH]), row([1, {}], [LUNCH], [list()])],
  account: [row([1, { account: BOB }], [insert({}, { by: BOB })], [LUNCH])],
  calendarId: [row([1, { calendarId: ALICE }], [LUNCH], [insert({}, { by: BOB })])],
  where: [row([2, { where: { body: { summary: 'Lunch' } } }], [LUNCH, LUNCH], [LUNCH, DINNER])],
}

test.each(Object.entries(UNTIL).flatMap(([option, rows]) => rows.map((one) => ({ option, one }))))(
  'calls.until resolves only with enough calls of the $option',
  async ({ one: { args: [count, which], holds, fails } }) => {
    for (const [acts, verdict] of [[holds, true], [fails, false]] as const) {
      const opened = await openWorld(acts)
      const wait = { ...which, timeout: 0 }
      expect({
        process: await isVerified(() => opened.fake.calls.until(INSERT, count, wait), isTimeout),
        connect: await isVerified(() => remote(opened).calls.until(INSERT, count, wait), isTimeout),
      }).toEqual({ process: verdict, connect: verdict })
    }
  },
) // biome-ignore format: a table

type FaultUntilOptions = Required<NonNullable<Parameters<FaultHandle['until']>[1]>>
type FaultUntilRow = { more?: Partial<Fault>; count?: number; holds: readonly Act[]; fails: readonly Act[] }
const FAULT_UNTIL: { readonly [N in Exclude<keyof FaultUntilOptions, 'timeout'> | 'count' | 'fired']: readonly FaultUntilRow[] } = {
  count: [
    { holds: [tryInsert], fails: [] },
    { more: { times: 3 }, count: 2, holds: times(2, tryInsert), fails: [tryInsert] },
    { more: { times: 3 }, count: 3, holds: times(3, tryInsert), fails: times(2, tryInsert) },
  ],
  fired: [
    { holds: [tryInsert], fails: [list()] },
    { more: { account: BOB }, holds: [insertBy(BOB)], fails: [tryInsert] },
    { more: { skip: 1 }, holds: times(2, tryInsert), fails: [tryInsert] },
    { more: { every: 2, times: 2 }, count: 2, holds: times(4, tryInsert), fails: times(3, tryInsert) },
  ],
} // biome-ignore format: a table

test.each(Object.entries(FAULT_UNTIL).flatMap(([option, rows]) => rows.map((one) => ({ option, ...one }))))(
  'the until of a fault resolves only after it fired often enough ($option, $more)',
  async ({ more, count, holds, fails }) => {
    for (const [acts, verdict] of [[holds, true], [fails, false]] as const) {
      const opened = openCalendar()
      const fault = opened.fake.faults.add({ on: INSERT, do: FAIL, ...more })
      for (const act of acts) await act(opened)
      expect(await isVerified(() => fault.until(count, { timeout: 0 }), isTimeout)).toBe(verdict)
    }
  },
) // biome-ignore format: a table

type DeliveryOptions = Required<NonNullable<Parameters<Opened['fake']['notifications']['until']>[2]>>
const watch =
  (id: string, by = ALICE): Act =>
  async ({ as, fake }) => {
    fake.onNotification(() => 200)
    const body = { id, type: 'web_hook', address: 'https://hook.example.com/' }
    expect((await as(by).post(`${pathOf('primary')}/watch`, body)).status).toBe(200)
  }
const HOLD: Act = ({ fake }) => fake.notifications.hold('mine')
const RELEASE: Act = ({ fake }) => fake.notifications.release('mine')
const DELIVERED: { readonly [N in Exclude<keyof DeliveryOptions, 'timeout'> | 'count' | 'channelId' | 'delivered']: readonly Row<[string, number]>[] } = {
  count: [
    row(['mine', 1], [watch('mine')], [HOLD, watch('mine')]),
    row(['mine', 2], [watch('mine'), LUNCH], [watch('mine')]),
    row(['mine', 3], [watch('mine'), LUNCH, DINNER], [watch('mine'), LUNCH]),
  ],
  channelId: [
    row(['mine', 2], [watch('mine'), watch('bobs', BOB), LUNCH], [watch('mine'), watch('bobs', BOB), insert({}, { by: BOB })]),
  ],
  delivered: [row(['mine', 2], [watch('mine'), HOLD, LUNCH, RELEASE], [watch('mine'), HOLD, LUNCH])],
} // biome-ignore format: a table

test.each(Object.entries(DELIVERED).flatMap(([option, rows]) => rows.map((one) => ({ option, one }))))(
  'notifications.until resolves only with enough delivered messages ($option)',
  async ({ one: { args: [channelId, count], holds, fails } }) => {
    for (const [acts, verdict] of [[holds, true], [fails, false]] as const) {
      const opened = await openWorld(acts)
      await opened.fake.notifications.settled()
      const { status } = await opened.anonymous.post('/_control/notifications/until', { channelId, count, timeout: 0 })
      expect({
        process: await isVerified(() => opened.fake.notifications.until(channelId, count, { timeout: 0 }), isTimeout),
        http: status === 200,
        connect: await isVerified(() => remote(opened).notifications.until(channelId, count, { timeout: 0 }), isTimeout),
      }).toEqual({ process: verdict, http: verdict, connect: verdict })
    }
  },
) // biome-ignore format: a table

test('toHaveChanged since a moment ignores earlier changes', async () => {
  const { fake, as, anonymous } = await openWorld([LUNCH])
  const before = fake.snapshot()
  await DINNER({ fake, as, anonymous })
  expect(fake).toHaveChanged([titled('Dinner')], before)
  expect(() => expect(fake).toHaveChanged([titled('Dinner')])).toThrow('expected no other change')
})

test.each([{ min: 2, max: 1 }, -1, 1.5])('times %j is no number of matches', async (times) => {
  const { fake } = await openWorld([LUNCH])
  expect(() => assertEvent(fake, {}, { times })).toThrow(RangeError)
  expect(() => assertSent(fake, {}, { times })).toThrow(RangeError)
  expect(() => assertReceived(fake, INSERT, {}, { times })).toThrow(RangeError)
  expect(() => assertChanged(fake, [{ times }])).toThrow(RangeError)
})

test('primary in the filter of an event is the own calendar of any account, or of the account of the filter', async () => {
  const { fake, as } = openCalendar()
  const team = await as(ALICE).post('/calendars', { summary: 'Team' })
  const lunch = { summary: 'Lunch', ...allDay('2026-03-09', '2026-03-10') }
  for (const [by, id] of [
    [ALICE, 'primary'],
    [ALICE, team.body.id],
    [BOB, 'primary'],
  ])
    await as(by).post(pathOf(id), lunch)

  assertEvent(fake, { summary: 'Lunch' }, { times: 3 })
  assertEvent(fake, { summary: 'Lunch' }, { calendarId: 'primary', times: 2 })
  assertEvent(fake, { summary: 'Lunch' }, { calendarId: 'primary', account: BOB, times: 1 })
  assertEvent(fake, { summary: 'Lunch' }, { calendarId: team.body.id, account: BOB, times: 0 })
})

test('a negated matcher with times states that the number was found', async () => {
  const opened = openCalendar()
  await LUNCH(opened)

  expect(() => expect(opened.fake).not.toHaveEvent({ summary: 'Lunch' }, { times: 1 })).toThrow(
    'expected no such match, and found one',
  )
  expect(() => expect(opened.fake).not.toHaveEvent({ summary: 'Lunch' })).toThrow(
    /^expected no event with .*; there is 1 event:\n {2}"Lunch" of alice@example.com, 2026-03-09$/,
  )
})
