import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  ByKey,
  type ChangePosition,
  type CollectionDefinition,
  endOfRevision,
  type Interval,
  idsInOrder,
  type OrderBy,
  VersionHistory,
  type Window,
} from '../../src/db/indexes.ts'
import { Records } from '../../src/db/records.ts'
import type { Version } from '../../src/db/version.ts'

type Note = {
  text: string
  isCancelled?: boolean
  span?: Interval
  keys?: string[]
  of?: string
  stamp?: number
  every?: number
}

const KIND: CollectionDefinition<Note> = {
  isCancelled: ({ isCancelled }) => isCancelled === true,
  intervalOf: ({ span, every }) => (every ? undefined : span),
  keysOf: ({ keys }) => keys?.map((key) => [key]) ?? [],
  stampGroupOf: ({ of }) => of,
  withStamp: (note, stamp) => ({ ...note, stamp }),
  isRedefinition: (before, after) => before.text !== after.text,
  // A recurring note has intervals from its span on, every `every` milliseconds, without end.
  nextIntervalOf: ({ span, every }, after) => {
    if (!span || !every) return undefined
    const length = span.end - span.start
    const turns = Math.max(0, Math.floor((after - span.end) / every) + 1)
    const start = Number.isFinite(turns) ? span.start + turns * every : span.start
    return { ...span, start, end: start + length }
  },
}

const HOUR = 3_600_000
const DAY = 24 * HOUR
const window = (from: number, to: number, shift = 0): Window => ({
  from,
  to,
  wallFrom: from + shift,
  wallTo: to + shift,
})

/** A write of one of a few records, so that they are rewritten, cancelled, restored and moved. */
const write = fc.record({
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  text: fc.constantFrom('one', 'two'),
  isCancelled: fc.boolean(),
  span: fc.option(
    fc.record({
      dated: fc.boolean(),
      start: fc.integer({ min: 0, max: 90 }).map((hours) => hours * HOUR),
      length: fc.constantFrom(0, HOUR / 4, HOUR, 3 * HOUR, DAY, 3 * DAY, 5000 * DAY),
    }),
    { nil: undefined },
  ),
  keys: fc.subarray(['k', 'kk', 'l']),
  every: fc.constantFrom(0, 0, 6 * HOUR),
})
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

const noteOf = ({ text, isCancelled, span, keys, every }: Write): Note => ({
  text,
  isCancelled,
  keys,
  every,
  ...(span && { span: { dated: span.dated, start: span.start, end: span.start + span.length } }),
})
const overlapping = ({ dated, start, end }: Interval, { from, to, wallFrom, wallTo }: Window) =>
  end > (dated ? wallFrom : from) && start < (dated ? wallTo : to)

test('records are found by id, key, order and time like in a list', () => {
  fc.assert(
    fc.property(
      fc.array(write, { maxLength: 25 }),
      fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 60 }), fc.integer({ min: -12, max: 12 })),
      fc.nat({ max: 25 }),
      (writes, [from, length, shift], since) => {
        const records = new Records(KIND)
        const list = new Map<string, { note: Note; revision: number }>()
        const copies: [Records<Note>, string][] = []
        const contents = (all: Records<Note>) => JSON.stringify([...all.values()])
        for (const [at, write] of writes.entries()) {
          records.put(write.id, noteOf(write), at + 1)
          list.set(write.id, { note: noteOf(write), revision: at + 1 })
          if (at % 7 === 0) copies.push([records.clone(), contents(records)])
        }
        for (const [copy, before] of copies) expect(contents(copy)).toBe(before)
        const all = [...list]
        const ids = (found: Iterable<Version<Note>>) => [...found].map(({ id }) => id)

        expect(records.size).toBe(all.length)
        expect(records.latest).toBe(writes.length)
        for (const [id, { note, revision }] of all) {
          expect([records.get(id), records.ownRevision(id), records.has(id)]).toEqual([note, revision, true])
        }
        expect([...records.values()]).toEqual(all.map(([, { note }]) => note))
        const later = all.filter(([, { revision }]) => revision > since).sort((a, b) => a[1].revision - b[1].revision)
        expect(ids(records.since(since))).toEqual(later.map(([id]) => id))
        const live = later.filter(([, { note }]) => !note.isCancelled).map(([id]) => id)
        expect(
          [...records.listChanges(endOfRevision(since), { includeCancelled: false })].map(
            ({ position }) => position.id,
          ),
        ).toEqual(live)
        for (const key of ['k', 'kk', 'l', ''])
          expect(records.idsWithKey([key])).toEqual(
            all
              .filter(([, { note }]) => note.keys?.includes(key))
              .map(([id]) => id)
              .sort(),
          )
        const range = window(from * HOUR, (from + length) * HOUR, shift * HOUR)
        for (const includeCancelled of [false, true]) {
          const expected = all.filter(([, { note }]) => {
            if (!note.span || (note.isCancelled && !includeCancelled)) return false
            const after = note.span.dated ? range.wallFrom : range.from
            return overlapping((note.every && KIND.nextIntervalOf?.(note, after)) || note.span, range)
          })
          expect(ids(records.inWindow(range, { includeCancelled })).sort()).toEqual(expected.map(([id]) => id).sort())
          // A second query uses the cached result of the first.
          expect(ids(records.inWindow(range, { includeCancelled })).sort()).toEqual(expected.map(([id]) => id).sort())
        }
      },
    ),
  )
})

