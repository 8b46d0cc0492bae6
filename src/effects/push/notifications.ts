import type { Revision } from '../../db/version.ts'
import type { Resource } from '../../model/channel.ts'
import { onAbort, startTimeout } from '../../model/clock.ts'
import type { WorldData } from '../../model/worldData.ts'
import { resourceUriIn } from './channels.ts'
import { type Message, type Notification, type Progress, showMessage } from './messages.ts'
import { type MessageTransport, type Post, Queue } from './queue.ts'
import { scheduleExpirations, Watching } from './watching.ts'

/** Receives messages in process, in place of sockets. It returns a status code, or nothing for 200. */
export type Receiver = (notification: Notification) => unknown

export type ChannelState = 'live' | 'stopped' | 'expired'
/** A channel as the test author sees it. */
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
  /** The numbers of messages that were made, and that were delivered. */
  messages: number
  delivered: number
}

/** Selects messages by channel and progress. */
export type MessageFilter = { channelId?: string | undefined; progress?: Progress | undefined }
/** Selects the next `times` messages (by default one) of a channel or of all. */
export type NextMessages = {
  channelId?: string | undefined
  times?: number | undefined
  /** The older name of `times`. */
  count?: number | undefined
}

type Waiter = { channelId: string; count: number; arrived: () => void }

const NONE: ReadonlyMap<string, number> = new Map()

type Attached = { delivered?: ReadonlyMap<string, number> | undefined; keepsQueue?: boolean }

/** The push messages of a world across its resets, and the controls of a test author. */
export class Notifications {
  readonly #post: MessageTransport
  /** Called when an attempt to send a message has ended. */
  onAttempt: () => void = () => {}
  #receivers: Set<Receiver> | undefined
  #waiters: Set<Waiter> | undefined
  #world!: WorldData
  #opened: Queue | undefined
  #watching: Watching | undefined
  #delivered: Map<string, number> | undefined

  constructor(world: WorldData, post: MessageTransport, delivered?: ReadonlyMap<string, number>) {
    this.#post = post
    this.attach(world, { delivered })
  }

  /**
   * Watches a world from now on, and drops pending messages. With `goesOn`, holds, rules and the log of messages stay.
   * Tasks are scheduled first, so that nothing is lost if that throws.
   */
  attach(world: WorldData, { delivered, keepsQueue: goesOn = false }: Attached = {}): void {
    if (world.channels.size > 0) scheduleExpirations(world)
    const before = goesOn ? this.#opened : undefined
    before?.drop()
    this.close()
    this.#world = world
    this.#delivered = delivered?.size ? new Map(delivered) : undefined
    this.#opened = undefined
    this.#watching = undefined
    if (before) this.#open(before)
    if (world.hasChannels) this.#watch(world.changes.latest)
    else world.changes.listener = this
  }

  /** Starts watching when the first channel is opened. */
  onWrite(collection: object): void {
    if (!this.#world.hasChannels || collection !== this.#world.channels) return
    this.#watch(-1)
    this.#world.changes.listener?.onWrite(collection)
  }

  /** Starts to send messages about writes after a revision. */
  #watch(since: Revision): void {
    this.#watching = new Watching(this.#world, this.#queue, since)
  }

