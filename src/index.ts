import { type Dress, Functions, inProcess, type Within } from './control/inProcess.ts'
import type { Settled } from './effects/conferences.ts'
import type { CallsOf, FakeCalls } from './fake/calls.ts'
import { runIn } from './fake/current.ts'
import type { Change, ChangesAsked, DiffOptions, FakeHistory, HistoricChange, History, Moment } from './fake/history.ts'
import type { FakeNotifications, Patience } from './fake/notifications.ts'
import { checkedOptions, type FakeCalendarOptions } from './fake/options.ts'
import type {
  Clock,
  Conferences,
  Control,
  FakeWorld,
  Faults,
  Instant,
  Minted,
  OAuth,
  OAuthState,
  Quota,
  SyncTokenChoice,
  SyncTokens,
} from './fake/world.ts'
import type { Diff } from './history/lists.ts'
import type { ExpectedChange } from './history/verify.ts'
import { unlessAborted } from './http/abort.ts'
import { type FixtureName, seedsOf } from './life/fixtures.ts'
import { standingFor } from './life/handles.ts'
import type { Realm } from './life/realm.ts'
import { type Planted, SeedError } from './life/seed.ts'
import type { Snapshot } from './life/snapshots.ts'
import { VerificationError } from './matching/report.ts'
import type { Outcome } from './model/conferencePolicy.ts'
import type { Attempt, ResourceState } from './push/messages.ts'
import type { ChannelState, ChannelView, Next, Notification, Progress, Receiver, Which } from './push/notifications.ts'
import type { On } from './rig/asked.ts'
import type { FaultEffect } from './rig/effects.ts'
import type { Fault, FaultHandle, FaultView } from './rig/faults.ts'
import type { QuotaLimits, QuotaState } from './rig/quota.ts'
import type { CallHint, RecordedCall } from './rig/recorded.ts'
import type { CallWanted, RecordedCalls } from './rig/search.ts'
import type { Times } from './rig/verification.ts'
import { type Address, DEFAULT_WORLD, Server } from './server.ts'
import type { ClockMode, ClockState, Fired } from './time/clock.ts'
import type {
  ConferenceMode,
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  PendingConference,
} from './wire/conferencePolicy.ts'
import type { Mail, MailKind } from './wire/mail.ts'
import { type FaultName, Refusal } from './wire/refusals.ts'
import type { OAuthCue, OAuthSeed } from './wire/seeds/oauth.ts'
import type { Seed } from './wire/seeds/seed.ts'
import type { Resource } from './world/channel.ts'
import type { Grant } from './world/credentials.ts'

export type {
  Address,
  Attempt,
  CallHint,
  CallsOf,
  CallWanted,
  Change,
  ChangesAsked,
  ChannelState,
  ChannelView,
  Clock,
  ClockMode,
  ClockState,
  ConferenceMode,
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  Conferences,
  Control,
  Diff,
  DiffOptions,
  ExpectedChange,
  FakeCalendarOptions,
  FakeCalls,
  FakeHistory,
  FakeNotifications,
  FakeWorld,
  Fault,
  FaultEffect,
  FaultHandle,
  FaultName,
  Faults,
  FaultView,
  Fired,
  FixtureName,
  Grant,
  HistoricChange,
  History,
  Instant,
  Mail,
  MailKind,
  Minted,
  Moment,
  Next,
  Notification,
  OAuth,
  OAuthCue,
  OAuthSeed,
  OAuthState,
  On,
  Outcome,
  Patience,
  PendingConference,
  Planted,
  Progress,
  Quota,
  QuotaLimits,
  QuotaState,
  Receiver,
  RecordedCall,
  RecordedCalls,
  Resource,
  ResourceState,
  Seed,
  Settled,
  Snapshot,
  SyncTokenChoice,
  SyncTokens,
  Times,
  Which,
}
export { SeedError, VerificationError }

/** A fake of the Google Calendar API v3 in memory. Its own requests go to the world `default`, unless they name another. */
export interface FakeCalendar extends FakeWorld {
  /**
   * Another world, which comes into being from the same seed when it is first used. One that there may not be, and what
   * cannot be a name (1 to 64 letters, digits, dots, dashes or underscores), throws a RangeError.
   */
  world(name: string): FakeWorld
  /**
   * The same as an app of Hono's: for `fetch` of Bun, Deno or a worker, or for a place in another app, as in
   * `theirs.mount('/google', fake.app.fetch)` with a `publicUrl` that says so.
   */
  readonly app: FakeApp
  /** Listens on a port (any free one for 0) of both loopback addresses, unless another host is given. */
  listen(options?: { port?: number; host?: string }): Promise<Address>
  /** Stops listening and ends every clock. */
  close(): Promise<void>
}

