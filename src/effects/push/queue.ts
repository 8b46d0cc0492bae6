import type { Channel } from '../../model/channel.ts'
import type { WorldData } from '../../model/worldData.ts'
import { isLoopback } from '../../schema/values/loopback.ts'
import { isLiveChannel, resourceUriIn, type WebhookScope } from './channels.ts'
import { headersOf, type Message, MessageLog, type Progress, type ResourceState } from './messages.ts'

/** Returns the status code. Rejects if there is no answer. */
export type Post = (address: string, headers: Record<string, string>, message: Message) => Promise<number>
export type MessageTransport = { post: Post; webhooks: WebhookScope }

const SUCCESS = [200, 201, 202, 204, 102]
const WORTH_RETRYING = [500, 502, 503, 504]
const ON_ITS_WAY: readonly Progress[] = ['waiting', 'held', 'delayed', 'retrying']
const MAX_ATTEMPTS = 8
const FIRST_PAUSE = 1000
const MAX_PENDING_MESSAGES = 50

type ChannelQueue = {
  channel: Channel
  messages: Message[]
  busy: boolean
  ended: boolean
  withheld: boolean
}

/**
 * The pending messages of a world. Writes do not wait for them. A channel sends one message at a time, in order, and waits
 * for no other channel. Memory is bounded.
 */
export class Queue {
  readonly rules: DeliveryRules
  readonly log: MessageLog
  onAttempt: (message: Message) => void = () => {}
  onIdle: () => void = () => {}
  readonly #world: WorldData
  readonly #transport: () => MessageTransport
  readonly #channelQueues = new Map<Channel, ChannelQueue>()
  #made = 0
  readonly #tasks = new Map<string, () => void>()
  #underway = 0
  #closed = false

  constructor(world: WorldData, transport: () => MessageTransport, before?: Queue) {
    this.rules = before?.rules ?? new DeliveryRules()
    this.log = before?.log ?? new MessageLog()
    this.#made = before ? before.#made : 0
    this.#world = world
    this.#transport = transport
    world.clock.on('message', ([ref = '']) => {
      const then = this.#tasks.get(ref)
      this.#tasks.delete(ref)
      then?.()
      return then !== undefined
    })
  }

  notify(channel: Channel, state: ResourceState): void {
    const queue = this.#channelQueueOf(channel)
    const { messageCounts, ids } = this.#world
    const before = messageCounts.get(channel.id)
    // The first is 1, and the steps from there are irregular (behaviour 6.2.2, 6.2.7).
    const number = before ? before.last + ids.step() : 1
    messageCounts.set(channel.id, { made: (before?.made ?? 0) + 1, last: number })
    const rule = this.rules.take(channel.id)
    const last = queue.messages.at(-1)
    if (!rule && last && queue.messages.length >= MAX_PENDING_MESSAGES && last.state !== 'sync') {
      last.number = number
      last.state = state
      return
    }
    this.#applyRule(this.#createMessage(channel, number, state), rule)
  }

  replay({ channel, number, state }: Message): Message {
    const again = this.#createMessage(channel, number, state)
    this.#enqueue(again)
    return again
  }

  end(channel: Channel): void {
    const queue = this.#channelQueues.get(channel)
    if (!queue) return
    this.#silenceMessages(queue)
    this.#channelQueues.delete(channel)
  }

  hold(channelId: string | undefined): void {
    this.rules.hold(channelId)
    this.#changeProgress('waiting', 'held')
  }

  release(channelId: string | undefined): void {
    this.rules.release(channelId)
    this.#changeProgress('held', 'waiting')
    for (const queue of [...this.#channelQueues.values()]) this.#startSending(queue)
    for (const message of this.rules.dropReorders(channelId)) this.#enqueue(message)
  }

  #changeProgress(from: Progress, to: Progress): void {
    for (const { channel, messages } of this.#channelQueues.values()) {
      if (this.rules.holds(channel.id) !== (to === 'held')) continue
      for (const message of messages) if (message.progress === from) message.progress = to
    }
  }

  get idle(): boolean {
    return this.#underway === 0
  }

  drop(): void {
    this.rules.dropReorders(undefined)
    for (const message of this.log.all()) if (ON_ITS_WAY.includes(message.progress)) message.progress = 'dropped'
  }

  close(): void {
    this.#closed = true
    this.#tasks.clear()
    for (const queue of this.#channelQueues.values()) this.#silenceMessages(queue)
    this.#channelQueues.clear()
    this.#underway = 0
    this.#countFinished()
  }

  #createMessage(channel: Channel, number: number, state: ResourceState): Message {
    const made = this.#world.clock.now()
    const resourceUri = resourceUriIn(this.#world, channel)
    const message: Message = {
      ...{ id: ++this.#made, channel, number, state, resourceUri, made },
      progress: 'waiting',
      attempts: [],
    }
    this.log.add(message)
    return message
  }

  #applyRule(message: Message, rule: DeliveryRule | undefined): void {
    if (!rule || rule.what === 'duplicate') this.#enqueue(message)
    if (!rule) return
    if (rule.what === 'duplicate') this.replay(message)
    if (rule.what === 'drop') message.progress = 'dropped'
    if (rule.what === 'delay') {
      message.progress = 'delayed'
      this.#scheduleTask(rule.by, message, () => this.#enqueue(message))
    }
    if (rule.what === 'reorder') {
      message.progress = 'held'
      rule.gathered.push(message)
      if (rule.gathered.length === rule.count) for (const one of rule.gathered.reverse()) this.#enqueue(one)
    }
  }

  /** Calls `then` after `by` milliseconds of the world's clock. The agenda shows the message. */
  #scheduleTask(by: number, { channel, number }: Message, then: () => void): void {
    const ref = String(++this.#made)
    this.#tasks.set(ref, then)
    const { clock } = this.#world
    clock.schedule(clock.now() + by, {
      kind: 'message',
      ref: [ref],
      what: `message ${number} of channel ${channel.id}`,
    })
  }

  #channelQueueOf(channel: Channel): ChannelQueue {
    const found = this.#channelQueues.get(channel)
    if (found) return found
    const withheld = !isLoopback(new URL(channel.address).hostname)
    const queue = { channel, messages: [], busy: false, ended: false, withheld }
    this.#channelQueues.set(channel, queue)
    return queue
  }

  #enqueue(message: Message): void {
    if (!isLiveChannel(this.#world, message.channel)) {
      message.progress = 'silenced'
      return
    }
    const queue = this.#channelQueueOf(message.channel)
    if (queue.withheld && this.#transport().webhooks === 'loopback') {
      message.progress = 'withheld'
      return
    }
    message.progress = this.rules.holds(message.channel.id) ? 'held' : 'waiting'
    queue.messages.push(message)
    this.#startSending(queue)
  }

  #silenceMessages(queue: ChannelQueue): void {
    queue.ended = true
    for (const message of queue.messages.splice(0)) if (message.progress !== 'dropped') message.progress = 'silenced'
  }

