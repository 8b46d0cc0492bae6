import { expect, test } from 'vitest'
import { ALICE, BOB, hour, NOW, openCalendar, type Reply } from '../../support/calendar.ts'

const LUNCH = { ...hour('2026-03-02', 12), summary: 'Lunch', attendees: [{ email: BOB }] }
const EVENTS = '/calendars/primary/events'
const methodsOf = (calls: readonly { method: string }[]) => calls.map(({ method }) => method)
/** Reads the status of an expected error. */
const refused = ({ status }: Reply) => expect(status).toBeGreaterThanOrEqual(400)

test('a call has its account, its request and its response', async () => {
  const { fake, as } = openCalendar()
  const { body } = await as(ALICE).post(`${EVENTS}?sendUpdates=all&fields=id`, LUNCH)

  expect(fake.calls('events.insert')).toEqual([
    {
      n: 1,
      at: new Date(NOW).toISOString(),
      world: 'default',
      account: ALICE,
      client: undefined,
      method: 'events.insert',
      verb: 'POST',
      params: { calendarId: 'primary', sendUpdates: 'all', fields: 'id' },
      path: `/calendar/v3${EVENTS}`,
      body: LUNCH,
      status: 200,
      reason: undefined,
      response: { id: body.id },
      ms: expect.any(Number),
      hints: [],
    },
  ])
})

test.each([
  ['events.quickAdd', `${EVENTS}/quickAdd?text=Lunch`, undefined],
  ['events.import', `${EVENTS}/import`, { ...LUNCH, iCalUID: 'lunch@example.com', organizer: { email: ALICE } }],
  ['events.watch', `${EVENTS}/watch`, { id: 'c1', type: 'web_hook', address: 'https://example.com/' }],
  ['events.list', EVENTS, undefined],
])('a call of %s has no event id in the journal, in faults and in verifications', async (method, path, body) => {
  const { fake, as } = openCalendar()
  const call = () => (method === 'events.list' ? as(ALICE).get(path) : as(ALICE).post(path, body))
  const name = method.slice('events.'.length)
  fake.faults.add({ on: method, where: { params: { eventId: name } }, do: { fail: 'backendError' } })
  expect((await call()).status).toBe(200)

  expect(fake.calls(method)).toMatchObject([{ params: { calendarId: 'primary' } }])
  expect(fake.calls(method)[0]?.params).not.toHaveProperty('eventId')
  expect(() => fake.calls.verify(method, { params: { eventId: name } })).toThrow('eventId')
  fake.faults.clear()
  fake.faults.add({ on: method, where: { params: { eventId: null } }, do: { fail: 'backendError' } })
  expect((await call()).status).toBe(500)
})

test('an error is recorded with its reason and hints', async () => {
  const { fake, as, anonymous } = openCalendar()
  refused(await as(ALICE).get(`${EVENTS}?timeMin=2026-01-01`))
  refused(await anonymous.get(EVENTS))
  const [badRequest, nobody] = fake.calls('events.list')

  expect(badRequest).toMatchObject({
    status: 400,
    reason: 'badRequest',
    hints: [{ code: expect.stringMatching(/^FC\d+$/) }],
  })
  expect(nobody).toMatchObject({ account: undefined, status: 401, reason: 'required' })
})

test('calls are selected by method, resource, several methods or all, oldest first', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).get('/colors')
  await as(ALICE).post(EVENTS, LUNCH)
  await as(BOB).get(EVENTS)

  expect(methodsOf(fake.calls())).toEqual(['colors.get', 'events.insert', 'events.list'])
  expect(methodsOf(fake.calls('*'))).toEqual(methodsOf(fake.calls()))
  expect(methodsOf(fake.calls('events.*'))).toEqual(['events.insert', 'events.list'])
  expect(methodsOf(fake.calls(['colors.get', 'events.list']))).toEqual(['colors.get', 'events.list'])
  expect(methodsOf(fake.calls('*', { account: BOB }))).toEqual(['events.list'])
  expect(methodsOf(fake.calls('*', { calendarId: ALICE }))).toEqual(['events.insert'])
  expect(methodsOf(fake.calls('*', { calendarId: 'primary' }))).toEqual(['events.insert', 'events.list'])
})

