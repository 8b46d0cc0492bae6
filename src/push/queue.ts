import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Channel } from '../world/channel.ts'
import type { World } from '../world/world.ts'
import { isLive } from './channels.ts'
import { type Fate, Fates } from './fates.ts'
import { headersOf, type Message, MessageLog, type Progress, type ResourceState } from './messages.ts'
import { isLoopback } from './webhook.ts'

/** Takes a message to its address and says the code that it was answered with. No answer is a rejection. */
export type Post = (address: string, headers: Record<string, string>, message: Message) => Promise<number>
/** How messages leave the world. */
export type Postal = { post: Post; webhooks: 'loopback' | 'any' }

const SUCCESS = [200, 201, 202, 204, 102]
const WORTH_RETRYING = [500, 502, 503, 504]
const ON_ITS_WAY: readonly Progress[] = ['waiting', 'held', 'delayed', 'retrying']
const ATTEMPTS = 8
const FIRST_PAUSE = 1000
/** How many messages of a channel wait at most. From there on a change makes no message: the last one waiting takes its number. */
const DEPTH = 50
/**
 * How many messages are on their way to one receiver at a time. Where more channels than `CROWD` wait for it, one is: so
 * the posts of a burst leave time to the requests that cause them.
 */
const AT_A_TIME = 4
const CROWD = 16
/** How many turns of the event loop a burst's posts leave to requests, each. */
const TURNS = 4

/** The messages of one channel, which go out one after the other. */
type Lane = {
  channel: Channel
  queue: Message[]
  busy: boolean
  ended: boolean
  withheld: boolean
  line: Line
}
/** The lanes that go to one receiver. */
type Line = { ready: Lane[]; running: number; lanes: number }

/**
 * The messages on their way from a world to its receivers. Writes do not wait for them: a receiver that is slow or broken
 * holds up its own channels alone, in bounded memory.
 */
export class Queue {
  readonly fates: Fates
  readonly log: MessageLog
  /** Told of every message that was delivered. */
  onDelivered: (message: Message) => void = () => {}
  readonly #world: World
  readonly #postal: () => Postal
  readonly #lanes = new Map<Channel, Lane>()
  readonly #lines = new Map<string, Line>()
  #made = 0
  /** What waits for the clock, by its number on the agenda. */
  readonly #waiting = new Map<string, () => void>()
  #underway = 0
  #whenIdle: (() => void)[] = []
  #closed = false

  /** It may go on from another, whose messages it still tells of. */
  constructor(world: World, postal: () => Postal, before?: Queue) {
    this.fates = before?.fates ?? new Fates()
    this.log = before?.log ?? new MessageLog()
    this.#made = before ? before.#made : 0
    this.#world = world
    this.#postal = postal
    world.clock.on('message', ([ref = '']) => {
      const then = this.#waiting.get(ref)
      this.#waiting.delete(ref)
      then?.()
      return then !== undefined
    })
  }

  /** Makes the next message of a channel. */
  tell(channel: Channel, state: ResourceState): void {
    const lane = this.#laneOf(channel)
    const { messageCounts, ids } = this.#world
    const before = messageCounts.get(channel.id)
    // The first is 1, and the steps from there are irregular (behaviour 6.2.2, 6.2.7).
    const number = before ? before.last + ids.step() : 1
    messageCounts.set(channel.id, { made: (before?.made ?? 0) + 1, last: number })
    const fate = this.fates.take(channel.id)
    const last = lane.queue.at(-1)
    if (!fate && last && lane.queue.length >= DEPTH && last.state !== 'sync') {
      last.number = number
      last.state = state
      return
    }
    this.#settle(this.#make(channel, number, state), fate)
  }

  /** Sends a message once more, as it was. */
  replay({ channel, number, state }: Message): Message {
    const again = this.#make(channel, number, state)
    this.#queue(again)
    return again
  }

  /** Ends a channel: the messages that wait in it are not sent. */
  end(channel: Channel): void {
    const lane = this.#lanes.get(channel)
    if (!lane) return
    this.#silence(lane)
    this.#lanes.delete(channel)
    lane.line.lanes -= 1
    this.#tidy(lane)
  }

  /** Forgets a receiver that no channel goes to, once it has answered all. */
  #tidy({ line, channel }: Lane): void {
    if (line.lanes > 0 || line.running > 0) return
    const { origin } = new URL(channel.address)
    if (this.#lines.get(origin) === line) this.#lines.delete(origin)
  }

  hold(channelId: string | undefined): void {
    this.fates.hold(channelId)
    this.#mark('waiting', 'held')
  }

