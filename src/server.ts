import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { api } from './api/index.ts'
import { type AuthMode, bearerOf, isWorldName, splitToken } from './http/auth.ts'
import { preflight, withOrigin } from './http/cors.ts'
import type { Deliverer } from './http/deliver.ts'
import { encoded } from './http/encoding.ts'
import { notFoundPage } from './http/errors.ts'
import { bind, bindLoopback, DEFAULT_HOST, stop, urlOf } from './http/listen.ts'
import { type Incoming, type Reply, responseOf } from './http/message.ts'
import { type App, methodPath, mount, verbOf } from './http/mount.ts'
import { jsonReply } from './http/reply.ts'
import { socketListener } from './http/socket.ts'
import { Realm } from './life/realm.ts'
import { isOAuth, isPage } from './oauth/paths.ts'
import type { Postal } from './push/queue.ts'
import type { Seed } from './wire/seed.ts'

export const DEFAULT_WORLD = 'default'

const BATCH_PATHS = ['/batch/calendar/v3', '/batch']
const DISCOVERY = /^\/(discovery\/v1\/apis|\$discovery\/rest)(\/|$)/

export type ServerOptions = {
  seeds: readonly Seed[]
  now?: Date | string | number | undefined
  auth: AuthMode
  /** What absolute URLs in replies begin with, where clients reach the server by another address than its own. */
  publicUrl?: string | undefined
  /** Without it `/_control` is open to programs on this machine. */
  controlToken?: string | undefined
  /** Whether a person is asked before a client may act for them. */
  consent?: boolean | undefined
  webhooks: Postal['webhooks']
}

export type Address = { url: string; host: string; port: number; close(): Promise<void> }

/** One app for every world of every server: the world travels with the request. */
let app: App | undefined

/** Holds worlds, and brings each request to its own. */
export class Server {
  readonly #options: ServerOptions
  readonly #realms = new Map<string, Realm>()
  readonly #listening = new Set<HttpServer>()
  readonly #postal: Postal
  /** Loaded with the first message that there is to post. */
  #deliverer: Promise<Deliverer> | undefined

  constructor(options: ServerOptions) {
    this.#options = options
    const deliverer = () => {
      this.#deliverer ??= import('./http/deliver.ts').then(({ Deliverer }) => new Deliverer())
      return this.#deliverer
    }
    this.#postal = {
      webhooks: options.webhooks,
      post: async (address, headers) => (await deliverer()).post(address, headers),
    }
    this.realm(DEFAULT_WORLD)
  }

  /** A world, which comes into being from the server's seeds when it is first named. */
  realm(name: string): Realm {
    const realm = this.#realms.get(name) ?? new Realm(this.#options.seeds, this.#options.now, this.#postal)
    this.#realms.set(name, realm)
    return realm
  }

  names(): string[] {
    return [...this.#realms.keys()]
  }

  remove(name: string): void {
    this.#realms.get(name)?.close()
    this.#realms.delete(name)
  }

  /** Answers a request for the world named, or for the one that the request itself names. */
  async fetch(request: Request, name?: string): Promise<Response> {
    return responseOf(await this.#reply(request, name))
  }

  async #reply(request: Incoming, name?: string): Promise<Reply> {
    const { world, path } = addressed(request, name)
    if (isWorldName(world) && path.startsWith('/_control/')) {
      const { answerControl } = await import('./control/mount.ts')
      return answerControl(request, path, { realm: this.realm(world), worlds: this, name: world, guard: this.#options })
    }
    if (request.method === 'OPTIONS') return preflight(request)
    const reply = isWorldName(world) ? await this.#answer(request, world, path, name) : notFoundPage()
    return encoded(request, isPage(path) ? reply : withOrigin(request, reply))
  }

  async #answer(request: Incoming, world: string, path: string, name: string | undefined): Promise<Reply> {
    const rootUrl = this.#rootUrl(request, world)
    if (BATCH_PATHS.includes(path) && request.method === 'POST') {
      const { answerBatch } = await import('./http/batch.ts')
      const now = this.realm(world).clock.now()
      return answerBatch(request, { now, rootUrl, run: (call) => this.#call(call, name) })
    }
    if (DISCOVERY.test(path) && verbOf(request) === 'GET') {
      const { discovered } = await import('./http/discovery.ts')
      const found = discovered(path, new URL(request.url).searchParams, api, rootUrl)
      const now = this.realm(world).clock.now()
      return found ? jsonReply(found, { now, cache: 'private', indent: 1 }) : notFoundPage()
    }
    if (isOAuth(path)) {
      const { answerOAuth } = await import('./oauth/mount.ts')
      const named = (token: string | undefined) => name ?? splitToken(token ?? '').world ?? world
      const open = (token: string | undefined) => ({ name: named(token), world: this.realm(named(token)).world })
      const { auth, consent = false } = this.#options
      return answerOAuth(request, path, { open, rootUrl: this.#rootUrl(request, world), auth, consent })
    }
    return this.#call(request, name)
  }

  /** A call of a method of the service; of what comes in a batch nothing else is answered. */
  async #call(request: Incoming, name: string | undefined): Promise<Reply> {
    const { world, path } = addressed(request, name)
    if (!isWorldName(world)) return notFoundPage()
    app ??= mount(api)
    return app(request, {
      world: this.realm(world).world,
      auth: this.#options.auth,
      path: methodPath(path),
      rootUrl: this.#rootUrl(request, world),
    })
  }

  /** Where a client finds a world: at the address that it came by, unless there is a public one. */
  #rootUrl(request: Incoming, world: string): string {
    const base = this.#options.publicUrl?.replace(/\/$/, '') ?? new URL(request.url).origin
    return world === DEFAULT_WORLD ? `${base}/` : `${base}/w/${world}/`
  }

  /** Listens, on any free port where `port` is 0: on both loopback addresses, unless a host is named. A port that is taken rejects. */
  async listen({ port = 0, host }: { port?: number; host?: string } = {}): Promise<Address> {
    const handle = socketListener((request) => this.#reply(request))
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

/** A request names its world by its token, a header or a path prefix, in this order; the path is what is left of it. */
function addressed(request: Incoming, name: string | undefined): { world: string; path: string } {
  const { pathname, searchParams } = new URL(request.url)
  const [, prefixed, path = pathname] = /^\/w\/([^/]+)(\/.*)$/.exec(pathname) ?? []
  const token = bearerOf(request, searchParams)
  const named = token === undefined ? undefined : splitToken(token).world
  return { path, world: name ?? named ?? request.headers.get('X-Fake-World') ?? prefixed ?? DEFAULT_WORLD }
}