test('calls are selected by partial criteria', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post(`${EVENTS}?maxAttendees=2`, LUNCH)
  await as(ALICE).post(EVENTS, { ...LUNCH, summary: 'Dinner' })
  const numbers = (where: object) => fake.calls('events.insert', { where }).map(({ n }) => n)

  expect(numbers({ body: { summary: 'Dinner' } })).toEqual([2])
  expect(numbers({ params: { maxAttendees: 2 } })).toEqual([1])
  expect(numbers({ body: { summary: expect.stringContaining('inne') }, status: 200 })).toEqual([2])
  expect(numbers({ body: { attendees: [{ email: BOB }] } })).toEqual([1, 2])
})

test('an unknown method is rejected with the nearest name', async () => {
  const { fake, anonymous } = openCalendar()
  const message = 'no method "event.insert"; did you mean "events.insert"?'

  expect(() => fake.calls('event.insert')).toThrow(message)
  expect(() => fake.calls.verify('event.insert', {}, { times: 0 })).toThrow(message)
  const { status, body } = await anonymous.get('/_control/calls?method=event.insert')
  expect(status).toBe(400)
  expect(body.error.message).toContain(message)
})

test('invalid criteria are rejected', async () => {
  const { fake, anonymous } = openCalendar()

  expect(() => fake.calls('*', { where: { parms: {} } as never })).toThrow(RangeError)
  expect(() => fake.calls('*', { where: { body: { summary: { matches: '(' } } } })).toThrow(RangeError)
  expect(() => fake.calls.verify('*', {}, { times: -1 })).toThrow(RangeError)
  expect(() => fake.calls.verify('*', {}, { times: { min: 2, max: 1 } })).toThrow(RangeError)
  const { status, body } = await anonymous.get('/_control/calls?where=%7B')
  expect({ status, message: body.error.message }).toEqual({
    ...{ status: 400, message: expect.stringContaining('where must be JSON') },
  })
})

test('the journal excludes control operations, and each world has its own', async () => {
  const { fake, as, anonymous } = openCalendar()
  await anonymous.post('/_control/reset')
  fake.clock.advance('1h')
  await as(`blue~${ALICE}`).get('/colors')

  expect(fake.calls()).toEqual([])
  expect(fake.world('blue').calls()).toMatchObject([{ n: 1, world: 'blue', account: ALICE }])
})

test('a request of an unknown path is recorded as unknown, with its path', async () => {
  const { fake, as } = openCalendar()
  refused(await as(ALICE).get('/calendars/primary/event?x=1'))

  expect(fake.calls('unknown')).toMatchObject([
    { method: 'unknown', verb: 'GET', path: '/calendar/v3/calendars/primary/event', params: { x: '1' }, status: 404 },
  ])
  expect(fake.calls('unknown')[0]).not.toHaveProperty('response')
})

const boundary = 'b'
const part = (line: string, body = '') =>
  `--${boundary}\r\nContent-Type: application/http\r\n\r\n${line}\r\nContent-Type: application/json\r\n\r\n${body}\r\n`
const sendBatch = async (fake: ReturnType<typeof openCalendar>['fake'], ...parts: string[]) => {
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': `multipart/mixed; boundary=${boundary}` }
  const reply = await fake.request('/batch/calendar/v3', {
    method: 'POST',
    headers,
    body: `${parts.join('')}--${boundary}--`,
  })
  return reply.status
}

test('each part of a batch is a call with the number of the batch, which is listed only by name', async () => {
  const { fake } = openCalendar()
  const insert = part(`POST /calendar/v3${EVENTS}`, JSON.stringify(LUNCH))
  expect(await sendBatch(fake, insert, part('GET /calendar/v3/colors'))).toBe(200)
  expect(await sendBatch(fake, part('GET /calendar/v3/nowhere'))).toBe(200)

  expect(fake.calls().map(({ method, batch, status }) => [method, batch, status])).toEqual([
    ['events.insert', 1, 200],
    ['colors.get', 1, 200],
    ['unknown', 2, 404],
  ])
  expect(fake.calls('events.insert')[0]?.body).toEqual(LUNCH)
  expect(fake.calls('batch').map(({ n, batch, status, body }) => [n, batch, status, body])).toEqual([
    [3, 1, 200, undefined],
    [5, 2, 200, undefined],
  ])
})

test('discovery requests are listed only by name', async () => {
  const { fake } = openCalendar()
  await fake.request('/discovery/v1/apis/calendar/v3/rest')

  expect(methodsOf(fake.calls('discovery'))).toEqual(['discovery'])
  expect(methodsOf(fake.calls())).not.toContain('discovery')
})

