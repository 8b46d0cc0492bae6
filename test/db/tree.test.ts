import { expect, test } from 'vitest'
import { differences } from '../../src/db/records.ts'
import { Tree } from '../../src/db/store.ts'

/** Returns the differences between a tree and a changed copy, and the number of comparisons. */
function counted(size: number) {
  let steps = 0
  const tree = new Tree<number, string>(undefined, (a, b) => {
    steps++
    return a - b
  })
  for (let key = 0; key < size; key++) tree.set(key, 'as it was')
  const copy = tree.clone()
  copy.set(size, 'new')
  copy.delete(7)
  for (let at = 1; at <= 8; at++) copy.set(Math.floor((size * at) / 10), 'other')
  steps = 0
  return { found: differences(tree, copy), steps }
}

test('differences between a tree and its copy are found in order', () => {
  expect(counted(1000).found).toEqual([
    [7, 'as it was', undefined],
    ...[1, 2, 3, 4, 5, 6, 7, 8].map((at) => [at * 100, 'as it was', 'other']),
    [1000, undefined, 'new'],
  ])
})

test('finding ten differences costs at most five times as many comparisons in a tree a hundred times as large', () => {
  const few = counted(1000).steps
  const many = counted(100_000).steps
  expect(many).toBeLessThan(5 * few)
  expect(many).toBeLessThan(4000)
})

test('a tree and its copy have no differences, found with two comparisons at most', () => {
  let steps = 0
  const tree = new Tree<number, string>(undefined, (a, b) => {
    steps++
    return a - b
  })
  for (let key = 0; key < 1000; key++) tree.set(key, 'as it was')
  const copy = tree.clone()
  steps = 0
  expect(differences(tree, copy)).toEqual([])
  expect(steps).toBeLessThanOrEqual(2)
})
