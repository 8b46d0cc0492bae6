import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Store } from '../../src/db/store.ts'
import {
  MAX_TIMER_MS,
  machineTime,
  parseDuration,
  reportFault,
  startTimeout,
  WorldClock,
} from '../../src/model/clock.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')
const MINUTE = 60_000

beforeEach(() => {
  vi.useFakeTimers({ now: NOON })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Returns a clock that records each task that runs, with the time that the clock shows then. */
function openClock() {
  const clock = new WorldClock()
  const calls: [name: string, now: number][] = []
  const runs = new Map<string, () => void>()
  clock.on('bell', ([name = '']) => {
    calls.push([name, clock.now()])
    runs.get(name)?.()
    return true
  })
  const schedule = (instant: number, name: string, run = () => {}) => {
    runs.set(name, run)
    clock.schedule(instant, { kind: 'bell', ref: [name], what: name })
    return () => clock.unschedule(instant, { kind: 'bell', ref: [name] })
  }
  return { clock, calls, schedule }
}

test('due callbacks run in the order of their times, and in the order of scheduling at equal times', () => {
  const { clock, calls, schedule } = openClock()
  clock.freeze()
  schedule(NOON + 2 * MINUTE, 'second')
  schedule(NOON + MINUTE, 'first')
  schedule(NOON + 2 * MINUTE, 'third')
  schedule(NOON + 9 * MINUTE, 'later')

  const fired = clock.advance('5m')

  expect(calls.map(([name]) => name)).toEqual(['first', 'second', 'third'])
  expect(fired).toEqual([
    { what: 'first', at: '2026-03-01T12:01:00.000Z' },
    { what: 'second', at: '2026-03-01T12:02:00.000Z' },
    { what: 'third', at: '2026-03-01T12:02:00.000Z' },
  ])
})

test('during a callback the clock shows its due time, and afterwards the time of the advance', () => {
  const { clock, calls, schedule } = openClock()
  clock.freeze()
  schedule(NOON + MINUTE, 'bell')

  clock.advance('5m')

  expect(calls).toEqual([['bell', NOON + MINUTE]])
  expect(clock.now()).toBe(NOON + 5 * MINUTE)
})

test('a callback that a due callback schedules runs at its own time', () => {
  const { clock, calls, schedule } = openClock()
  clock.freeze()
  schedule(NOON + MINUTE, 'bell', () => schedule(clock.now() + MINUTE, 'echo'))
  schedule(NOON + 3 * MINUTE, 'last')

  clock.advance('5m')

  expect(calls).toEqual([
    ['bell', NOON + MINUTE],
    ['echo', NOON + 2 * MINUTE],
    ['last', NOON + 3 * MINUTE],
  ])
})

test('no callback runs twice, and setting the clock back runs none', () => {
  const { clock, calls, schedule } = openClock()
  clock.freeze()
  schedule(NOON + MINUTE, 'bell')
  schedule(NOON + 9 * MINUTE, 'later')

  clock.advance('5m')
  clock.set(NOON)
  clock.advance('5m')

  expect(calls.map(([name]) => name)).toEqual(['bell'])
})

test.each(['real', 'set'] as const)('a %s clock fires by itself', (mode) => {
  const { clock, calls, schedule } = openClock()
  if (mode === 'set') clock.run('2030-01-01T00:00:00Z')
  const startedAt = clock.now()
  schedule(startedAt + MINUTE, 'bell')
  schedule(startedAt + 2 * MINUTE, 'again')

  vi.advanceTimersByTime(MINUTE - 1)
  expect(calls).toEqual([])
  vi.advanceTimersByTime(MINUTE + 1)

  expect(calls).toEqual([
    ['bell', startedAt + MINUTE],
    ['again', startedAt + 2 * MINUTE],
  ])
  expect(clock.state()).toEqual({ mode, now: new Date(startedAt + 2 * MINUTE).toISOString() })
})

test('a failing callback of a running clock is logged, and the next one runs', () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const { clock, calls, schedule } = openClock()
  clock.run('2030-01-01T00:00:00Z')
  schedule(clock.now() + MINUTE, 'broken', () => {
    throw new Error('it is broken')
  })
  schedule(clock.now() + 2 * MINUTE, 'bell')

  vi.advanceTimersByTime(2 * MINUTE)

  expect(calls.map(([name]) => name)).toEqual(['broken', 'bell'])
  expect(consoleError.mock.calls).toEqual([[expect.stringContaining('broken failed: Error: it is broken')]])
})

test('a frozen clock fires nothing by itself', () => {
  const { clock, calls, schedule } = openClock()
  schedule(NOON + MINUTE, 'bell')
  clock.freeze()

  vi.advanceTimersByTime(5 * MINUTE)

  expect(calls).toEqual([])
  expect(clock.now()).toBe(NOON)
})

test('a callback beyond the range of a timer waits', () => {
  const { calls, schedule } = openClock()
  const days = 60 * 86_400_000
  schedule(NOON + days, 'bell')

  vi.advanceTimersByTime(days - 1)
  expect(calls).toEqual([])
  vi.advanceTimersByTime(1)

  expect(calls).toEqual([['bell', NOON + days]])
})

test('a closed clock has no scheduled callbacks', () => {
  const { clock, calls, schedule } = openClock()
  schedule(NOON + MINUTE, 'bell')

  clock.close()
  vi.advanceTimersByTime(5 * MINUTE)
  clock.advance('1h')

  expect(calls).toEqual([])
})

test('a real clock that is advanced continues from there, and can return to real time', () => {
  const { clock } = openClock()

  clock.advance('1h')
  expect(clock.mode).toBe('set')
  vi.advanceTimersByTime(MINUTE)
  expect(clock.now()).toBe(NOON + 61 * MINUTE)
  clock.real()

  expect(clock.state()).toEqual({ mode: 'real', now: '2026-03-01T12:01:00.000Z' })
})

test('a clock does not advance backwards', () => {
  const { clock } = openClock()

  expect(() => clock.advanceTo(NOON - 1)).toThrow('cannot advance back to 2026-03-01T11:59:59.999Z')
  expect(clock.now()).toBe(NOON)
})

test('advancing to the present instant runs the callbacks that are due then', () => {
  const { clock, calls, schedule } = openClock()
  clock.freeze()
  schedule(NOON, 'bell')

  expect(clock.advanceTo(NOON)).toEqual([{ what: 'bell', at: '2026-03-01T12:00:00.000Z' }])
  expect(calls).toEqual([['bell', NOON]])
})

test('an unscheduled callback does not run, and others at its instant do', () => {
  const { clock, calls, schedule } = openClock()
  clock.freeze()
  const early = schedule(NOON + MINUTE, 'early')
  schedule(NOON + MINUTE, 'beside')
  schedule(NOON + 2 * MINUTE, 'early')
  clock.schedule(NOON + MINUTE, { kind: 'whistle', ref: ['early'], what: 'whistle' })
  clock.on('whistle', (name) => calls.push([`whistle ${name}`, clock.now()]) > 0)
  expect(clock.nextDue).toBe(NOON + MINUTE)
  early()
  early()
  clock.advance('1h')
  expect(calls.map(([name]) => name)).toEqual(['beside', 'whistle early', 'early'])
  expect(clock.nextDue).toBe(undefined)
})

test('unscheduleAll removes the callbacks of one kind only', () => {
  const { clock, calls, schedule } = openClock()
  clock.freeze()
  schedule(NOON + MINUTE, 'one')
  clock.schedule(NOON + MINUTE, { kind: 'whistle', ref: ['x'], what: 'whistle' })
  clock.schedule(NOON + 2 * MINUTE, { kind: 'whistle', ref: ['y'], what: 'whistle' })
  clock.on('whistle', () => true)
  clock.unscheduleAll('whistle')

  expect(clock.advance('1h').map(({ what }) => what)).toEqual(['one'])
  expect(calls).toHaveLength(1)
})

test('callbacks without work, and kinds without a handler, are not reported as events', () => {
  const clock = new WorldClock()
  clock.freeze()
  clock.on('bell', () => false)
  for (const kind of ['bell', 'drum']) clock.schedule(NOON + MINUTE, { kind, ref: ['x'], what: kind })

  expect(clock.advance('1h')).toEqual([])
})

test('the clock runs a due callback completely or not at all', () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const store = new Store()
  const clock = new WorldClock(store)
  clock.freeze()
  const authors: unknown[] = []
  clock.on('bell', () => {
    authors.push(store.author)
    store.counters.ids = 99
    throw new RangeError('it is broken')
  })
  const { ids } = store.counters
  clock.schedule(NOON + MINUTE, { kind: 'bell', ref: ['x'], what: 'bell' })

  expect(clock.advance('1h')).toEqual([
    { what: 'bell', at: '2026-03-01T12:01:00.000Z', error: 'RangeError: it is broken' },
  ])
  expect([authors, store.counters.ids]).toEqual([[{ by: 'clock' }], ids])
})

