import type { AddressInfo } from 'node:net'
import type { FakeCalendarOptions } from '../control/types/options.ts'
import type { FakeWorld } from '../control/types/world.ts'
import type { Snapshot } from '../control/worlds/snapshots.ts'
import { loadAttempts } from '../evaluation/loadAttempts.ts'
import { composeFakeCalendar, type FakeCalendar } from '../server/createFakeCalendar.ts'
import { addHints, formatCallReport, trackCalls } from './callReport.ts'
import { createOfficialClient, type OfficialClient } from './officialClient.ts'

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
  /**
   * The official client for the world, created on first use. Throws an Error unless `@googleapis/calendar` or `googleapis` is
   * installed, and a RangeError if the seed has no account.
   */
  readonly calendar: OfficialClient
  /** Returns the official client for another account, given by its address. Throws an Error if it is not installed. */
  calendarFor(account: string): OfficialClient
  /**
   * Opens a port until the test ends, for programs that need one. Returns its address, such as
   * `http://127.0.0.1:45001`.
   */
  listen(): Promise<string>
}

/** A fake from which the worlds of tests are forked. */
type BaseWorld = {
  fake: FakeCalendar
  start: Snapshot
  forkCount: number
  firstAccount?: string | undefined
}
/** The options are compared by identity. */
type CachedBase = { parts: readonly unknown[]; base: BaseWorld }

/** A seed that is new for each test must not fill the memory. */
const createFakeCalendar = composeFakeCalendar(loadAttempts)
const MAX_CACHED_BASES = 8
const baseCache: CachedBase[] = []

/**
 * The cache saves time, because creating a fake takes longer than a fork. With `followTimers`, the clock follows the `Date` of
 * the test.
 */
function findOrCreateBase({ seed, now, followTimers, options }: WorldOptions): BaseWorld {
  const parts = [seed, now ?? (followTimers ? Date.now() : undefined), followTimers === true, options]
  const known = baseCache.find((one) => one.parts.every((part, at) => Object.is(part, parts[at])))
  if (known) return known.base
  const fake = createFakeCalendar({
    ...options,
    ...(seed !== undefined && { seed }),
    ...(now !== undefined && { now }),
  })
  if (followTimers) fake.clock.real()
  const base: BaseWorld = { fake, start: fake.snapshot(), forkCount: 0 }
  if (baseCache.push({ parts, base }) > MAX_CACHED_BASES) baseCache.shift()
  return base
}

export type TestWorld = TestContext & {
  end(): Promise<void>
}

/** Forks a cached base. Throws the errors of `createFakeCalendar` for invalid options. */
export function openTestWorld(options: WorldOptions = {}): TestWorld {
  const base = findOrCreateBase(options)
  base.forkCount += 1
  const fake = base.fake.fork(base.start, `test-${base.forkCount}`)
  trackCalls(fake)
  const closing: (() => Promise<void>)[] = []
  const calendarFor = (account: string) => createOfficialClient(fake, account, options.options?.strict === true)
  let calendar: OfficialClient | undefined
  return {
    fake,
    get calendar() {
      calendar ??= calendarFor(options.account ?? requireFirstAccount(base))
      return calendar
    },
    calendarFor,
    listen: async () => {
      const { url, close } = await listenForWorld(fake)
      closing.push(close)
      return url
    },
    end: async () => {
      await Promise.all(closing.map((close) => close()))
      fake.delete()
    },
  }
}

async function listenForWorld(world: FakeWorld): Promise<{ url: string; close(): Promise<void> }> {
  const { bindLoopback, createSocketListener, formatServerUrl, stopServer } = await import('../http/listen.ts')
  const listener = await createSocketListener(
    (request) => world.fetch(request),
    () => world.clock.now(),
  )
  const servers = await bindLoopback(listener, 0)
  const { port } = servers[0].address() as AddressInfo
  return { url: formatServerUrl(undefined, port), close: async () => void (await Promise.all(servers.map(stopServer))) }
}

function requireFirstAccount(base: BaseWorld): string {
  base.firstAccount ??= base.fake.state().accounts?.[0]?.email
  if (base.firstAccount === undefined)
    throw new RangeError('account: the seed contains no account (name one with the option account)')
  return base.firstAccount
}

/**
 * Runs `body` in a world of its own. Rejects with the error of the body, or with a VerificationError if a planned fault was not
 * used. Before it rejects, passes the last calls, as text, to `print`.
 */
export async function runInTestWorld(
  options: WorldOptions,
  body: (context: TestContext) => unknown,
  print: (report: string) => void = console.error,
): Promise<void> {
  const world = openTestWorld(options)
  try {
    await world.fake.run(() => body(world))
    world.fake.faults.verify()
  } catch (error) {
    print(formatCallReport(world.fake))
    addHints(world.fake, error)
    throw error
  } finally {
    await world.end()
  }
}