  /** Lets go of what was held, and of what waits to be reordered. */
  release(channelId: string | undefined): void {
    this.fates.release(channelId)
    this.#mark('held', 'waiting')
    for (const lane of [...this.#lanes.values()]) this.#wake(lane)
    for (const message of this.fates.giveUp(channelId)) this.#queue(message)
  }

  #mark(from: Progress, to: Progress): void {
    for (const { channel, queue } of this.#lanes.values()) {
      if (this.fates.holds(channel.id) !== (to === 'held')) continue
      for (const message of queue) if (message.progress === from) message.progress = to
    }
  }

  /** Nothing is on its way, and nothing will be before the clock moves or a test lets something go. */
  get idle(): boolean {
    return this.#underway === 0
  }

  /** To be asked while something is on its way. */
  onIdle(then: () => void): void {
    this.#whenIdle.push(then)
  }

  /** Drops whatever is on its way, is held or waits to be reordered. */
  drop(): void {
    this.fates.giveUp(undefined)
    for (const message of this.log.all()) if (ON_ITS_WAY.includes(message.progress)) message.progress = 'dropped'
  }

  close(): void {
    this.#closed = true
    this.#waiting.clear()
    for (const lane of this.#lanes.values()) this.#silence(lane)
    this.#lanes.clear()
    this.#underway = 0
    this.#rest()
  }

  #make(channel: Channel, number: number, state: ResourceState): Message {
    const made = this.#world.clock.now()
    const message: Message = { id: ++this.#made, channel, number, state, made, progress: 'waiting', attempts: [] }
    this.log.add(message)
    return message
  }

  #settle(message: Message, fate: Fate | undefined): void {
    if (!fate || fate.what === 'duplicate') this.#queue(message)
    if (!fate) return
    if (fate.what === 'duplicate') this.replay(message)
    if (fate.what === 'drop') message.progress = 'dropped'
    if (fate.what === 'delay') {
      message.progress = 'delayed'
      this.#later(fate.by, message, () => this.#queue(message))
    }
    if (fate.what === 'reorder') {
      message.progress = 'held'
      fate.gathered.push(message)
      if (fate.gathered.length === fate.count) for (const one of fate.gathered.reverse()) this.#queue(one)
    }
  }

  #later(by: number, { channel, number }: Message, then: () => void): void {
    const ref = String(++this.#made)
    this.#waiting.set(ref, then)
    const { clock } = this.#world
    clock.schedule(clock.now() + by, {
      kind: 'message',
      ref: [ref],
      what: `message ${number} of channel ${channel.id}`,
    })
  }

  #laneOf(channel: Channel): Lane {
    const found = this.#lanes.get(channel)
    if (found) return found
    const url = new URL(channel.address)
    const line = this.#lines.get(url.origin) ?? { ready: [], running: 0, lanes: 0 }
    line.lanes += 1
    this.#lines.set(url.origin, line)
    const lane = { channel, queue: [], busy: false, ended: false, withheld: !isLoopback(url), line }
    this.#lanes.set(channel, lane)
    return lane
  }

  #queue(message: Message): void {
    if (!isLive(this.#world, message.channel)) {
      message.progress = 'silenced'
      return
    }
    const lane = this.#laneOf(message.channel)
    if (lane.withheld && this.#postal().webhooks === 'loopback') {
      message.progress = 'withheld'
      return
    }
    message.progress = this.fates.holds(message.channel.id) ? 'held' : 'waiting'
    lane.queue.push(message)
    this.#wake(lane)
  }

  #silence(lane: Lane): void {
    lane.ended = true
    for (const message of lane.queue.splice(0)) if (message.progress !== 'dropped') message.progress = 'silenced'
  }

  #wake(lane: Lane): void {
    if (lane.busy || lane.ended || lane.queue.length === 0 || this.fates.holds(lane.channel.id)) return
    lane.busy = true
    this.#underway += 1
    lane.line.ready.push(lane)
    this.#pump(lane.line)
  }

  #pump(line: Line): void {
    while (line.running < (line.ready.length > CROWD ? 1 : AT_A_TIME)) {
      const lane = line.ready.shift()
      if (!lane) return
      const message = this.fates.holds(lane.channel.id) ? undefined : lane.queue.shift()
      if (message) void this.#send(lane, message)
      else this.#pause(lane)
    }
  }

  async #send(lane: Lane, message: Message): Promise<void> {
    lane.line.running += 1
    message.progress = 'waiting'
    const attempt: Message['attempts'][number] = { at: new Date(this.#world.clock.now()).toISOString() }
    message.attempts.push(attempt)
    try {
      attempt.code = await this.#postal().post(lane.channel.address, headersOf(message), message)
    } catch (error) {
      attempt.error = error instanceof Error ? error.message : String(error)
    }
    for (let turn = 0; turn < TURNS && lane.line.ready.length > CROWD; turn++) await nextTurn()
    lane.line.running -= 1
    if (this.#closed) return
    this.#taken(lane, message, attempt.code)
    this.#pump(lane.line)
    this.#tidy(lane)
  }

  #taken(lane: Lane, message: Message, code: number | undefined): void {
    const unsure = code === undefined || WORTH_RETRYING.includes(code)
    if (unsure && message.attempts.length < ATTEMPTS && !lane.ended) this.#retry(lane, message)
    else {
      const delivered = code !== undefined && SUCCESS.includes(code)
      message.progress = delivered ? 'delivered' : unsure && lane.ended ? 'silenced' : 'failed'
      if (delivered) this.onDelivered(message)
      if (lane.queue.length > 0) lane.line.ready.push(lane)
      else this.#pause(lane)
    }
  }

  /** The same message first, after a pause twice as long as the last; what came after it waits behind it. */
  #retry(lane: Lane, message: Message): void {
    message.progress = 'retrying'
    lane.queue.unshift(message)
    this.#later(FIRST_PAUSE * 2 ** (message.attempts.length - 1), message, () => {
      lane.busy = false
      this.#wake(lane)
    })
    this.#rest()
  }

  #pause(lane: Lane): void {
    lane.busy = false
    this.#rest()
  }

  #rest(): void {
    if (this.#underway > 0) this.#underway -= 1
    if (this.#underway > 0) return
    for (const then of this.#whenIdle.splice(0)) then()
  }
}
