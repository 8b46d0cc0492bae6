import { expect, test } from 'vitest'
import { FUNCTIONS, OPERATIONS, REMOTE_ONLY } from '../../../src/control/operations/index.ts'
import { type AgentTask, type FakeCalendar, type OpenedAttempt, SeedError } from '../../../src/index.ts'
import { ALICE, BOB, errorOf, openCalendar } from '../../support/calendar.ts'
import { fillPath } from '../../support/fillPath.ts'

const rows = OPERATIONS.map((operation) => [operation.id, operation] as const)

/** Every function on a world, by its name: those of its parts as `clock.now`. */
const functionsOf = (part: object, within = ''): string[] =>
  namesIn(part).flatMap((name) => {
    const value: unknown = Reflect.get(part, name)
    if (typeof value === 'function') return [within + name, ...functionsOf(value, `${within}${name}.`)]
    if (name === 'app') return ['app.fetch'] // a Hono app; only this function is public
    return typeof value === 'object' && value !== null ? functionsOf(value, `${within}${name}.`) : []
  })

/** Returns the names in an object, with lazily created ones. */
function namesIn(part: object): string[] {
  const names: string[] = []
  for (const name in part) names.push(name)
  return names
}

/** Functions without a route: requests, sockets, transports and a receiver. */
const IN_PROCESS_ONLY = [
  ...['fetch', 'request', 'mcp', 'onNotification', 'run', 'ui'],
  ...['world', 'listen', 'evaluate', 'close'],
]

test('every in-process function is in the table, except those that need a process', () => {
  const { fake } = openCalendar()

  const inProcess = [...FUNCTIONS.keys()].filter((name) => !REMOTE_ONLY.includes(name))
  expect(functionsOf(fake).sort()).toEqual([...inProcess, ...IN_PROCESS_ONLY].sort())
  expect(functionsOf(fake.world('other')).sort()).toEqual(
    functionsOf(fake)
      .filter((name) => !['world', 'listen', 'evaluate', 'close'].includes(name))
      .sort(),
  )
})

test('ids and routes are unique', () => {
  for (const names of [OPERATIONS.map(({ id }) => id), OPERATIONS.map(routeOf)])
    expect(names).toEqual([...new Set(names)])
})

const routeOf = ({ verb, path }: { verb: string; path: string }) => `${verb} ${path}`

const openAttempt = (fake: FakeCalendar): Promise<OpenedAttempt> => {
  const { example } = OPERATIONS.find(({ id }) => id === 'control.attempts.open') ?? {}
  return fake.attempts.open((example as { task: AgentTask }).task)
}

