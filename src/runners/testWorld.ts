import type { FakeCalendarOptions } from '../control/types/options.ts'
import type { FakeWorld } from '../control/types/world.ts'
import type { Snapshot } from '../control/worlds/snapshots.ts'
import { createFakeCalendar, type FakeCalendar } from '../server/createFakeCalendar.ts'
import { callReport, trackCalls } from './callReport.ts'
import { listenFor } from './listening.ts'
import { type OfficialClient, officialClient } from './officialClient.ts'

/** Options of a test's world. */
export type WorldOptions = {
  /** The seed, as for `createFakeCalendar`. By default: alice@example.com with an empty calendar. */
  seed?: FakeCalendarOptions['seed']
  /** The instant at which the clock is frozen. By default, the clock follows the machine. */
  now?: FakeCalendarOptions['now']
  /** The account of `calendar`; by default the first account of the seed. */
  account?: string | undefined
  /**
   * Makes the clock follow the `Date` of the test, faked or not. `now` is then the instant at which the seed is loaded.
   */
  followTimers?: boolean | undefined
  /** Any other option of `createFakeCalendar`. */
  options?: FakeCalendarOptions | undefined
}

/** The options as fixtures, all of them present. */
export type WorldFixtures = Record<'seed', WorldOptions['seed']> &
  Record<'now', WorldOptions['now']> &
  Record<'account', WorldOptions['account']> &
  Record<'options', WorldOptions['options']>

/** The context of a test. */
export type TestContext = {
  /** The test's own world. */
  fake: FakeWorld
  /** The official client for the world. Throws unless `@googleapis/calendar` or `googleapis` is installed. */
  readonly calendar: OfficialClient
  /** Returns the official client for another account. */
  calendarFor(account: string): OfficialClient
  /**
   * Opens a port until the test ends, for programs that need one. Returns its address, such as
   * `http://127.0.0.1:45001`.
   */
  listen(): Promise<string>
}

/** A fake from which the worlds of tests are forked, and the snapshot at which they start. */
type BaseWorld = { fake: FakeCalendar; start: Snapshot; made: number; first?: string | undefined }
type CachedBase = { parts: readonly unknown[]; base: BaseWorld }

/** Limit of cached fakes, because a seed that is new for each test must not fill the memory. */
const MAX_CACHED_BASES = 8
const baseCache: CachedBase[] = []

/**
 * Returns the fake for options. It is cached, because creating one takes longer than a fork. With `followTimers`, it
 * has the `Date` of the test.
 */
function baseFor({ seed, now, followTimers, options }: WorldOptions): BaseWorld {
  const parts = [seed, now ?? (followTimers ? Date.now() : undefined), followTimers === true, options]
  const known = baseCache.find((one) => one.parts.every((part, at) => Object.is(part, parts[at])))
  if (known) return known.base
  const fake = createFakeCalendar({
    ...options,
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { now }),
  })
  if (followTimers) fake.clock.real()
  const base: BaseWorld = { fake, start: fake.snapshot(), made: 0 }
  if (baseCache.push({ parts, base }) > MAX_CACHED_BASES) baseCache.shift()
  return base
}

export type TestWorld = TestContext & {
  /** Deletes the world and closes its ports. */
  end(): Promise<void>
}

/** Opens a world for one test, as a fork of a cached one. Throws the same errors as `createFakeCalendar`. */
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

function firstAccount(base: BaseWorld): string {
  base.first ??= base.fake.state().accounts?.[0]?.email
  if (base.first === undefined)
    throw new RangeError('account: the seed contains no account (name one with the option account)')
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