test('a recurring record is found in each window, in every query', () => {
  const records = new Records(KIND)
  const every = 6 * HOUR
  for (const hour of [0, 1, 2])
    records.put(
      `at${hour}`,
      { text: 'x', every, span: { dated: false, start: hour * HOUR, end: (hour + 1) * HOUR } },
      hour,
    )
  const at = (hour: number) => [...records.inWindow(window(hour * HOUR, (hour + 1) * HOUR))].map(({ id }) => id)

  for (let round = 0; round < 2; round++)
    for (let hour = 0; hour < 60; hour++) expect(at(hour)).toEqual(hour % 6 < 3 ? [`at${hour % 6}`] : [])
  records.put('at1', { text: 'x', isCancelled: true, every, span: { dated: false, start: HOUR, end: 2 * HOUR } }, 4)
  for (let hour = 59; hour >= 0; hour--) expect(at(hour)).toEqual([0, 2].includes(hour % 6) ? [`at${hour % 6}`] : [])
})

test('all records of a group have the stamp of its last write, and are listed in the order of change', () => {
  const records = new Records(KIND)
  records.put('series', { text: 'series' }, 1)
  records.put('other', { text: 'other' }, 2)
  records.put('series_b', { text: 'b', of: 'series' }, 3)
  records.put('series_a', { text: 'a', of: 'series' }, 4)
  const copy = records.clone()
  records.put('series', { text: 'again' }, 5)
  const order = (all: Records<Note>, after: ChangePosition = endOfRevision(0)) =>
    [...all.listChanges(after, { includeCancelled: true })].map(({ version }) => [version.id, version.revision])

  expect(order(records)).toEqual([
    ['other', 2],
    ['series', 5],
    ['series_a', 5],
    ['series_b', 5],
  ])
  expect(order(copy)).toEqual([
    ['other', 2],
    ['series', 4],
    ['series_a', 4],
    ['series_b', 4],
  ])
  expect(order(records, { revision: 5, id: 'series', member: 'series_a' })).toEqual([['series_b', 5]])
  expect(records.get('series_a')).toEqual({ text: 'a', of: 'series', stamp: 5 })
  expect(records.get('series_a')).toBe(records.get('series_a'))
  expect([records.ownRevision('series_a'), records.membersOf('series'), records.membersOf('other')]).toEqual([
    ...[4, ['series_a', 'series_b'], []],
  ])
  const version = records.version('series_b')
  expect(version && records.positioned(version).position).toEqual({ revision: 5, id: 'series', member: 'series_b' })
  expect([...records.differences(copy)].map(({ id }) => id)).toEqual(['series'])
})

test('cancelled members of a live group are found with the live records, a cancelled group only with the cancelled ones', () => {
  const records = new Records(KIND)
  const span = { dated: false, start: 0, end: HOUR }
  const found = (includeCancelled: boolean) =>
    [...records.inWindow(window(0, DAY), { includeCancelled })].map(({ id }) => id).sort()
  records.put('s', { text: 's', span }, 1)
  records.put('s_a', { text: 'a', of: 's', span, isCancelled: true }, 2)
  records.put('t', { text: 't', span, isCancelled: true }, 3)
  expect([found(false), found(true)]).toEqual([
    ['s', 's_a'],
    ['s', 's_a', 't'],
  ])
  records.put('s', { text: 's', span, isCancelled: true }, 4)
  expect([found(false), found(true)]).toEqual([[], ['s', 's_a', 't']])
  records.put('s', { text: 's', span }, 5)
  expect(found(false)).toEqual(['s', 's_a'])
  const lanes = [...records.buckets({ includeCancelled: false, of: 's' })]
  expect(lanes.flatMap((lane) => [...records.inBucket(lane, window(0, DAY), { of: 's' })]).map(({ id }) => id)).toEqual(
    ['s_a'],
  )
})

test('hasIdPrefix returns true if an id begins with the prefix and is longer', () => {
  const records = new Records(KIND)
  for (const [at, id] of ['abc', 'abd', 'b'].entries()) records.put(id, { text: id }, at + 1)

  expect(['', 'a', 'ab', 'abc', 'abe', 'b', 'c'].map((prefix) => records.hasIdPrefix(prefix))).toEqual([
    ...[true, true, true, false, false, false, false],
  ])
})

