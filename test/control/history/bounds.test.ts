import { expect, test } from 'vitest'
import type { ChangeRecord } from '../../../src/control/history/change.ts'
import { matchChanges, verifyChanges } from '../../../src/control/history/verify.ts'
import { comparisons, listCriteria, matches } from '../../../src/control/matching.ts'
import { VerificationError } from '../../../src/index.ts'
import { ALICE, hour, openCalendar } from '../../support/calendar.ts'

/** The change of an inserted event. */
function toRecord(at: number): ChangeRecord {
  const title = `Event ${at}`
  const resource = { id: `e${at}`, summary: title, location: `Room ${at % 7}`, start: { date: '2026-03-02' } }
  const fields = { summary: [null, title], location: [null, resource.location] } as const
  const change = { change: 'added', kind: 'event', account: 'a@example.com', calendarId: 'a@example.com', id: resource.id, title, fields, copies: [] } as const
  return { change: { ...change, copies: [] }, was: undefined, is: resource, existed: false, resource, secrets: [] }
} // biome-ignore format: a record

const recordsOf = (count: number): ChangeRecord[] => Array.from({ length: count }, (_, at) => toRecord(at))

function countComparisons(act: () => unknown): number {
  comparisons.made = 0
  act()
  return comparisons.made
}

test('1,000 expected changes beside 10,000 are decided with a comparison for each of their parts', () => {
  const found = recordsOf(10_000)
  const expected = found.slice(0, 1000).map(({ change: { title, calendarId }, resource }) => ({ change: 'added' as const, title, calendarId, where: resource }))

  expect(countComparisons(() => matchChanges(found, expected))).toBeLessThan(1000 * 10)
}) // biome-ignore format: one line for an expectation

test('500 unmet expectations beside 1,000 changes are decided at the first part that differs, and 20 are explained', () => {
  const found = recordsOf(1000)
  const expected = Array.from({ length: 500 }, (_, at) => ({ kind: 'event' as const, where: { location: `Hall ${at}`, start: { date: '2026-03-02' } } }))
  const decided = countComparisons(() => matchChanges(found, expected))
  const explained = countComparisons(() => expect(() => verifyChanges(found, expected)).toThrow(VerificationError))

  expect(decided).toBeLessThanOrEqual(500 * 1000 * 2)
  expect(explained - decided).toBeLessThan(20 * 1000 * 4)
}) // biome-ignore format: one line for an expectation

test('the message of 500 unmet expectations has 20 of them, each with the nearest change', () => {
  const expected = Array.from({ length: 500 }, (_, at) => ({ where: { summary: `Event ${at}`, location: 'Hall' } }))
  const verify = () => verifyChanges(recordsOf(500), expected)

  expect(verify).toThrow(/differs in:\n {2}where\.location: expected "Hall", got "Room 0"/)
  expect(verify).toThrow(/\nand \d+ more$/)
  expect(verify).toThrow(expect.objectContaining({ message: expect.not.stringContaining('"Event 20"') }))
})

const guests = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ email: `g${at}@example.com`, optional: at % 2 === 0 }))

test.each<[string, unknown[], unknown[], number]>([
  ['guests', guests(1000), guests(10_000).reverse(), 1000],
  ['texts', Array.from({ length: 1000 }, (_, at) => `t${at}`), Array.from({ length: 10_000 }, (_, at) => `t${9999 - at}`), 1000],
  ['equal texts', Array(300).fill('x'), Array(1000).fill('x'), 300 * 1000],
  ['objects without a key', guests(300).map(({ email }) => ({ name: email })), guests(1000).map(({ email }) => ({ name: email })), 300 * 1000],
])('a list of %s is matched within a bound', (_, expected, actual, bound) => {
  expect(countComparisons(() => expect(matches(expected, actual)).toBe(true))).toBeLessThanOrEqual(bound)
  const missing = [...expected, ...Array(5).fill({ email: 'nobody@example.com' })]
  expect(matches(missing, actual)).toBe(false)
  const unmet = listCriteria(missing, actual).filter(({ met }) => !met)
  expect(unmet.map(({ path }) => path)).toEqual(Array(5).fill('[nobody@example.com]'))
}) // biome-ignore format: a table

test('a list that needs another assignment of its elements matches, and each element counts once', () => {
  const expected = [{ color: 'red' }, { color: 'red', size: 1 }]
  expect(matches(expected, [{ color: 'red', size: 1 }, { color: 'red' }])).toBe(true)
  expect(matches(expected, [{ color: 'red', size: 1 }, { size: 1 }])).toBe(false)
  expect(matches([/a/, /b/], ['a', 'b'])).toBe(true)
  expect(matches([/a/, /b/], ['ab', 'c'])).toBe(false)
}) // biome-ignore format: one line for a list

test('2,000 expected parts of a body are checked and compared once', async () => {
  const { fake, as } = openCalendar()
  for (let at = 0; at < 20; at++) await as(ALICE).post('/calendars/primary/events', { ...hour('2026-03-02', 9) })
  const body = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`zzqx${at}`, 1]))
  let listed = 0
  const ownKeys = (target: object) => {
    listed += 1
    return Reflect.ownKeys(target)
  }
  expect(() => fake.calls.verify('events.insert', { body: new Proxy(body, { ownKeys }) })).toThrow(VerificationError)

  expect(listed).toBeLessThan(100)
  expect(countComparisons(() => fake.calls.verify('events.insert', { body }, { times: 0 }))).toBeLessThan(100)
})
