import { afterEach, expect, test } from 'vitest'
import { HINTS } from '../../src/control/hints/table.ts'
import { createFakeCalendar, VerificationError } from '../../src/index.ts'
import { assertChanged, assertEvent, assertReceived, assertSent } from '../../src/runners/assertions.ts'
import { addHints, formatCallReport, formatInFlight, trackCalls } from '../../src/runners/callReport.ts'
import { openTestWorld, runInTestWorld } from '../../src/runners/testWorld.ts'

const EVENTS = '/calendar/v3/calendars/primary/events'
const headers = { Authorization: 'Bearer alice@example.com', 'Content-Type': 'application/json' }
const lunch = { summary: 'Lunch', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
const insert = (body: object) => ({ method: 'POST', headers, body: JSON.stringify(body) })

const worlds: { end(): Promise<void> }[] = []
function openWorld() {
  const world = openTestWorld({ now: '2026-03-02T09:00:00Z' })
  worlds.push(world)
  return world.fake
}
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.end()))
})

const messageOf = (act: () => void): string => {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(VerificationError)
    return (error as Error).message
  }
  return ''
}

test('a report names method, account, status, parameters, reason, fault and hint of each call', async () => {
  const fake = openWorld()
  fake.faults.add({ on: 'events.get', do: { fail: 'backendError503' } })
  await fake.request(EVENTS, insert(lunch))
  await fake.request(`${EVENTS}/lunch`, { headers })
  for (const day of [2, 3]) await fake.request(`${EVENTS}?timeMin=2026-03-0${day}`, { headers })

  const [head, ...lines] = formatCallReport(fake).split('\n')
  expect(head).toBe('fake-calendar: the calls of the failed test')
  expect(lines).toEqual([
    '  1 events.insert alice@example.com 200 calendarId=primary',
    '  2 events.get alice@example.com 503 eventId=lunch calendarId=primary reason=backendError fault=fault-1',
    '  3 events.list alice@example.com 400 calendarId=primary timeMin=2026-03-02 reason=badRequest hint=FC101',
    '    FC101 timeMin=2026-03-02 needs a time and an offset. Write timeMin=2026-03-02T00:00:00Z',
    `    ${HINTS.FC101.why}`,
    '  4 events.list alice@example.com 400 calendarId=primary timeMin=2026-03-03 reason=badRequest hint=FC101',
    '  It is Mon 2026-03-02 09:00 (UTC)',
    '  alice@example.com (UTC)',
    '    Mon 2026-03-02',
    '      all day Lunch',
  ])
})

test('a report of many calls shows the last ten', async () => {
  const fake = openWorld()
  for (let n = 0; n < 12; n++) await fake.request('/calendar/v3/colors', { headers })

  const [head, first, ...rest] = formatCallReport(fake).split('\n')
  expect(head).toBe('fake-calendar: the last 10 of 12 calls of the failed test')
  expect([first, rest.length]).toEqual(['  3 colors.get alice@example.com 200', 9])
})

test('the report and a failed assertion name calls in flight, until they have a response', async () => {
  const fake = openWorld()
  const aborted = new AbortController()
  fake.faults.add({ on: 'events.insert', do: { hang: true } })
  const pending = fake.request(`${EVENTS}?sendUpdates=all`, { ...insert(lunch), signal: aborted.signal })
  const second = fake.fetch(
    new Request(`https://www.googleapis.com${EVENTS}`, { ...insert(lunch), signal: aborted.signal }),
  )

  const line = `2 calls are in flight: POST ${EVENTS}, POST ${EVENTS} (is an await missing?)`
  for (const assert of [
    () => assertReceived(fake, 'events.insert'),
    () => assertEvent(fake, {}),
    () => assertSent(fake, {}),
    () => assertChanged(fake, [{}]),
  ])
    expect(messageOf(assert).split('\n')).toContain(line)
  expect(formatCallReport(fake)).toBe(`fake-calendar: the journal of the failed test has no calls\n  ${line}`)

  aborted.abort()
  await Promise.allSettled([pending, second])
  expect(formatCallReport(fake)).not.toContain('in flight')
})

test('a call is in flight from before it is sent, and no longer after an invalid address', () => {
  const fake = createFakeCalendar()
  const sent: (string | undefined)[] = []
  const send = () => {
    sent.push(formatInFlight(fake))
    return new Promise<Response>(() => {})
  }
  const world = Object.assign(fake, { fetch: send, request: send })
  trackCalls(world)
  world.fetch(`https://www.googleapis.com${EVENTS}`)
  world.request('/calendar/v3/colors')

  expect(sent).toEqual([
    `1 call is in flight: GET ${EVENTS} (is an await missing?)`,
    `2 calls are in flight: GET ${EVENTS}, GET /calendar/v3/colors (is an await missing?)`,
  ])
  const other = openWorld()
  expect(() => other.request('http://')).toThrow('Invalid URL')
  expect(formatInFlight(other)).toBeUndefined()
})

