import { expect, test } from 'vitest'
import { createFakeCalendar, SeedError } from '../../src/index.ts'
import { errorOf, openCalendar } from '../support/calendar.ts'

const PROBLEM_COUNT = 1000
/** zod cannot return the issues of so many events at once. The limit is about 120,000. */
const EVENT_COUNT = 150_000
const wrongAccounts = (count: number) => ({ accounts: Array.from({ length: count }, (_, at) => ({ email: at })) })

function messageOf(seed: unknown): string[] {
  try {
    createFakeCalendar({ seed: seed as never })
  } catch (error) {
    expect(error).toBeInstanceOf(SeedError)
    return (error as Error).message.split('\n')
  }
  throw new Error('the seed was accepted')
}

test('a seed with 1,000 invalid accounts is refused with the first 20 problems and their number', () => {
  const lines = messageOf(wrongAccounts(PROBLEM_COUNT))

  expect(lines).toHaveLength(21)
  expect(lines[0]).toBe('accounts[0].email: expected a text; got 0')
  expect(lines[19]).toMatch(/^accounts\[19\]\.email: /)
  expect(lines[20]).toBe(`seed: and ${PROBLEM_COUNT - 20} more problems`)
})

test('the first of the problems of 150,000 invalid events are listed', () => {
  const events = Array.from({ length: EVENT_COUNT }, () => 'no event')
  const lines = messageOf({ calendars: [{ id: 'team', owner: 'a@example.com', events }] })

  expect(lines[19]).toMatch(/^calendars\[0\]\.events\[\d+\][:.]/)
  expect(lines[20]).toBe('seed: and too many more problems to list')
})

test('a seed with 20 problems lists all of them', () => {
  expect(messageOf(wrongAccounts(20))).toHaveLength(20)
})

test('the route returns 400 with the first 20 problems and their number', async () => {
  const { anonymous } = openCalendar()
  const reply = await anonymous.post('/_control/seed', wrongAccounts(PROBLEM_COUNT))

  const lines = reply.body.error.message.split('\n')

  expect(errorOf(reply)).toMatchObject({ status: 400 })
  expect(lines).toHaveLength(21)
  expect(lines[20]).toBe(`body: and ${PROBLEM_COUNT - 20} more problems`)
})

const unknownKeys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, at]))
const FIRST_KEYS = Array.from({ length: 20 }, (_, at) => `"key${at + 1}"`).join(', ')

test.each(['/_control/seed', '/_control/replace', '/_control/reset', '/_control/diff/verify', '/_control/faults'])(
  'POST %s of an object with 5,000 unknown keys lists at most 20 of them',
  async (path) => {
    const { anonymous } = openCalendar()
    const reply = await anonymous.post(path, unknownKeys(5000))

    expect(errorOf(reply)).toMatchObject({ status: 400 })
    expect(reply.body.error.message.length).toBeLessThan(2000)
  },
)

test('an error about 200,000 unknown keys has the first 20 and the number of the others', () => {
  const [line = '', ...others] = messageOf(unknownKeys(200_000))
  expect(line).toMatch(/^seed: there is no "key0"; there are .*; also unknown: "key1", .* and 199979 more$/)
  expect(line).toContain(FIRST_KEYS)
  expect([line.includes('key21'), others]).toEqual([false, []])
})

test('an error about 1,000 wrong values lists 20 of them and the number of the others', async () => {
  const { anonymous } = openCalendar()
  const reply = await anonymous.post('/_control/diff/verify', { expected: Array(1000).fill({ change: 7 }) })
  const lines = reply.body.error.message.split('\n')

  expect(errorOf(reply)).toMatchObject({ status: 400 })
  expect(lines).toHaveLength(21)
  expect(lines[20]).toBe('and 980 more')
})
