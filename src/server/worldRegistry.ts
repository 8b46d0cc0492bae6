import type { Log } from '../control/journal/journal.ts'
import { IdleWorlds } from '../control/worlds/idle.ts'
import { type SnapshotData, toWorldStart } from '../control/worlds/snapshots.ts'
import { World } from '../control/worlds/world.ts'
import type { MessageTransport } from '../effects/push/queue.ts'
import type { ToolDefinition } from '../mcp/definitions/tools.ts'
import type { McpOptions } from '../mcp/host.ts'
import { parseDuration } from '../model/clock.ts'
import { type AuthMode, DEFAULT_WORLD, isWorldName } from '../oauth/credentials.ts'
import { apiError } from '../schema/apiErrors.ts'
import type { ConferencePolicy } from '../schema/conferencePolicy.ts'
import { listNames } from '../schema/values/limitLines.ts'
import type { Seed } from '../seeds/schema/seed.ts'
import { createStartEpoch, createStartFromSeeds, type WorldStart } from '../seeds/worldStart.ts'
import { epochOf } from '../sync/epochs.ts'
import type { WebhookSender } from './webhookSender.ts'

export type ServerOptions = {
  seeds: readonly Seed[]
  now?: Date | string | number | undefined
  auth: AuthMode
  publicUrl?: string | undefined
  controlToken?: string | undefined
  controlHosts?: readonly string[] | undefined
  worlds?: readonly string[] | undefined
  consent?: boolean | undefined
  mcp?: McpOptions | undefined
  mcpTools?: readonly ToolDefinition[] | undefined
  /** True to reject parameters and fields that the service ignores. */
  strictSurface?: boolean | undefined
  webhooks: MessageTransport['webhooks']
  webhookCa?: string | undefined
  webhookTimeout?: string | number | undefined
  /** Worlds that are unused for so long, in real time, are removed; the first world never is. */
  worldIdle?: string | number | undefined
  conferences?: ConferencePolicy | undefined
  journal?: number | undefined
  log?: Log | undefined
}

/**
 * The use of a world by one request, from `openVisit` until `leave`, which must be called once. A world that was created
 * for a visit is kept if `isKept` is true for one of its visits.
 */
export type Visit = { readonly world: World; leave(isKept: boolean): void }

type NewWorld = { readonly world: World; visitors: number }

/**
 * The home world exists from the start, others from their first use. An epoch is the time of a world between two
 * resets; its number is in sync tokens, so that those from before a reset are recognised.
 */
export class WorldRegistry {
  readonly options: ServerOptions
  readonly #worlds = new Map<string, World>()
  readonly #newWorlds = new Map<string, NewWorld>()
  readonly #epochs = new Map<string, number>()
  readonly #transport: MessageTransport
  readonly #idle: IdleWorlds | undefined
  #webhookSender: Promise<WebhookSender> | undefined

