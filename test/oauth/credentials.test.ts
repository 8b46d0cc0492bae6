import { expect, test } from 'vitest'
import { isActive } from '../../src/oauth/credentials.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')

test.each([
  [{}, true],
  [{ revoked: false }, true],
  [{ revoked: true }, false],
  [{ expires: '2026-03-01T12:00:00Z' }, false],
  [{ expires: '2026-03-01T12:00:00.001Z' }, true],
  [{ expires: '2026-03-01T11:59:59Z' }, false],
  [{ expires: '2027-01-01T00:00:00Z', revoked: true }, false],
])('at noon %j is active: %j', (expiring, expected) => {
  expect(isActive(expiring, NOON)).toBe(expected)
})
