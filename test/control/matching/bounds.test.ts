import { expect, onTestFinished, test } from 'vitest'
import { type ExpectedChange, VerificationError } from '../../../src/index.ts'
import { startCounting } from '../../robust/steps.ts'
import { ALICE, hour, openCalendar } from '../../support/calendar.ts'

/** Opens a calendar to which `count` events were added, and counts from here on. */
function withEvents(count: number) {
  const opened = openCalendar()
  const events = Array.from({ length: count }, (_, at) => ({
    id: `lunch${at}`,
    summary: 'Lunch',
    ...hour('2026-03-09', 12),
  }))
  const before = opened.fake.snapshot('before')
  opened.fake.seed({ calendars: [{ id: ALICE, events }] } as never)
  const diff = opened.fake.diff(before)
  expect(diff).toHaveLength(count)
  const work = startCounting()
  onTestFinished(() => work.stop())
  return { ...opened, diff, work }
}

const expectations = (count: number, one: (at: number) => ExpectedChange) =>
  Array.from({ length: count }, (_, at) => one(at))
const EQUAL = (): ExpectedChange => ({ change: 'added', kind: 'event', where: { summary: 'Lunch' } })

const VARIANTS: [name: string, one: (at: number) => ExpectedChange][] = [
  ['equal expectations', EQUAL],
  ['expectations by kind and id', (at) => ({ kind: 'event', id: `lunch${at}` })],
  ['expectations by a field of the resource', (at) => ({ where: { id: `lunch${at}`, summary: 'Lunch' } })],
]

test.each(VARIANTS)('the steps of a verification are linear in the number of %s', (_, one) => {
  const { diff, work } = withEvents(800)
  const stepsOf = (count: number) => {
    work.takeCount()
    diff.verify([...expectations(count, one), { times: { min: 0, max: 800 } }])
    return work.takeCount()
  }
  const [some, all] = [stepsOf(100), stepsOf(800)]

  expect(all).toBeLessThan(12 * some)
  expect(all).toBeLessThan(60_000)
})

test('the steps of a failed verification with 800 missing changes are linear', () => {
  const { diff, work } = withEvents(800)
  work.takeCount()
  const failure = catchError(() => diff.verify(expectations(800, (at) => ({ kind: 'event', id: `dinner${at}` }))))

  expect(failure).toBeInstanceOf(VerificationError)
  expect(failure.message).toMatch(/\nand 1400 more$/)
  expect(work.takeCount()).toBeLessThan(400_000)
})

test('a chain in which each change fits two expectations is assigned in linear steps', () => {
  const { diff, work } = withEvents(400)
  const chain = expectations(400, (at) => ({
    id: expect.stringMatching(new RegExp(`^lunch(${at}|${(at + 1) % 400})$`)),
  }))
  work.takeCount()

  expect(diff.verify(chain)).toHaveLength(400)
  expect(work.takeCount()).toBeLessThan(5_000_000)
})

test('other requests are answered while changes are verified', async () => {
  const { anonymous } = withEvents(1000)
  const chain = expectations(300, (at) => ({ where: { location: { contains: `${at}` } }, times: { min: 0, max: 1 } }))
  const order: string[] = []
  const verified = anonymous
    .post('/_control/diff/verify', { since: 'before', expected: [...chain, { times: 1000 }] })
    .then(() => order.push('verified'))
  let turns = 0
  const count = () => {
    turns += 1
    if (order.length === 0) setImmediate(count)
  }
  setImmediate(count)
  await verified

  expect(turns).toBeGreaterThan(50)
})

test('10,000 expected keys are compared with 50 calls in few steps', async () => {
  const { fake, as, work } = withEvents(0)
  for (let call = 0; call < 50; call++) await as(ALICE).get('/colors')
  const keys = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`key${at}`, null]))
  work.takeCount()

  expect(() => fake.calls.verify('colors.get', { params: { ...keys, key0: 'a' } })).toThrow(VerificationError)
  expect(work.takeCount()).toBeLessThan(2_000_000)
})

function catchError(act: () => unknown): Error {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}
