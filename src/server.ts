import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { appOf, enter, type House } from './app.ts'
import { type AuthMode, isWorldName } from './http/auth.ts'
import type { Deliverer } from './http/deliver.ts'
import { errorReply, refusalOf } from './http/errors.ts'
import { bind, bindLoopback, DEFAULT_HOST, socketListener, stop, urlAt, urlOf } from './http/listen.ts'
import { DEFAULT_WORLD, rootOf, uiOf } from './http/place.ts'
import type { Wire } from './http/spoilt.ts'
import { inTheEnd, isPromise } from './http/steps.ts'
import { type Beginning, firstLife, planted } from './life/beginning.ts'
import { Idle } from './life/idle.ts'
import { Realm } from './life/realm.ts'
import { forked, type Taken } from './life/snapshots.ts'
import type { Postal } from './push/queue.ts'
import type { Log } from './rig/journal.ts'
import { ConnectionLost } from './rig/lost.ts'
import { durationOf } from './time/clock.ts'
import type { ConferencePolicy } from './wire/conferencePolicy.ts'
import { refuse } from './wire/refusals.ts'
import type { Seed } from './wire/seeds/seed.ts'

export { DEFAULT_WORLD }

export type ServerOptions = {
  seeds: readonly Seed[]
  now?: Date | string | number | undefined
  auth: AuthMode
  /** What absolute URLs in replies begin with, where clients reach the server by another address than its own. */
  publicUrl?: string | undefined
  /** Without it `/_control` is open to programs on this machine. */
  controlToken?: string | undefined
  /** By which other names `/_control` may be called, together with the token. */
  controlHosts?: readonly string[] | undefined
  /** The worlds that there may be: any, where none are named. */
  worlds?: readonly string[] | undefined
  /** Whether a person is asked before a client may act for them. */
  consent?: boolean | undefined
  /** Whether parameters and fields that the service does not know are refused, which it ignores itself. */
  strictSurface?: boolean | undefined
  webhooks: Postal['webhooks']
  /** Certificates, as PEM, of authorities that receivers' own are trusted by. */
  webhookCa?: string | undefined
  /** How long a receiver may take to answer, in real time. */
  webhookTimeout?: string | number | undefined
  /** How long, in real time, a world may be unused before it is ended; the first world never is. */
  worldIdle?: string | number | undefined
  /** How requests for conferences are answered, where a seed does not say. */
  conferences?: ConferencePolicy | undefined
  /** How many requests each world's journal keeps. */
  journal?: number | undefined
  /** Takes a line for each request. */
  log?: Log | undefined
}

export type Address = { url: string; host: string; port: number; close(): Promise<void> }

type Entrance = {
  named?: string
  prefix?: string
  peer?: string | undefined
  Response?: typeof Response
  wire?: Wire | undefined
}

/** Holds worlds, and brings each request to its own. */
export class Server implements House {
  readonly options: ServerOptions
  readonly #realms = new Map<string, Realm>()
  /** Worlds that requests are in whose first request has not been answered yet. */
  readonly #entered = new Map<string, { realm: Realm; visitors: number }>()
  /** How many lives worlds had that were deleted. */
  readonly #lives = new Map<string, number>()
  readonly #listening = new Set<HttpServer>()
  readonly #postal: Postal
  readonly #idle: Idle | undefined
  /** Loaded with the first message that there is to post. */
  #deliverer: Promise<Deliverer> | undefined
  #app: Hono | undefined