/** What takes requests. It is an app of Hono's, whose types are left to those who have it. */
export interface FakeApp {
  fetch(request: Request, ...more: unknown[]): Response | Promise<Response>
}

const ORIGIN = 'http://fake-calendar.localhost'

/**
 * Opens a fake: a world in memory, no socket until `listen`. An invalid seed throws a SeedError that says where it is
 * wrong, an option that there is not a TypeError.
 */
export function createFakeCalendar(options: FakeCalendarOptions = {}): FakeCalendar {
  const {
    seed = 'default',
    strict,
    anonymous,
    webhooks = 'loopback',
    conferences: said,
    ...rest
  } = checkedOptions(options)
  const seeds = seedsOf(seed)
  const auth = { mode: strict ? 'strict' : 'open', anonymous } as const
  const conferences = typeof said === 'string' ? { mode: said } : said
  const server = new Server({ ...rest, seeds, auth, webhooks, conferences })
  const answer = (request: Request) => server.fetch(request)
  const fake = openWorld(server, DEFAULT_WORLD, answer, (within, dress) => new OfFake(within, dress, server))
  return Object.assign(fake, {
    world(name: string) {
      permitted(() => server.permit(name))
      return openWorld(server, name, (request) => server.fetch(request, { named: name }))
    },
    listen: (options) => server.listen(options),
    close: () => server.close(),
  } satisfies Omit<FakeCalendar, keyof FakeWorld | 'app'>) as FakeCalendar
}

/**
 * The functions of a fake, and its app. That is an accessor of all fakes together: V8 puts one of an object's own into old
 * memory, where it keeps its fake until all of that is cleaned up.
 */
class OfFake extends Functions {
  readonly #server: Server

  constructor(within: Within, dress: Dress, server: Server) {
    super(within, dress)
    this.#server = server
  }

  get app(): FakeApp {
    return this.#server.app
  }
}
Object.defineProperty(OfFake.prototype, 'app', { enumerable: true })

/** Told by what it has: one that came over a line within the process is of a class that only stands for the platform's. */
const isRequest = (input: string | URL | Request): input is Request => typeof input === 'object' && 'headers' in input

/** A world by its name: one that is deleted begins anew when it is next used. */
function openWorld(
  server: Server,
  name: string,
  answer: (request: Request) => Promise<Response>,
  functions: (within: Within, dress: Dress) => object = inProcess,
): FakeWorld {
  let isPermitted = false
  const within = <R>(act: (realm: Realm) => R): R => {
    if (!isPermitted) permitted(() => server.permit(name))
    isPermitted = true
    return server.within(name, act)
  }
  const fetch: FakeWorld['fetch'] = async (input, init) => {
    const request = isRequest(input) && !init ? input : new Request(input, init)
    // Nobody has the signal of a request that was made here without one.
    const isOurs = !isRequest(input) && !init?.signal
    return isOurs ? answer(request) : unlessAborted(request, () => answer(request))
  }
  const control = functions((act) => within((realm) => act({ realm, worlds: server, name })), {
    clock: (clock) => withReadings(clock, within),
    fork: (fork) => (from: string | Snapshot, world: string) => {
      permitted(() => fork(from, world))
      return openWorld(server, world, (request) => server.fetch(request, { named: world }))
    },
  })
  const world: FakeWorld = Object.assign(control, {
    name,
    fetch,
    request: (path, init) => fetch(new URL(path, ORIGIN), init),
    onNotification: (receiver) => within(({ notifications }) => notifications.receive(receiver)),
    run: (act) => runIn(world, act),
    async ui() {
      permitted(() => server.permit(name))
      return server.ui(name)
    },
  } satisfies Omit<FakeWorld, keyof Control>) as unknown as FakeWorld
  return standingFor(world, () => within((realm) => realm))
}

/** A world that there may not be is a RangeError, in the words in which a request for it is refused. */
function permitted<T>(act: () => T): T {
  try {
    return act()
  } catch (error) {
    throw error instanceof Refusal ? new RangeError(error.message) : error
  }
}

/** What a clock can do besides at once, with no message waited for. */
const withReadings = (
  clock: Omit<Clock, 'mode' | 'now' | 'advance' | 'advanceTo'>,
  within: <R>(act: (realm: Realm) => R) => R,
): Clock => ({
  ...clock,
  get mode() {
    return within((realm) => realm.clock.mode)
  },
  now: () => within((realm) => realm.clock.now()),
  advance: (duration) => within((realm) => realm.clock.advance(duration)),
  advanceTo: (instant) => within((realm) => realm.clock.advanceTo(instant)),
})
