import {
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
  expect as theirs,
} from '@playwright/test'
import { route } from './route.ts'
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

export type { TestContext, WorldMatchers, WorldOptions }
export { route }

requireVersion('playwright', '@playwright/test', 1)

type WorldTestArgs = TestContext & WorldFixtures & { testWorld: TestWorld }

/** The `expect` of Playwright with the matchers for worlds. */
export const expect = theirs.extend(matchers)

/**
 * A test with its own world, which answers its pages: `test('…', async ({ page, fake, calendar }) => …)`. Options of
 * the world: `test.use({ seed: 'team', now: '2026-03-02T09:00:00Z' })`.
 */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & WorldTestArgs,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
> = base.extend<WorldTestArgs>({
  seed: ['default', { option: true }],
  now: [undefined, { option: true }],
  account: [undefined, { option: true }],
  options: [undefined, { option: true }],
  /** Throws after a passed test if a fault was not used. */
  testWorld: async ({ seed, now, account, options }, use, info) => {
    const world = openTestWorld({ seed, now, account, options })
    try {
      await use(world)
      if (info.status === 'passed') world.fake.faults.verify()
      else if (info.status !== info.expectedStatus) {
        console.error(formatCallReport(world.fake))
        for (const error of info.errors) addHints(world.fake, error)
      }
    } finally {
      await world.end()
    }
  },
  fake: ({ testWorld }, use) => use(testWorld.fake),
  calendar: ({ testWorld }, use) => use(testWorld.calendar),
  calendarFor: ({ testWorld }, use) => use(testWorld.calendarFor),
  listen: ({ testWorld }, use) => use(testWorld.listen),
  /** Lets the world answer requests of pages to the Calendar API and to OAuth. Other requests go to the network. */
  context: async ({ context, fake }, use) => {
    await route(context, fake)
    await use(context)
  },
})