  constructor(options: ServerOptions) {
    this.options = options
    const { worlds = [] } = options
    const wrong = worlds.find((name) => !isWorldName(name))
    if (wrong !== undefined) throw new TypeError(`worlds: ${JSON.stringify(wrong)} cannot be the name of a world`)
    if (options.controlToken === '')
      throw new TypeError(
        'controlToken: an empty one protects nothing; leave it out, or set the variable that it comes from',
      )
    if (options.controlHosts?.length && !options.controlToken)
      throw new TypeError('controlHosts: give a controlToken with them')
    const { webhookCa, webhookTimeout } = options
    const limit = webhookTimeout === undefined ? undefined : durationOf(webhookTimeout)
    const deliverer = () => {
      this.#deliverer ??= import('./http/deliver.ts').then(({ Deliverer }) => new Deliverer(limit, webhookCa))
      return this.#deliverer
    }
    const { worldIdle } = options
    this.#idle = worldIdle === undefined ? undefined : new Idle(durationOf(worldIdle), (name) => this.remove(name))
    this.#postal = {
      webhooks: options.webhooks,
      post: async (address, headers) => (await deliverer()).post(address, headers),
    }
    this.realm(this.home)
  }

  /** The world that is there from the start. */
  get home(): string {
    const { worlds } = this.options
    return worlds === undefined || worlds.includes(DEFAULT_WORLD) ? DEFAULT_WORLD : (worlds[0] ?? DEFAULT_WORLD)
  }

  /** A world, which comes into being from the server's seeds when it is first named. */
  realm(name: string): Realm {
    this.permit(name)
    const realm = this.#known(name) ?? this.#begin(name)
    this.#realms.set(name, realm)
    this.#used(name)
    return realm
  }

  #used(name: string, entering?: number): void {
    if (name !== this.home && this.#realms.has(name)) this.#idle?.use(name, entering)
  }

  #begin(name: string): Realm {
    return this.#live(name, this.#planted(this.options.seeds))
  }

  #planted(seeds: readonly Seed[]): Beginning {
    const { now, conferences: policy } = this.options
    return planted({ seeds, now, policy })
  }

  #live(name: string, start: Beginning): Realm {
    const life = firstLife(start, name, this.#nextLife(name))
    const { conferences: policy, journal, log } = this.options
    return new Realm(start, life, this.#postal, { name, policy, journal, log })
  }

  #known(name: string): Realm | undefined {
    return this.#realms.get(name) ?? this.#entered.get(name)?.realm
  }

  /** The number of the life that a world of this name begins next. */
  #nextLife(name: string): number {
    const realm = this.#known(name)
    return realm ? realm.world.life.number + 1 : (this.#lives.get(name) ?? 0)
  }

  /** Begins a world with seeds or with a moment of another one, in the place of one that there is. */
  begin(name: string, start: Taken | readonly Seed[]): void {
    this.permit(name)
    const beginning = 'picture' in start ? forked(start) : this.#planted(start)
    const realm = this.#live(name, beginning)
    this.remove(name)
    this.#realms.set(name, realm)
    this.#used(name)
  }

  /** Answers in a world. One that there is not yet comes into being with the first answer that is no refusal. */
  visit<R extends Response | Promise<Response>>(
    name: string,
    act: (realm: Realm) => R,
    isBegun: (reply: Response) => boolean = () => true,
  ): R {
    return this.#entering(name, act, (reply) => reply.status < 400 && isBegun(reply))
  }

  /** Does something in a world. One that there is not yet comes into being with the first thing that is not refused. */
  within<R>(name: string, act: (realm: Realm) => R): R {
    return this.#entering(name, act, () => true)
  }

  /** What throws, or ends in what does not begin a world, leaves none where there was none. */
  #entering<R>(name: string, act: (realm: Realm) => R, begins: (outcome: Awaited<R>) => boolean): R {
    const known = this.#realms.get(name)
    if (known) return this.#idle ? this.#stay(name, () => act(known)) : act(known)
    this.permit(name)
    const place = this.#entered.get(name) ?? { realm: this.#begin(name), visitors: 0 }
    this.#entered.set(name, place)
    place.visitors += 1
    const leave = (begun: boolean) => {
      if (begun && this.#entered.get(name) === place) {
        this.#realms.set(name, place.realm)
        this.#used(name)
      }
      place.visitors -= 1
      if (place.visitors === 0) this.#leave(name, place.realm)
    }
    return inTheEnd(
      () => act(place.realm),
      (outcome) => leave(begins(outcome)),
      () => leave(false),
    )
  }

  /** A world is used for as long as what is done in it takes. */
  #stay<R>(name: string, act: () => R): R {
    this.#used(name, 1)
    const leave = () => this.#used(name, -1)
    return inTheEnd(act, leave, leave)
  }

  #leave(name: string, realm: Realm): void {
    if (this.#entered.get(name)?.realm === realm) this.#entered.delete(name)
    if (this.#realms.get(name) !== realm) realm.close()
  }

  /** Refuses a world that there may not be. */
  permit(name: string): void {
    if (!isWorldName(name)) refuse('badWorldName', { world: name })
    const worlds = this.options.worlds?.join(', ') ?? ''
    if (this.options.worlds?.includes(name) === false) refuse('unknownWorld', { world: name, worlds })
  }

  now(name: string): number {
    return (this.#realms.get(name) ?? this.realm(this.home)).clock.now()
  }

  names(): string[] {
    return [...this.#realms.keys()]
  }

  remove(name: string): void {
    const realm = this.#known(name)
    if (!realm) return
    this.#lives.set(name, this.#nextLife(name))
    realm.close()
    this.#idle?.forget(name)
    this.#realms.delete(name)
    this.#entered.delete(name)
  }

  /** Answers a request for the world named, or for the one that the request itself names. */
  async fetch(request: Request, entrance: Entrance = {}): Promise<Response> {
    return this.answer(request, entrance)
  }

  /** The same, at once where nothing has to be waited for. */
  answer(request: Request, { named, prefix = '', peer, ...socket }: Entrance = {}): Response | Promise<Response> {
    try {
      const reply = enter(this, request, { named, prefix, peer, publicUrl: this.options.publicUrl }, socket)
      return isPromise(reply) ? reply.catch((error) => this.#failed(error, request)) : reply
    } catch (error) {
      return this.#failed(error, request)
    }
  }

  #failed(error: unknown, { method, url }: Request): Response {
    if (error instanceof ConnectionLost) throw error
    return errorReply(refusalOf(error, `${method} ${url}`), { now: this.now(this.home) })
  }

  get app(): Hono {
    this.#app ??= appOf((request, prefix, peer) => this.fetch(request, { prefix, peer }))
    return this.#app
  }

  /** Listens, on any free port where `port` is 0: on both loopback addresses, unless a host is named. A port that is taken rejects. */
  async listen({ port = 0, host }: { port?: number; host?: string } = {}): Promise<Address> {
    const listener = await socketListener(
      (request, Response, carried) => this.answer(request, { Response, ...carried }),
      () => this.now(this.home),
    )
    const servers: [HttpServer, ...HttpServer[]] =
      host === undefined ? await bindLoopback(listener, port) : [await bind(listener, port, host)]
    for (const server of servers) this.#listening.add(server)
    const { port: bound } = servers[0].address() as AddressInfo
    const close = async () => void (await Promise.all(servers.map((server) => this.#stop(server))))
    return { url: urlOf(host, bound), host: host ?? DEFAULT_HOST, port: bound, close }
  }

  /** Where the inspector shows a world. A server that does not listen does so from here on, on any free port. */
  async ui(name: string): Promise<string> {
    this.permit(name)
    const { publicUrl, controlToken } = this.options
    const [first] = this.#listening.values()
    const near = () => urlAt(first?.address() as AddressInfo)
    const base = publicUrl?.replace(/\/$/, '') ?? (first ? near() : (await this.listen()).url)
    return uiOf(rootOf(base, name), controlToken)
  }

  /** Stops listening, and ends every world's clock and messages. */
  async close(): Promise<void> {
    await Promise.all([...this.#listening].map((server) => this.#stop(server)))
    this.#idle?.close()
    for (const realm of this.#realms.values()) realm.close()
    await this.#deliverer?.then((deliverer) => deliverer.close())
  }

  #stop(server: HttpServer): Promise<void> {
    this.#listening.delete(server)
    return stop(server)
  }
}