test.each(rows)('the example of %s returns the documented result', async (_, operation) => {
  const { verb, result } = operation
  const { as, fake, anonymous } = openCalendar({ now: '2026-03-01T12:00:00Z' })
  const own = /attempts\.(?:grade|say)$/.test(operation.id) && (await openAttempt(fake))
  const given = 'example' in operation ? { ...(operation.example as object), ...(own && { id: own.id }) } : undefined
  const { path, left: example } = fillPath(operation.path, given)
  fake.onNotification(() => 200)
  const watch = { id: 'mine', type: 'web_hook', address: 'https://example.com/hook' }
  await as(ALICE).post('/calendars/primary/events/watch', watch)
  const day = { start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
  const guests = { attendees: [{ email: ALICE }, { email: BOB }] }
  for (let event = 0; event < 6; event++) {
    await as(ALICE).post('/calendars/primary/events?sendUpdates=all', { ...day, ...guests })
    await fake.notifications.settled()
  }
  fake.snapshot('before')
  fake.faults.add({ on: 'batch', optional: true, do: { hang: true } })

  const query = verb === 'GET' ? `?${new URLSearchParams(example as Record<string, string>)}` : ''
  const call = anonymous[verb.toLowerCase() as 'get']
  const { status, body } = await call(path + query, verb === 'GET' ? undefined : example)

  expect(status).toBe(200)
  if (!('rawResult' in operation)) expect(result.parse(body)).toEqual(body)
})

test('invalid input has the same message in process and by route', async () => {
  const { fake, anonymous } = openCalendar()
  const messageOf = async (path: string, body: unknown, verb: 'post' | 'put' = 'post') =>
    errorOf(await anonymous[verb](`/_control/${path}`, body)).message

  const pairs: [act: () => unknown, kind: new () => Error, there: string][] = [
    [() => fake.clock.set('noon'), RangeError, await messageOf('clock', { now: 'noon' }, 'put')],
    [() => fake.advance('soon'), RangeError, await messageOf('clock/advance', { by: 'soon' })],
    [() => fake.notifications.replay(99), RangeError, await messageOf('notifications/replay', { id: 99 })],
    [() => fake.notifications.drop({ times: 0 }), RangeError, await messageOf('notifications/drop', { times: 0 })],
    [() => fake.oauth.fail({ fail: 'rain' as never }), RangeError, await messageOf('oauth/fail', { fail: 'rain' })],
    [() => fake.oauth.revoke('alice'), RangeError, await messageOf('oauth/revoke', { account: 'alice' })],
    [
      () => fake.replace({ acounts: [] } as never),
      SeedError,
      'seed: there is no "acounts"; did you mean "accounts"? There are $schema, anchor, clock, conferences, accounts, groups, calendars, channels, mail, tokens, apiKeys, oauth, files',
    ],
    [() => fake.seed(fake.state()), SeedError, await messageOf('seed', fake.state())],
  ]
  for (const [act, kind, there] of pairs) {
    const error = thrown(act)
    expect(error).toBeInstanceOf(kind)
    expect(there).toContain(error.message)
  }
})

test('an error of invalid input names the field, in process and by route', async () => {
  const { fake, anonymous } = openCalendar()
  const where = { body: { summary: { matches: '(?=a)' } } }
  const effects = [{ status: 500 }, { status: 500, clock: 'world' }]
  const cases: [field: string, act: () => unknown, path: string, body: object][] = [
    ['do[1].clock', () => fake.faults.add({ on: '*', do: effects as never }), 'faults', { on: '*', do: effects }],
    ['do', () => fake.faults.add({ on: '*', do: {} as never }), 'faults', { on: '*', do: {} }],
    ['method', () => fake.calls.verify('events.isnert'), 'calls/verify', { method: 'events.isnert' }],
    ['where.body.summary.matches', () => fake.calls.verify('*', where), 'calls/verify', { method: '*', where }],
    ['id', () => fake.notifications.replay(99), 'notifications/replay', { id: 99 }],
  ]
  for (const [field, act, path, body] of cases) {
    const { message } = errorOf(await anonymous.post(`/_control/${path}`, body))

    expect(message).toMatch(new RegExp(`^Invalid value for: ${field.replace(/\W/g, '\\$&')}: (?!where)`))
    expect(`Invalid value for: ${thrown(act).message}`).toBe(message)
  }
})

test('an error in an expected change names the change', async () => {
  const { anonymous } = openCalendar()
  const expected = [{ kind: 'event' }, { where: { summary: { matches: '(' } } }]

  const { message } = errorOf(await anonymous.post('/_control/diff/verify', { expected }))

  expect(message).toMatch(/^Invalid value for: expected\[1\]\.where\.summary\.matches: /)
})

function thrown(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

test('values passed in process are copied', () => {
  const { fake } = openCalendar()
  const [account] = fake.state().accounts ?? []
  Object.assign(account ?? {}, { displayName: 'Somebody else' })
  fake.oauth.fail({ fail: 'denied' })
  fake.oauth.state().failures?.pop()

  expect(fake.state().accounts?.[0]).not.toHaveProperty('displayName')
  expect(fake.oauth.state().failures).toEqual([{ fail: 'denied' }])
})
