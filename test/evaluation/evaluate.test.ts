import { expect, test } from 'vitest'
import { type Agent, type AgentTask, createFakeCalendar } from '../../src/index.ts'

const ALICE = 'alice@example.com'
const task: AgentTask = {
  name: 'Book two lunches',
  level: 1,
  seed: { accounts: [{ email: ALICE, timeZone: 'Europe/Berlin' }, { email: 'bob@example.com' }] },
  now: '2030-03-04T08:00:00Z',
  account: ALICE,
  prompt: 'Book lunch on Monday and on Tuesday.',
  goal: {
    changes: [
      { change: 'added', kind: 'event', where: { start: { dateTime: '2030-03-04T12:00[Europe/Berlin]' } }, weight: 3 },
      { change: 'added', kind: 'event', where: { start: { dateTime: '2030-03-05T12:00[Europe/Berlin]' } } },
    ],
    forbidden: [{ change: 'added', kind: 'event', where: { summary: 'Party' }, weight: 2 }],
    answers: [{ contains: 'booked', weight: 0 }],
  },
  budget: 3,
}

/** Books an hour before noon, in the zone of the account. */
const bookInZone: Agent = async ({ fetch, now }) => {
  const { value: timeZone } = (await (await fetch('/calendar/v3/users/me/settings/timezone')).json()) as {
    value: string
  }
  const day = now.slice(0, 10)
  const [start, end] = ['11', '12'].map((hour) => ({ dateTime: `${day}T${hour}:00:00`, timeZone }))
  const headers = { 'Content-Type': 'application/json' }
  await fetch(EVENTS, { method: 'POST', headers, body: JSON.stringify({ summary: 'Lunch', start, end }) })
}

const EVENTS = '/calendar/v3/calendars/primary/events'
const lunchOn = (day: number, summary = 'Lunch') => ({
  summary,
  start: { dateTime: `2030-03-0${day}T12:00:00+01:00` },
  end: { dateTime: `2030-03-0${day}T13:00:00+01:00` },
})
const insert =
  (...events: object[]): Agent =>
  async ({ fetch }) => {
    const headers = { 'Content-Type': 'application/json' }
    for (const event of events) await fetch(EVENTS, { method: 'POST', headers, body: JSON.stringify(event) })
    return 'I have booked it.'
  }

test.each([
  ['both', insert(lunchOn(4), lunchOn(5)), { passed: true, score: 1, missing: 0, excess: 0 }],
  ['the first', insert(lunchOn(4)), { passed: false, score: 0.75, missing: 1, excess: 0 }],
  ['nothing', insert(), { passed: false, score: 0, missing: 2, excess: 0 }],
  ['one more', insert(lunchOn(4), lunchOn(5), lunchOn(6)), { passed: false, score: 0.75, missing: 0, excess: 1 }],
  [
    'a forbidden one',
    insert(lunchOn(4), lunchOn(5), lunchOn(6, 'Party')),
    { passed: false, score: 0.5, missing: 0, excess: 1 },
  ],
  ['too many', insert(lunchOn(6), lunchOn(7), lunchOn(8)), { passed: false, score: 0, missing: 2, excess: 3 }],
  [
    'both, without a word',
    (attempt) => void insert(lunchOn(4), lunchOn(5))(attempt),
    { passed: false, score: 0, missing: 3, excess: 0 },
  ],
] as [string, Agent, object][])('an agent that books %s gets its score', async (_, agent, expected) => {
  const fake = createFakeCalendar()
  const { passed, score, missing, excess } = await fake.evaluate(task, agent)

  expect({ passed, score, missing: missing.length, excess: excess.length }).toEqual(expected)
})

