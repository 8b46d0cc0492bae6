import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { ConnectionLost, type FaultySocketResponse, withBodyFaults } from './bodyFault.ts'
import { type SocketHandler, withCompression } from './compression.ts'
import { errorResponse, toApiError } from './errors.ts'
import { toResponse } from './reply.ts'
import { type ErrorHandler, withErrorResponse } from './safeServerResponse.ts'

export const DEFAULT_HOST = '127.0.0.1'
const LOOPBACK_6 = '::1'

const LOOPBACK_OF: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

/** The URL has no slash at the end. A wildcard address becomes loopback. */
export function formatServerUrl(host: string = DEFAULT_HOST, port: number): string {
  const name = LOOPBACK_OF[host] ?? host
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`
}

type NodeBindings = {
  incoming?: { socket?: { remoteAddress?: string | undefined; resetAndDestroy?(): void; destroy?(): void } | null }
  outgoing?: unknown
}

/** Undefined if the adapter does not provide it. */
const findRemoteAddress = (bindings: unknown): string | undefined =>
  (bindings as NodeBindings | undefined)?.incoming?.socket?.remoteAddress

const findGlobalDescriptor = (name: 'Request' | 'Response'): PropertyDescriptor =>
  Object.getOwnPropertyDescriptor(globalThis, name) ?? {}

type Listener = { handle: RequestListener; onError: ErrorHandler }

/**
 * A ConnectionLost resets the connection; any other error becomes a response, with `now` (epoch milliseconds) as its
 * date. Hono's adapter replaces the global Request and Response by light classes; they are restored at once, because
 * the process belongs to the user. Responses of the light class are written without being read.
 */
export async function createSocketListener(handler: SocketHandler, now: () => number): Promise<Listener> {
  const { getRequestListener } = await import('@hono/node-server')
  const [Request, Response] = [findGlobalDescriptor('Request'), findGlobalDescriptor('Response')]
  const onError: ErrorHandler = (error, { method, url }) =>
    errorResponse(toApiError(error, `${method} ${url}`), { now: now() })
  const listener = getRequestListener(
    async (request, bindings) => {
      const socket = bindings.outgoing as unknown as FaultySocketResponse
      closeWithConnection(bindings as HttpBindings)
      try {
        return await handle(request, { peer: findRemoteAddress(bindings), socket })
      } catch (error) {
        const isLost = error instanceof ConnectionLost || request.signal.aborted
        return isLost ? resetConnection(bindings as NodeBindings) : toResponse(onError(error, request))
      }
    },
    { hostname: 'localhost' }, // for HTTP/1.0 requests without a Host
  )
  const handle = withCompression(handler, globalThis.Response)
  Object.defineProperties(globalThis, { Request, Response })
  return { handle: listener, onError }
}

type HttpBindings = { incoming: IncomingMessage; outgoing: ServerResponse }

/** A response may wait behind another (HTTP pipelining): Node emits `close` only for the response that is being sent. */
function closeWithConnection({ incoming: { socket }, outgoing }: HttpBindings): void {
  if (outgoing.socket !== null) return
  const waiting = WAITING.get(socket) ?? closeAll(socket)
  waiting.add(outgoing)
  outgoing.once('close', () => waiting.delete(outgoing))
}

/** The responses that wait behind another one of their connection. */
const WAITING = new WeakMap<Socket, Set<ServerResponse>>()

/** Returns a new set of responses that close with a connection. One listener serves all of them. */
function closeAll(socket: Socket): Set<ServerResponse> {
  const waiting = new Set<ServerResponse>()
  WAITING.set(socket, waiting)
  socket.once('close', () => {
    for (const outgoing of waiting) if (!outgoing.writableFinished) outgoing.emit('close')
  })
  return waiting
}

/** Returns a response only because the adapter needs one; it is not sent. */
function resetConnection({ incoming }: NodeBindings): Response {
  const { socket } = incoming ?? {}
  if (socket?.resetAndDestroy) socket.resetAndDestroy()
  else socket?.destroy?.()
  return new Response(null)
}

/** Longer than the pools of clients keep connections, so that a blocked client does not find its connection closed. */
const KEEP_ALIVE_MS = 65_000

/** Does not listen. Connections can also be given to it by its event `connection`. */
export function createHttpServer({ handle, onError }: Listener): Server {
  const { createServer, ServerResponse } = process.getBuiltinModule('node:http')
  const options = {
    ServerResponse: withErrorResponse(withBodyFaults(ServerResponse), onError),
    keepAliveTimeout: KEEP_ALIVE_MS,
  }
  return createServer(options, handle)
}

const MAX_PENDING_CONNECTIONS = 4096

/** Port 0 is any free one. Rejects with node's error. */
export function bind(listener: Listener, port: number, host: string): Promise<Server> {
  const server = createHttpServer(listener)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog: MAX_PENDING_CONNECTIONS }, () => resolve(server))
  })
}

const MAX_BIND_ATTEMPTS = 5

/**
 * Binds 127.0.0.1 and ::1 with one port, because `localhost` may resolve to either. A machine without IPv6 has only the first.
 * For port 0 it tries other ports if the chosen one is in use on ::1, at most five times.
 */
export async function bindLoopback(listener: Listener, port: number, attempt = 1): Promise<[Server, ...Server[]]> {
  const first = await bind(listener, port, DEFAULT_HOST)
  const { port: bound } = first.address() as AddressInfo
  try {
    return [first, await bind(listener, bound, LOOPBACK_6)]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return [first]
    await stopServer(first)
    if (port !== 0 || attempt === MAX_BIND_ATTEMPTS) throw error
    return bindLoopback(listener, port, attempt + 1)
  }
}

/** Closes the connections of the server too. Resolves also if it never listened. */
export function stopServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
