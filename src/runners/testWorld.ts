import {
  createFakeCalendar,
  type FakeCalendar,
  type FakeCalendarOptions,
  type FakeWorld,
  type Snapshot,
} from '../index.ts'
import { callReport, trackCalls } from './callReport.ts'
import { listenFor } from './listening.ts'
import { type OfficialClient, officialClient } from './officialClient.ts'

/** What the world of a test is to be. */
export type WorldOptions = {
  /** What it starts from, as `createFakeCalendar` takes it. Without one: alice@example.com and her empty calendar. */
  seed?: FakeCalendarOptions['seed']
  /** The instant at which its clock stands still. Without one it follows the machine. */
  now?: FakeCalendarOptions['now']
  /** Whose `calendar` it is: without one the first account of the seed. */
  account?: string | undefined
  /** The clock shows the `Date` of the test at all times, faked or not. `now` is then the instant at which the seed is loaded. */
  followTimers?: boolean | undefined
  /** Any other option of `createFakeCalendar`. */
  options?: FakeCalendarOptions | undefined
}

/** The same where each is there, as fixtures are. */
export type WorldFixtures = Record<'seed', WorldOptions['seed']> &
  Record<'now', WorldOptions['now']> &
  Record<'account', WorldOptions['account']> &
  Record<'options', WorldOptions['options']>

/** What a test is handed. */
export type TestContext = {
  /** A world of the test's own. */
  fake: FakeWorld
  /** The official client for the world, where `@googleapis/calendar` or `googleapis` is installed; else it throws. */
  readonly calendar: OfficialClient
  /** The same client as somebody else. */
  calendarFor(account: string): OfficialClient
  /** Opens a port for programs that need one, until the test ends: its address, such as `http://127.0.0.1:45001`. */
  listen(): Promise<string>
}

/** A fake whose worlds are those of tests, at the moment at which each begins. */
type Base = { fake: FakeCalendar; start: Snapshot; made: number; first?: string | undefined }
type Kept = { parts: readonly unknown[]; base: Base }

/** A file has few kinds of world; a seed that is made anew for each test must not fill the memory. */
const MOST_KEPT = 8
const kept: Kept[] = []

/**
 * Returns the fake for options. It is created once, because a fork takes microseconds. With `followTimers` it is as old as
 * the `Date` of the test.
 */
function baseFor({ seed, now, followTimers, options }: WorldOptions): Base {
  const parts = [seed, now ?? (followTimers ? Date.now() : undefined), followTimers === true, options]
  const known = kept.find((one) => one.parts.every((part, at) => Object.is(part, parts[at])))
  if (known) return known.base
  const fake = createFakeCalendar({
    ...options,
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { now }),
  })
  if (followTimers) fake.clock.real()
  const base: Base = { fake, start: fake.snapshot(), made: 0 }
  if (kept.push({ parts, base }) > MOST_KEPT) kept.shift()
  return base
}

export type TestWorld = TestContext & {
  /** Deletes the world and closes its ports. */
  end(): Promise<void>
}

/** A world for one test, forked from one that was planted before. What cannot be throws as `createFakeCalendar` does. */
export function openTestWorld(given: WorldOptions = {}): TestWorld {
  const base = baseFor(given)
  base.made += 1
  const fake = base.fake.fork(base.start, `test-${base.made}`)
  trackCalls(fake)
  const closing: (() => Promise<void>)[] = []
  const calendarFor = (account: string) => officialClient(fake, account, given.options?.strict === true)
  let calendar: OfficialClient | undefined
  return {
    fake,
    get calendar() {
      calendar ??= calendarFor(given.account ?? firstAccount(base))
      return calendar
    },
    calendarFor,
    listen: async () => {
      const { url, close } = await listenFor(fake)
      closing.push(close)
      return url
    },
    end: async () => {
      await Promise.all(closing.map((close) => close()))
      fake.delete()
    },
  }
}

function firstAccount(base: Base): string {
  base.first ??= base.fake.state().accounts?.[0]?.email
  if (base.first === undefined) throw new RangeError('account: the seed has none; name the one whose calendar it is')
  return base.first
}

/**
 * Runs a test in a world of its own. A test that passes fails if a planned fault has not happened. A test that fails prints
 * its last calls.
 */
export async function inTestWorld(
  options: WorldOptions,
  body: (context: TestContext) => unknown,
  print: (report: string) => void = console.error,
): Promise<void> {
  const world = openTestWorld(options)
  try {
    await world.fake.run(() => body(world))
    world.fake.faults.verify()
  } catch (error) {
    print(callReport(world.fake))
    throw error
  } finally {
    await world.end()
  }
}