test('the result names in one line each what is missing and what is unexpected', async () => {
  const fake = createFakeCalendar()
  const result = await fake.evaluate(task, insert(lunchOn(4), lunchOn(6, 'Party')))

  expect(result).toMatchObject({
    ...{ task: 'Book two lunches', attempt: 1, world: 'book-two-lunches-1', passed: false, score: 0.25 },
    ...{ calls: 2, errors: 0, answer: 'I have booked it.' },
    excess: ['forbidden: event "Party" of alice@example.com, 2030-03-06T12:00:00+01:00: added'],
  })
  expect(result.missing).toEqual([
    expect.stringMatching(
      /^expected 1 change with .*; there is no such change; The nearest, event .*, differs in: where.start.dateTime: expected "2030-03-05T12:00:00\+01:00", got "2030-03-06T12:00:00\+01:00"$/,
    ),
  ])
  expect(fake.world('book-two-lunches-1').clock.state()).toMatchObject({ mode: 'frozen' })
})

test('a variation and the task itself print expected times with the offset of the zone', async () => {
  const fake = createFakeCalendar()
  const results = await Promise.all(
    [undefined, 1, 2, 3, 4, 5].map((vary) => fake.evaluate(task, bookInZone, { vary, world: `world-${vary}` })),
  )

  for (const { missing } of results) {
    const [, expected, got] =
      /start\.dateTime: expected "[^T]*(T[^"]*)", got "[^T]*(T[^"]*)"/.exec(missing[0] ?? '') ?? []
    expect({ expected, hour: got?.slice(0, 3), offset: got?.slice(9).replace('Z', '+00:00') }).toEqual({
      ...{ expected: expect.stringMatching(/^T12:00:00[+-]\d\d:00$/), hour: 'T11', offset: expected?.slice(9) },
    })
  }
})

