import { expect, test } from 'vitest'
import { VerificationError } from '../../src/index.ts'
import { ALICE, BOB, CAROL, hour, openCalendar } from '../support/calendar.ts'

const EVENTS = '/calendars/primary/events'
const LUNCH = { ...hour('2026-03-02', 12), summary: 'Lunch', attendees: [{ email: CAROL }, { email: BOB }] }
const WANTED = { params: { sendUpdates: 'all' }, body: { summary: 'Lunch', attendees: [{ email: BOB }] } }

async function afterLunch(options = {}) {
  const opened = openCalendar(options)
  await opened.as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)
  return opened
}

/** What is said by what does not hold. */
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

test('a call as wanted, in part and in depth, holds, and is returned', async () => {
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

test('what does not hold is told by the closest call: a line for each criterion, and what differs', async () => {
  const { fake, as } = await afterLunch()
  await as(ALICE).post(EVENTS, { ...hour('2026-03-02', 19), summary: 'Dinner' })
  const wanted = { ...WANTED, body: { summary: 'Lunch', attendees: [{ email: BOB, optional: true }] } }

  expect(failure(() => fake.calls.verify('events.insert', wanted))).toBe(
    [
      'events.insert: wanted at least once, called as wanted 0 times',
      'The closest of 2 other calls is call 1, events.insert:',
      '✓ params.sendUpdates',
      '✓ body.summary',
      `✗ body.attendees[${BOB}].optional: wanted true, was none`,
    ].join('\n'),
  )
})

test('what was never called is told with what was', async () => {
  const { fake } = await afterLunch()

  expect(failure(() => fake.calls.verify('events.delete'))).toBe(
    'events.delete: wanted at least once, called 0 times\nCalled were events.insert.',
  )
  fake.calls.clear()
  expect(failure(() => fake.calls.verify('events.delete'))).toContain('Nothing was called.')
})

test('too many and too few are counted', async () => {
  const { fake, as } = await afterLunch()
  await as(ALICE).post(`${EVENTS}?sendUpdates=all`, LUNCH)

  expect(failure(() => fake.calls.verify('events.insert', WANTED, { times: 0 }))).toBe(
    'events.insert: wanted never, called as wanted 2 times\nThese calls are: 1, 2',
  )
  expect(failure(() => fake.calls.verify('events.insert', WANTED, { times: 3 }))).toBe(
    'events.insert: wanted 3 times, called as wanted 2 times',
  )
  expect(failure(() => fake.calls.verify('events.insert', WANTED, { times: { max: 1 } }))).toContain('at most once')
  expect(failure(() => fake.calls.verify('events.insert', WANTED, { times: { min: 3, max: 4 } }))).toContain(
    '3 to 4 times',
  )
})

test('only calls of this world count', async () => {
  const { fake } = await afterLunch()

  expect(failure(() => fake.world('blue').calls.verify('events.insert'))).toContain('Nothing was called.')
  fake.world('blue').calls.verify('events.insert', {}, { times: 0 })
})

test('where calls were dropped that might have counted, nothing is claimed', async () => {
  const { fake, as } = await afterLunch({ journal: 2 })
  for (let read = 0; read < 3; read++) await as(ALICE).get(EVENTS)
  const said = '2 earlier calls were dropped from the journal'

  for (const times of [0, 1, { max: 3 }]) {
    expect(failure(() => fake.calls.verify('events.insert', WANTED, { times }))).toContain(said)
  }
  expect(failure(() => fake.calls.verify('events.insert'))).toContain(said)
  // What was dropped can change nothing here.
  fake.calls.verify('events.list')
  fake.calls.verify('events.list', {}, { times: { min: 2 } })
  expect(failure(() => fake.calls.verify('events.list', {}, { times: 1 }))).not.toContain('dropped')
})

test('what is wanted has no other names than a call, and is told them', async () => {
  const { fake } = await afterLunch()

  expect(() => fake.calls.verify('events.insert', { where: { body: {} } } as never)).toThrow(
    'where: there is no "where"; did you mean "verb"? There are params, body, account, client, verb, path, status, reason, response, fault, batch, hints',
  )
})

test('over HTTP it is said with 200, or with 417 and the message', async () => {
  const { anybody } = await afterLunch()
  const verify = async (asked: object) => {
    const { status, body } = await anybody.post('/_control/calls/verify', asked)
    return { status, body }
  }
  const where = { body: { summary: { matches: '^L' }, attendees: { contains: { email: BOB } } } }

  expect(await verify({ method: 'events.insert', where, times: 1 })).toMatchObject({
    status: 200,
    body: { verified: true, calls: [{ n: 1 }] },
  })
  expect(await verify({ method: 'events.insert', where: { body: { summary: 'Dinner' } } })).toEqual({
    status: 417,
    body: { verified: false, message: expect.stringContaining('✗ body.summary: wanted "Dinner", was "Lunch"') },
  })
  expect(await verify({ method: 'events.insert', wher: {} })).toMatchObject({ status: 400 })
})