  /** Durations are milliseconds or texts such as `30m`. Throws TypeError, RangeError or SeedError for wrong options. */
  constructor(options: ServerOptions) {
    this.options = options
    const { worlds = [], webhookCa, webhookTimeout, worldIdle } = options
    const wrong = worlds.find((name) => !isWorldName(name))
    if (wrong !== undefined) throw new TypeError(`worlds: ${JSON.stringify(wrong)} cannot be the name of a world`)
    const limit = webhookTimeout === undefined ? undefined : parseDuration(webhookTimeout)
    const sender = () => {
      this.#webhookSender ??= import('./webhookSender.ts').then(
        ({ WebhookSender }) => new WebhookSender(limit, webhookCa),
      )
      return this.#webhookSender
    }
    this.#idle =
      worldIdle === undefined ? undefined : new IdleWorlds(parseDuration(worldIdle), (name) => this.remove(name))
    this.#transport = {
      webhooks: options.webhooks,
      post: async (address, headers) => (await sender()).post(address, headers),
    }
    this.world(this.home)
  }

  get home(): string {
    const { worlds } = this.options
    return worlds === undefined || worlds.includes(DEFAULT_WORLD) ? DEFAULT_WORLD : (worlds[0] ?? DEFAULT_WORLD)
  }

  /** Creates the world if needed; it stays even if no request succeeds. Throws `badWorldName` or `unknownWorld`. */
  world(name: string): World {
    this.requireAllowedName(name)
    const world = this.#find(name) ?? this.#create(name, this.#createStart(this.options.seeds))
    this.#worlds.set(name, world)
    this.#recordUse(name)
    return world
  }

  /**
   * Restarts the idle timeout of a world. `visitors` is added to the number of its open visits, during which it is not
   * removed. Does nothing for the home world, and without an idle timeout.
   */
  #recordUse(name: string, visitors?: number): void {
    if (name !== this.home && this.#worlds.has(name)) this.#idle?.recordUse(name, visitors)
  }

  /** Throws a SeedError. */
  #createStart(seeds: readonly Seed[]): WorldStart {
    const { now, conferences: policy } = this.options
    return createStartFromSeeds({ seeds, now, policy })
  }

  #create(name: string, start: WorldStart): World {
    const { conferences: policy, journal, log } = this.options
    return new World(start, createStartEpoch(start, name, this.#nextEpoch(name)), this.#transport, {
      name,
      policy,
      journal,
      log,
    })
  }

  #find(name: string): World | undefined {
    return this.#worlds.get(name) ?? this.#newWorlds.get(name)?.world
  }

  /** Numbers go on, so that old tokens stay invalid. */
  #nextEpoch(name: string): number {
    const world = this.#find(name)
    return world ? epochOf(world.data.store).resetCount + 1 : (this.#epochs.get(name) ?? 0)
  }

  /** Closes the former world, even during visits, unless it throws `badWorldName`, `unknownWorld` or a SeedError. */
  begin(name: string, start: SnapshotData | readonly Seed[]): void {
    this.requireAllowedName(name)
    const world = this.#create(name, 'snapshot' in start ? toWorldStart(start) : this.#createStart(start))
    this.remove(name)
    this.#worlds.set(name, world)
    this.#recordUse(name)
  }

  /**
   * First runs the tasks that are due. A new world stays if one of its visits ends with success. Throws `badWorldName`
   * or `unknownWorld` (404). Each visit must be left once.
   */
  openVisit(name: string): Visit {
    const world = this.#worlds.get(name)
    world?.clock.catchUp()
    if (world) return this.#idle ? this.#visitExisting(name, world) : { world, leave: doNothing }
    this.requireAllowedName(name)
    const entered = this.#newWorlds.get(name) ?? {
      world: this.#create(name, this.#createStart(this.options.seeds)),
      visitors: 0,
    }
    this.#newWorlds.set(name, entered)
    entered.visitors += 1
    return { world: entered.world, leave: (isKept) => this.#leave(name, entered, isKept) }
  }

  #visitExisting(name: string, world: World): Visit {
    this.#recordUse(name, 1)
    return { world, leave: () => this.#recordUse(name, -1) }
  }

  #leave(name: string, entered: NewWorld, isKept: boolean): void {
    const { world } = entered
    if (isKept && this.#newWorlds.get(name) === entered) {
      this.#worlds.set(name, world)
      this.#recordUse(name)
    }
    entered.visitors -= 1
    if (entered.visitors > 0) return
    if (this.#newWorlds.get(name)?.world === world) this.#newWorlds.delete(name)
    if (this.#worlds.get(name) !== world) world.close()
  }

  /**
   * Calls `act` without a request. Throws its errors, and `badWorldName` or `unknownWorld` (404). A world that was
   * created for it is kept unless `act` throws or its promise rejects. The visit lasts until the promise settles.
   */
  runIn<R>(name: string, act: (world: World) => R): R {
    const visit = this.openVisit(name)
    let outcome: R
    try {
      outcome = act(visit.world)
    } catch (error) {
      visit.leave(false)
      throw error
    }
    if (outcome instanceof Promise)
      outcome.then(
        () => visit.leave(true),
        () => visit.leave(false),
      )
    else visit.leave(true)
    return outcome
  }

  /** Throws `badWorldName` (404) for a text that cannot be a name, and `unknownWorld` (404) for one that is not allowed. */
  requireAllowedName(name: string): void {
    if (!isWorldName(name)) throw apiError('badWorldName', { world: name })
    const worlds = listNames(this.options.worlds ?? [])
    if (this.options.worlds?.includes(name) === false) throw apiError('unknownWorld', { world: name, worlds })
  }

  /** In epoch milliseconds; that of the home world if there is none of the name. */
  now(name: string): number {
    return (this.#worlds.get(name) ?? this.world(this.home)).clock.now()
  }

  names(): string[] {
    return [...this.#worlds.keys()]
  }

  has(name: string): boolean {
    return this.#worlds.has(name)
  }

  remove(name: string): void {
    const world = this.#find(name)
    if (!world) return
    this.#epochs.set(name, this.#nextEpoch(name))
    world.close()
    this.#idle?.forget(name)
    this.#worlds.delete(name)
    this.#newWorlds.delete(name)
  }

  async close(): Promise<void> {
    this.#idle?.close()
    for (const world of this.#worlds.values()) world.close()
    await this.#webhookSender?.then((sender) => sender.close())
  }
}

const doNothing = (): void => {}
