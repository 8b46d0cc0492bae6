import { expect, test } from 'vitest'
import { WriteLog } from '../../src/db/changeLog.ts'
import { Store } from '../../src/db/store.ts'

/** Opens a store with a write log, whose writes are identified by their revisions. */
function open(from?: Store) {
  const store = new Store(from?.snapshot())
  const writes = new WriteLog(store)
  const write = (...revisions: number[]) => {
    for (const revision of revisions)
      store.transaction(() => writes.add({ revision, name: 'events', id: 'one', was: undefined, is: {} }))
  }
  const after = (revision: number) => writes.after(revision).map((one) => one.revision)
  return { store, writes, write, after }
}
const upTo = (last: number, first = 1) => Array.from({ length: last - first + 1 }, (_, at) => first + at)

test('the log returns the writes after any revision', () => {
  const { write, after } = open()
  write(...upTo(1000))
  for (const since of [0, 1, 255, 256, 257, 511, 512, 999, 1000]) expect(after(since)).toEqual(upTo(1000, since + 1))
})

test('a rolled back write is not in the log, and its revision can be used again', () => {
  const { store, writes, write, after } = open()
  write(1, 2)
  const lost = () =>
    store.transaction(() => {
      for (const revision of upTo(600, 3)) writes.add({ revision, name: 'events', id: 'one', was: undefined, is: {} })
      throw new Error('taken back')
    })
  expect(lost).toThrow('taken back')
  expect(after(0)).toEqual([1, 2])
  write(3, 4)
  expect(after(0)).toEqual([1, 2, 3, 4])
})

test('the logs of two worlds opened from one snapshot are independent', () => {
  const one = open()
  one.write(...upTo(300))
  const other = open(one.store)
  const snapshot = one.store.snapshot()
  one.write(301, 302)
  other.write(401)
  one.write(303)

  expect(one.after(299)).toEqual([300, 301, 302, 303])
  expect(other.after(299)).toEqual([300, 401])
  one.store.resetTo(snapshot)
  one.write(501)
  expect(one.after(299)).toEqual([300, 501])
})

test('the log drops and counts the oldest of more than ten thousand writes', () => {
  const { writes, write, after } = open()
  write(...upTo(20_001))
  const { count, until } = writes.dropped

  expect(until).toBe(count)
  expect(after(0)).toEqual(upTo(20_001, until + 1))
  expect(after(0).length).toBeGreaterThanOrEqual(10_000)
  expect(after(0).length).toBeLessThanOrEqual(10_000 + 512)
})
