import { type Beginning, firstLife, planted } from '../life/beginning.ts'
import { Idle } from '../life/idle.ts'
import { Realm } from '../life/realm.ts'
import { forked, type Taken } from '../life/snapshots.ts'
import { type AuthMode, DEFAULT_WORLD, isWorldName } from '../oauth/credentials.ts'
import type { Postal } from '../push/queue.ts'
import type { Log } from '../testing/journal/journal.ts'
import { durationOf } from '../time/clock.ts'
import type { ConferencePolicy } from '../wire/conferencePolicy.ts'
import { refuse } from '../wire/refusals.ts'
import type { Seed } from '../wire/seeds/seed.ts'
import type { WebhookSender } from './sockets/webhookSender.ts'

export type ServerOptions = {
  seeds: readonly Seed[]
  now?: Date | string | number | undefined
  auth: AuthMode
  /** The base of absolute URLs in responses, if clients reach the server at another address than its own. */
  publicUrl?: string | undefined
  /** Required for `/_control`. Without it `/_control` is open to programs on this machine. */
  controlToken?: string | undefined
  /** Other host names under which `/_control` may be called with the token. */
  controlHosts?: readonly string[] | undefined
  /** The allowed worlds. Undefined allows any. */
  worlds?: readonly string[] | undefined
  /** True to ask a person for consent on the OAuth pages. */
  consent?: boolean | undefined
  /** True to reject parameters and fields that the service ignores. */
  strictSurface?: boolean | undefined
  webhooks: Postal['webhooks']
  /** Certificates (PEM) of authorities that are trusted for receivers of push messages. */
  webhookCa?: string | undefined
  /** The time limit of a receiver, in real time. */
  webhookTimeout?: string | number | undefined
  /** Worlds that are unused for so long, in real time, are removed; the first world never is. */
  worldIdle?: string | number | undefined
  /** How conference requests are answered, unless a seed says otherwise. */
  conferences?: ConferencePolicy | undefined
  /** The number of requests that the journal of each world keeps. */
  journal?: number | undefined
  /** Receives one line per request. */
  log?: Log | undefined
}

/** A stay in a world. `leave` ends it; a new world is kept if `isKept` is true for one of its first visits. */
export type Visit = { readonly realm: Realm; leave(isKept: boolean): void }

/** A world whose first request has not succeeded yet. */
type NewWorld = { readonly realm: Realm; visitors: number }

/** The worlds of a server, by name. */
export class WorldRegistry {
  readonly options: ServerOptions
  readonly #realms = new Map<string, Realm>()
  readonly #newWorlds = new Map<string, NewWorld>()
  /** The number of epochs of each deleted world. */
  readonly #epochs = new Map<string, number>()
  readonly #postal: Postal
  readonly #idle: Idle | undefined
  /** Loaded with the first push message. */
  #webhookSender: Promise<WebhookSender> | undefined