test('the handlers are registered when the first callback is due, and once', () => {
  const register = vi.fn((clock: WorldClock) => clock.on('bell', () => true))
  const clock = new WorldClock(new Store(), register)
  clock.freeze()
  clock.schedule(NOON + MINUTE, { kind: 'bell', ref: ['x'], what: 'bell' })
  clock.schedule(NOON + 2 * MINUTE, { kind: 'bell', ref: ['x'], what: 'again' })
  expect(register).not.toHaveBeenCalled()

  expect(clock.advance('1h').map(({ what }) => what)).toEqual(['bell', 'again'])
  expect(register).toHaveBeenCalledTimes(1)
})

test('setState runs no overdue callback at once, but the running clock does afterwards', () => {
  const { clock, calls, schedule } = openClock()
  schedule(NOON + MINUTE, 'bell')
  clock.setState({ mode: 'set', now: '2026-03-01T13:00:00.000Z' })
  expect(calls).toEqual([])
  expect(clock.state()).toEqual({ mode: 'set', now: '2026-03-01T13:00:00.000Z' })
  vi.advanceTimersByTime(0)
  expect(calls.map(([name]) => name)).toEqual(['bell'])
  clock.setState({ mode: 'frozen', now: '2026-03-01T14:00:00.000Z' })
  vi.advanceTimersByTime(MINUTE)
  expect(clock.state()).toEqual({ mode: 'frozen', now: '2026-03-01T14:00:00.000Z' })
})