test('a missing event is compared with the nearest event, not with a calendar', async () => {
  const fake = openWorld()
  await fake.request(EVENTS, insert({ ...lunch, location: 'Room 1', description: 'With Bob' }))
  const expected = { summary: 'Dinner', location: 'Room 2', description: 'With Carol' }

  const message = messageOf(() => assertEvent(fake, expected))
  expect(message).toContain('The nearest, "Lunch" of alice@example.com, 2026-03-02, differs in:')
  expect(message).toContain('summary: expected "Dinner", got "Lunch"')
})

test('the error in a world without events states that', () => {
  expect(messageOf(() => assertEvent(openWorld(), { summary: 'Lunch' }))).toContain('there is no event')
})

test('a failed test prints its calls, and a passed one nothing', async () => {
  const printed: string[] = []
  const print = (report: string) => void printed.push(report)
  const read = ({ fake }: { fake: { request: typeof fetch } }) => fake.request('/calendar/v3/colors', { headers })

  await runInTestWorld({}, read as never, print)
  expect(printed).toEqual([])

  const failing = async (context: never) => {
    await read(context)
    throw new Error('as planned')
  }
  await expect(runInTestWorld({}, failing as never, print)).rejects.toThrow('as planned')
  expect(printed).toEqual(['fake-calendar: the calls of the failed test\n  1 colors.get alice@example.com 200'])
})

/** The error of a client, after a call. */
const errorAfter = async (path: string, error: Error): Promise<Error> => {
  const fake = openWorld()
  await fake.request(path, { headers })
  addHints(fake, error)
  return error
}
const named = (name: string) => Object.assign(new Error('Bad Request'), { name })
const REFUSED = `${EVENTS}?timeMin=2026-03-02`

test('the hint of a refused call stands in the message and the trace of the error', async () => {
  const { message, stack = '' } = await errorAfter(REFUSED, new Error('Bad Request'))
  expect(message).toMatch(/^Bad Request\nFC101 timeMin=2026-03-02 needs a time and an offset\./)
  expect(stack).toContain(message)
})

test.each([
  ['an assertion', REFUSED, named('AssertionError')],
  ['a verification', REFUSED, named('VerificationError')],
  ['node:assert', REFUSED, Object.assign(new Error('Bad Request'), { code: 'ERR_ASSERTION' })],
  ['an answered call with a hint', `${EVENTS}?colour=1`, new Error('Bad Request')],
  ['a refused call that cannot be changed', `${EVENTS}/lunch0`, Object.freeze(new Error('Bad Request'))],
])('an error of %s gets no hint', async (_, path, error) => {
  expect((await errorAfter(path, error)).message).toBe('Bad Request')
})

type Sent = { query?: string; attendees?: object[]; second?: string; times?: number }
const GUESTS = [{ email: 'bob@example.com' }]
const NO_MAIL = 'so it mailed none of its guests: add sendUpdates=all'
const INSERT = 'call 1, events.insert of alice@example.com calendarId=primary'
const SENT: [title: string, sent: Sent, reason: string | undefined][] = [
  ['guests', { attendees: GUESTS }, `${INSERT}, has no sendUpdates, ${NO_MAIL}`],
  ['sendUpdates=none', { attendees: GUESTS, query: '?sendUpdates=none' }, `${INSERT} sendUpdates=none, has sendUpdates=none, ${NO_MAIL}`],
  ['a later deletion', { attendees: GUESTS, query: '?sendUpdates=all', second: 'DELETE', times: 3 }, 'call 2, events.delete of alice@example.com eventId=lunch calendarId=primary, has no sendUpdates'],
  ['a later patch', { attendees: GUESTS, query: '?sendNotifications=true', second: 'PATCH', times: 2 }, 'call 2, events.patch of alice@example.com eventId=lunch calendarId=primary, has no sendUpdates'],
  ['mails to all', { attendees: GUESTS, query: '?sendUpdates=all', times: 2 }, undefined],
  ['sendNotifications', { attendees: GUESTS, query: '?sendNotifications=true', times: 2 }, undefined],
  ['no guests', {}, undefined],
  ['its organizer alone', { attendees: [{ email: 'alice@example.com' }] }, undefined],
  ['a refusal', { attendees: [{}] }, undefined],
  ['one mail too many', { attendees: GUESTS, query: '?sendUpdates=all', second: 'PATCH', times: 0 }, undefined],
] // biome-ignore format: a table

test.each(SENT)(
  'a missing mail is explained by the last write that mailed none of its guests (%s)',
  async (_, sent, reason) => {
    const { query = '', attendees, second, times = 1 } = sent
    const fake = openWorld()
    await fake.request(`${EVENTS}${query}`, insert({ ...lunch, id: 'lunch', ...(attendees && { attendees }) }))
    if (second) await fake.request(`${EVENTS}/lunch`, { ...insert({ summary: 'Tea' }), method: second })

    const message = messageOf(() => assertSent(fake, { to: 'bob@example.com' }, { times }))
    if (reason !== undefined)
      await expect(fake.mail.until('bob@example.com', times, { timeout: 1 })).rejects.toThrow(reason)
    expect(message).toMatch(/^expected /)
    expect(message.split('\n').at(-1)).toEqual(
      reason === undefined ? expect.not.stringContaining('sendUpdates') : expect.stringContaining(reason),
    )
  },
)