test('a reset clears the journal and continues its numbers; `clear` changes nothing else', async () => {
  const { fake, as } = openCalendar()
  await as(ALICE).post(EVENTS, LUNCH)
  await as(ALICE).get('/colors')
  expect(fake.calls.clear()).toBe(2)
  expect(fake.calls()).toEqual([])
  expect((await as(ALICE).get(EVENTS)).body.items).toHaveLength(1)
  expect(fake.calls().map(({ n }) => n)).toEqual([3])

  fake.reset()
  expect(fake.calls()).toEqual([])
  await as(ALICE).get('/colors')
  expect(fake.calls().map(({ n }) => n)).toEqual([4])
})

test('above the limit, the oldest calls are dropped and counted', async () => {
  const { fake, as, anonymous } = openCalendar({ journal: 3 })
  for (let made = 0; made < 5; made++) await as(ALICE).get('/colors')
  const calls = fake.calls()

  expect(calls.map(({ n }) => n)).toEqual([3, 4, 5])
  expect(calls.evicted).toBe(2)
  expect((await anonymous.get('/_control/calls')).body).toMatchObject({
    calls: [{ n: 3 }, { n: 4 }, { n: 5 }],
    evicted: 2,
  })
  fake.calls.clear()
  expect(fake.calls().evicted).toBe(0)
})

test('the default limit is 1,000 calls', async () => {
  const { fake, as } = openCalendar()
  for (let made = 0; made < 1001; made++) await as(ALICE).get('/colors')
  const calls = fake.calls()

  expect([calls.length, calls.evicted, calls[0]?.n]).toEqual([1000, 1, 2])
})

test('a journal that is off records nothing, and queries are errors', async () => {
  const { fake, as, anonymous } = openCalendar({ journal: 0 })
  await as(ALICE).get('/colors')

  for (const query of [() => fake.calls(), () => fake.calls.verify('*', {}, { times: 0 })])
    expect(query).toThrow('the journal is off; start with a `journal` of more than 0')
  await expect(fake.calls.until('*', 1)).rejects.toThrow('the journal is off')
  const { status, body } = await anonymous.get('/_control/calls')
  expect([status, body.error.message]).toEqual([400, expect.stringContaining('the journal is off')])
  expect((await anonymous.get('/_control/calls/stream')).status).toBe(400)
})

test('long bodies are truncated and marked; all bodies together take at most 16 MB', async () => {
  const { fake, as } = openCalendar()
  const long = JSON.stringify({ ...LUNCH, location: 'x'.repeat(300_000) })
  for (let made = 0; made < 40; made++) refused(await as(ALICE).post(EVENTS, long))
  const calls = fake.calls()
  const [first] = calls

  expect(first).toMatchObject({ cut: true, body: long.slice(0, 256 * 1024) })
  expect(calls.length + calls.evicted).toBe(40)
  expect(calls.length).toBeLessThanOrEqual(16 * 4 * 0.5)
  expect(calls.length).toBeGreaterThan(25)
  // The expected part may be in the text that was cut off.
  const where = { body: { location: 'y' } }
  expect(() => fake.calls.verify('events.insert', where, { times: 0 })).toThrow('only the beginning of call ')
})

test('a long page is recorded up to 256 kB, and no character of it is cut', async () => {
  const events = Array.from({ length: 100 }, (_, nth) => ({ ...LUNCH, id: `event${nth}`, summary: 'ü☕'.repeat(600) }))
  const { fake, as } = openCalendar({ seed: { accounts: [{ email: ALICE }], calendars: [{ id: ALICE, events }] } })
  for (const indent of ['', '?prettyPrint=false']) {
    const { text } = await as(ALICE).get(`${EVENTS}${indent}`)
    const { response, cut } = fake.calls().at(-1) ?? {}
    const recorded = String(response)
    expect(cut).toBe(true)
    expect(text.startsWith(recorded)).toBe(true)
    expect(Buffer.byteLength(recorded)).toBeGreaterThan(256 * 1024 - 4)
    expect(Buffer.byteLength(recorded)).toBeLessThanOrEqual(256 * 1024)
  }
})

test.each([-1, 1.5, '7', Number.NaN, 2_000_000])('the option journal: %s is rejected', (journal) => {
  expect(() => openCalendar({ journal: journal as number })).toThrow(
    'createFakeCalendar: journal must be a whole number',
  )
})
