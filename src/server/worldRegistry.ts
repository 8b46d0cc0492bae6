import type { Log } from '../control/journal/journal.ts'
import type { Attempts, LoadAttempts } from '../control/types/attempts.ts'
import type { FakeCalendarOptions } from '../control/types/options.ts'
import { toWorldStart } from '../control/worlds/snapshots.ts'
import { World } from '../control/worlds/world.ts'
import type { Worlds } from '../control/worlds/worlds.ts'
import type { MessageTransport } from '../effects/push/queue.ts'
import { DEFAULT_WORLD, isWorldName } from '../http/urls.ts'
import type { ToolDefinition } from '../mcp/definitions/tools.ts'
import { MAX_TIMER_MS, parseDuration } from '../model/clock.ts'
import type { AuthMode } from '../oauth/credentials.ts'
import { apiError } from '../schema/apiErrors.ts'
import type { ConferencePolicy } from '../schema/conferencePolicy.ts'
import { listNames } from '../schema/values/limitLines.ts'
import type { Seed } from '../seeds/schema/seed.ts'
import { createStartEpoch, createStartFromSeeds, type WorldStart } from '../seeds/worldStart.ts'
import { epochOf } from '../sync/epochs.ts'
import type { WebhookSender } from './webhookSender.ts'

type ConvertedOption = 'seed' | 'strict' | 'anonymous' | 'webhooks' | 'conferences' | 'log'
type GivenOptions = Omit<FakeCalendarOptions, ConvertedOption>

export type ServerOptions = { readonly [N in keyof GivenOptions]: GivenOptions[N] | undefined } & {
  seeds: readonly Seed[]
  auth: AuthMode
  webhooks: MessageTransport['webhooks']
  conferences?: ConferencePolicy | undefined
  log?: Log | undefined
  /** The account that signs in if the request names none. The default is the first account. */
  signInAs?: string | undefined
  /** Loads the module of attempts of agents, which is above this folder. */
  loadAttempts?: LoadAttempts | undefined
  /** The tools of the MCP server. The default is all. */
  mcpTools?: readonly ToolDefinition[] | undefined
}

/** A world and its open visits. A world that was created for a visit is kept if one of its visits succeeds. */
export type HostedWorld = {
  name: string
  /** Later worlds have higher numbers. */
  number: number
  readonly world: World
  visitors: number
  isKept: boolean
  /** The end of its last visit in real time, in epoch milliseconds. */
  lastUse: number
}

/** The home world exists from the start, others from their first use. */
export abstract class WorldRegistry implements Worlds {
  readonly options: Omit<ServerOptions, 'seeds'>
  readonly home: string
  /** The start of new worlds, or the seeds if it depends on the time at which a world begins. Seeds take as much memory as events. */
  #initial: WorldStart | readonly Seed[]
  readonly #hosted = new Map<string, HostedWorld>()
  #count = 0
  readonly #epochs = new Map<string, number>()
  readonly #transport: MessageTransport
  readonly #idleLimitMs: number | undefined
  #idleTimer: ReturnType<typeof setTimeout> | undefined
  #webhookSender: Promise<WebhookSender> | undefined

