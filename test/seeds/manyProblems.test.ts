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

test('a seed with 1,000 invalid accounts is refused with the first hundred problems and their number', () => {
  const lines = messageOf(wrongAccounts(PROBLEM_COUNT))

  expect(lines).toHaveLength(101)
  expect(lines[0]).toBe('accounts[0].email: Invalid input: expected string, received number')
  expect(lines[99]).toMatch(/^accounts\[99\]\.email: /)
  expect(lines[100]).toBe(`seed: and ${PROBLEM_COUNT - 100} more problems`)
})

test('the first of the problems of 150,000 invalid events are listed', () => {
  const events = Array.from({ length: EVENT_COUNT }, () => 'no event')
  const lines = messageOf({ calendars: [{ id: 'team', owner: 'a@example.com', events }] })

  expect(lines[99]).toMatch(/^calendars\[0\]\.events\[\d+\][:.]/)
  expect(lines[100]).toBe('seed: and too many more problems to list')
})

test('a seed with 100 problems lists all of them', () => {
  expect(messageOf(wrongAccounts(100))).toHaveLength(100)
})

test('the route returns 400 with the first hundred problems and their number', async () => {
  const { anonymous } = openCalendar()
  const reply = await anonymous.post('/_control/seed', wrongAccounts(PROBLEM_COUNT))

  expect(errorOf(reply)).toMatchObject({ status: 400 })
  expect(reply.body.error.message.split('\n')).toHaveLength(101)
})
