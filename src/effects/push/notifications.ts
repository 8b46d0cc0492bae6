import type { Revision } from '../../db/version.ts'
import type { Resource } from '../../model/channel.ts'
import { waitFor } from '../../model/clock.ts'
import type { WorldData } from '../../model/worldData.ts'
import { isLoopback } from '../../schema/values/loopback.ts'
import { resourceUriIn } from './channels.ts'
import { type Message, type Notification, type Progress, showMessage } from './messages.ts'
import { type DeliveryRule, type MessageTransport, type Post, Queue } from './queue.ts'
import { scheduleExpirations, Watching } from './watching.ts'

/** Receives messages in process, in place of sockets. It returns a status code, or nothing for 200. */
export type Receiver = (notification: Notification) => unknown

export type ChannelState = 'live' | 'stopped' | 'expired'
export type ChannelView = {
  id: string
  state: ChannelState
  account: string
  resource: Resource
  calendarId?: string
  eventTypes?: readonly string[]
  resourceId: string
  resourceUri: string
  address: string
  token?: string
  expiration: string
  messages: number
  delivered: number
}

export type MessageFilter = { channelId?: string | undefined; progress?: Progress | undefined }
/** Selects the next `times` messages (by default one) of a channel or of all. */
export type NextMessages = {
  channelId?: string | undefined
  times?: number | undefined
}

type Attached = { delivered?: ReadonlyMap<string, number> | undefined; keepsQueue?: boolean }

/** The push messages of a world across its resets, and the controls of a test author. */
export class Notifications {
  readonly #post: MessageTransport
  onAttempt: () => void = () => {}
  readonly #receivers = new Set<Receiver>()
  readonly #waiters = new Set<() => void>()
  #world!: WorldData
  #opened: Queue | undefined
  #watching: Watching | undefined
  #delivered = new Map<string, number>()

  constructor(world: WorldData, post: MessageTransport, delivered?: ReadonlyMap<string, number>) {
    this.#post = post
    this.attach(world, { delivered })
  }

  /**
   * Watches a world from now on, and drops pending messages. With `keepsQueue`, holds, rules and the log of messages stay.
   * Tasks are scheduled first, so that nothing is lost if that throws.
   */
  attach(world: WorldData, { delivered, keepsQueue = false }: Attached = {}): void {
    if (world.channels.size > 0) scheduleExpirations(world)
    const before = keepsQueue ? this.#opened : undefined
    before?.drop()
    this.close()
    this.#world = world
    this.#delivered = new Map(delivered)
    this.#opened = undefined
    this.#watching = undefined
    if (before) this.#open(before)
    if (world.channels.exists) this.#watch(world.changes.latest)
    else world.channelListener = this
  }

  onFirstChannel(): void {
    this.#world.channelListener = undefined
    this.#watch(-1)
    this.#world.changes.listener?.onWrite(this.#world.channels)
  }

  #watch(since: Revision): void {
    this.#watching = new Watching(this.#world, this.#queue, since)
  }

  get #queue(): Queue {
    return this.#opened ?? this.#open()
  }

  #open(before?: Queue): Queue {
    const queue = new Queue(this.#world, () => (this.#receivers.size ? this.#inProcess : this.#post), before)
    queue.onIdle = () => this.#wakeWaiters()
    queue.onAttempt = ({ channel, progress }) => {
      if (progress === 'delivered') this.#countDelivery(channel.id)
      this.onAttempt()
    }
    this.#opened = queue
    return queue
  }

  delivered(): ReadonlyMap<string, number> {
    return new Map(this.#delivered)
  }

  close(): void {
    if (this.#world) this.#world.channelListener = undefined
    this.#watching?.close()
    this.#opened?.close()
  }

  channels(): ChannelView[] {
    const { channels, messageCounts, clock } = this.#world
    return [...channels.values()].map(({ stopped, expiration, originWorld, ...channel }) => ({
      ...channel,
      resourceUri: resourceUriIn(this.#world, { originWorld, resourceUri: channel.resourceUri }),
      state: stopped ? 'stopped' : expiration <= clock.now() ? 'expired' : 'live',
      expiration: new Date(expiration).toISOString(),
      messages: messageCounts.get(channel.id)?.made ?? 0,
      delivered: this.#delivered.get(channel.id) ?? 0,
    }))
  }

  list({ channelId, progress }: MessageFilter = {}): Notification[] {
    const wanted = ({ channel, progress: made }: Message) =>
      (channelId === undefined || channel.id === channelId) && (progress === undefined || made === progress)
    return (this.#opened?.log.all() ?? []).filter(wanted).map(showMessage)
  }

  receive(receiver: Receiver): () => void {
    this.#receivers.add(receiver)
    return () => this.#receivers.delete(receiver)
  }

  /** Ignores messages that wait for the clock or a test. Resolves to false at the timeout. */
  settled(timeout = 10_000, signal?: AbortSignal): Promise<boolean> {
    return this.#waitFor(() => (this.#opened?.idle ?? true) || undefined, timeout, signal)
  }

  /** Resolves to false at the timeout, or once messages to the address of the channel are withheld. */
  until(channelId: string, count: number, timeout = 5000, signal?: AbortSignal): Promise<boolean> {
    const isMet = () => {
      if ((this.#delivered.get(channelId) ?? 0) >= count) return true
      const [withheld] = this.list({ channelId, progress: 'withheld' })
      return withheld && !this.posts(withheld.address) ? false : undefined
    }
    return this.#waitFor(isMet, timeout, signal)
  }

  /** `decide` returns undefined while it is open. */
  async #waitFor(
    decide: () => boolean | undefined,
    timeout: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    await null // the microtask before this one makes the messages of this turn's writes
    const listen = (check: () => void) => {
      const wake = () => queueMicrotask(check)
      this.#waiters.add(wake)
      return () => this.#waiters.delete(wake)
    }
    return (await waitFor(decide, listen, { timeout, signal })) ?? false
  }

  #wakeWaiters(): void {
    for (const wake of this.#waiters) wake()
  }

  hold(channelId?: string): void {
    this.#queue.hold(channelId)
  }

  release(channelId?: string): void {
    this.#queue.release(channelId)
  }

  /** Applies a rule to the next `times` messages. */
  addRule(rule: DeliveryRule, { times = 1, channelId }: NextMessages = {}): void {
    this.#queue.rules.add(rule, times, channelId)
  }

  replay(id: number): Notification | undefined {
    const message = this.#queue.log.get(id)
    return message && showMessage(this.#queue.replay(message))
  }

  #countDelivery(channelId: string): void {
    this.#delivered.set(channelId, (this.#delivered.get(channelId) ?? 0) + 1)
    this.#wakeWaiters()
  }

  /** False if messages to the address are withheld. */
  posts(address: string): boolean {
    return this.#receivers.size > 0 || this.#post.webhooks === 'any' || isLoopback(new URL(address).hostname)
  }

  /**
   * The transport to the receivers. The first number that one returns is the status code; an exception counts as no
   * answer.
   */
  get #inProcess(): MessageTransport {
    const post: Post = async (_, __, message) => {
      const answers = [...this.#receivers].map((receive) => receive(showMessage(message)))
      const codes = await Promise.all(answers)
      return codes.find((code) => typeof code === 'number') ?? 200
    }
    return { webhooks: 'any', post }
  }
}

export type { Notification, Post, Progress }
