import defaultSeed from '../fixtures/default.json' with { type: 'json' }
import { type FakeNotifications, openNotifications } from './fakeNotifications.ts'
import { checkedSeed } from './life/checkedSeed.ts'
import type { Realm } from './life/realm.ts'
import { type Planted, SeedError } from './life/seed.ts'
import {
  addConferenceRule,
  conferenceState,
  type Settled,
  setConferencePolicy,
  settleConferences,
} from './meetings/conferenceRequests.ts'
import type { ChannelView, Next, Notification, Receiver, Which } from './push/notifications.ts'
import { type Address, Server } from './server.ts'
import { type Clock, durationOf, type Fired } from './store/clock.ts'
import type {
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
} from './wire/conferencePolicy.ts'
import type { Mail } from './wire/mail.ts'
import type { Seed } from './wire/seed.ts'
import { mailTo } from './world/mail.ts'

export type {
  Address,
  ChannelView,
  Clock,
  ConferencePolicy,
  ConferenceRule,
  ConferenceSettlement,
  ConferenceState,
  Mail,
  Next,
  Notification,
  Planted,
  Receiver,
  Seed,
  Settled,
  Which,
}
export { SeedError }

export type FakeCalendarOptions = {
  /** What every world starts from: one seed or several, in order. Without one: alice@example.com and her empty calendar. */
  seed?: Seed | readonly Seed[]
  /** The instant at which the worlds' clocks stand still. Without one they follow the machine. */
  now?: Date | string | number
  /** Accept only tokens that a seed names; without it any bearer token is good. */
  strict?: boolean
  /** The account of requests that bring no credentials; without one they are refused with 401. */
  anonymous?: string
  /** What absolute URLs in replies begin with, where clients reach the server by another address than its own. */
  publicUrl?: string
  /** What `/_control` asks for in `X-Fake-Control-Token`. Without one, any program on this machine may use it. */
  controlToken?: string
  /** Show a page that asks for an account and its consent; without it authorization is granted at once. */
  consent?: boolean
  /** Where push messages are posted: to loopback addresses alone, unless `any` is said. Others are kept, marked as withheld. */
  webhooks?: 'loopback' | 'any'
}

/** One isolated world: requests, its clock, and its data. */
export interface FakeWorld {
  readonly name: string
  /** Answers a request as the service would, without a socket. */
  fetch(input: Request | string | URL, init?: RequestInit): Promise<Response>
  /** The same by path: `request('/calendar/v3/users/me/calendarList', { headers })`. */
  request(path: string, init?: RequestInit): Promise<Response>
  readonly clock: Clock
  readonly conferences: Conferences
  /** Moves the clock on, and waits at each thing that falls due for the messages that it sends; returns what fired. */
  advance(duration: string | number): Promise<Fired[]>
  /** The channels of watches, those that have ended among them. */
  channels(): ChannelView[]
  readonly notifications: FakeNotifications
  /**
   * Calls a receiver in the process with every push message, in place of a socket: it may return the code to answer
   * with, or a promise of it; else the message counts as delivered. Returns what takes the receiver away.
   */
  onNotification(receiver: Receiver): () => void
  /** Back to what the world started from; sync tokens of before answer 410. */
  reset(): Planted
  /** Adds to the world. A seed that is refused throws a SeedError and changes nothing. */
  seed(seed: Seed): Planted
  /** A seed that restores exactly this world. */
  state(): Seed
  /** The mails that the service would have sent, the latest last; those to one address where it is given. */
  mail(to?: string): Mail[]
}

/** How a world answers requests for conferences: by default each is pending, and succeeds a second later on its clock. */
export interface Conferences {
  /** The policy, the rules that go before it, and the requests that are still open. */
  state(): ConferenceState
  /** How requests are answered from here on. What is not given stays; what cannot be throws a RangeError. */
  policy(policy: ConferencePolicy): void
  /** The same for the request with an id, those of an event, or the next so many. */
  expect(rule: ConferenceRule): void
  /** Answers open requests now: the one named, those of an event, or all. One that is named and not open throws a RangeError. */
  settle(which?: ConferenceSettlement): Settled[]
}

/** A fake of the Google Calendar API v3 in memory. Its own requests go to the world `default`, unless they name another. */
export interface FakeCalendar extends FakeWorld {
  /** Another world, which comes into being from the same seed when it is first named. */
  world(name: string): FakeWorld
  /** Listens on a port (any free one for 0) of both loopback addresses, unless another host is given. */
  listen(options?: { port?: number; host?: string }): Promise<Address>
  /** Stops listening and ends every clock. */
  close(): Promise<void>
}

const ORIGIN = 'http://fake-calendar.localhost'

/** Opens a fake: a world in memory, no socket until `listen`. An invalid seed throws a SeedError that says where it is wrong. */
export function createFakeCalendar({
  seed = defaultSeed,
  now,
  strict,
  anonymous,
  publicUrl,
  controlToken,
  consent,
  webhooks = 'loopback',
}: FakeCalendarOptions = {}): FakeCalendar {
  const seeds = [seed].flat().map((one) => (one === defaultSeed ? defaultSeed : checkedSeed(one)))
  const auth = { mode: strict ? 'strict' : 'open', anonymous } as const
  const server = new Server({ seeds, now, auth, publicUrl, controlToken, consent, webhooks })
  const open = (name: string, answer: (request: Request) => Promise<Response>) =>
    openWorld(name, () => server.realm(name), answer)
  const fake = open('default', (request) => server.fetch(request))
  return {
    ...fake,
    get clock() {
      return fake.clock
    },
    world: (name) => open(name, (request) => server.fetch(request, name)),
    listen: (options) => server.listen(options),
    close: () => server.close(),
  }
}

/** A world by its name: one that is deleted begins anew when it is next used. */
function openWorld(name: string, realm: () => Realm, answer: (request: Request) => Promise<Response>): FakeWorld {
  const fetch: FakeWorld['fetch'] = (input, init) =>
    answer(input instanceof Request && !init ? input : new Request(input, init))
  return {
    name,
    fetch,
    request: (path, init) => fetch(new URL(path, ORIGIN), init),
    get clock() {
      return realm().clock
    },
    conferences: {
      state: () => structuredClone(conferenceState(realm().world)),
      policy: (policy) => setConferencePolicy(realm().world, policy),
      expect: (rule) => addConferenceRule(realm().world, rule),
      settle: (which) => settleConferences(realm().world, which),
    },
    advance: (duration) => realm().advanceTo(realm().clock.now() + durationOf(duration)),
    channels: () => realm().notifications.channels(),
    notifications: openNotifications(() => realm().notifications),
    onNotification: (receiver) => realm().notifications.receive(receiver),
    reset: () => realm().reset(),
    seed: (seed) => realm().seed(checkedSeed(seed)),
    state: () => structuredClone(realm().state()),
    mail: (to) => mailTo(realm().world, to),
  }
}
