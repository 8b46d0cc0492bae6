import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hono } from 'hono'
import { appOf, enter, type House } from './app.ts'
import type { AuthMode } from './http/auth.ts'
import type { Deliverer } from './http/deliver.ts'
import { errorReply, refusalOf } from './http/errors.ts'
import { bind, bindLoopback, DEFAULT_HOST, socketListener, stop, urlOf } from './http/listen.ts'
import { DEFAULT_WORLD } from './http/place.ts'
import { Realm } from './life/realm.ts'
import type { Postal } from './push/queue.ts'
import { durationOf } from './store/clock.ts'
import type { ConferencePolicy } from './wire/conferencePolicy.ts'
import { refuse } from './wire/refusals.ts'
import type { Seed } from './wire/seed.ts'

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
  webhooks: Postal['webhooks']
  /** Certificates, as PEM, of authorities that receivers' own are trusted by. */
  webhookCa?: string | undefined
  /** How long a receiver may take to answer, in real time. */
  webhookTimeout?: string | number | undefined
  /** How requests for conferences are answered, where a seed does not say. */
  conferences?: ConferencePolicy | undefined
}

export type Address = { url: string; host: string; port: number; close(): Promise<void> }

type Entrance = { named?: string; prefix?: string; Response?: typeof Response }

/** Holds worlds, and brings each request to its own. */
export class Server implements House {
  readonly options: ServerOptions
  readonly #realms = new Map<string, Realm>()
  readonly #listening = new Set<HttpServer>()
  readonly #postal: Postal
  /** Loaded with the first message that there is to post. */
  #deliverer: Promise<Deliverer> | undefined
  #app: Hono | undefined

  constructor(options: ServerOptions) {
    this.options = options
    if (options.controlHosts?.length && !options.controlToken)
      throw new TypeError('controlHosts: give a controlToken with them')
    const { webhookCa, webhookTimeout } = options
    const limit = webhookTimeout === undefined ? undefined : durationOf(webhookTimeout)
    const deliverer = () => {
      this.#deliverer ??= import('./http/deliver.ts').then(({ Deliverer }) => new Deliverer(limit, webhookCa))
      return this.#deliverer
    }
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
    const { seeds, now, conferences } = this.options
    this.permit(name)
    const realm = this.#realms.get(name) ?? new Realm(seeds, now, this.#postal, conferences)
    this.#realms.set(name, realm)
    return realm
  }

  /** Refuses a world that there may not be. */
  permit(name: string): void {
    const worlds = this.options.worlds?.join(', ') ?? ''
    if (!this.#allows(name)) refuse('unknownWorld', { world: name, worlds })
  }

  #allows(name: string): boolean {
    return this.options.worlds?.includes(name) ?? true
  }

  now(name: string): number {
    return this.realm(this.#allows(name) ? name : this.home).clock.now()
  }

  names(): string[] {
    return [...this.#realms.keys()]
  }

  remove(name: string): void {
    this.#realms.get(name)?.close()
    this.#realms.delete(name)
  }

  /** Answers a request for the world named, or for the one that the request itself names. */
  async fetch(request: Request, { named, prefix = '', Response }: Entrance = {}): Promise<Response> {
    try {
      return await enter(this, request, { named, prefix, publicUrl: this.options.publicUrl }, Response)
    } catch (error) {
      return errorReply(refusalOf(error), { now: this.now(this.home) })
    }
  }

  get app(): Hono {
    this.#app ??= appOf((request, prefix) => this.fetch(request, { prefix }))
    return this.#app
  }

  /** Listens, on any free port where `port` is 0: on both loopback addresses, unless a host is named. A port that is taken rejects. */
  async listen({ port = 0, host }: { port?: number; host?: string } = {}): Promise<Address> {
    const handle = await socketListener((request, Response) => this.fetch(request, { Response }))
    const servers: [HttpServer, ...HttpServer[]] =
      host === undefined ? await bindLoopback(handle, port) : [await bind(handle, port, host)]
    for (const server of servers) this.#listening.add(server)
    const { port: bound } = servers[0].address() as AddressInfo
    const close = async () => void (await Promise.all(servers.map((server) => this.#stop(server))))
    return { url: urlOf(host, bound), host: host ?? DEFAULT_HOST, port: bound, close }
  }

  /** Stops listening, and ends every world's clock and messages. */
  async close(): Promise<void> {
    await Promise.all([...this.#listening].map((server) => this.#stop(server)))
    for (const realm of this.#realms.values()) realm.close()
    await this.#deliverer?.then((deliverer) => deliverer.close())
  }

  #stop(server: HttpServer): Promise<void> {
    this.#listening.delete(server)
    return stop(server)
  }
}
