import type { Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Attempts } from '../control/types/attempts.ts'
import { bind, bindLoopback, createSocketListener, DEFAULT_HOST, formatServerUrl, stopServer } from '../http/listen.ts'
import { inspectorUrlOf, rootUrlOf } from '../http/urls.ts'
import { dispatch } from './app.ts'
import type { Transport } from './requestContext.ts'
import { type ServerOptions, WorldRegistry } from './worldRegistry.ts'

export { DEFAULT_WORLD } from '../http/urls.ts'
export type { ServerOptions }

/** The address of a listening server. `url` has no slash at the end. `close` stops listening and resolves when it has. */
export type Address = { url: string; host: string; port: number; close(): Promise<void> }

/** The address of requests in process. */
export const ORIGIN = 'http://fake-calendar.localhost'

export class Server extends WorldRegistry {
  readonly #listening = new Set<HttpServer>()
  #loading: Promise<Attempts> | undefined
  #attempts: Attempts | undefined

  /** Throws a TypeError or RangeError for a wrong option, and a SeedError for a wrong seed. */
  constructor(options: ServerOptions) {
    const { controlToken, controlHosts } = options
    if (controlToken === '')
      throw new TypeError(
        'controlToken: an empty one protects nothing; leave it out, or set the variable that it comes from',
      )
    if (controlHosts?.length && !controlToken) throw new TypeError('controlHosts: give a controlToken with them')
    super(options)
  }

  /**
   * Answers a request in the world that `transport.named` names, or else in the one that the request names. Errors of
   * the service are responses. Rejects with ConnectionLost if a fault ends the request without a response.
   */
  fetch(request: Request, transport: Transport = {}): Promise<Response> {
    return dispatch(this, request, transport)
  }

  override async attempts(): Promise<Attempts> {
    const { loadAttempts } = this.options
    if (!loadAttempts) throw new Error('this server makes no attempts')
    const fetchFrom = (world: string, request: Request) => this.fetch(request, { named: world })
    this.#loading ??= loadAttempts({ worlds: this, rootUrl: () => this.#findUrl() ?? ORIGIN, fetchFrom })
    this.#attempts = await this.#loading
    return this.#attempts
  }

  override get hasOpenAttempts(): boolean {
    return this.#attempts?.isOpen ?? false
  }

  /** Returns the address of its clients, without a slash at its end, unless it does not listen. */
  #findUrl(): string | undefined {
    const { publicUrl } = this.options
    const [first] = this.#listening.values()
    const bound = first?.address() as AddressInfo | undefined
    return publicUrl?.replace(/\/$/, '') ?? (bound && formatServerUrl(bound.address, bound.port))
  }

  /** Port 0 is any free one; no host is both loopback addresses. Rejects with node's error if the port is in use. */
  async listen({ port = 0, host }: { port?: number; host?: string } = {}): Promise<Address> {
    const listener = await createSocketListener(
      (request, Response, connection) => this.fetch(request, { Response, ...connection }),
      () => this.now(this.home),
    )
    const servers: [HttpServer, ...HttpServer[]] =
      host === undefined ? await bindLoopback(listener, port) : [await bind(listener, port, host)]
    for (const server of servers) this.#listening.add(server)
    const { port: bound } = servers[0].address() as AddressInfo
    const close = async () => void (await Promise.all(servers.map((server) => this.#stop(server))))
    return { url: formatServerUrl(host, bound), host: host ?? DEFAULT_HOST, port: bound, close }
  }

  /**
   * The address is below `publicUrl`, if there is one. Otherwise a server that does not listen starts to listen on
   * any free port. Rejects with `badWorldName` or `unknownWorld` (404).
   */
  async ui(name: string): Promise<string> {
    this.requireAllowedName(name)
    const base = this.#findUrl() ?? (await this.listen()).url
    return inspectorUrlOf(rootUrlOf(base, name), this.options.controlToken)
  }

  override async close(): Promise<void> {
    await Promise.all([...this.#listening].map((server) => this.#stop(server)))
    await super.close()
  }

  #stop(server: HttpServer): Promise<void> {
    this.#listening.delete(server)
    return stopServer(server)
  }
}