test('runAt shows another time during a function, and the former time afterwards', () => {
  const { clock, calls, schedule } = openClock()
  schedule(NOON + MINUTE, 'bell')
  expect(clock.runAt(0, () => clock.state())).toEqual({ mode: 'frozen', now: '1970-01-01T00:00:00.000Z' })
  expect(() =>
    clock.runAt(0, () => {
      throw new Error('it failed')
    }),
  ).toThrow('it failed')
  expect(clock.state()).toEqual({ mode: 'real', now: '2026-03-01T12:00:00.000Z' })
  vi.advanceTimersByTime(MINUTE)
  expect(calls).toEqual([['bell', NOON + MINUTE]])
})

test('a callback that is rolled back is unscheduled, and the timer is set for the next one', () => {
  const store = new Store()
  const clock = new WorldClock(store)
  const calls: string[] = []
  clock.on('bell', ([ref = '']) => calls.push(ref) > 0)
  clock.schedule(NOON + 2 * MINUTE, { kind: 'bell', ref: ['kept'], what: 'kept' })
  expect(() =>
    store.transaction(() => {
      clock.schedule(NOON + MINUTE, { kind: 'bell', ref: ['lost'], what: 'lost' })
      throw new Error('it failed')
    }),
  ).toThrow()
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(2 * MINUTE)
  expect(calls).toEqual(['kept'])
  expect(vi.getTimerCount()).toBe(0)
})

