import { expect, test } from 'vitest'
import { VerificationError } from '../../../src/index.ts'
import { ALICE, BOB, CAROL, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { ...hour('2026-03-02', 12), summary: 'Lunch', attendees: [{ email: CAROL }, { email: BOB }] }
const WANTED = { params: { sendUpdates: 'all' }, body: { summary: 'Lunch', attendees: [{ email: BOB }] } }

async function afterLunch(options = {}) {
  const opened = openCalendar(options)
  await opened.as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)
  return opened
}

/** Returns the message of a failed expectation. */
function failure(act: () => unknown): string {
  try {
    act()
  } catch (error) {
    expect(error).toBeInstanceOf(VerificationError)
    expect(error).toHaveProperty('name', 'VerificationError')
    return (error as Error).message
  }
  throw new Error('it holds')
}

test('a verification with partial and deep criteria returns the matching calls', async () => {
  const { fake } = await afterLunch()

  expect(fake.calls.verify('events.insert', WANTED)).toMatchObject([{ n: 1, body: LUNCH }])
  fake.calls.verify('events.insert')
  fake.calls.verify('events.*', WANTED, { times: 1, account: ALICE, calendarId: ALICE })
  fake.calls.verify('events.insert', { body: { summary: expect.any(String), attendees: expect.arrayContaining([]) } })
  fake.calls.verify('events.insert', {
    body: { summary: { contains: 'unc' }, start: { dateTime: { matches: 'T12' } } },
  })
  fake.calls.verify('events.insert', { account: ALICE, status: 200, response: { status: 'confirmed' } })
  fake.calls.verify('events.delete', {}, { times: 0 })
  fake.calls.verify('events.insert', { body: { summary: 'Dinner' } }, { times: 0 })
  fake.calls.verify('events.insert', {}, { times: { min: 1, max: 2 } })
})

test('a failed verification shows the closest call, with a line per criterion and the differences', async () => {
  const { fake, as } = await afterLunch()
  await as(ALICE).post(EVENTS, { ...hour('2026-03-02', 19), summary: 'Dinner' })
  const criteria = { ...WANTED, body: { summary: 'Lunch', attendees: [{ email: BOB, optional: true }] } }

  expect(failure(() => fake.calls.verify('events.insert', criteria))).toBe(
    [
      `expected at least 1 call of events.insert with {"params":{"sendUpdates":"all"},"body":{"summary":"Lunch","attendees":[{"email":"${BOB}","optional":true}]}}; there is no such call`,
      'The nearest, call 1 (events.insert calendarId=primary sendUpdates=all), differs in:',
      `  body.attendees[${BOB}].optional: expected true, got none`,
    ].join('\n'),
  )
})

test('a missing method is reported with the calls that were made', async () => {
  const { fake } = await afterLunch()

  expect(failure(() => fake.calls.verify('events.delete'))).toBe(
    'expected at least 1 call of events.delete; there is no such call\nCalled were events.insert.',
  )
  fake.calls.clear()
  expect(failure(() => fake.calls.verify('events.delete'))).toContain('Nothing was called.')
})

test('too many and too few calls are reported with their numbers', async () => {
  const { fake, as } = await afterLunch()
  await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)

  expect(failure(() => fake.calls.verify('events.insert', WANTED, { times: 0 }))).toEqual(
    expect.stringMatching(
      /^expected no call of events\.insert with \{.*\}; there are 2 such calls\n {2}call 1, events\.insert of alice@example\.com calendarId=primary sendUpdates=all\n {2}call 2, /,
    ),
  )
  expect(failure(() => fake.calls.verify('events.insert', WANTED, { times: 3 }))).toEqual(
    expect.stringMatching(/^expected 3 calls of events\.insert with \{.*\}; there are 2 such calls$/),
  )
  expect(failure(() => fake.calls.verify('events.insert', WANTED, { times: { max: 1 } }))).toContain('at most 1 call')
  expect(failure(() => fake.calls.verify('events.insert', WANTED, { times: { min: 3, max: 4 } }))).toContain(
    '3 to 4 calls',
  )
})

test('only calls of the same world count', async () => {
  const { fake } = await afterLunch()

  expect(failure(() => fake.world('blue').calls.verify('events.insert'))).toBe(
    'expected at least 1 call of events.insert; there is no such call\nNothing was called in the world blue.\nThe world default received events.insert.',
  )
  fake.world('blue').calls.verify('events.insert', {}, { times: 0 })
})

