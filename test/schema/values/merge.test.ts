import { expect, test } from 'vitest'
import { isEqual, mergePatch, without } from '../../../src/schema/values/json.ts'

test.each([
  ['a value replaces a value', { a: 1, b: 2 }, { a: 3 }, { a: 3, b: 2 }],
  ['null removes a field', { a: 1, b: 2 }, { a: null }, { b: 2 }],
  ['null for a missing field has no effect', { b: 2 }, { a: null }, { b: 2 }],
  ['a missing field is kept', { a: 1 }, { a: undefined }, { a: 1 }],
  ['objects are merged', { a: { b: 1, c: 2 } }, { a: { b: 3, c: null } }, { a: { b: 3 } }],
  ['an object replaces a value', { a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['an object replaces an array', { a: [1] }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['an object replaces null', { a: null }, { a: { b: 1 } }, { a: { b: 1 } }],
  ['nulls in a new object are dropped', {}, { a: { b: null, c: { d: null } } }, { a: { c: {} } }],
  ['a value replaces an object', { a: { b: 1 } }, { a: 0 }, { a: 0 }],
  ['arrays are replaced', { a: [1, 2] }, { a: [3] }, { a: [3] }],
  ['nulls in an array are dropped', {}, { a: [{ b: null, c: 1 }, 2, null] }, { a: [{ c: 1 }, 2, null] }],
  ['an array in an array is kept', {}, { a: [[{ b: null }]] }, { a: [[{ b: null }]] }],
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
])('isEqual(%j, %j) is %j', (a, b, alike) => {
  expect(isEqual(a, b)).toBe(alike)
})

test('a record without some of its fields has the others, in their order', () => {
  expect(Object.entries(without({ a: 1, b: 2, c: 3, d: 4 }, 'b', 'd'))).toEqual([
    ['a', 1],
    ['c', 3],
  ])
  expect(without({ a: 1 })).toEqual({ a: 1 })
})
