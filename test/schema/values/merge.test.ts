import { expect, test } from 'vitest'
import { isEqual, mergePatch, without } from '../../../src/schema/values/json.ts'

test.each([
  ['a value replaces', { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
  ['null removes', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['null of what is not there is nothing', { b: 2 }, { a: null }, { b: 2 }],
  ['what is not said stays', { a: 1 }, { a: undefined }, { a: 1 }],
  ['objects merge', { a: { b: 1, c: 2 } }, { a: { b: 3, c: null } }, { a: { b: 3 } }],
  ['an object takes the place of what is none', { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['an object takes the place of an array', { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['an object takes the place of null', { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['an object that is new has no nulls', {}, { a: { b: null, c: { d: null } } }, { a: { c: {} } }],
  ['a value takes the place of an object', { a: { b: 1 } }, { a: 0 }, { a: 0 }],
  ['arrays replace', { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ['what an array holds has no nulls', {}, { a: [{ b: null, c: 1 }, 2, null] }, { a: [{ c: 1 }, 2, null] }],
  ['an array in an array stays', {}, { a: [[{ b: null }]] }, { a: [[{ b: null }]] }],
])('3.9.2 %s', (_, base, patch, result) => {
  const before = structuredClone(base)

  expect(mergePatch(base, patch)).toEqual(result)
  expect(base).toEqual(before)
})

test.each([
  [1, 1, true],
  [1, '1', false],
  [null, null, true],
  [null, {}, false],
  [{}, null, false],
  [undefined, undefined, true],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1, b: undefined }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: 2 }, false],
  [{ a: 1, b: 2 }, { a: 1 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2 }] } }, true],
  [{ a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 3 }] } }, false],
  [[], [], true],
  [[1, 2], [1], false],
  [[1], [1, 2], false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [{}, [], false],
])('%j and %j say the same: %j', (a, b, alike) => {
  expect(isEqual(a, b)).toBe(alike)
})

test('a record without some of its fields has the others, in their order', () => {
  expect(Object.entries(without({ a: 1, b: 2, c: 3, d: 4 }, 'b', 'd'))).toEqual([
    ['a', 1],
    ['c', 3],
  ])
  expect(without({ a: 1 })).toEqual({ a: 1 })
})
