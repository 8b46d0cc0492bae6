import { test as base, expect, type TestAPI, vi } from 'vitest'
import {
  addHints,
  formatCallReport,
  matchers,
  openTestWorld,
  requireVersion,
  type TestContext,
  type TestWorld,
  type WorldFixtures,
  type WorldMatchers,
  type WorldOptions,
} from './runner.ts'
import { watchTimers } from './timers.ts'

// `Matchers` of vitest has one type parameter up to version 4 and two in 5. All versions include the matchers of Chai.
declare global {
  namespace Chai {
    interface Assertion extends WorldMatchers {}
  }
}

export type { TestContext, WorldMatchers, WorldOptions }
export { expect }

requireVersion('vitest', 'vitest', 3)
expect.extend(matchers)

type Fixtures = TestContext & WorldFixtures & { followTimers: boolean; testWorld: TestWorld }

/**
 * A test with its own world: `test('…', async ({ fake, calendar }) => …)`. Options of the world: `test.override({ seed:
 * 'team', now: '2026-03-02T09:00:00Z' })`.
 */
export const test: TestAPI<Fixtures> = base.extend<Fixtures>({
  seed: 'default',
  now: undefined,
  account: undefined,
  followTimers: false,
  options: undefined,
  /** Throws after a passed test if a fault was not used. */
  testWorld: async ({ task, seed, now, account, followTimers: follows, options }, use) => {
    const world = openTestWorld({ seed, now, account, followTimers: follows, options })
    const unwatch = follows ? watchTimers(vi, () => world.fake.clock.real()) : undefined
    try {
      await use(world)
      if (task.result?.state === 'pass') world.fake.faults.verify()
      else if (task.result?.state === 'fail' && !task.fails) {
        console.error(formatCallReport(world.fake))
        for (const error of task.result.errors ?? []) addHints(world.fake, error)
      }
    } finally {
      unwatch?.()
      await world.end()
    }
  },
  fake: ({ testWorld }, use) => use(testWorld.fake),
  calendar: ({ testWorld }, use) => use(testWorld.calendar),
  calendarFor: ({ testWorld }, use) => use(testWorld.calendarFor),
  listen: ({ testWorld }, use) => use(testWorld.listen),
})
export const it: typeof test = test
