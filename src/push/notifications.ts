import type { Revision } from '../db/version.ts'
import { whenTimeIsUp } from '../time/clock.ts'
import type { Resource } from '../world/channel.ts'
import type { World } from '../world/world.ts'
import { type Message, type Notification, type Progress, showMessage } from './messages.ts'
import { type Post, type Postal, Queue } from './queue.ts'
import { putOnAgenda, Watching } from './watching.ts'

/** Takes a message in the process, in place of every socket: its answer is a code, or nothing for 200. */
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
  /** How many messages were made, and how many reached the receiver. */
  messages: number
  delivered: number
}

/** Which messages: of a channel, of a progress, or all. */
export type Which = { channelId?: string | undefined; progress?: Progress | undefined }
/** Which of the messages still to be made: the next one, or as many as `times` says, of a channel or of any. */
export type Next = {
  channelId?: string | undefined
  times?: number | undefined
  /** The older name of `times`. */
  count?: number | undefined
}

type Waiter = { channelId: string; count: number; arrived: () => void }

/** Most worlds have delivered nothing. */
const NONE: ReadonlyMap<string, number> = new Map()

type Attached = { delivered?: ReadonlyMap<string, number> | undefined; goesOn?: boolean }

/** A world's push messages through its lives, and what a test author may do with them. */
export class Notifications {
  readonly #post: Postal
  #receivers: Set<Receiver> | undefined
  #waiters: Set<Waiter> | undefined
  #world!: World
  #opened: Queue | undefined
  #watching: Watching | undefined
  #delivered: Map<string, number> | undefined

  constructor(world: World, post: Postal, delivered?: ReadonlyMap<string, number>) {
    this.#post = post
    this.attach(world, { delivered })
  }

  /**
   * Watches a world, as it is from here on: what was on its way is forgotten. Where it goes on, holds stay, so does what
   * is to become of the next messages, and those that were made are still told of. What is written comes first: where that
   * fails, nothing is forgotten.
   */
  attach(world: World, { delivered, goesOn = false }: Attached = {}): void {
    if (world.channels.size > 0) putOnAgenda(world)
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

  /** Where there is no channel, nothing is watched before the first is opened. */
  wrote(collection: object): void {
    if (!this.#world.hasChannels || collection !== this.#world.channels) return
    this.#watch(-1)
    this.#world.changes.listener?.wrote(collection)
  }

  #watch(since: Revision): void {
    this.#watching = new Watching(this.#world, this.#queue, since)
  }

  /** Most worlds never send a message. */
  get #queue(): Queue {
    return this.#opened ?? this.#open()
  }

  #open(before?: Queue): Queue {
    const queue = new Queue(this.#world, () => (this.#receivers?.size ? this.#inProcess : this.#post), before)
    queue.onDelivered = ({ channel }) => this.#arrived(channel.id)
    this.#opened = queue
    return queue
  }

  /** How many messages have reached the receiver of each channel. */
  delivered(): ReadonlyMap<string, number> {
    return this.#delivered ? new Map(this.#delivered) : NONE
  }

  close(): void {
    if (this.#world) this.#world.changes.listener = undefined
    this.#watching?.close()
    this.#opened?.close()
  }

  channels(): ChannelView[] {
    const { channels, messageCounts, clock } = this.#world
    return [...channels.values()].map(({ stopped, expiration, originWorld: _origin, ...channel }) => ({
      ...channel,
      state: stopped ? 'stopped' : expiration <= clock.now() ? 'expired' : 'live',
      expiration: new Date(expiration).toISOString(),
      messages: messageCounts.get(channel.id)?.made ?? 0,
      delivered: this.#delivered?.get(channel.id) ?? 0,
    }))
  }

  list({ channelId, progress }: Which = {}): Notification[] {
    const wanted = ({ channel, progress: made }: Message) =>
      (channelId === undefined || channel.id === channelId) && (progress === undefined || made === progress)
    return (this.#opened?.log.all() ?? []).filter(wanted).map(showMessage)
  }

  /** Calls the receiver with every message from now on, and nothing is posted while there is one. Returns what takes it away. */
  receive(receiver: Receiver): () => void {
    const receivers = this.#receivers ?? new Set()
    this.#receivers = receivers.add(receiver)
    return () => receivers.delete(receiver)
  }

  /** Once all that was written has been told and answered, but for what waits for the clock or for a test; or time is up. */
  async settled(timeout = 10_000): Promise<boolean> {
    await null // the writes of this turn become messages in the microtask before this one
    if (!this.#opened || this.#opened.idle) return true
    let isUp = false
    let wake = () => {}
    const callOff = whenTimeIsUp(timeout, () => {
      isUp = true
      wake()
    })
    while (!this.#queue.idle && !isUp) {
      await new Promise<void>((resolve) => {
        wake = resolve
        this.#queue.onIdle(resolve)
      })
      await null
    }
    callOff()
    return this.#queue.idle
  }

  /** Resolves once a channel has had so many messages delivered, its `sync` among them; false if not in time. */
  async until(channelId: string, count: number, timeout = 5000): Promise<boolean> {
    const enough = () => (this.#delivered?.get(channelId) ?? 0) >= count
    await null
    if (enough()) return true
    return new Promise((resolve) => {
      const waiter: Waiter = { channelId, count, arrived: () => enough() && end(true) }
      const end = (met: boolean) => {
        this.#waiters?.delete(waiter)
        callOff()
        resolve(met)
      }
      this.#waiters = (this.#waiters ?? new Set()).add(waiter)
      const callOff = whenTimeIsUp(timeout, () => end(false))
    })
  }

  hold(channelId?: string): void {
    this.#queue.hold(channelId)
  }

  release(channelId?: string): void {
    this.#queue.release(channelId)
  }

  drop({ count, times = count ?? 1, channelId }: Next = {}): void {
    this.#queue.fates.give({ what: 'drop' }, times, channelId)
  }

  duplicate({ count, times = count ?? 1, channelId }: Next = {}): void {
    this.#queue.fates.give({ what: 'duplicate' }, times, channelId)
  }

  delay(by: number, { count, times = count ?? 1, channelId }: Next = {}): void {
    this.#queue.fates.give({ what: 'delay', by }, times, channelId)
  }

  reorder({ count, times = count ?? 2, channelId }: Next = {}): void {
    this.#queue.fates.give({ what: 'reorder', gathered: [], count: times }, times, channelId)
  }

  /** Sends a message of the list once more; undefined where there is none of that id. */
  replay(id: number): Notification | undefined {
    const message = this.#queue.log.get(id)
    return message && showMessage(this.#queue.replay(message))
  }

  #arrived(channelId: string): void {
    this.#delivered ??= new Map()
    this.#delivered.set(channelId, (this.#delivered.get(channelId) ?? 0) + 1)
    for (const waiter of this.#waiters ?? []) if (waiter.channelId === channelId) waiter.arrived()
  }

  /** Posts to the receivers of the process. The first answer that is a number is the code; a throw counts as no answer. */
  get #inProcess(): Postal {
    const post: Post = async (_, __, message) => {
      const answers = [...(this.#receivers ?? [])].map((receive) => receive(showMessage(message)))
      const codes = await Promise.all(answers)
      return codes.find((code) => typeof code === 'number') ?? 200
    }
    return { webhooks: 'any', post }
  }
}

export type { Notification, Post, Progress }
