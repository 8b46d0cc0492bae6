import { expect, test } from 'vitest'
import { type Agent, type AgentTask, createFakeCalendar } from '../../src/index.ts'

const ALICE = 'alice@example.com'
const EVENTS = '/calendar/v3/calendars/primary/events'
const lunchOn = (day: number, summary = 'Lunch') => ({
  summary,
  start: { dateTime: `2030-03-0${day}T12:00:00+01:00` },
  end: { dateTime: `2030-03-0${day}T13:00:00+01:00` },
})
const task: AgentTask = {
  name: 'Book two lunches',
  level: 1,
  seed: { accounts: [{ email: ALICE, timeZone: 'Europe/Berlin' }, { email: 'bob@example.com' }] },
  now: '2030-03-04T08:00:00Z',
  account: ALICE,
  prompt: 'Book lunch on Monday and on Tuesday.',
  goal: {
    do: [4, 5].map((day) => ({ 'POST /calendars/primary/events': lunchOn(day) })),
    say: 'I have booked it.',
    weight: { 1: 3, say: 0, unexpected: 1 },
  },
  budget: 3,
}

const insert =
  (...events: object[]): Agent =>
  async ({ fetch }) => {
    const headers = { 'Content-Type': 'application/json' }
    for (const event of events) await fetch(EVENTS, { method: 'POST', headers, body: JSON.stringify(event) })
    return 'I have booked it.'
  }

test.each([
  ['both', insert(lunchOn(4), lunchOn(5)), { passed: true, score: 1, missing: 0, unexpected: 0 }],
  ['the first', insert(lunchOn(4)), { passed: false, score: 0.75, missing: 1, unexpected: 0 }],
  ['nothing', insert(), { passed: false, score: 0, missing: 2, unexpected: 0 }],
  ['one more', insert(lunchOn(4), lunchOn(5), lunchOn(6)), { passed: false, score: 0.75, missing: 0, unexpected: 1 }],
  [
    'both, without a word',
    (attempt) => void insert(lunchOn(4), lunchOn(5))(attempt),
    { passed: false, score: 0, missing: 3, unexpected: 0 },
  ],
] as [string, Agent, object][])('an agent that books %s gets its score', async (_, agent, expected) => {
  const fake = createFakeCalendar()
  const { passed, score, missing, unexpected } = await fake.evaluate(task, agent)

  expect({ passed, score, missing: missing.length, unexpected: unexpected.length }).toEqual(expected)
})

test('the result names what is missing and what is unexpected, with fields and weights', async () => {
  const fake = createFakeCalendar()
  const result = await fake.evaluate(
    task,
    insert(lunchOn(4), { ...lunchOn(5), location: 'Room 1' }, lunchOn(7, 'Party')),
  )

  expect(result).toMatchObject({
    ...{ task: 'Book two lunches', attempt: 1, passed: false, score: 0.5 },
    ...{ calls: 3, errors: 0, answer: 'I have booked it.', missing: [] },
    world: expect.stringMatching(/^book-two-lunches-1-[\w-]{8}$/),
    unexpected: [
      {
        ...{ what: 'field', title: 'Lunch', field: 'location', expected: null, actual: 'Room 1', weight: 1 },
        text: 'event "Lunch" of alice@example.com: location: expected none, got "Room 1"',
      },
      {
        what: 'change',
        title: 'Party',
        weight: 1,
        text: expect.stringMatching(/^event "Party" of alice@example.com: added: /),
      },
    ],
  })
  expect(fake.world(result.world).clock.state()).toMatchObject({ mode: 'frozen' })
})

test('an exceeded budget is unexpected', async () => {
  const result = await createFakeCalendar().evaluate({ ...task, budget: 1 }, insert(lunchOn(4), lunchOn(5)))

  expect(result).toMatchObject({
    passed: false,
    score: 0.75,
    unexpected: [{ what: 'budget', text: '2 calls; the budget is 1' }],
  })
})

test('an agent that throws or takes too long has a result', async () => {
  const fake = createFakeCalendar()
  const broken = await fake.evaluate(task, () => {
    throw new Error('no model')
  })
  const slow = await fake.evaluate(
    { ...task, timeout: 1 },
    ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)),
  )

  expect(broken).toMatchObject({ passed: false, score: 0, attempt: 1 })
  expect(broken.missing[0]?.text).toBe('the agent failed: no model')
  expect(slow).toMatchObject({ passed: false, score: 0, attempt: 2 })
  expect(slow.missing[0]?.text).toBe('the agent failed: no end after 0.001 s')
})