test('a rollback of a freeze restores the running clock with its timer', () => {
  const store = new Store()
  const clock = new WorldClock(store)
  clock.schedule(NOON + MINUTE, { kind: 'bell', ref: ['x'], what: 'x' })
  expect(() =>
    store.transaction(() => {
      clock.freeze()
      throw new Error('it failed')
    }),
  ).toThrow()

  expect([clock.mode, vi.getTimerCount()]).toEqual(['real', 1])
})

test('a frozen clock stays frozen when it is set, and a running one continues', () => {
  const { clock } = openClock()
  clock.set(NOON + MINUTE)
  expect(clock.mode).toBe('set')
  clock.freeze()
  clock.set(NOON)
  expect(clock.mode).toBe('frozen')
  vi.advanceTimersByTime(MINUTE)
  expect(clock.now()).toBe(NOON)
})

test('a clock that is frozen or has no scheduled callbacks has no timer', () => {
  const { clock, schedule } = openClock()
  expect(vi.getTimerCount()).toBe(0)
  const off = schedule(NOON + MINUTE, 'bell')
  schedule(NOON + 2 * MINUTE, 'later')
  expect(vi.getTimerCount()).toBe(1)
  off()
  clock.freeze()
  expect(vi.getTimerCount()).toBe(0)
  clock.run()
  expect(vi.getTimerCount()).toBe(1)
  clock.close()
  expect(vi.getTimerCount()).toBe(0)
})

test('a running clock stops at the last instant of a clock', () => {
  const clock = new WorldClock()
  clock.run('2199-12-31T23:59:59.000Z')
  vi.advanceTimersByTime(10_000)

  expect(clock.state()).toEqual({ mode: 'set', now: '2200-01-01T00:00:00.000Z' })
})

test('a timeout fires once unless it is cancelled, and a long one does not fire at once', () => {
  const [done, off, never] = [vi.fn(), vi.fn(), vi.fn()]
  startTimeout(100, done)
  startTimeout(100, off)()
  startTimeout(MAX_TIMER_MS * 2, never)
  vi.advanceTimersByTime(99)
  expect(done).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect([done, off, never].map(({ mock }) => mock.calls.length)).toEqual([1, 0, 0])
  expect(machineTime()).toBe(NOON + 100)
  expect(MAX_TIMER_MS).toBe(2_147_483_647)
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
  expect(parseDuration(text)).toBe(milliseconds)
})

test.each([`${'0'.repeat(63)}1s`, '', '1', '1 h', 'h', '1x', '-1h', '1h!', -1, Number.NaN, Number.POSITIVE_INFINITY])(
  '%j is not a duration',
  (text) => {
    expect(() => parseDuration(text)).toThrow(RangeError)
  },
)

test('a fault is reported in one line: the operation, the error with its place, and a request to report it', () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const error = new TypeError('it is\n  broken')
  error.stack = 'TypeError: it is\n  broken\n    at first (file.ts:1:2)\n    at second (file.ts:3:4)'
  const bare = new Error('bare')
  bare.stack = undefined as never
  const rest = 'this is a fault of fake-calendar: please report this line'

  expect(reportFault('GET /x', error)).toBe('TypeError: it is\n  broken')
  expect(reportFault('GET /y', bare)).toBe('Error: bare')
  expect(reportFault('GET /z', 'a text')).toBe('a text')
  expect(consoleError.mock.calls.map(([line]) => line)).toEqual([
    `fake-calendar: GET /x failed: TypeError: it is broken at first (file.ts:1:2); ${rest}`,
    `fake-calendar: GET /y failed: Error: bare; ${rest}`,
    `fake-calendar: GET /z failed: a text; ${rest}`,
  ])
})