  constructor(options: ServerOptions) {
    this.options = options
    const { worlds = [], webhookCa, webhookTimeout, worldIdle } = options
    const wrong = worlds.find((name) => !isWorldName(name))
    if (wrong !== undefined) throw new TypeError(`worlds: ${JSON.stringify(wrong)} cannot be the name of a world`)
    const limit = webhookTimeout === undefined ? undefined : durationOf(webhookTimeout)
    const sender = () => {
      this.#webhookSender ??= import('./sockets/webhookSender.ts').then(
        ({ WebhookSender }) => new WebhookSender(limit, webhookCa),
      )
      return this.#webhookSender
    }
    this.#idle = worldIdle === undefined ? undefined : new Idle(durationOf(worldIdle), (name) => this.remove(name))
    this.#postal = {
      webhooks: options.webhooks,
      post: async (address, headers) => (await sender()).post(address, headers),
    }
    this.realm(this.home)
  }

  /** The name of the world that exists from the start. */
  get home(): string {
    const { worlds } = this.options
    return worlds === undefined || worlds.includes(DEFAULT_WORLD) ? DEFAULT_WORLD : (worlds[0] ?? DEFAULT_WORLD)
  }

  /** Returns a world. Creates it from the seeds of the server if there is none. */
  realm(name: string): Realm {
    this.permit(name)
    const realm = this.#find(name) ?? this.#create(name, this.#plant(this.options.seeds))
    this.#realms.set(name, realm)
    this.#touch(name)
    return realm
  }

  #touch(name: string, visitors?: number): void {
    if (name !== this.home && this.#realms.has(name)) this.#idle?.use(name, visitors)
  }

  #plant(seeds: readonly Seed[]): Beginning {
    const { now, conferences: policy } = this.options
    return planted({ seeds, now, policy })
  }

  #create(name: string, start: Beginning): Realm {
    const { conferences: policy, journal, log } = this.options
    return new Realm(start, firstLife(start, name, this.#nextEpoch(name)), this.#postal, { name, policy, journal, log })
  }

  #find(name: string): Realm | undefined {
    return this.#realms.get(name) ?? this.#newWorlds.get(name)?.realm
  }

  #nextEpoch(name: string): number {
    const realm = this.#find(name)
    return realm ? realm.world.life.number + 1 : (this.#epochs.get(name) ?? 0)
  }

  /** Replaces or creates a world with seeds, or with a snapshot of another world. */
  begin(name: string, start: Taken | readonly Seed[]): void {
    this.permit(name)
    const realm = this.#create(name, 'picture' in start ? forked(start) : this.#plant(start))
    this.remove(name)
    this.#realms.set(name, realm)
    this.#touch(name)
  }

  /** Enters a world. If there is none, a new one exists for the visit, and stays if one of its visits ends with success. */
  enter(name: string): Visit {
    const realm = this.#realms.get(name)
    realm?.clock.catchUp()
    if (realm) return this.#idle ? this.#stay(name, realm) : { realm, leave: doNothing }
    this.permit(name)
    const entered = this.#newWorlds.get(name) ?? {
      realm: this.#create(name, this.#plant(this.options.seeds)),
      visitors: 0,
    }
    this.#newWorlds.set(name, entered)
    entered.visitors += 1
    return { realm: entered.realm, leave: (isKept) => this.#leave(name, entered, isKept) }
  }

  /** A world is in use for as long as the visit takes. */
  #stay(name: string, realm: Realm): Visit {
    this.#touch(name, 1)
    return { realm, leave: () => this.#touch(name, -1) }
  }

  #leave(name: string, entered: NewWorld, isKept: boolean): void {
    const { realm } = entered
    if (isKept && this.#newWorlds.get(name) === entered) {
      this.#realms.set(name, realm)
      this.#touch(name)
    }
    entered.visitors -= 1
    if (entered.visitors > 0) return
    if (this.#newWorlds.get(name)?.realm === realm) this.#newWorlds.delete(name)
    if (this.#realms.get(name) !== realm) realm.close()
  }

  /** Acts in a world, without a request. A new world is kept unless `act` throws. A promise extends the visit. */
  within<R>(name: string, act: (realm: Realm) => R): R {
    const visit = this.enter(name)
    let outcome: R
    try {
      outcome = act(visit.realm)
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

  /** Throws an error for a world that is not allowed. */
  permit(name: string): void {
    if (!isWorldName(name)) refuse('badWorldName', { world: name })
    const worlds = this.options.worlds?.join(', ') ?? ''
    if (this.options.worlds?.includes(name) === false) refuse('unknownWorld', { world: name, worlds })
  }

  /** Returns the time in a world, or in the first world if there is none of the name. */
  now(name: string): number {
    return (this.#realms.get(name) ?? this.realm(this.home)).clock.now()
  }

  names(): string[] {
    return [...this.#realms.keys()]
  }

  has(name: string): boolean {
    return this.#realms.has(name)
  }

  remove(name: string): void {
    const realm = this.#find(name)
    if (!realm) return
    this.#epochs.set(name, this.#nextEpoch(name))
    realm.close()
    this.#idle?.forget(name)
    this.#realms.delete(name)
    this.#newWorlds.delete(name)
  }

  /** Ends the clock and the messages of every world. */
  async close(): Promise<void> {
    this.#idle?.close()
    for (const realm of this.#realms.values()) realm.close()
    await this.#webhookSender?.then((sender) => sender.close())
  }
}

const doNothing = (): void => {}
