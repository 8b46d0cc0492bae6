import { createRequire } from 'node:module'
import { mock } from 'node:test'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { openTestWorld } from '../../src/runners/testWorld.ts'

/** The fake timers of sinon, which jest uses too. */
type FakeTimers = {
  install(options: { now: number; toFake: string[] }): {
    tick(ms: number): void
    setSystemTime(now: number): void
    uninstall(): void
  }
}
const sinon = createRequire(import.meta.url)('@sinonjs/fake-timers') as FakeTimers

const NOON = Date.parse('2026-03-02T12:00:00Z')
const HOUR = 3_600_000
const TO_FAKE = ['Date', 'setTimeout', 'clearTimeout'] as const

/** The operations of a timer library that move the time. */
type Timers = { start(now: number): void; advance(ms: number): void; set(now: number): void; end(): void }

let installed: ReturnType<FakeTimers['install']>
const LIBRARIES: Record<string, Timers> = {
  vitest: {
    start: (now) => void vi.useFakeTimers({ now, toFake: [...TO_FAKE] }),
    advance: (ms) => void vi.advanceTimersByTime(ms),
    set: (now) => void vi.setSystemTime(now),
    end: () => void vi.useRealTimers(),
  },
  'sinon and jest': {
    start: (now) => {
      installed = sinon.install({ now, toFake: [...TO_FAKE] })
    },
    advance: (ms) => installed.tick(ms),
    set: (now) => installed.setSystemTime(now),
    end: () => installed?.uninstall(),
  },
  'node:test': {
    start: (now) => mock.timers.enable({ apis: ['Date', 'setTimeout'], now }),
    advance: (ms) => mock.timers.tick(ms),
    set: (now) => mock.timers.setTime(now),
    end: () => mock.timers.reset(),
  },
}

const OPTIONS = { followTimers: true, seed: { accounts: [{ email: 'alice@example.com' }] } }
const headers = { Authorization: 'Bearer alice@example.com', 'Content-Type': 'application/json' }
const EVENTS = '/calendar/v3/calendars/primary/events'

const lunch = {
  summary: 'Lunch',
  start: { dateTime: '2026-03-02T15:00:00Z' },
  end: { dateTime: '2026-03-02T16:00:00Z' },
  reminders: { useDefault: false, overrides: [{ method: 'email', minutes: 30 }] },
}

describe.each(Object.entries(LIBRARIES))('the clock of a world follows the Date of %s', (_, timers) => {
  const opened: { end(): Promise<void> }[] = []
  const open = (options: Parameters<typeof openTestWorld>[0] = OPTIONS) => {
    const world = openTestWorld(options)
    opened.push(world)
    return world.fake
  }
  afterEach(async () => {
    timers.end()
    await Promise.all(opened.splice(0).map((world) => world.end()))
  })

  test('the clock follows before, during and after fake timers', () => {
    const fake = open()
    const before = Date.now()
    expect(fake.clock.now() - before).toBeLessThan(60_000)

    timers.start(NOON)
    expect(fake.clock.now()).toBe(NOON)
    timers.advance(HOUR)
    expect(fake.clock.now()).toBe(NOON + HOUR)
    timers.set(NOON + 24 * HOUR)
    expect(fake.clock.now()).toBe(NOON + 24 * HOUR)
    timers.advance(1)
    expect([fake.clock.now(), fake.clock.state().now]).toEqual([Date.now(), new Date().toISOString()])

    timers.end()
    expect(fake.clock.now()).toBeGreaterThanOrEqual(before)
  })

  test('a second test does not start at the time of the first one', () => {
    timers.start(NOON)
    open()
    timers.advance(HOUR)
    timers.end()

    timers.start(NOON + 48 * HOUR)
    expect(open().clock.now()).toBe(NOON + 48 * HOUR)
    timers.end()

    timers.start(NOON - 48 * HOUR)
    expect(open().clock.now()).toBe(NOON - 48 * HOUR)
  })

  test('an instant that both set is applied once', () => {
    timers.start(NOON)

    expect(open({ ...OPTIONS, now: NOON }).clock.now()).toBe(NOON)
  })

  test('1 January 1970 is a valid instant', async () => {
    timers.start(0)
    const fake = open()

    const inserted = await fake.request(EVENTS, { method: 'POST', headers, body: JSON.stringify(lunch) })
    const listed = await fake.request(EVENTS, { headers })

    expect(await inserted.json()).toMatchObject({ created: '1970-01-01T00:00:00.000Z' })
    expect((await listed.json()).items).toHaveLength(1)
  })

  test('actions that become due while the timers advance are done before the next read', async () => {
    const fake = open()
    timers.start(NOON)
    await fake.request(EVENTS, { method: 'POST', headers, body: JSON.stringify(lunch) })
    expect(fake.mail()).toEqual([])

    timers.advance(3 * HOUR)

    expect(fake.mail()).toMatchObject([{ kind: 'reminder', sentAt: '2026-03-02T14:30:00.000Z' }])
  })

  test('actions that become due in a jump are done before the next read too', async () => {
    const fake = open()
    timers.start(NOON)
    await fake.request(EVENTS, { method: 'POST', headers, body: JSON.stringify(lunch) })

    timers.set(NOON + 3 * HOUR)

    expect(fake.mail()).toMatchObject([{ kind: 'reminder', sentAt: '2026-03-02T14:30:00.000Z' }])
    expect(fake.clock.now()).toBe(NOON + 3 * HOUR)
  })
})