  /** The queue, which is created by the first message. */
  get #queue(): Queue {
    return this.#opened ?? this.#open()
  }

  /** Creates the queue, or continues one with its rules and its log. */
  #open(before?: Queue): Queue {
    const queue = new Queue(this.#world, () => (this.#receivers?.size ? this.#inProcess : this.#post), before)
    queue.onAttempt = ({ channel, progress }) => {
      if (progress === 'delivered') this.#countDelivery(channel.id)
      this.onAttempt()
    }
    this.#opened = queue
    return queue
  }

  /** Returns the number of delivered messages of each channel. */
  delivered(): ReadonlyMap<string, number> {
    return this.#delivered ? new Map(this.#delivered) : NONE
  }

  /** Stops watching, and ends all channels and pending messages. */
  close(): void {
    if (this.#world) this.#world.changes.listener = undefined
    this.#watching?.close()
    this.#opened?.close()
  }

  /** Returns all channels of the world, with their states and numbers of messages. */
  channels(): ChannelView[] {
    const { channels, messageCounts, clock } = this.#world
    return [...channels.values()].map(({ stopped, expiration, originWorld, ...channel }) => ({
      ...channel,
      resourceUri: resourceUriIn(this.#world, { originWorld, resourceUri: channel.resourceUri }),
      state: stopped ? 'stopped' : expiration <= clock.now() ? 'expired' : 'live',
      expiration: new Date(expiration).toISOString(),
      messages: messageCounts.get(channel.id)?.made ?? 0,
      delivered: this.#delivered?.get(channel.id) ?? 0,
    }))
  }

  /** Returns the messages that a filter selects, in the order in which they were made. */
  list({ channelId, progress }: MessageFilter = {}): Notification[] {
    const wanted = ({ channel, progress: made }: Message) =>
      (channelId === undefined || channel.id === channelId) && (progress === undefined || made === progress)
    return (this.#opened?.log.all() ?? []).filter(wanted).map(showMessage)
  }

  /** Calls the receiver with every message from now on, in place of posting it. Returns a function that removes it. */
  receive(receiver: Receiver): () => void {
    const receivers = this.#receivers ?? new Set()
    this.#receivers = receivers.add(receiver)
    return () => receivers.delete(receiver)
  }

  /**
   * Resolves when all messages have been answered, except those that wait for the clock or a test; false at the
   * timeout.
   */
  async settled(timeout = 10_000, signal?: AbortSignal): Promise<boolean> {
    await null // the microtask before this one makes the messages of this turn's writes
    if (!this.#opened || this.#opened.idle) return true
    let isUp = false
    let wake = () => {}
    const giveUp = () => {
      isUp = true
      wake()
    }
    const callOff = startTimeout(timeout, giveUp)
    const removeAbortListener = onAbort(signal, giveUp)
    while (!this.#queue.idle && !isUp) {
      await new Promise<void>((resolve) => {
        wake = resolve
        this.#queue.onIdle(resolve)
      })
      await null
    }
    callOff()
    removeAbortListener()
    return this.#queue.idle
  }

  /** Resolves when a channel has had `count` messages delivered, `sync` included; false at the timeout. */
  async until(channelId: string, count: number, timeout = 5000, signal?: AbortSignal): Promise<boolean> {
    const enough = () => (this.#delivered?.get(channelId) ?? 0) >= count
    await null
    if (enough()) return true
    return new Promise((resolve) => {
      const waiter: Waiter = { channelId, count, arrived: () => enough() && end(true) }
      const end = (met: boolean) => {
        this.#waiters?.delete(waiter)
        callOff()
        removeAbortListener()
        resolve(met)
      }
      this.#waiters = (this.#waiters ?? new Set()).add(waiter)
      const callOff = startTimeout(timeout, () => end(false))
      let removeAbortListener = () => {}
      removeAbortListener = onAbort(signal, () => end(false))
    })
  }

  /** Holds the messages of a channel, or of all, until `release`. */
  hold(channelId?: string): void {
    this.#queue.hold(channelId)
  }

  /** Sends held messages of a channel, or of all. */
  release(channelId?: string): void {
    this.#queue.release(channelId)
  }

  /** Drops the next messages without sending them. */
  drop({ count, times = count ?? 1, channelId }: NextMessages = {}): void {
    this.#queue.rules.add({ what: 'drop' }, times, channelId)
  }

  /** Sends each of the next messages twice. */
  duplicate({ count, times = count ?? 1, channelId }: NextMessages = {}): void {
    this.#queue.rules.add({ what: 'duplicate' }, times, channelId)
  }

  /** Sends the next messages `by` milliseconds later by the world's clock. */
  delay(by: number, { count, times = count ?? 1, channelId }: NextMessages = {}): void {
    this.#queue.rules.add({ what: 'delay', by }, times, channelId)
  }

  /** Collects the next messages, and sends them in reverse order when all are there. */
  reorder({ count, times = count ?? 2, channelId }: NextMessages = {}): void {
    this.#queue.rules.add({ what: 'reorder', gathered: [], count: times }, times, channelId)
  }

  /** Sends a message once more. Returns undefined for an unknown id. */
  replay(id: number): Notification | undefined {
    const message = this.#queue.log.get(id)
    return message && showMessage(this.#queue.replay(message))
  }

  /** Counts a delivered message, and calls the waits for its channel. */
  #countDelivery(channelId: string): void {
    this.#delivered ??= new Map()
    this.#delivered.set(channelId, (this.#delivered.get(channelId) ?? 0) + 1)
    for (const waiter of this.#waiters ?? []) if (waiter.channelId === channelId) waiter.arrived()
  }

  /**
   * The transport to the receivers. The first number that one returns is the status code; an exception counts as no
   * answer.
   */
  get #inProcess(): MessageTransport {
    const post: Post = async (_, __, message) => {
      const answers = [...(this.#receivers ?? [])].map((receive) => receive(showMessage(message)))
      const codes = await Promise.all(answers)
      return codes.find((code) => typeof code === 'number') ?? 200
    }
    return { webhooks: 'any', post }
  }
}

export type { Notification, Post, Progress }