test('a discovery document that another world answered is no call in the wrong world', async () => {
  const { fake } = openCalendar()
  expect((await fake.request('/discovery/v1/apis/calendar/v3/rest')).status).toBe(200)

  expect(failure(() => fake.world('blue').calls.verify('events.insert'))).toBe(
    'expected at least 1 call of events.insert; there is no such call\nNothing was called.',
  )
})

test('a verification is rejected if dropped calls could have matched', async () => {
  const { fake, as } = await afterLunch({ journal: 2 })
  for (let read = 0; read < 3; read++) await as(ALICE).get(EVENTS)
  const warning = '2 earlier calls were dropped from the journal'

  for (const times of [0, 1, { max: 3 }]) {
    expect(failure(() => fake.calls.verify('events.insert', WANTED, { times }))).toContain(warning)
  }
  expect(failure(() => fake.calls.verify('events.insert'))).toContain(warning)
  // Dropped calls cannot change this result.
  fake.calls.verify('events.list')
  fake.calls.verify('events.list', {}, { times: { min: 2 } })
  expect(failure(() => fake.calls.verify('events.list', {}, { times: 1 }))).not.toContain('dropped')
})

test('a call of which only the beginning is kept is no doubt if it differs elsewhere', async () => {
  const { fake, as } = openCalendar()
  const long = JSON.stringify({ ...LUNCH, description: 'x'.repeat(300_000) })
  expect((await as(ALICE).post(`${EVENTS}?sendUpdates=all`, long)).status).toBe(400)
  const body = { location: 'Room 1' }

  expect(fake.calls()).toMatchObject([{ cut: true }])
  fake.calls.verify('events.insert', { params: { sendUpdates: 'none' }, body }, { times: 0 })
  const verify = (times: number) => () =>
    fake.calls.verify('events.insert', { params: { sendUpdates: 'all' }, body }, { times })
  for (const times of [0, 1]) expect(failure(verify(times))).toContain('only the beginning of call 1 is kept')
})

test('unknown criteria are rejected with the known names', async () => {
  const { fake } = await afterLunch()

  expect(() => fake.calls.verify('events.insert', { where: { body: {} } } as never)).toThrow(
    'where: there is no "where"; did you mean "verb"? There are params, body, account, client, verb, path, status, reason, response, fault, toolCall, batch, hints',
  )
})

test('over HTTP the result is 200, or 417 with the message', async () => {
  const { anonymous } = await afterLunch()
  const verify = async (expectation: object) => {
    const { status, body } = await anonymous.post('/_control/calls/verify', expectation)
    return { status, body }
  }
  const where = { body: { summary: { matches: '^L' }, attendees: { contains: { email: BOB } } } }

  expect(await verify({ method: 'events.insert', where, times: 1 })).toMatchObject({
    status: 200,
    body: { verified: true, calls: [{ n: 1 }] },
  })
  const message = expect.stringContaining('body.summary: expected "Dinner", got "Lunch"')
  expect(await verify({ method: 'events.insert', where: { body: { summary: 'Dinner' } } })).toEqual({
    status: 417,
    body: {
      verified: false,
      message,
      error: { errors: [{ domain: 'global', reason: 'expectationFailed', message }], code: 417, message },
    },
  })
  expect(await verify({ method: 'events.insert', wher: {} })).toMatchObject({ status: 400 })
})

test.each([new Map(), new Set()])('%o as the whole criterion is an error', async (collection) => {
  const { fake } = await afterLunch()
  const problem = /^where: a (Map|Set) cannot be matched with: give an object or an array$/

  expect(() => fake.calls.verify('events.insert', collection as object)).toThrow(problem)
  expect(() => fake.calls('events.insert', { where: collection as object })).toThrow(problem)
  expect(() =>
    fake.faults.add({ on: 'events.insert', where: collection as object, do: { fail: 'backendError' } }),
  ).toThrow(problem)
})

test('a Map is not a valid expected change', async () => {
  const { fake } = openCalendar()

  expect(() => fake.diff(fake.snapshot()).verify([{ change: 'added', where: new Map() as object }])).toThrow(
    '[0].where',
  )
})
