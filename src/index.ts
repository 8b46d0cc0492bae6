import type { Outcome } from './conferences/policy.ts'
import { inProcess } from './control/inProcess.ts'
import { runIn } from './fake/current.ts'
import type { FakeNotifications, Patience } from './fake/notifications.ts'
import { checkedOptions, type FakeCalendarOptions } from './fake/options.ts'
import type { Clock, Conferences, Control, FakeWorld, Instant, OAuth, OAuthState, SyncTokens } from './fake/world.ts'
import { unlessAborted } from './http/abort.ts'
import { checkedSeed } from './life/checkedSeed.ts'
import { type FixtureName, fixtureOf } from './life/fixtures.ts'
import type { Realm } from './life/realm.ts'
import { type Planted, SeedError } from './life/seed.ts'
import type { Settled } from './meetings/conferenceRequests.ts'
import type { Attempt, ResourceState } from './push/messages.ts'
import type { ChannelState, ChannelView, Next, Notification, Progress, Receiver, Which } from './push/notifications.ts'
import { type Address, DEFAULT_WORLD, Server } from './server.ts'
import type { ClockMode, ClockState, Fired } from './store/clock.ts'
import type {
  ConferenceMode,
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  PendingConference,
} from './wire/conferencePolicy.ts'
import type { Mail, MailKind } from './wire/mail.ts'
import { Refusal } from './wire/refusals.ts'
import type { OAuthCue, OAuthSeed } from './wire/seeds/oauth.ts'
import type { Seed } from './wire/seeds/seed.ts'
import type { Resource } from './world/channel.ts'
import type { Grant } from './world/credentials.ts'

export type {
  Address,
  Attempt,
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
  FakeCalendarOptions,
  FakeNotifications,
  FakeWorld,
  Fired,
  FixtureName,
  Grant,
  Instant,
  Mail,
  MailKind,
  Next,
  Notification,
  OAuth,
  OAuthCue,
  OAuthSeed,
  OAuthState,
  Outcome,
  Patience,
  PendingConference,
  Planted,
  Progress,
  Receiver,
  Resource,
  ResourceState,
  Seed,
  Settled,
  SyncTokens,
  Which,
}
export { SeedError }

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
  const seeds = [seed].flat().map((one) => (typeof one === 'string' ? fixtureOf(one) : checkedSeed(one)))
  const auth = { mode: strict ? 'strict' : 'open', anonymous } as const
  const conferences = typeof said === 'string' ? { mode: said } : said
  const server = new Server({ ...rest, seeds, auth, webhooks, conferences })
  const fake = openWorld(server, DEFAULT_WORLD, (request) => server.fetch(request))
  const more = {
    get app() {
      return server.app
    },
    world(name: string) {
      permitted(() => server.permit(name))
      return openWorld(server, name, (request) => server.fetch(request, { named: name }))
    },
    listen: (options) => server.listen(options),
    close: () => server.close(),
  } satisfies Omit<FakeCalendar, keyof FakeWorld>
  // Not spread: what is got of a world is got when it is asked for.
  return Object.defineProperties(fake, Object.getOwnPropertyDescriptors(more)) as FakeCalendar
}

/** A world by its name: one that is deleted begins anew when it is next used. */
function openWorld(server: Server, name: string, answer: (request: Request) => Promise<Response>): FakeWorld {
  const realm = () => permitted(() => server.realm(name))
  const fetch: FakeWorld['fetch'] = async (input, init) => {
    const request = input instanceof Request && !init ? input : new Request(input, init)
    return unlessAborted(request, () => answer(request))
  }
  const { clock, ...control } = inProcess(() => ({ realm: realm(), worlds: server, name }))
  const world: FakeWorld = {
    ...control,
    name,
    fetch,
    request: (path, init) => fetch(new URL(path, ORIGIN), init),
    clock: withReadings(clock, realm),
    onNotification: (receiver) => realm().notifications.receive(receiver),
    run: (act) => runIn(world, act),
  }
  return world
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
const withReadings = (clock: Omit<Clock, 'mode' | 'now' | 'advance' | 'advanceTo'>, realm: () => Realm): Clock => ({
  ...clock,
  get mode() {
    return realm().clock.mode
  },
  now: () => realm().clock.now(),
  advance: (duration) => realm().clock.advance(duration),
  advanceTo: (instant) => realm().clock.advanceTo(instant),
})