  /** Durations are milliseconds or texts such as `30m`. Throws TypeError, RangeError or SeedError for wrong options. */
  constructor({ seeds, ...options }: ServerOptions) {
    this.options = options
    this.#initial = seeds
    const { worlds, webhookCa, webhookTimeout, worldIdle } = options
    const wrong = worlds?.find((name) => !isWorldName(name))
    if (wrong !== undefined) throw new TypeError(`worlds: ${JSON.stringify(wrong)} cannot be the name of a world`)
    this.home = worlds?.includes(DEFAULT_WORLD) ? DEFAULT_WORLD : (worlds?.[0] ?? DEFAULT_WORLD)
    const limit = webhookTimeout === undefined ? undefined : parseDuration(webhookTimeout)
    const sender = () => {
      this.#webhookSender ??= import('./webhookSender.ts').then(
        ({ WebhookSender }) => new WebhookSender(limit, webhookCa),
      )
      return this.#webhookSender
    }
    this.#idleLimitMs = worldIdle === undefined ? undefined : parseDuration(worldIdle)
    this.#transport = {
      webhooks: options.webhooks,
      post: async (address, headers) => (await sender()).post(address, headers),
    }
    this.world(this.home)
  }

  /** Creates the world if needed; it stays even if no request succeeds. Throws `badWorldName` or `unknownWorld`. */
  world(name: string): World {
    const hosted = this.enter(name)
    this.leave(hosted, true)
    return hosted.world
  }

  /** Throws a SeedError. */
  #createStart(seeds: readonly Seed[]): WorldStart {
    const { now, conferences: policy } = this.options
    return createStartFromSeeds({ seeds, now, policy })
  }

  #startOfNewWorld(): WorldStart {
    if ('snapshot' in this.#initial) return this.#initial
    const start = this.#createStart(this.#initial)
    if (start.clock.mode !== 'real') this.#initial = start
    return start
  }

  #host(name: string, start: WorldStart): HostedWorld {
    const { conferences: policy, journal, log } = this.options
    const epoch = createStartEpoch(start, name, this.#nextEpoch(name))
    const world = new World(start, epoch, this.#transport, { name, policy, journal, log })
    this.#count += 1
    const hosted = { name, number: this.#count, world, visitors: 0, isKept: false, lastUse: 0 }
    this.remove(name)
    this.#hosted.set(name, hosted)
    return hosted
  }

  /** Numbers go on, so that old tokens stay invalid. */
  #nextEpoch(name: string): number {
    const hosted = this.#hosted.get(name)
    return hosted ? epochOf(hosted.world.data.store).resetCount + 1 : (this.#epochs.get(name) ?? 0)
  }

  /** Closes the former world, even during visits, unless it throws `badWorldName`, `unknownWorld` or a SeedError. */
  begin(name: string, start: WorldStart | readonly Seed[]): void {
    this.requireAllowedName(name)
    const hosted = this.#host(name, 'snapshot' in start ? toWorldStart(start) : this.#createStart(start))
    hosted.visitors += 1
    this.leave(hosted, true)
  }

  /**
   * First runs the tasks that are due. Throws `badWorldName` or `unknownWorld` (404). The caller must `leave` the world
   * once.
   */
  enter(name: string): HostedWorld {
    let hosted = this.#hosted.get(name)
    if (hosted) hosted.world.clock.catchUp()
    else {
      this.requireAllowedName(name)
      hosted = this.#host(name, this.#startOfNewWorld())
    }
    hosted.visitors += 1
    return hosted
  }

  /** Keeps a new world if `isSuccess`, and otherwise closes it after its last visit. */
  leave(hosted: HostedWorld, isSuccess: boolean): void {
    hosted.visitors -= 1
    hosted.isKept ||= isSuccess
    if (hosted.visitors > 0) return
    if (hosted.isKept) {
      if (this.#idleLimitMs !== undefined) this.#startIdleTime(hosted, this.#idleLimitMs)
    } else if (this.#hosted.get(hosted.name) === hosted) {
      // The world never existed, so that its epoch stays free.
      hosted.world.close()
      this.#hosted.delete(hosted.name)
    }
  }

  /** Each world has its own idle time; one timer, which does not keep the process alive, waits for the first. */
  #startIdleTime(hosted: HostedWorld, limitMs: number): void {
    hosted.lastUse = Date.now()
    if (this.#idleTimer === undefined) this.#setIdleTimer(limitMs, limitMs)
  }

  #setIdleTimer(waitMs: number, limitMs: number): void {
    this.#idleTimer = setTimeout(() => this.#removeIdle(limitMs), Math.min(waitMs, MAX_TIMER_MS))
    this.#idleTimer.unref?.()
  }

  #removeIdle(limitMs: number): void {
    const due = Date.now() - limitMs
    let wait = Number.POSITIVE_INFINITY
    for (const { name, visitors, lastUse } of this.#hosted.values()) {
      if (name === this.home || visitors > 0) continue
      if (lastUse <= due) this.remove(name)
      else wait = Math.min(wait, lastUse - due)
    }
    this.#idleTimer = undefined
    if (Number.isFinite(wait)) this.#setIdleTimer(wait, limitMs)
  }

  /**
   * Calls `act` without a request. Throws its errors, and `badWorldName` or `unknownWorld` (404). A world that was
   * created for it is kept unless `act` throws or its promise rejects. The visit lasts until the promise settles.
   */
  runIn<R>(name: string, act: (world: World) => R): R {
    const hosted = this.enter(name)
    let outcome: R
    try {
      outcome = act(hosted.world)
    } catch (error) {
      this.leave(hosted, false)
      throw error
    }
    if (outcome instanceof Promise)
      outcome.then(
        () => this.leave(hosted, true),
        () => this.leave(hosted, false),
      )
    else this.leave(hosted, true)
    return outcome
  }

  /** Throws `badWorldName` (404) for a text that cannot be a name, and `unknownWorld` (404) for one that is not allowed. */
  requireAllowedName(name: string): void {
    if (!isWorldName(name)) throw apiError('badWorldName', { world: name })
    const worlds = listNames(this.options.worlds ?? [])
    if (this.options.worlds?.includes(name) === false) throw apiError('unknownWorld', { world: name, worlds })
  }

  /** Epoch milliseconds; that of the home world if there is none of the name. */
  now(name: string): number {
    return (this.find(name) ?? this.world(this.home)).clock.now()
  }

  names(): string[] {
    return this.listPage(0, this.#hosted.size).names
  }

  /** `after` and `last` are numbers of worlds; `last` is undefined on the last page. In the order of their creation. */
  listPage(after: number, maxResults: number): { names: string[]; last: number | undefined } {
    const rest = [...this.#hosted.values()].filter(({ isKept, number }) => isKept && number > after)
    const page = rest.slice(0, maxResults)
    return { names: page.map(({ name }) => name), last: rest.length > maxResults ? page.at(-1)?.number : undefined }
  }

  /** Undefined also for a world that is created by a request that has not succeeded yet. */
  find(name: string): World | undefined {
    const hosted = this.#hosted.get(name)
    return hosted?.isKept ? hosted.world : undefined
  }

  remove(name: string): void {
    const hosted = this.#hosted.get(name)
    if (!hosted) return
    this.#epochs.set(name, this.#nextEpoch(name))
    hosted.world.close()
    this.#hosted.delete(name)
  }

  /** The world is listed as the latest. Throws `badWorldName` or `unknownWorld` (404). */
  rename(name: string, to: string): void {
    this.requireAllowedName(to)
    const hosted = this.#hosted.get(name)
    if (!hosted) return
    const former = this.#nextEpoch(name)
    hosted.world.rename(to, this.#nextEpoch(to)) // first, because a failed write must leave the registry as it was
    this.remove(to)
    this.#epochs.set(name, former)
    this.#hosted.delete(name)
    this.#count += 1
    hosted.name = to
    hosted.number = this.#count
    this.#hosted.set(to, hosted)
  }

  abstract attempts(): Promise<Attempts>
  /** True while an agent works, whom `/_control` must not serve. */
  abstract get hasOpenAttempts(): boolean

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer)
    for (const { world } of this.#hosted.values()) world.close()
    await this.#webhookSender?.then((sender) => sender.close())
  }
}
