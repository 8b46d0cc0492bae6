import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Clock, durationOf } from '../../src/store/clock.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A clock that writes down what falls due, and what it showed then. */
function watched() {
  const clock = new Clock()
  const seen: [what: string, now: number][] = []
  const runs = new Map<string, () => void>()
  clock.on('bell', (what) => {
    seen.push([what, clock.now()])
    runs.get(what)?.()
    return true
  })
  const schedule = (instant: number, what: string, run = () => {}) => {
    runs.set(what, run)
    clock.schedule(instant, { kind: 'bell', ref: what, what })
    return () => clock.unschedule(instant, { kind: 'bell', ref: what })
  }
  return { clock, seen, schedule }
}

test('what falls due runs in the order of its time, and of its scheduling where that is the same', () => {
  const { clock, seen, schedule } = watched()
  clock.freeze()
  schedule(NOON + 2 * MINUTE, 'second')
  schedule(NOON + MINUTE, 'first')
  schedule(NOON + 2 * MINUTE, 'third')
  schedule(NOON + 9 * MINUTE, 'later')

  const fired = clock.advance('5m')

  expect(seen.map(([what]) => what)).toEqual(['first', 'second', 'third'])
  expect(fired).toEqual([
    { what: 'first', at: '2026-03-01T12:01:00.000Z' },
    { what: 'second', at: '2026-03-01T12:02:00.000Z' },
    { what: 'third', at: '2026-03-01T12:02:00.000Z' },
  ])
})

test('while it runs the clock shows the time that it fell due, and afterwards the time moved to', () => {
  const { clock, seen, schedule } = watched()
  clock.freeze()
  schedule(NOON + MINUTE, 'bell')

  clock.advance('5m')

  expect(seen).toEqual([['bell', NOON + MINUTE]])
  expect(clock.now()).toBe(NOON + 5 * MINUTE)
})

test('what is scheduled by what falls due runs in its turn', () => {
  const { clock, seen, schedule } = watched()
  clock.freeze()
  schedule(NOON + MINUTE, 'bell', () => schedule(clock.now() + MINUTE, 'echo'))
  schedule(NOON + 3 * MINUTE, 'last')

  clock.advance('5m')

  expect(seen).toEqual([
    ['bell', NOON + MINUTE],
    ['echo', NOON + 2 * MINUTE],
    ['last', NOON + 3 * MINUTE],
  ])
})

test('nothing runs twice, and a clock set back runs nothing', () => {
  const { clock, seen, schedule } = watched()
  clock.freeze()
  schedule(NOON + MINUTE, 'bell')
  schedule(NOON + 9 * MINUTE, 'later')

  clock.advance('5m')
  clock.set(NOON)
  clock.advance('5m')

  expect(seen.map(([what]) => what)).toEqual(['bell'])
})

test.each(['real', 'set'] as const)('a %s clock fires by itself', (mode) => {
  const { clock, seen, schedule } = watched()
  if (mode === 'set') clock.run('2030-01-01T00:00:00Z')
  const begun = clock.now()
  schedule(begun + MINUTE, 'bell')
  schedule(begun + 2 * MINUTE, 'again')

  vi.advanceTimersByTime(MINUTE - 1)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(MINUTE + 1)

  expect(seen).toEqual([
    ['bell', begun + MINUTE],
    ['again', begun + 2 * MINUTE],
  ])
  expect(clock.state()).toEqual({ mode, now: new Date(begun + 2 * MINUTE).toISOString() })
})

test('what fails when a clock fires it by itself is told of, and what comes next is done', () => {
  const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { clock, seen, schedule } = watched()
  clock.run('2030-01-01T00:00:00Z')
  schedule(clock.now() + MINUTE, 'broken', () => {
    throw new Error('it is broken')
  })
  schedule(clock.now() + 2 * MINUTE, 'bell')

  vi.advanceTimersByTime(2 * MINUTE)

  expect(seen.map(([what]) => what)).toEqual(['broken', 'bell'])
  expect(told.mock.calls).toEqual([[expect.stringContaining('broken failed: Error: it is broken')]])
})

test('a frozen clock fires nothing by itself', () => {
  const { clock, seen, schedule } = watched()
  schedule(NOON + MINUTE, 'bell')
  clock.freeze()

  vi.advanceTimersByTime(5 * MINUTE)

  expect(seen).toEqual([])
  expect(clock.now()).toBe(NOON)
})

test('what lies further ahead than a timer reaches waits all the same', () => {
  const { seen, schedule } = watched()
  const days = 60 * 86_400_000
  schedule(NOON + days, 'bell')

  vi.advanceTimersByTime(days - 1)
  expect(seen).toEqual([])
  vi.advanceTimersByTime(1)

  expect(seen).toEqual([['bell', NOON + days]])
})

test('a closed clock has forgotten what was to come', () => {
  const { clock, seen, schedule } = watched()
  schedule(NOON + MINUTE, 'bell')

  clock.close()
  vi.advanceTimersByTime(5 * MINUTE)
  clock.advance('1h')

  expect(seen).toEqual([])
})

test('a real clock that is moved runs on from there, and can be brought back', () => {
  const { clock } = watched()

  clock.advance('1h')
  expect(clock.mode).toBe('set')
  vi.advanceTimersByTime(MINUTE)
  expect(clock.now()).toBe(NOON + 61 * MINUTE)
  clock.real()

  expect(clock.state()).toEqual({ mode: 'real', now: '2026-03-01T12:01:00.000Z' })
})

test('a clock does not advance backwards', () => {
  const { clock } = watched()

  expect(() => clock.advanceTo(NOON - 1)).toThrow('cannot advance back to 2026-03-01T11:59:59.999Z')
  expect(clock.now()).toBe(NOON)
})

test.each([
  ['90s', 90_000],
  ['1h30m', 5_400_000],
  ['7258118400000ms', Date.UTC(2200, 0, 1)], // the longest
  ['1.5h', 5_400_000],
  ['250ms', 250],
  ['1.25h', 4_500_000],
  [`${'0'.repeat(62)}1s`, 1000], // as long as a text may be
  ['2d', 172_800_000],
  ['1w', 604_800_000],
  [1500, 1500],
])('%s is %d milliseconds', (text, milliseconds) => {
  expect(durationOf(text)).toBe(milliseconds)
})

test.each([`${'0'.repeat(63)}1s`, '', '1', '1 h', 'h', '1x', '-1h', '1h!', -1, Number.NaN, Number.POSITIVE_INFINITY])(
  '%j is no duration',
  (text) => {
    expect(() => durationOf(text)).toThrow(RangeError)
  },
)
