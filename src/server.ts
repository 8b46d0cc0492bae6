import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { api } from './api/index.ts'
import { type AuthMode, bearerOf, isWorldName, splitToken } from './http/auth.ts'
import type { Deliverer } from './http/deliver.ts'
import { notFoundPage } from './http/errors.ts'
import { mount } from './http/mount.ts'
import type { Seed } from './wire/seed.ts'
import type { Postal } from './world/outbox.ts'
import { Realm } from './world/realm.ts'

export const DEFAULT_WORLD = 'default'
export const DEFAULT_HOST = '127.0.0.1'

export type ServerOptions = {
  seeds: readonly Seed[]
  now?: Date | string | number | undefined
  auth: AuthMode
  webhooks: Postal['webhooks']
}
/** A server that listens on every address is reached at one of them. */
const REACHED_AT: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export type Address = { url: string; host: string; port: number; close(): Promise<void> }

/** One app for every world of every server: the world travels with the request. */
let app: ReturnType<typeof mount> | undefined

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
    const url = new URL(request.url)
    const [, prefixed, rest = url.pathname] = /^\/w\/([^/]+)(\/.*)$/.exec(url.pathname) ?? []
    const world = name ?? worldOf(request, url.searchParams, prefixed)
    if (!isWorldName(world)) return notFoundPage()
    const realm = this.realm(world)
    if (rest.startsWith('/_control/')) {
      const { answerControl } = await import('./control/mount.ts')
      return (await answerControl(request, rest, { realm, worlds: this, name: world })) ?? notFoundPage()
    }
    app ??= mount(api)
    return app.fetch(request, { world: realm.world, auth: this.#options.auth, path: rest })
  }

  /** Listens, on any free port where `port` is 0. A port that is taken rejects. */
  listen({ port = 0, host = DEFAULT_HOST }: { port?: number; host?: string } = {}): Promise<Address> {
    const server = createServer(getRequestListener((request) => this.fetch(request)))
    return new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, () => {
        this.#listening.add(server)
        const { port: bound } = server.address() as AddressInfo
        const called = REACHED_AT[host] ?? host
        const url = `http://${called.includes(':') ? `[${called}]` : called}:${bound}`
        resolve({ url, host, port: bound, close: () => this.#stop(server) })
      })
    })
  }

  /** Stops listening, and ends every world's clock and messages. */
  async close(): Promise<void> {
    await Promise.all([...this.#listening].map((server) => this.#stop(server)))
    for (const realm of this.#realms.values()) realm.close()
    await this.#deliverer?.then((deliverer) => deliverer.close())
  }

  #stop(server: HttpServer): Promise<void> {
    this.#listening.delete(server)
    return new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  }
}

/** A request names its world by its token, a header or a path prefix, in this order. */
function worldOf(request: Request, query: URLSearchParams, prefixed: string | undefined): string {
  const token = bearerOf(request, query)
  const named = token === undefined ? undefined : splitToken(token).world
  return named ?? request.headers.get('X-Fake-World') ?? prefixed ?? DEFAULT_WORLD
}
