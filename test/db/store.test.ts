import { expect, test, vi } from 'vitest'
import { ChangeLog } from '../../src/db/changeLog.ts'
import { Collection } from '../../src/db/collection.ts'
import { byNumber, byText, LazyTable, LazyValue, Store } from '../../src/db/store.ts'

function opened(from?: Store) {
  const store = new Store(from?.snapshot())
  const changes = new ChangeLog(store, { now: () => 1 })
  const notes = new Collection<{ n: number }>(store, changes, 'notes')
  const cell = new LazyValue(store, 'cell', 0)
  const table = new LazyTable<string, number>(store, 'table', byText)
  const all = () => ({ notes: [...notes.values()].map(({ n }) => n), cell: cell.value, table: table.entries() })
  const write = (n: number) => {
    notes.put(`note${n}`, () => ({ n }))
    cell.value = n
    table.set(`row${n}`, n)
  }
  return { store, changes, notes, cell, table, all, write }
}
const failing = (act: () => void) => () => {
  act()
  throw new Error('it failed')
}

test('a transaction that throws changes nothing, nor does a nested one', () => {
  const { store, all, write, changes } = opened()
  write(1)
  const before = { ...all(), counters: { ...store.counters } }
  expect(() => store.transaction(failing(() => write(2)))).toThrow('it failed')
  expect({ ...all(), counters: { ...store.counters } }).toEqual(before)

  store.transaction(() => {
    write(2)
    expect(() => store.transaction(failing(() => write(3)))).toThrow('it failed')
    write(4)
  })
  expect(all()).toEqual({
    notes: [1, 2, 4],
    cell: 4,
    table: [
      ['row1', 1],
      ['row2', 2],
      ['row4', 4],
    ],
  })
  expect(changes.writes.after(0).map(({ id }) => id)).toEqual(['note1', 'note2', 'note4'])
})

test('a listener is called before the first write of a transaction, and never by a dry run', () => {
  const { store, write, cell, changes } = opened()
  const calls: number[] = []
  store.listen({ onFirstWrite: () => void calls.push(changes.latest) })
  store.transaction(() => {
    write(2)
    store.transaction(() => write(1))
  })
  expect(calls).toEqual([0])
  const { latest } = changes
  expect(() => store.transaction(failing(() => write(3)))).toThrow()
  expect(calls).toEqual([0, latest])
  store.transaction(() => 'nothing')
  store.dryRun(() => write(3))
  store.transaction(() => {
    cell.value = 9
  })
  expect(calls).toEqual([0, latest])
})

test('listeners receive a rollback after it is done', () => {
  const { store, write, cell } = opened()
  const calls: number[] = []
  store.listen({ onRollback: () => void calls.push(cell.value) })
  const before = store.snapshot()
  write(1)
  expect(() => store.transaction(failing(() => write(2)))).toThrow()
  store.resetTo(before)

  expect(calls).toEqual([1, 0])
})

test('a rollback drops the snapshots retained during it, and restores those it dropped', () => {
  const { store, write, notes, changes } = opened()
  const retained = (revision: number) => {
    const snapshot = store.retainedSnapshot(revision)
    return snapshot && [...notes.in(snapshot).values()].map(({ n }) => n)
  }
  write(1)
  const first = changes.latest
  store.retainSnapshot(first)
  let during = 0
  const act = () => {
    write(2)
    during = changes.latest
    store.retainSnapshot(during)
    write(3)
    expect(retained(during)).toEqual([1, 2])
    store.resetTo(store.snapshot())
    expect(retained(first)).toBe(undefined)
    throw new Error('rolled back')
  }
  expect(() => store.transaction(act)).toThrow('rolled back')
  expect([retained(first), retained(during)]).toEqual([[1], undefined])
  write(4)
  write(5)
  expect([changes.latest, retained(during)]).toEqual([during + 1, undefined])
})