test('a changed field that the goal does not name, and an exceeded budget, are in excess', async () => {
  const fake = createFakeCalendar()
  const moved: AgentTask = {
    ...task,
    seed: { ...(task.seed as object), calendars: [{ id: ALICE, events: [{ id: 'lunch01', ...lunchOn(4) }] }] },
    goal: { changes: [{ change: 'changed', kind: 'event', fields: { summary: 'Dinner' }, weight: 4 }] },
    budget: 1,
  }
  const result = await fake.evaluate(moved, async ({ fetch, rest }) => {
    const init = { method: 'PATCH', headers: { 'Content-Type': 'application/json' } }
    const url = `${rest}/calendars/primary/events/lunch01`
    await fetch(url, { ...init, body: JSON.stringify({ summary: 'Dinner' }) })
    await fetch(url, { ...init, body: JSON.stringify({ location: 'Room 1' }) })
  })

  expect(result).toMatchObject({
    ...{ passed: false, score: 0.5, missing: [] },
    excess: [
      'event "Dinner" of alice@example.com, 2030-03-04T12:00:00+01:00: location none → "Room 1"',
      '2 calls; the budget is 1',
    ],
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
  expect(broken.missing[0]).toBe('the agent failed: no model')
  expect(slow).toMatchObject({ passed: false, score: 0, attempt: 2 })
  expect(slow.missing[0]).toBe('the agent failed: no end after 0.001 s')
})

test('an agent that rejects with a text fails with that text, and a missing answer is none', async () => {
  const { missing, answer } = await createFakeCalendar().evaluate({ ...task, goal: { answers: ['booked'] } }, () =>
    Promise.reject('no key'),
  )

  expect(answer).toBe('')
  expect(missing).toEqual(['the agent failed: no key', 'expected an answer with "booked"; the answer is none'])
})

test('a failure of the agent counts as an unmet expectation of weight 1', async () => {
  const fake = createFakeCalendar()
  const { answers: _, ...goal } = task.goal
  const work = insert(lunchOn(4), lunchOn(5))
  const thrown = await fake.evaluate({ ...task, goal }, async (attempt) => {
    await work(attempt)
    throw new Error('no model')
  })
  const optional = { change: 'added', kind: 'event', times: { min: 0 } } as const
  const idle = await fake.evaluate({ ...task, goal: { changes: [optional] } }, () =>
    Promise.reject(new Error('no key')),
  )

  expect(thrown).toMatchObject({ passed: false, score: 0.8, missing: ['the agent failed: no model'], excess: [] })
  expect(idle).toMatchObject({ passed: false, score: 0, missing: ['the agent failed: no key'] })
})

test('an optional change adds nothing to the score, and a goal of such changes alone is reached by doing nothing', async () => {
  const fake = createFakeCalendar()
  const optional = { change: 'added', kind: 'event', times: { min: 0 }, weight: 5 } as const
  const first = { ...task.goal.changes?.[0], weight: 1 }
  const idle = await fake.evaluate({ ...task, goal: { changes: [optional] } }, insert())
  const missed = await fake.evaluate({ ...task, goal: { changes: [optional, first] } }, insert())
  const half = await fake.evaluate(
    { ...task, goal: { changes: [{ ...first, where: {}, times: 2 }] } },
    insert(lunchOn(4)),
  )

  expect([idle, missed, half].map(({ passed, score }) => ({ passed, score }))).toEqual([
    { passed: true, score: 1 },
    { passed: false, score: 0 },
    { passed: false, score: 0.5 },
  ])
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

  expect(result).toMatchObject({ calls: 5, errors: 2, excess: ['5 calls; the budget is 1'] })
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

test('an answer that a task forbids costs its weight', async () => {
  const fake = createFakeCalendar()
  const goal = { answers: ['free'], forbiddenAnswers: [{ contains: 'therapy', weight: 0.25 }, 'Lunch'] }
  const results = []
  for (const answer of ['free', 'free after therapy', 'FREE AFTER LUNCH'])
    results.push(await fake.evaluate({ ...task, goal }, () => answer))

  expect(results.map(({ passed, score, excess }) => ({ passed, score, excess }))).toEqual([
    { passed: true, score: 1, excess: [] },
    { passed: false, score: 0.75, excess: ['forbidden: an answer with {"contains":"therapy"}'] },
    { passed: false, score: 0, excess: ['forbidden: an answer with "Lunch"'] },
  ])
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

test('the token of an attempt is of its account, and in strict mode its world accepts no other', async () => {
  const fake = createFakeCalendar({ strict: true })
  const seen: unknown[] = []
  await fake.evaluate({ ...task, account: 'Bob@Example.com' }, async ({ fetch }) => {
    const primary = '/calendar/v3/calendars/primary'
    const own = (await (await fetch(primary)).json()) as { id?: string }
    const other = await fetch(primary, { headers: { Authorization: `Bearer ${ALICE}` } })
    seen.push(own.id, other.status)
  })

  expect(seen).toEqual(['bob@example.com', 401])
})

test('a declined approval refuses tools that write, and no others', async () => {
  const fake = createFakeCalendar()
  const declined: AgentTask = { ...task, approval: 'declined', goal: { answers: ['did not allow'] } }
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
  [{ ...task, goal: {} }, 'goal: give at least one expected change or answer'],
  [{ ...task, account: 'carol@example.com' }, 'account: the seed has no such account'],
  [{ ...task, prompt: 'Meet {{guest}}' }, 'prompt: {{guest}}: there is no'],
  [{ ...task, seed: 'firm' }, 'seed: there is no demo world "firm"'],
  [
    { ...task, goal: { changes: [{ kind: 'event', where: { sumary: 'x' } }] } },
    'goal.changes[0].where: there is no "sumary"',
  ],
  [
    { ...task, goal: { changes: [{ kind: 'event', fields: { 'start.dateTme': 'x' } }] } },
    'goal.changes[0].fields: there is no "start.dateTme"; did you mean "start.dateTime"?',
  ],
  [
    { ...task, goal: { changes: [{ kind: 'event', fields: { 'attendees[bob@example.com].respons': 'x' } }] } },
    'goal.changes[0].fields: there is no "attendees[bob@example.com].respons"; did you mean "attendees[bob@example.com].responseStatus"?',
  ],
  [
    { ...task, faults: [{ on: 'event.insert', do: { hang: true } }] },
    'faults[0].on: there is no method "event.insert"',
  ],
  [{ ...task, goal: { answers: [{ matches: '(' }] } }, 'goal.answers[0].matches'],
])('a wrong task is refused with its field: %#', async (wrong, message) => {
  await expect(createFakeCalendar().evaluate(wrong as AgentTask, insert())).rejects.toThrow(message)
})

test.each([
  ['10 September 2030', { prompt: 'Book lunch on 10 September 2030.' }, 'prompt'],
  ['September 10', { prompt: 'Book lunch on September 10 at noon.' }, 'prompt'],
  ['3rd of May', { prompt: 'Book lunch on the 3rd of May.' }, 'prompt'],
  ['10-Sep-2030', { variables: { day: ['10-Sep-2030'] } }, 'variables.day[0]'],
  ['10.09.2030', { goal: { answers: [{ contains: 'on 10.09.2030' }] } }, 'goal.answers[0].contains'],
  ['9/10/2030', { goal: { ...task.goal, forbiddenAnswers: ['9/10/2030'] } }, 'goal.forbiddenAnswers[0]'],
])('a date such as %s is refused in a variation alone', async (date, more, field) => {
  const fake = createFakeCalendar()

  await expect(fake.evaluate({ ...task, ...more }, insert(), { vary: 1 })).rejects.toThrow(
    `${field}: a variation cannot move the date "${date}" (expected a form such as 2030-09-10)`,
  )
  await expect(fake.evaluate({ ...task, ...more }, insert())).resolves.toMatchObject({ passed: false })
})

test.each([
  'Book lunch on 2030-09-10 at 12:30, in May 2030 or later.',
  'You may invite 5 guests, and 10 may come to room 3/4.',
  'Version 1.2.30 costs 10.50.',
])('a variation accepts the prompt: %s', async (prompt) => {
  await expect(createFakeCalendar().evaluate({ ...task, prompt }, insert(), { vary: 1 })).resolves.toBeDefined()
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
  const { score } = await fake.evaluate(task, agent)

  expect(seen).toEqual([403, 403])
  expect({ score, worlds: fake.worlds() }).toEqual({ score: 0.75, worlds: ['default', 'book-two-lunches-1'] })
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
    missing: ['a lunch'],
    excess: [],
    calls: 3,
    errors: 1,
  }
  fake.worlds.setResult('default', result)

  expect(await rowOf(world)).toEqual({
    ...{ task: 'Book two lunches', attempt: 1, passed: true, score: 1 },
    ...{ missing: [], excess: [], calls: 2, errors: 0 },
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
    excess: [],
    calls: 0,
    errors: 0,
  })
  const reply = await fake.request('/_control/worlds/default/result', { method: 'PUT', headers, body })

  expect({ status: reply.status, body: await reply.json() }).toEqual({ status: 200, body: { done: true } })
})

test.each([
  ['a placeholder in its name', { name: 'Book a {{meal}}' }, 'name: a name cannot contain {{, because a report finds'],
  [
    'times of a forbidden change',
    { goal: { ...task.goal, forbidden: [{ kind: 'event', times: 2 }] } },
    'goal.forbidden[0].times: Unrecognized key: "times"',
  ],
  [
    'a misspelled key',
    { promt: 'Book a {{meal}}', prompt: undefined },
    'promt: Unrecognized key: "promt"; did you mean "prompt"?',
  ],
])('a task with %s is refused', async (_, part, message) => {
  const wrong = { ...task, variables: { meal: ['lunch'] }, ...part } as AgentTask
  const evaluated = createFakeCalendar().evaluate(wrong, () => '')

  await expect(evaluated).rejects.toThrow(message)
})
