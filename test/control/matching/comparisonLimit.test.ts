import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { ComparisonBudget } from '../../../src/control/matching/comparisonBudget.ts'
import { ALICE, errorOf, openCalendar } from '../../support/calendar.ts'

const { spend } = ComparisonBudget.prototype

/** Makes each comparison count a thousand times, because two million take seconds. */
function chargeAThousandfold(): void {
  vi.spyOn(ComparisonBudget.prototype, 'spend').mockImplementation(function (this: ComparisonBudget, count = 1) {
    spend.call(this, 1000 * count)
  })
}

const TOO_MANY_CHANGES = /more than 2000000 comparisons: name the kind and id of each, or verify fewer at a time$/
const TOO_MANY_CALLS =
  /more than 2000000 comparisons: select calls by method, account or calendarId, or expect fewer parts$/
/** 100 parameters that no call has, so that each is compared. */
const KEYS = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`key${at}`, null]))

/** Opens a calendar with 30 calls. */
async function withCalls() {
  const opened = openCalendar()
  for (let call = 0; call < 30; call++) await opened.as(ALICE).get('/colors')
  return opened
}

test('the limit is two million comparisons, as documented', () => {
  const budget = new ComparisonBudget('verify fewer at a time')
  budget.spend(2_000_000)
  expect(() => budget.spend()).toThrow('more than 2000000 comparisons: verify fewer at a time')
  expect(readFileSync('docs/guides/changes.md', 'utf8')).toContain('at most 2,000,000 comparisons')
})

test('above the limit a verification of changes is an error', async () => {
  chargeAThousandfold()
  const { fake, as, anonymous } = openCalendar()
  const before = fake.snapshot('before')
  for (let at = 0; at < 40; at++) await as(ALICE).post('/calendars', { summary: `${at}` })
  const expected = Array.from({ length: 40 }, (_, at) => ({ where: { missing: at }, times: { min: 0, max: 1 } }))

  expect(() => fake.diff(before).verify(expected)).toThrow(TOO_MANY_CHANGES)
  const { status, message } = errorOf(await anonymous.post('/_control/diff/verify', { since: 'before', expected }))
  expect([status, message]).toEqual([400, expect.stringMatching(TOO_MANY_CHANGES)])
})

test('above the limit a verification, a list and a wait of calls is an error', async () => {
  chargeAThousandfold()
  const { fake, anonymous } = await withCalls()
  const where = { params: KEYS }

  expect(() => fake.calls.verify('colors.get', where, { times: 30 })).toThrow(TOO_MANY_CALLS)
  expect(() => fake.calls('colors.get', { where })).toThrow(TOO_MANY_CALLS)
  await expect(fake.calls.until('colors.get', 30, { where })).rejects.toThrow(TOO_MANY_CALLS)
  const body = { method: 'colors.get', where }
  const query = new URLSearchParams({ where: JSON.stringify(where) })
  for (const reply of [
    await anonymous.post('/_control/calls/verify', body),
    await anonymous.post('/_control/calls/until', { ...body, count: 30 }),
    await anonymous.get(`/_control/calls?${query}`),
  ]) {
    const { status, message } = errorOf(reply)
    expect([status, message]).toEqual([400, expect.stringMatching(TOO_MANY_CALLS)])
  }
})

test('an open wait that exceeds the limit ends with an error, and other waits continue', async () => {
  chargeAThousandfold()
  const { fake, as } = openCalendar()
  const failing = expect(fake.calls.until('*', 100, { where: { params: KEYS }, timeout: '20s' })).rejects.toThrow(
    TOO_MANY_CALLS,
  )
  const waiting = fake.calls.until('colors.get', 30, { timeout: '20s' })
  for (let call = 0; call < 30; call++) expect((await as(ALICE).get('/colors')).status).toBe(200)

  await failing
  expect(await waiting).toHaveLength(30)
})