test('a dry run that issues a page token retains the snapshot before it', () => {
  const { store, write, notes, changes } = opened()
  write(1)
  const before = changes.latest
  store.dryRun(() => {
    write(2)
    expect(store.committedRevision(changes.latest)).toBe(before)
    store.retainSnapshot(store.committedRevision(changes.latest))
  })
  write(3)
  const snapshot = store.retainedSnapshot(before)
  expect(snapshot && [...notes.in(snapshot).values()].map(({ n }) => n)).toEqual([1])
})

test('a rollback undoes writes before and after a snapshot, and leaves the snapshot unchanged', () => {
  const { store, write, all, notes } = opened()
  write(1)
  const before = all()
  let snapshot = store.snapshot()
  store.dryRun(() => {
    write(2)
    snapshot = store.snapshot()
    write(3)
    write(2)
  })
  expect(all()).toEqual(before)
  expect([...notes.in(snapshot).values()].map(({ n }) => n)).toEqual([1, 2])
  expect(() => store.transaction(failing(() => store.clear()))).toThrow()
  expect(all()).toEqual(before)
})

test('a dry run returns its result and writes nothing', () => {
  const { store, write, all } = opened()
  const before = all()

  expect(
    store.dryRun(() => {
      write(1)
      return all().notes
    }),
  ).toEqual([1])
  expect(all()).toEqual(before)
  expect(() => store.dryRun(failing(() => write(1)))).toThrow('it failed')
  expect(all()).toEqual(before)
})

test('two stores opened from one snapshot are independent', () => {
  const one = opened()
  one.write(1)
  const other = opened(one.store)
  one.write(2)
  other.write(3)

  expect(one.all().notes).toEqual([1, 2])
  expect(other.all().notes).toEqual([1, 3])
  expect(other.all().table).toEqual([
    ['row1', 1],
    ['row3', 3],
  ])
})

test('resetTo resets the counters; restore continues them and keeps the excepted collections', () => {
  const { store, write, all, cell, table, changes } = opened()
  write(1)
  const before = store.snapshot()
  const { revision } = before.counters
  for (const n of [2, 3, 4]) write(n)
  store.counters.scheduled = 9
  const far = changes.latest
  store.resetTo(before)
  expect([all().notes, changes.latest, store.counters.scheduled]).toEqual([[1], revision, 0])
  write(2)
  expect(all().notes).toEqual([1, 2])
  store.resetTo(before)
  cell.value = 9
  expect(all().notes).toEqual([1])

  write(5)
  store.restore(before, { except: ['cell', 'table', 'none'] })
  expect(all()).toEqual({
    notes: [1],
    cell: 5,
    table: [
      ['row1', 1],
      ['row5', 5],
    ],
  })
  expect(changes.latest).toBe(far)
  expect(store.counters.scheduled).toBe(9)
  write(6)
  expect(changes.latest).toBe(far + 1)

  store.restore(before, { except: ['cell'] })
  expect([cell.value, table.entries()]).toEqual([6, [['row1', 1]]])
})

test('an empty collection that a restore excepts stays empty', () => {
  const { store, write, all } = opened()
  const empty = store.snapshot()
  write(1)
  const full = store.snapshot()
  store.resetTo(empty)
  store.restore(full, { except: ['cell'] })
  expect(all()).toEqual({ notes: [1], cell: 0, table: [['row1', 1]] })
})

test('a cleared store is empty and continues its counters', () => {
  const { store, write, all, changes } = opened()
  write(1)
  const latest = changes.latest
  store.clear()

  expect(all()).toEqual({ notes: [], cell: 0, table: [] })
  expect(changes.latest).toBe(latest)
})

test('a snapshot retained by a failed transaction is dropped, and the first of two for one revision is retained', () => {
  const { store, write, notes, changes } = opened()
  write(1)
  const [first] = [changes.latest]
  store.retainSnapshot(first)
  write(2)
  store.retainSnapshot(first)
  const shown = (revision: number) => {
    const snapshot = store.retainedSnapshot(revision)
    return snapshot && [...notes.in(snapshot).values()].map(({ n }) => n)
  }
  expect(shown(first)).toEqual([1])

  const lost = () =>
    store.transaction(() => {
      store.transaction(() => store.retainSnapshot(changes.latest))
      throw new Error('it failed')
    })
  const latest = changes.latest
  expect(lost).toThrow('it failed')
  expect([shown(latest), shown(first)]).toEqual([undefined, [1]])

  store.transaction(() => {
    expect(() => store.transaction(failing(() => store.retainSnapshot(changes.latest)))).toThrow()
    store.retainSnapshot(first + 100)
  })
  expect([shown(latest), shown(first + 100)]).toEqual([undefined, [1, 2]])
  store.resetTo(store.snapshot())
  expect(shown(first)).toBe(undefined)
})