test.each([
  ['rejects with a text', () => Promise.reject('no key'), 'no key'],
  ['throws what cannot be converted', () => Promise.reject(Object.create(null)), 'it threw a value that is no text'],
  ['returns a function', () => () => 1, 'it returned a value that is no text (function)'],
  [
    'returns a circular object',
    () => {
      const one: { own?: object } = {}
      one.own = one
      return one
    },
    'it returned a value that is no text (object)',
  ],
] as [string, Agent, string][])('an agent that %s has failed with weight 1', async (_, agent, problem) => {
  const goal = { do: [] }
  const { passed, score, missing } = await createFakeCalendar().evaluate({ ...task, goal }, agent)

  expect({ passed, score }).toEqual({ passed: false, score: 0 })
  expect(missing).toEqual([{ what: 'failure', text: `the agent failed: ${problem}`, weight: 1 }])
})

test('an agent that blocks the process past its time has taken too long', async () => {
  const { missing } = await createFakeCalendar().evaluate({ ...task, timeout: 1 }, () => {
    for (const until = performance.now() + 5; performance.now() < until; );
    return 'I have booked it.'
  })

  expect(missing.map(({ text }) => text)).toContain('the agent failed: no end after 0.001 s')
})

test('a call that claims to be of the inspector is counted', async () => {
  const fake = createFakeCalendar()
  const { calls } = await fake.evaluate(task, async ({ fetch }) => {
    await fetch('/calendar/v3/users/me/calendarList', { headers: { 'X-Fake-Calendar-Inspector': '1' } })
  })

  expect(calls).toBe(1)
})

test.each([0, 1])('a journal of %i entries does not hide calls, errors and an exceeded budget', async (journal) => {
  const fake = createFakeCalendar({ journal })
  const result = await fake.evaluate({ ...task, budget: 1 }, async ({ fetch, world }) => {
    for (const id of ['primary', 'primary', 'missing', 'missing', 'primary'])
      await fetch(`/calendar/v3/calendars/${id}/events`)
    if (journal > 0) fake.world(world).calls.clear()
  })

  expect(result).toMatchObject({ calls: 5, errors: 2, unexpected: [{ text: '5 calls; the budget is 1' }] })
})

test('calls of tools count once, and their errors too', async () => {
  const fake = createFakeCalendar()
  const { calls, errors } = await fake.evaluate(task, async ({ mcp, fetch }) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const call = (name: string, given: object) => {
      const params = { name, arguments: given }
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
      return fetch(mcp, { method: 'POST', headers, body })
    }
    await call('list_events', {})
    await call('get_event', { eventId: 'missing' })
  })

  expect({ calls, errors }).toEqual({ calls: 2, errors: 1 })
})

test('a batch counts by its parts; discovery and a request of MCP without a tool do not count', async () => {
  const fake = createFakeCalendar()
  const { calls, errors } = await fake.evaluate(task, async ({ fetch, mcp }) => {
    await fetch('/discovery/v1/apis/calendar/v3/rest')
    const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    await fetch(mcp, { method: 'POST', headers: json, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) })
    const parts = ['primary', 'missing'].map((id) => `--b\r\n\r\nGET /calendar/v3/calendars/${id} HTTP/1.1\r\n\r\n\r\n`)
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' }
    await fetch('/batch/calendar/v3', { method: 'POST', headers, body: `${parts.join('')}--b--` })
  })

  expect({ calls, errors }).toEqual({ calls: 2, errors: 1 })
})

test('the faults and the quota of a task hold in its world alone', async () => {
  const fake = createFakeCalendar()
  const statuses: number[] = []
  const limited: AgentTask = {
    ...task,
    account: 'Alice@Example.com',
    faults: [{ on: 'events.list', do: { fail: 'backendError' } }],
    quota: { perMinute: 2 },
  }
  const { errors } = await fake.evaluate(limited, async ({ fetch }) => {
    for (let sent = 0; sent < 4; sent++) statuses.push((await fetch(EVENTS)).status)
  })

  expect({ statuses, errors }).toEqual({ statuses: [500, 200, 200, 403], errors: 2 })
  expect([fake.faults.list(), fake.quota.state().limits]).toEqual([[], null])
})

test.each([true, false])(
  'the token of an attempt is of its account, and its world accepts no other (strict: %s)',
  async (strict) => {
    const fake = createFakeCalendar({ strict })
    const seen: unknown[] = []
    await fake.evaluate({ ...task, account: 'Bob@Example.com' }, async ({ fetch }) => {
      const primary = '/calendar/v3/calendars/primary'
      const own = (await (await fetch(primary)).json()) as { id?: string }
      const other = await fetch(primary, { headers: { Authorization: `Bearer ${ALICE}` } })
      seen.push(own.id, other.status)
    })

    expect(seen).toEqual(['bob@example.com', 401])
  },
)

