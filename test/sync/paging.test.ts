import fc from 'fast-check'
import { expect, test } from 'vitest'
import { collectionEtag, mergeSorted, type SortKey, takePage } from '../../src/sync/paging.ts'

const entries = (...shown: (string | undefined)[]) => shown.map((item, at) => ({ sortKey: [at], show: () => item }))

test.each([
  ['all items when there are fewer than the limit', ['a', 'b'], undefined, 3, { items: ['a', 'b'] }],
  ['all items when there are as many as the limit', ['a', 'b'], undefined, 2, { items: ['a', 'b'] }],
  [
    'as many items as the limit, and the position of the last',
    ['a', 'b', 'c'],
    undefined,
    2,
    { items: ['a', 'b'], next: [1] },
  ],
  ['the items after a position', ['a', 'b', 'c'], [0], 2, { items: ['b', 'c'] }],
  ['the items after a position without an item', ['a', 'b', 'c'], [0.5], 1, { items: ['b'], next: [1] }],
  ['no item after the last position', ['a', 'b'], [1], 2, { items: [] }],
  ['visible items only', [undefined, 'a', undefined, 'b', undefined], undefined, 2, { items: ['a', 'b'] }],
  ['no item when the limit is 0', ['a'], undefined, 0, { items: [], next: [] }],
  ['no item when there are none', [], undefined, 2, { items: [] }],
] as const)('takePage returns %s', (_, shown, after, most, page) => {
  expect(takePage(entries(...shown), after, most)).toEqual(page)
})

test('takePage reads one entry more than the page holds, and shows none before the position', () => {
  const [shownIndexes, read] = [[] as number[], [] as number[]]
  function* all() {
    for (let at = 0; ; at++) {
      read.push(at)
      yield { sortKey: [at], show: () => shownIndexes.push(at) }
    }
  }
  takePage(all(), [1], 3)

  expect(shownIndexes).toEqual([2, 3, 4, 5])
  expect(read).toEqual([0, 1, 2, 3, 4, 5])
})

const stream = (numbers: readonly number[]) => numbers.map((number) => ({ sortKey: [number] }))

test('mergeSorted returns the entries of several sorted streams in order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 }), { maxLength: 9 }), (lists) => {
      const ordered = lists.map((list) => list.toSorted((a, b) => a - b))
      expect([...mergeSorted(ordered.map(stream))].map(({ sortKey }) => sortKey[0])).toEqual(
        ordered.flat().sort((a, b) => a - b),
      )
    }),
  )
})

test('a stream that an entry opens is merged from that entry on', () => {
  type Opening = { sortKey: SortKey; opens?: () => Iterable<Opening> }
  const opening: Opening = { sortKey: [2], opens: () => stream([2, 4, 6]) }
  const all = mergeSorted<Opening>([stream([1, 3, 5]), [opening, { sortKey: [5] }], []])

  expect([...all].map(({ sortKey }) => sortKey[0])).toEqual([1, 2, 3, 4, 5, 5, 6])
})

test('mergeSorted reads one entry ahead of each stream', () => {
  const items: string[] = []
  function* counted(name: string, numbers: readonly number[]) {
    for (const number of numbers) {
      items.push(`${name}${number}`)
      yield { sortKey: [number] }
    }
  }
  const all = mergeSorted([counted('a', [1, 2, 3]), counted('b', [10, 11]), counted('c', [5, 20])])
  all.next()
  all.next()

  expect(items).toEqual(['a1', 'b10', 'c5', 'a2'])
})

test('entries of an opened stream that sort before its opener are returned', () => {
  type Entry = { sortKey: number[]; opens?: () => Entry[] }
  const series: Entry = { sortKey: [5], opens: () => [{ sortKey: [3] }, { sortKey: [6] }] }
  const all = [...mergeSorted<Entry>([[series, { sortKey: [7] }], [{ sortKey: [4] }]])]
  expect(all.map(({ sortKey: [number] }) => number)).toEqual([4, 3, 6, 7])
})

test('the comparisons of each entry grow with the logarithm of the number of streams', () => {
  const countLooks = (streams: number) => {
    let looked = 0
    const head = (at: number) => ({
      get sortKey() {
        looked += 1
        return [at]
      },
    })
    const all = mergeSorted(
      Array.from({ length: streams }, (_, nth) => [head((nth * 7919) % streams), head(streams + nth)]),
    )
    for (let turn = 0; turn < streams; turn++) all.next()
    return looked / streams
  }

  expect(countLooks(4096)).toBeLessThan(3 * countLooks(64))
})

test('3.11 a collection’s etag is that of its latest revision', () => {
  expect(collectionEtag(1_772_366_400_000_000)).toBe('"p3001ibukqqu400o"')
  expect(collectionEtag(0)).toBe('"p30000000000000o"')
  expect(collectionEtag(3, 32, 5)).toBe('"p30000000000010o"')
})
