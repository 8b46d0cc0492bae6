import { expect, test } from 'vitest'
import { VerificationError } from '../../../src/index.ts'
import { ALICE, BOB, errorOf, hour, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendars/primary/events'

/** Alice has made a lunch with Bob and a dinner, and called off her breakfast. */
async function aDay() {
  const { fake, as, anonymous } = openCalendar()
  const alice = as(ALICE)
  const { body: breakfast } = await alice.post(EVENTS, { summary: 'Breakfast', ...hour('2026-03-09', 8) })
  const before = fake.changes().at(-1)?.revision ?? 0
  const lunch = { summary: 'Lunch', ...hour('2026-03-09', 12), attendees: [{ email: BOB }] }
  await alice.post(EVENTS, lunch)
  await alice.post(EVENTS, { summary: 'Dinner', ...hour('2026-03-09', 19), location: 'At home' })
  await alice.delete(`${EVENTS}/${breakfast.id}`)
  return { fake, before, diff: fake.diff(before), anonymous }
}

const LUNCH = { change: 'added', kind: 'event', where: { summary: 'Lunch' } } as const
const DINNER = { change: 'added', kind: 'event', where: { summary: 'Dinner' } } as const
const BREAKFAST = { change: 'deleted', kind: 'event', where: { summary: 'Breakfast' } } as const

type Expected = Parameters<Awaited<ReturnType<typeof aDay>>['diff']['verify']>[0]

test.each<[string, Expected]>([
  ['all changes in any order', [DINNER, BREAKFAST, LUNCH]],
  ['guests by address', [{ ...LUNCH, where: { attendees: [{ email: BOB, responseStatus: 'needsAction' }] } }, DINNER, BREAKFAST]],
  ['contains', [LUNCH, { ...DINNER, where: { location: { contains: 'home' } } }, BREAKFAST]],
  ['matches', [LUNCH, { ...DINNER, where: { summary: { matches: '^Din' } } }, BREAKFAST]],
  ['asymmetric matchers', [{ ...LUNCH, where: expect.objectContaining({ summary: 'Lunch' }) }, { ...DINNER, id: expect.any(String) }, BREAKFAST]],
  ['an instant in another notation', [{ ...LUNCH, where: { start: { dateTime: '2026-03-09T16:00:00Z' } } }, DINNER, BREAKFAST]],
  ['title, account and calendar', [{ title: 'Lunch', account: ALICE }, { title: 'Dinner', calendarId: ALICE }, { title: 'Breakfast' }]],
  ['a field and its new value', [{ fields: { summary: 'Lunch' } }, { fields: { location: [null, 'At home'] } }, BREAKFAST]],
  ['a number of times', [{ change: 'added', times: 2 }, BREAKFAST]],
  ['a range of times', [{ kind: 'event', times: { min: 1, max: 3 } }]],
  ['never', [{ change: 'changed', times: 0 }, { kind: 'event', times: { min: 3 } }]],
  ['a wider expectation beside a narrower one', [{ change: 'added' }, LUNCH, BREAKFAST]],
])('a verification passes: %s', async (_, expected) => {
  const { diff } = await aDay()
  expect(diff.verify(expected)).toHaveLength(3)
}) // biome-ignore format: a table

const failure = async (expected: Expected): Promise<string[]> => {
  const { diff } = await aDay()
  try {
    diff.verify(expected)
  } catch (error) {
    expect(error).toBeInstanceOf(VerificationError)
    return (error as Error).message.split('\n')
  }
  throw new Error('it was verified')
}

test('an unexpected change fails the verification and is named', async () => {
  expect(await failure([LUNCH])).toEqual([
    'expected no other change; there are 2 other changes:',
    '  event "Breakfast" of alice@example.com, 2026-03-09T08:00:00-04:00: deleted',
    '  event "Dinner" of alice@example.com, 2026-03-09T19:00:00-04:00: added',
  ])
  expect(await failure([])).toHaveLength(4)
})

test('a missing change is reported with the nearest unmatched change', async () => {
  const supper = { ...DINNER, where: { summary: 'Supper', location: 'At home' } }
  expect(await failure([LUNCH, supper, BREAKFAST])).toEqual([
    'expected 1 change with {"change":"added","kind":"event","where":{"summary":"Supper","location":"At home"}}; there is no such change',
    'The nearest, event "Dinner" of alice@example.com, 2026-03-09T19:00:00-04:00: added, differs in:',
    '  where.summary: expected "Supper", got "Dinner"',
    'expected no other change; there is 1 other change:',
    '  event "Dinner" of alice@example.com, 2026-03-09T19:00:00-04:00: added',
  ])
})

test('unmet counts are reported', async () => {
  expect(await failure([{ change: 'added', times: 3 }, BREAKFAST])).toContain(
    'expected 3 changes with {"change":"added"}; there are 2 such changes',
  )
  expect(
    await failure([
      { change: 'deleted', times: 0 },
      { kind: 'event', times: { min: 0 } },
    ]),
  ).toEqual([
    'expected no other change; there is 1 other change:',
    '  event "Breakfast" of alice@example.com, 2026-03-09T08:00:00-04:00: deleted',
  ])
})

test('an empty expectation passes only if nothing changed', async () => {
  const { fake } = openCalendar()
  expect(fake.diff().verify([])).toEqual([])
  expect(() => fake.diff().verify([LUNCH])).toThrow('no event has changed')
})

test.each<[unknown, string]>([
  [
    [{ change: 'added', summary: 'Lunch' }],
    'expected[0]: there is no "summary"; did you mean "where"? There are change, kind, account, calendarId, id, title, where, fields, times',
  ],
  [[{ change: 'created' }], 'expected[0].change: there is no "created"; did you mean "added"?'],
  [[{ times: { min: 2, max: 1 } }], 'expected[0].times: min is greater than max'],
  [
    [{}, { where: { summary: { matches: '(' } } }],
    'expected[1].where.summary.matches: "(" is not a valid RE2 pattern: error parsing regexp: missing closing ): `(`',
  ],
  ['all', 'expected: expected a list; got "all"'],
])('%j is not a valid expectation', async (expected, problem) => {
  const { diff } = await aDay()
  expect(() => diff.verify(expected as never)).toThrow(
    expect.objectContaining({ name: 'RangeError', message: problem }),
  )
})

test('the route gives the same result, with 417 if the changes differ', async () => {
  const { before, anonymous } = await aDay()
  const verify = (expected: unknown) => anonymous.post('/_control/diff/verify', { since: before, expected })

  const { status, body } = await verify([LUNCH, DINNER, BREAKFAST])
  expect([status, body.verified, body.changes.length]).toEqual([200, true, 3])
  const refused = await verify([{ ...LUNCH, where: { summary: { contains: 'un' } } }, DINNER])
  expect(refused).toMatchObject({ status: 417, body: { verified: false } })
  expect(refused.body).toMatchObject({
    message:
      'expected no other change; there is 1 other change:\n  event "Breakfast" of alice@example.com, 2026-03-09T08:00:00-04:00: deleted',
  })
  expect(errorOf(await verify([{ times: -1 }]))).toMatchObject({ status: 400 })
  expect(errorOf(await verify([{ where: { a: { matches: '(' } } }]))).toMatchObject({ status: 400 })
})