test('a declined approval refuses tools that write, and no others', async () => {
  const fake = createFakeCalendar()
  const declined: AgentTask = { ...task, approval: 'declined', goal: { do: [], say: { has: 'did not allow' } } }
  const result = await fake.evaluate(declined, async ({ mcp, fetch }) => {
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
    const call = async (name: string, given: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } })
      return (await fetch(mcp, { method: 'POST', headers, body })).text()
    }
    const read = await call('list_events', {})
    const times = { startTime: '2030-03-04T12:00:00Z', endTime: '2030-03-04T13:00:00Z' }
    return `${read.includes('isError')} ${await call('create_event', { summary: 'Lunch', ...times })}`
  })

  expect(result).toMatchObject({ passed: true, answer: expect.stringMatching(/^false .*did not allow/) })
})

test.each([
  [{ ...task, goal: {} }, 'goal.do'],
  [
    { ...task, goal: { do: ['FETCH /x'] } },
    'goal.do[0]: give a tool with its arguments, or a request such as POST /calendars',
  ],
  [
    { ...task, goal: { do: [{ create_evnt: {} }] } },
    'goal.do[0]: there is no "create_evnt"; did you mean "create_event"?',
  ],
  [
    { ...task, goal: { do: ['DELETE /calendars/primary/events/{{1.id}}'] } },
    'goal.do[0]: {{1…}} is not the reply of an earlier step',
  ],
  [
    { ...task, goal: { do: ['DELETE /calendars/primary/events/missing'] } },
    'goal.do: step 1: DELETE /calendars/primary/events/missing: Not Found',
  ],
  [{ ...task, goal: { do: [], free: ['sumary'] } }, 'goal.free: there is no "sumary"; did you mean "summary"?'],
  [
    { ...task, goal: { do: [], free: { end: { between: ['2030-06-06', '2030-06-07'] } } } },
    'goal.free.end: only start has between, lasts and clear',
  ],
  [
    { ...task, goal: { do: [], free: { start: { between: ['noon', '2030-06-07'] } } } },
    'goal.free.start.between[0]: give a time such as 2030-06-06T09:00',
  ],
  [
    { ...task, goal: { do: [], free: { summary: { matches: '(' } } } },
    'goal.free.summary.matches: "(" is not a valid RE2 pattern',
  ],
  [
    { ...task, goal: { do: [], calls: { 'event.delete': 0 } } },
    'goal.calls.event.delete: there is no method "event.delete"',
  ],
  [{ ...task, goal: { do: [], weight: { 1: 2 } } }, 'goal.weight: there is no "1"'],
  [{ ...task, goal: { do: [], attack: { mail: { too: 'x' } } } }, 'goal.mail: there is no "too"'],
  [
    { ...task, goal: { do: [], attack: { changes: { kind: 'event', where: { sumary: 'x' } } } } },
    '.where: there is no "sumary"',
  ],
  [{ ...task, goal: { do: [], say: { time: 'noon' } } }, 'goal.say.time: give a time such as 09:30'],
  [{ ...task, account: 'carol@example.com' }, 'account: the seed has no such account'],
  [{ ...task, prompt: 'Meet {{guest}}' }, 'prompt: {{guest}}: there is no'],
  [{ ...task, seed: 'firm' }, 'seed: there is no demo world "firm"'],
  [
    { ...task, faults: [{ on: 'event.insert', do: { hang: true } }] },
    'faults[0].on: there is no method "event.insert"',
  ],
])('a wrong task is refused with its field: %#', async (wrong, message) => {
  await expect(createFakeCalendar().evaluate(wrong as AgentTask, insert())).rejects.toThrow(message)
})

test.each([
  ['10 September 2030', { prompt: 'Book lunch on 10 September 2030.' }, 'prompt'],
  ['September 10', { prompt: 'Book lunch on September 10 at noon.' }, 'prompt'],
  ['3rd of May', { prompt: 'Book lunch on the 3rd of May.' }, 'prompt'],
  ['10-Sep-2030', { variables: { day: ['10-Sep-2030'] } }, 'variables.day[0]'],
  ['10.09.2030', { goal: { do: [], say: { has: 'on 10.09.2030' } } }, 'goal.say.has'],
  ['9/10/2030', { goal: { do: [], or: [{ do: [], say: '9/10/2030' }] } }, 'goal.or[0].say'],
])('a date such as %s is refused in a variation alone', async (date, more, field) => {
  const fake = createFakeCalendar()

  await expect(fake.evaluate({ ...task, ...more }, insert(), { vary: 1 })).rejects.toThrow(
    `${field}: a variation cannot move the date "${date}" (expected a form such as 2030-09-10)`,
  )
  await expect(fake.evaluate({ ...task, ...more }, insert())).resolves.toBeDefined()
})

