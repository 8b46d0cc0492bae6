import { expect, test } from 'vitest'
import { ChangeLog } from '../../src/db/changeLog.ts'
import { Store } from '../../src/db/store.ts'
import { isObject } from '../../src/schema/values/json.ts'
import { firstEpoch, nextEpoch } from '../../src/sync/epochs.ts'
import {
  decodeDigitToken,
  decodeToken,
  encodeDigitToken,
  encodeToken,
  expireSyncTokens,
  isRevision,
  isString,
  tokenExpiries,
} from '../../src/sync/tokens.ts'

const EPOCH = firstEpoch('main', 3)
const SHAPE = { since: isRevision, q: isString }
const DATA = { since: 7, q: 'ü' }

test('a token contains the encoded values, and is valid only for its list', () => {
  const token = encodeToken(EPOCH, ['events', 'a'], DATA)

  expect(decodeToken(token, ['events', 'a'], SHAPE)).toEqual({
    ...DATA,
    list: ['events', 'a'],
    worldId: 'main',
    resetCount: 3,
  })
  expect(decodeToken(token, ['events', 'b'], SHAPE)).toBe(undefined)
  expect(encodeToken(EPOCH, ['events', 'a'], DATA)).toBe(token)
})

test('5.7 a token of any length is base64 that ends in =', () => {
  for (let length = 0; length < 12; length++) {
    const token = encodeToken(EPOCH, ['x'.repeat(length)], DATA)
    expect(token).toMatch(/^[\w-]+={1,2}$/)
    expect(decodeToken(token, ['x'.repeat(length)], SHAPE)).toMatchObject(DATA)
    const blanks = encodeToken(EPOCH, ['x'.repeat(length)], { since: 7, q: ' a b ' })
    expect(decodeToken(blanks, ['x'.repeat(length)], SHAPE)).toMatchObject({ q: ' a b ' })
  }
})

test('a token with any changed character is invalid', () => {
  const token = encodeToken(EPOCH, ['list'], DATA)
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A'
    expect(decodeToken(token.slice(0, at) + other + token.slice(at + 1), ['list'], SHAPE)).toBe(undefined)
  }
  for (const changed of [`${token}A`, ` ${token}`, token.slice(4), token.replace(/=+$/, ''), ''])
    expect(decodeToken(changed, ['list'], SHAPE)).toBe(undefined)
})

test('a token with another epoch or with data of another shape is invalid', () => {
  const text = Buffer.from(encodeToken(EPOCH, ['list'], DATA), 'base64').toString()
  const forged = text.replace('"resetCount":3', '"resetCount":4')

  expect(forged).not.toBe(text)
  expect(decodeToken(Buffer.from(forged).toString('base64'), ['list'], SHAPE)).toBe(undefined)
  for (const data of [{}, { since: 7 }, { since: '7', q: 'x' }, { since: 1.5, q: 'x' }, { since: 7, q: 1 }])
    expect(decodeToken(encodeToken(EPOCH, ['list'], data), ['list'], SHAPE)).toBe(undefined)
  expect(decodeToken(encodeToken(nextEpoch(EPOCH), ['list'], DATA), ['list'], SHAPE)).toMatchObject({ resetCount: 4 })
})

test.each([
  [{}, true],
  [[], false],
  [null, false],
  ['x', false],
])('%j is an object: %j', (value, is) => {
  expect(isObject(value)).toBe(is)
})

test('5.7 a digit token has twenty digits, of which the last sixteen are its revision', () => {
  const token = encodeDigitToken(EPOCH, ['acl', 'a'], 1_772_366_400_000_000)

  expect(token).toMatch(/^\d{4}1772366400000000$/)
  for (let since = 0; since < 100; since++)
    expect(encodeDigitToken(EPOCH, ['acl', 'a'], since)).toMatch(/^\d{4}0{14}\d\d$/)
  expect(decodeDigitToken(token, ['acl', 'a'], EPOCH)).toMatchObject({
    worldId: 'main',
    resetCount: 3,
    since: 1_772_366_400_000_000,
  })
  expect(decodeDigitToken(token, ['acl', 'a'], nextEpoch(nextEpoch(EPOCH)))).toMatchObject({ resetCount: 3 })
})

test('a digit token is invalid for another list, for a later epoch, and when it is made up', () => {
  const token = encodeDigitToken(EPOCH, ['acl', 'a'], 1_772_366_400_000_000)

  for (const other of [
    ['acl', 'b'],
    ['settings', 'a'],
  ])
    expect(decodeDigitToken(token, other, EPOCH)).toBe(undefined)
  expect(decodeDigitToken(token, ['acl', 'a'], firstEpoch('main', 2))).toBe(undefined)
  expect(decodeDigitToken(token, ['acl', 'a'], firstEpoch('other', 3))).toBe(undefined)
  for (const made of [`${token}0`, token.slice(1), `x${token.slice(1)}`, `x${token}`, ''])
    expect(decodeDigitToken(made, ['acl', 'a'], EPOCH)).toBe(undefined)
})

test('each target has its own sync token expiry, which a later one for the same target replaces', () => {
  const changes = new ChangeLog(new Store(), { now: () => 1 })
  const orders = () =>
    tokenExpiries(changes.store).value.map(({ account, calendarId, afterUses, until }) => [
      account ?? calendarId,
      afterUses,
      until !== undefined,
    ])
  expireSyncTokens(changes, { account: 'a' }, 1)
  expireSyncTokens(changes, { account: 'b' }, 2)
  expireSyncTokens(changes, { calendarId: 'c' }, 3)
  expireSyncTokens(changes, { account: 'a' }, 4)
  expireSyncTokens(changes, { account: 'a' }, undefined)
  expect(orders()).toEqual([
    ['b', 2, false],
    ['c', 3, false],
    ['a', 4, false],
    ['a', undefined, true],
  ])
  expireSyncTokens(changes, { account: 'a' }, null)
  expireSyncTokens(changes, { account: 'b' }, null)
  expect(orders()).toEqual([
    ['c', 3, false],
    ['a', undefined, true],
  ])
  const { prunedUpTo } = changes
  expireSyncTokens(changes, {}, undefined)
  expect([changes.prunedUpTo > prunedUpTo, orders().length]).toEqual([true, 2])
})
