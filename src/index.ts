import defaultSeed from '../fixtures/default.json' with { type: 'json' }
import { pathOf } from './http/body.ts'
import { type Address, Server } from './server.ts'
import { type Seed, seed as seedSchema } from './wire/seed.ts'
import { type Clock, durationOf, type Fired } from './world/clock.ts'
import type { ChannelView, Next, Notification, Notifications, Receiver, Which } from './world/notifications.ts'
import type { Realm } from './world/realm.ts'
import { type Planted, SeedError } from './world/seed.ts'

export type { Address, ChannelView, Clock, Next, Notification, Planted, Receiver, Seed, Which }
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
}

/** The push messages of a world: what became of each, and what becomes of the next ones. */
export interface FakeNotifications {
  /** The latest messages, in the order in which they were made. */
  list(which?: Which): Notification[]
  /** Waits until all that was written has been told and answered, but for what waits for the clock or is held. */
  settled(options?: { timeout?: number }): Promise<void>
  /** Waits until a channel has had so many messages delivered, its `sync` among them, and returns them. */
  until(channelId: string, count: number, options?: { timeout?: number }): Promise<Notification[]>
  /** Keeps back the messages of a channel, or all, until they are released. */
  hold(channelId?: string): void
  release(channelId?: string): void
  /** Loses the next message, or the next few. */
  drop(next?: Next): void
  /** Sends the next message, or each of the next few, twice. */
  duplicate(next?: Next): void
  /** Sends the next message, or each of the next few, later by the world's clock. */
  delay(by: string | number, next?: Next): void
  /** Gathers the next two messages, or more, and sends them last first. */
  reorder(next?: Next): void
  /** Sends a message once more. */
  replay(id: number): Notification
}

/** A fake of the Google Calendar API v3 in memory. Its own requests go to the world `default`, unless they name another. */
export interface FakeCalendar extends FakeWorld {
  /** Another world, which comes into being from the same seed when it is first named. */
  world(name: string): FakeWorld
  /** Listens on a port (any free one for 0) of a loopback address, unless another host is given. */
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
  webhooks = 'loopback',
}: FakeCalendarOptions = {}): FakeCalendar {
  const seeds = [seed].flat().map((one) => (one === defaultSeed ? defaultSeed : checkedSeed(one)))
  const server = new Server({ seeds, now, auth: { mode: strict ? 'strict' : 'open', anonymous }, webhooks })
  const world = (name: string) => openWorld(name, server.realm(name), (request) => server.fetch(request, name))
  return {
    ...openWorld('default', server.realm('default'), (request) => server.fetch(request)),
    world,
    listen: (options) => server.listen(options),
    close: () => server.close(),
  }
}

function openWorld(name: string, realm: Realm, answer: (request: Request) => Promise<Response>): FakeWorld {
  const fetch: FakeWorld['fetch'] = (input, init) =>
    answer(input instanceof Request && !init ? input : new Request(input, init))
  return {
    name,
    fetch,
    request: (path, init) => fetch(new URL(path, ORIGIN), init),
    clock: realm.clock,
    advance: (duration) => realm.advanceTo(realm.clock.now() + durationOf(duration)),
    channels: () => realm.notifications.channels(),
    notifications: openNotifications(realm.notifications),
    onNotification: (receiver) => realm.notifications.receive(receiver),
    reset: () => realm.reset(),
    seed: (seed) => realm.seed(checkedSeed(seed)),
    state: () => realm.state(),
  }
}

function openNotifications(notifications: Notifications): FakeNotifications {
  return {
    list: (which) => notifications.list(which),
    async settled({ timeout } = {}) {
      if (!(await notifications.settled(timeout))) throw new Error('messages are still on their way')
    },
    async until(channelId, count, { timeout } = {}) {
      const met = await notifications.until(channelId, count, timeout)
      const delivered = notifications.list({ channelId, progress: 'delivered' })
      if (met) return delivered
      throw new Error(`channel ${channelId}: ${delivered.length} of ${count} messages were delivered in time`)
    },
    hold: (channelId) => notifications.hold(channelId),
    release: (channelId) => notifications.release(channelId),
    drop: (next) => notifications.drop(next),
    duplicate: (next) => notifications.duplicate(next),
    delay: (by, next) => notifications.delay(durationOf(by), next),
    reorder: (next) => notifications.reorder(next),
    replay: (id) => notifications.replay(id) ?? unknownMessage(id),
  }
}

function unknownMessage(id: number): never {
  throw new Error(`no message ${id}`)
}

/** A seed as its schema has it. Anything else is a SeedError that says where and why. */
export function checkedSeed(data: unknown): Seed {
  const result = seedSchema.safeParse(data)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw new SeedError(`${pathOf(issue?.path ?? []) || 'seed'}: ${issue?.message ?? 'invalid'}`)
}
