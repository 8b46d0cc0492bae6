import { expect, test } from 'vitest'
import { ChangeLog } from '../../src/db/changeLog.ts'
import { newLife, nextLife } from '../../src/db/epoch.ts'
import { Store } from '../../src/db/store.ts'
import { expiringIn } from '../../src/sync/expiry.ts'
import { expire, isObject, isRevision, isText, seal, sealDigits, unseal, unsealDigits } from '../../src/sync/tokens.ts'

const LIFE = newLife('main', 3)
const SHAPE = { since: isRevision, q: isText }
const DATA = { since: 7, q: 'ü' }

test('what was sealed is what a token holds, for the list that it is of', () => {
  const token = seal(LIFE, 'events/a', DATA)

  expect(unseal(token, 'events/a', SHAPE)).toEqual({ ...DATA, list: 'events/a', line: 'main', number: 3 })
  expect(unseal(token, 'events/b', SHAPE)).toBe(undefined)
  expect(seal(LIFE, 'events/a', DATA)).toBe(token)
})

// behaviour 5.7
test('a token is base64 that ends in =, however long it is', () => {
  for (let length = 0; length < 12; length++) {
    const token = seal(LIFE, 'x'.repeat(length), DATA)
    expect(token).toMatch(/^[\w+/]+={1,2}$/)
    expect(unseal(token, 'x'.repeat(length), SHAPE)).toMatchObject(DATA)
    const blanks = seal(LIFE, 'x'.repeat(length), { since: 7, q: ' a b ' })
    expect(unseal(blanks, 'x'.repeat(length), SHAPE)).toMatchObject({ q: ' a b ' })
  }
})

test('a token that was changed in any character is none', () => {
  const token = seal(LIFE, 'list', DATA)
  for (let at = 0; at < token.length; at++) {
    const other = token[at] === 'A' ? 'B' : 'A'
    expect(unseal(token.slice(0, at) + other + token.slice(at + 1), 'list', SHAPE)).toBe(undefined)
  }
  for (const changed of [`${token}A`, ` ${token}`, token.slice(4), token.replace(/=+$/, ''), ''])
    expect(unseal(changed, 'list', SHAPE)).toBe(undefined)
})

test('a token is of the life that it names, and of data of its shape', () => {
  const text = Buffer.from(seal(LIFE, 'list', DATA), 'base64').toString()
  const forged = text.replace('"number":3', '"number":4')

  expect(forged).not.toBe(text)
  expect(unseal(Buffer.from(forged).toString('base64'), 'list', SHAPE)).toBe(undefined)
  for (const data of [{}, { since: 7 }, { since: '7', q: 'x' }, { since: 1.5, q: 'x' }, { since: 7, q: 1 }])
    expect(unseal(seal(LIFE, 'list', data), 'list', SHAPE)).toBe(undefined)
  expect(unseal(seal(nextLife(LIFE), 'list', DATA), 'list', SHAPE)).toMatchObject({ number: 4 })
})

test.each([
  [{}, true],
  [[], false],
  [null, false],
  ['x', false],
])('%j is an object: %j', (value, is) => {
  expect(isObject(value)).toBe(is)
})

// behaviour 5.7
test('tokens of digits are twenty of them, the last sixteen the moment', () => {
  const token = sealDigits(LIFE, 'acl/a', 1_772_366_400_000_000)

  expect(token).toMatch(/^\d{4}1772366400000000$/)
  for (let since = 0; since < 100; since++) expect(sealDigits(LIFE, 'acl/a', since)).toMatch(/^\d{4}0{14}\d\d$/)
  expect(unsealDigits(token, 'acl/a', LIFE)).toMatchObject({ line: 'main', number: 3, since: 1_772_366_400_000_000 })
  expect(unsealDigits(token, 'acl/a', nextLife(nextLife(LIFE)))).toMatchObject({ number: 3 })
})

test('tokens of digits are of their list, of lives that there were, and not made up', () => {
  const token = sealDigits(LIFE, 'acl/a', 1_772_366_400_000_000)

  for (const other of ['acl/b', 'settings/a']) expect(unsealDigits(token, other, LIFE)).toBe(undefined)
  expect(unsealDigits(token, 'acl/a', newLife('main', 2))).toBe(undefined)
  expect(unsealDigits(token, 'acl/a', newLife('other', 3))).toBe(undefined)
  for (const made of [`${token}0`, token.slice(1), `x${token.slice(1)}`, `x${token}`, ''])
    expect(unsealDigits(made, 'acl/a', LIFE)).toBe(undefined)
})

test('each order about sync tokens is of its own, and a later one takes the place of the same', () => {
  const changes = new ChangeLog(new Store(), { now: () => 1 })
  const orders = () =>
    expiringIn(changes.store).value.map(({ account, calendarId, afterUses, until }) => [
      account ?? calendarId,
      afterUses,
      until !== undefined,
    ])
  expire(changes, { account: 'a' }, 1)
  expire(changes, { account: 'b' }, 2)
  expire(changes, { calendarId: 'c' }, 3)
  expire(changes, { account: 'a' }, 4)
  expire(changes, { account: 'a' }, undefined)
  expect(orders()).toEqual([
    ['b', 2, false],
    ['c', 3, false],
    ['a', 4, false],
    ['a', undefined, true],
  ])
  expire(changes, { account: 'a' }, null)
  expire(changes, { account: 'b' }, null)
  expect(orders()).toEqual([
    ['c', 3, false],
    ['a', undefined, true],
  ])
  const { forgotten } = changes
  expire(changes, {}, undefined)
  expect([changes.forgotten > forgotten, orders().length]).toEqual([true, 2])
})