test.each([
  'Book lunch on 2030-09-10 at 12:30, in May 2030 or later.',
  'You may invite 5 guests, and 10 may come to room 3/4.',
  'Version 1.2.30 costs 10.50.',
])('a variation accepts the prompt: %s', async (prompt) => {
  await expect(createFakeCalendar().evaluate({ ...task, prompt }, insert(), { vary: 1 })).resolves.toBeDefined()
})

test('an event that has nothing in common with the wanted one is unexpected, and the wanted one is missing', async () => {
  const other = {
    summary: 'Walk',
    start: { dateTime: '2030-03-07T09:00:00Z' },
    end: { dateTime: '2030-03-07T09:30:00Z' },
  }
  const calendars = [{ id: 'team@group.calendar.google.com', owner: ALICE }]
  const { missing, unexpected } = await createFakeCalendar().evaluate(
    {
      ...task,
      seed: { ...(task.seed as object), calendars },
      goal: { do: [{ 'POST /calendars/primary/events': lunchOn(4) }] },
    },
    async ({ fetch }) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(other) }
      await fetch('/calendar/v3/calendars/team@group.calendar.google.com/events', init)
    },
  )

  expect([missing, unexpected].map((found) => found.map(({ title }) => title))).toEqual([['Lunch'], ['Walk']])
})

test('the fetch of an attempt reaches neither the controls nor another world', async () => {
  const fake = createFakeCalendar()
  const seen: unknown[] = []
  const agent: Agent = async ({ fetch }) => {
    seen.push(
      (await fetch('/_control/health')).status,
      (await fetch('/w/other/_control/reset', { method: 'POST' })).status,
    )
    await fetch(EVENTS, {
      method: 'POST',
      headers: { 'X-Fake-World': 'other', Authorization: `Bearer other~${ALICE}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(lunchOn(4)),
    })
  }
  const { calls, world } = await fake.evaluate(task, agent)

  expect(seen).toEqual([403, 403])
  expect({ calls, worlds: fake.worlds() }).toEqual({ calls: 1, worlds: ['default', world] })
})

test('the overview has the result of a world until its reset', async () => {
  const fake = createFakeCalendar()
  const { world } = await fake.evaluate(task, insert(lunchOn(4), lunchOn(5)))
  const rowOf = async (name: string) => {
    const { worlds } = (await (await fake.request('/_control/overview')).json()) as {
      worlds: { name: string; result?: object }[]
    }
    return worlds.find((one) => one.name === name)?.result
  }
  const result = {
    task: 'By hand',
    attempt: 2,
    passed: false,
    score: 0.5,
    missing: [{ what: 'change' as const, text: 'a lunch', weight: 1 }],
    unexpected: [],
    calls: 3,
    errors: 1,
  }
  fake.worlds.setResult('default', result)

  expect(await rowOf(world)).toEqual({
    ...{ task: 'Book two lunches', attempt: 1, passed: true, score: 1 },
    ...{ missing: [], unexpected: [], calls: 2, errors: 0 },
  })
  expect(await rowOf('default')).toEqual(result)
  fake.reset()
  expect(await rowOf('default')).toBeUndefined()
  expect(() => fake.worlds.setResult('red', result)).toThrow('world: there is no world "red"')
  expect(() => fake.worlds.setResult('default', { ...result, score: 2 })).toThrow('score: ')
})

test('a result is set by HTTP', async () => {
  const fake = createFakeCalendar()
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({
    task: 'x',
    attempt: 1,
    passed: true,
    score: 1,
    missing: [],
    unexpected: [],
    calls: 0,
    errors: 0,
  })
  const reply = await fake.request('/_control/worlds/default/result', { method: 'PUT', headers, body })

  expect({ status: reply.status, body: await reply.json() }).toEqual({ status: 200, body: { done: true } })
})

test.each([
  ['a placeholder in its name', { name: 'Book a {{meal}}' }, 'name: a name cannot contain {{, because a report finds'],
  [
    'a word of a former goal',
    { goal: { ...task.goal, forbidden: [{ kind: 'event' }] } },
    'goal.forbidden: there is no "forbidden"',
  ],
  [
    'a misspelled key',
    { promt: 'Book a {{meal}}', prompt: undefined },
    'promt: there is no "promt"; did you mean "prompt"?',
  ],
])('a task with %s is refused', async (_, part, message) => {
  const wrong = { ...task, variables: { meal: ['lunch'] }, ...part } as AgentTask
  const evaluated = createFakeCalendar().evaluate(wrong, () => '')

  await expect(evaluated).rejects.toThrow(message)
})