test('each write has the author of its transaction, and none after it ends', () => {
  const { store, write, changes } = opened()
  const act = () => {
    store.transaction(() => write(1), { by: 'alice', call: 7 })
    write(2)
    store.transaction(() => write(3))
  }
  store.transaction(act, { by: 'clock' })
  expect(() =>
    store.transaction(
      failing(() => write(4)),
      { by: 'bob' },
    ),
  ).toThrow()
  write(5)

  expect(changes.writes.after(0).map(({ by, call }) => [by, call])).toEqual([
    ['alice', 7],
    ['clock', undefined],
    ['clock', undefined],
    [undefined, undefined],
  ])
})

test('a subscriber receives each write until it unsubscribes, and no unlogged write', () => {
  const { write, changes } = opened()
  const [removed, other] = [vi.fn(), vi.fn()]
  const stop = changes.writes.subscribe(removed)
  changes.writes.subscribe(other)
  write(1)
  changes.writes.withoutLogging(() => {
    changes.writes.withoutLogging(() => write(2))
    write(3)
  })
  expect(() => changes.writes.withoutLogging(failing(() => write(4)))).toThrow()
  stop()
  write(5)

  expect([removed, other].map(({ mock }) => mock.calls.length)).toEqual([1, 2])
  expect(changes.writes.after(0).map(({ id }) => id)).toEqual(['note1', 'note5'])
})

test('a record has the revision of its last write, and 0 before the first', () => {
  const { write, notes, changes } = opened()
  write(1)
  write(2)
  const { latest } = changes

  expect([notes.records.ownRevision('note2'), notes.latest, notes.size]).toEqual([latest, latest, 2])
  expect([notes.records.ownRevision('none'), notes.get('none')]).toEqual([0, undefined])
  expect([...notes.records.since(latest - 1)].map(({ id }) => id)).toEqual(['note2'])
})

test('revisions rise by one, or to the clock when it is ahead', () => {
  const store = new Store()
  let now = 5
  const changes = new ChangeLog(store, { now: () => now })

  expect([changes.next(), changes.next(), changes.markPresent(), changes.latest]).toEqual([5000, 5001, 5001, 5001])
  now = 6
  expect([changes.markPresent(), changes.next(), changes.clockRevision]).toEqual([6000, 6001, 6000])
  now = 4
  expect([changes.markPresent(), changes.next(), changes.clockRevision]).toEqual([6001, 6002, 4000])
  expect([changes.closePresent(), changes.latest, changes.next()]).toEqual([6002, 6003, 6004])
  changes.markPruned()
  expect([changes.prunedUpTo, changes.latest]).toEqual([6004, 6005])
})

test('a table is in the order of its keys, and earlier reads of it do not change', () => {
  const { store } = opened()
  const table = new LazyTable<number, string>(store, 'numbers', byNumber)
  expect([table.size, table.first, table.last, table.keys(), table.values(), table.has(1)]).toEqual([
    ...[0, undefined, undefined, [], [], false],
  ])
  expect(table.range(0, () => true)).toEqual([])
  table.clear()
  table.delete(1)
  for (const key of [10, 9, 2]) table.set(key, `row ${key}`)
  const [keys, from] = [table.keys(), table.range(3, (key) => key < 10)]
  table.delete(9)

  expect([table.size, table.first, table.last]).toEqual([2, 2, 10])
  expect([keys, from]).toEqual([[2, 9, 10], [9]])
  expect([table.has(9), table.has(2), table.get(2), table.values()]).toEqual([
    ...[false, true, 'row 2', ['row 2', 'row 10']],
  ])
  table.clear()
  expect(table.size).toBe(0)
})