test('a write that preserves `updated` leaves a record in its place in that order', () => {
  const records = new Records(KIND)
  for (const [at, id] of ['a', 'b', 'c'].entries()) records.put(id, { text: id }, at + 1)
  const order = (by: OrderBy, from = records) =>
    [...from.listChanges(endOfRevision(0), { includeCancelled: true, by })].map(({ version }) => version.id)
  expect([order('revision'), order('updatedRevision')]).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ])
  records.put('a', { text: 'quiet' }, 4, { updatedRevision: 1 })
  const before = records.clone()
  records.put('b', { text: 'again' }, 5)
  expect([order('revision'), order('updatedRevision'), records.version('b')?.createdRevision]).toEqual([
    ['c', 'a', 'b'],
    ['a', 'c', 'b'],
    2,
  ])
  expect([order('revision', before), order('updatedRevision', before)]).toEqual([
    ['b', 'c', 'a'],
    ['a', 'b', 'c'],
  ])
})

const version = (id: string, born: number): Version<Note> => ({
  ...{
    id,
    createdRevision: born,
    revision: born,
    updatedRevision: born,
    cancelledRevision: 0,
    matchedSince: born,
    group: undefined,
    value: { text: `${id}${born}` },
    ordinal: 0,
    bucket: -1,
    start: 0,
    end: 0,
  },
})

test('a record has a version for each moment since its first write', () => {
  const former = new VersionHistory<Note>()
  former.set(version('a', 10), 20)
  former.set(version('a', 10), 30)
  former.set(version('b', 25), 35)
  const at = (id: string, revision: number) => former.at(id, revision)?.id

  expect([9, 10, 19, 20, 29, 30].map((revision) => at('a', revision))).toEqual([
    undefined,
    'a',
    'a',
    'a',
    'a',
    undefined,
  ])
  expect([24, 25, 34, 35].map((revision) => at('b', revision))).toEqual([undefined, 'b', 'b', undefined])
  expect([at('c', 25), at('', 25)]).toEqual([undefined, undefined])
  expect([...former.since(20)].map(({ until }) => until)).toEqual([30, 35])
  expect([former.size, former.oldest]).toEqual([3, 20])
})

test('versionsOf has the former versions of a record after a revision, the latest first', () => {
  const former = new VersionHistory<Note>()
  const versions = [version('a', 10), version('b', 15), version('a', 20)]
  for (const [n, until] of [20, 25, 30].entries()) former.set(versions[n] as Version<Note>, until)

  expect(former.versionsOf('a', 19)).toEqual([versions[2], versions[0]])
  expect(former.versionsOf('a', 20)).toEqual([versions[2]])
  expect(former.versionsOf('a', 30)).toEqual([])
  expect([...former.ids()].sort()).toEqual(['a', 'b'])
})

test('dropUntil drops the versions that were redefined up to a revision', () => {
  const former = new VersionHistory<Note>()
  former.dropUntil(99)
  expect(former.size).toBe(0)
  former.set(version('a', 10), 20)
  const copy = new VersionHistory(former)
  former.dropUntil(20)
  expect([former.size, copy.size]).toEqual([0, 1])

  for (const [id, until] of [
    ['c', 40],
    ['b', 50],
    ['a', 60],
  ] as const)
    copy.set(version(id, 35), until)
  copy.dropUntil(50)
  expect([copy.size, copy.oldest, copy.at('b', 45)]).toEqual([1, 60, undefined])
})

test('a key finds all records that have it, and none with a longer key', () => {
  const keysOf = ({ keys = [] }: Note) => keys.map((key) => key.split(' '))
  const keys = new ByKey(keysOf)
  const versionOf = (id: string, ...all: string[]) => ({ ...version(id, 1), value: { text: id, keys: all } })
  keys.replace(undefined, versionOf('one', 'k', 'l'))
  keys.replace(undefined, versionOf('two', 'k', 'kk', 'k m'))
  const copy = new ByKey(keysOf, keys)
  keys.replace(versionOf('one', 'k', 'l'), versionOf('one', 'l', 'm'))

  expect(['k', 'kk', 'l', 'm', 'n'].map((key) => keys.idsOf([key]))).toEqual([['two'], ['two'], ['one'], ['one'], []])
  expect([copy.idsOf(['k']), keys.idsOf(['k', 'm'])]).toEqual([['one', 'two'], ['two']])
})

test('records with the same stamp are ordered by id', () => {
  expect(idsInOrder('b', [])).toEqual(['b'])
  expect(idsInOrder('b', ['c', 'd'])).toEqual(['b', 'c', 'd'])
  expect(idsInOrder('b', ['a', 'c'])).toEqual(['a', 'b', 'c'])
})
