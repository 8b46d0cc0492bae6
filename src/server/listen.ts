import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConnectionLost } from '../testing/faults/connectionLost.ts'
import { type Answer, encoding } from './compression.ts'
import { errorReply, refusalOf } from './errors.ts'
import { spoilable, type Wire } from './bodyFault.ts'
import { isPromise } from './steps.ts'
import { type Instead, writtenAnyway } from './safeServerResponse.ts'

export const DEFAULT_HOST = '127.0.0.1'
const LOOPBACK_6 = '::1'

/** A server that listens on every address is reached at one of them. */
const REACHED_AT: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export function urlOf(host: string = DEFAULT_HOST, port: number): string {
  const called = REACHED_AT[host] ?? host
  return `http://${called.includes(':') ? `[${called}]` : called}:${port}`
}

/** The same of a server that listens. */
export const urlAt = ({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string => urlOf(address, port)

/** What node hands to its adapter beside a request. */
type Carried = {
  incoming?: { socket?: { remoteAddress?: string | undefined; resetAndDestroy?(): void; destroy?(): void } | null }
  outgoing?: unknown
}

/** The address that a request came from, where whatever took it off a socket says so. */
export const peerOf = (carried: unknown): string | undefined =>
  (carried as Carried | undefined)?.incoming?.socket?.remoteAddress

/** How a global is defined: asked for that of all of them, the platform would load all that is behind them. */
const ownOf = (name: 'Request' | 'Response'): PropertyDescriptor =>
  Object.getOwnPropertyDescriptor(globalThis, name) ?? {}

/** What answers on a socket, and what it says where an answer cannot be written. */
type Listener = { handle: RequestListener; instead: Instead }

/**
 * A listener for node's server over whatever answers requests. Hono's adapter puts light classes of its own in the place
 * of the global Request and Response, as it makes one; they are put back at once, since the process is somebody else's.
 * What is made of its Response is written without being read.
 */
export async function socketListener(answer: Answer, now: () => number): Promise<Listener> {
  const { getRequestListener } = await import('@hono/node-server')
  const [Request, Response] = [ownOf('Request'), ownOf('Response')]
  const failed = (
    error: unknown,
    { method, url }: { method?: string; url?: string },
    Made?: typeof globalThis.Response,
  ) => errorReply(refusalOf(error, `${method} ${url}`), { now: now(), Response: Made })
  const listener = getRequestListener(
    (request, carried) => {
      // What fails because the client has gone is nobody's fault, and nobody is told of it.
      const instead = (error: unknown) =>
        error instanceof ConnectionLost || request.signal.aborted ? lost(carried as Carried) : failed(error, request)
      try {
        const said = reply(request, { peer: peerOf(carried), wire: carried.outgoing as unknown as Wire })
        return isPromise(said) ? said.catch(instead) : said
      } catch (error) {
        return instead(error)
      }
    },
    { hostname: 'localhost' }, // for HTTP/1.0, which names none
  )
  const reply = encoding(answer, globalThis.Response)
  Object.defineProperties(globalThis, { Request, Response })
  return { handle: listener, instead: (error, request, Made) => void failed(error, request, Made) }
}

/** Resets the connection. The reply that is made all the same has nowhere to go. */
function lost({ incoming }: Carried): Response {
  const { socket } = incoming ?? {}
  // A line within the process is no socket, and ends.
  if (socket?.resetAndDestroy) socket.resetAndDestroy()
  else socket?.destroy?.()
  return new Response(null)
}

/** A server that does not listen yet: it may also be handed connections that come by other ways. */
export function serverOf({ handle, instead }: Listener): Server {
  // An import of node:http would load all that it exports, fetch and its classes included, which takes as long as all else.
  const { createServer, ServerResponse } = process.getBuiltinModule('node:http')
  return createServer({ ServerResponse: writtenAnyway(spoilable(ServerResponse), instead) }, handle)
}

/** A server that listens. A port that is taken rejects. */
export function bind(listener: Listener, port: number, host: string): Promise<Server> {
  const server = serverOf(listener)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server))
  })
}

const ATTEMPTS = 5

/**
 * Both loopback addresses on one port, since `localhost` may be either. A machine that has only the first is content with
 * it. Where any port will do, one that is free on the first may be taken on the second: another is tried.
 */
export async function bindLoopback(listener: Listener, port: number, attempt = 1): Promise<[Server, ...Server[]]> {
  const first = await bind(listener, port, DEFAULT_HOST)
  const { port: bound } = first.address() as AddressInfo
  try {
    return [first, await bind(listener, bound, LOOPBACK_6)]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return [first]
    await stop(first)
    if (port !== 0 || attempt === ATTEMPTS) throw error
    return bindLoopback(listener, port, attempt + 1)
  }
}

export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
