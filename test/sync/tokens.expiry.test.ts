import { expect, test, vi } from 'vitest'
import { reportFault } from '../../src/model/clock.ts'
import { addressOf } from '../../src/schema/values/address.ts'
import { isActive } from '../../src/sync/tokens.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')

test.each([
  [{}, true],
  [{ revoked: false }, true],
  [{ revoked: true }, false],
  [{ expires: '2026-03-01T12:00:00Z' }, false],
  [{ expires: '2026-03-01T12:00:00.001Z' }, true],
  [{ expires: '2026-03-01T11:59:59Z' }, false],
  [{ expires: '2027-01-01T00:00:00Z', revoked: true }, false],
])('at noon %j is good: %j', (expiring, good) => {
  expect(isActive(expiring, NOON)).toBe(good)
})

test.each([
  ['Alice@Example.COM', 'alice@example.com'],
  ['Alice@GoogleMail.com', 'alice@gmail.com'],
  ['alice@googlemail.com.example', 'alice@googlemail.com.example'],
  ['googlemail.com', 'googlemail.com'],
])('1.6, 3.6 %s is %s', (address, known) => {
  expect(addressOf(address)).toBe(known)
})

test('a fault is one line: what failed, how and where, and what to do with it', () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const error = new TypeError('it is\n  broken')
  error.stack = 'TypeError: it is\n  broken\n    at first (file.ts:1:2)\n    at second (file.ts:3:4)'
  const bare = new Error('bare')
  bare.stack = undefined as never
  const rest = 'this is a fault of fake-calendar: please report this line'

  expect(reportFault('GET /x', error)).toBe('TypeError: it is\n  broken')
  expect(reportFault('GET /y', bare)).toBe('Error: bare')
  expect(reportFault('GET /z', 'a text')).toBe('a text')
  expect(consoleError.mock.calls.map(([line]) => line)).toEqual([
    `fake-calendar: GET /x failed: TypeError: it is broken at first (file.ts:1:2); ${rest}`,
    `fake-calendar: GET /y failed: Error: bare; ${rest}`,
    `fake-calendar: GET /z failed: a text; ${rest}`,
  ])
})