  #startSending(queue: ChannelQueue): void {
    if (queue.busy || queue.ended || queue.messages.length === 0 || this.rules.holds(queue.channel.id)) return
    queue.busy = true
    this.#underway += 1
    this.#sendNext(queue)
  }

  #sendNext(queue: ChannelQueue): void {
    const message = this.rules.holds(queue.channel.id) ? undefined : queue.messages.shift()
    if (message) {
      void this.#send(queue, message)
      return
    }
    queue.busy = false
    this.#countFinished()
  }

  async #send(queue: ChannelQueue, message: Message): Promise<void> {
    message.progress = 'waiting'
    const attempt: Message['attempts'][number] = { at: new Date(this.#world.clock.now()).toISOString() }
    message.attempts.push(attempt)
    try {
      attempt.code = await this.#transport().post(queue.channel.address, headersOf(message), message)
    } catch (error) {
      attempt.error = error instanceof Error ? error.message : String(error)
    }
    if (this.#closed) return
    const { code } = attempt
    const unsure = code === undefined || WORTH_RETRYING.includes(code)
    const retries = unsure && message.attempts.length < MAX_ATTEMPTS && !queue.ended
    if (retries) this.#retry(queue, message)
    else {
      const delivered = code !== undefined && SUCCESS.includes(code)
      message.progress = delivered ? 'delivered' : unsure && queue.ended ? 'silenced' : 'failed'
    }
    this.onAttempt(message)
    if (!retries) this.#sendNext(queue)
  }

  #retry(queue: ChannelQueue, message: Message): void {
    message.progress = 'retrying'
    queue.messages.unshift(message)
    this.#scheduleTask(FIRST_PAUSE * 2 ** (message.attempts.length - 1), message, () => {
      queue.busy = false
      this.#startSending(queue)
    })
    this.#countFinished()
  }

  #countFinished(): void {
    if (this.#underway > 0) this.#underway -= 1
    if (this.#underway === 0) this.onIdle()
  }
}

export type DeliveryRule =
  | { what: 'drop' }
  | { what: 'duplicate' }
  | { what: 'delay'; by: number }
  | { what: 'reorder'; gathered: Message[]; count: number }
type PendingRule = { rule: DeliveryRule; left: number; channelId: string | undefined }

/** The rules for later messages, the oldest first, and the channels whose messages are held. */
export class DeliveryRules {
  #pending: PendingRule[] = []
  #allHeld = false
  readonly #held = new Set<string>()
  readonly #released = new Set<string>()

  add(rule: DeliveryRule, left: number, channelId: string | undefined): void {
    this.#pending.push({ rule, left, channelId })
  }

  take(channelId: string): DeliveryRule | undefined {
    if (this.#pending.length === 0) return undefined
    const found = this.#pending.find((one) => one.channelId === undefined || one.channelId === channelId)
    if (!found) return undefined
    found.left -= 1
    if (found.left === 0) this.#pending = this.#pending.filter((one) => one !== found)
    return found.rule
  }

  hold(channelId: string | undefined): void {
    if (channelId !== undefined) this.#held.add(channelId)
    else {
      this.#allHeld = true
      this.#released.clear()
    }
  }

  release(channelId: string | undefined): void {
    if (channelId !== undefined) {
      this.#held.delete(channelId)
      this.#released.add(channelId)
    } else {
      this.#allHeld = false
      this.#held.clear()
    }
  }

  dropReorders(channelId: string | undefined): Message[] {
    const given = ({ rule, channelId: of }: PendingRule) =>
      rule.what === 'reorder' && (channelId === undefined || of === channelId) ? rule.gathered : []
    const gathered = this.#pending.flatMap((one) => [...given(one)].reverse())
    this.#pending = this.#pending.filter((one) => given(one).length === 0)
    return gathered
  }

  holds(channelId: string): boolean {
    return this.#held.has(channelId) || (this.#allHeld && !this.#released.has(channelId))
  }
}
