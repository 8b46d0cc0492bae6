import type { RequestListener, Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { encoding } from './encoding.ts'

export const DEFAULT_HOST = '127.0.0.1'
const LOOPBACK_6 = '::1'

/** A server that listens on every address is reached at one of them. */
const REACHED_AT: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' }

export function urlOf(host: string = DEFAULT_HOST, port: number): string {
  const called = REACHED_AT[host] ?? host
  return `http://${called.includes(':') ? `[${called}]` : called}:${port}`
}

/**
 * A listener for node's server over whatever answers requests. Hono's adapter puts light classes of its own in the place
 * of the global Request and Response, as it makes one; they are put back at once, since the process is somebody else's.
 * What is made of its Response is written without being read.
 */
export async function socketListener(
  answer: (request: Request, Made: typeof Response) => Promise<Response>,
): Promise<RequestListener> {
  const { getRequestListener } = await import('@hono/node-server')
  const { Request, Response } = Object.getOwnPropertyDescriptors(globalThis)
  const listener = getRequestListener((request) => reply(request), { hostname: 'localhost' }) // for HTTP/1.0, which names none
  const reply = encoding(answer, globalThis.Response)
  Object.defineProperties(globalThis, { Request, Response })
  return listener
}

/** A server that listens. A port that is taken rejects. */
export function bind(handle: RequestListener, port: number, host: string): Promise<Server> {
  // An import of node:http would load all that it exports, fetch and its classes included, which takes as long as all else.
  const { createServer } = process.getBuiltinModule('node:http')
  const server = createServer(handle)
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
export async function bindLoopback(handle: RequestListener, port: number, attempt = 1): Promise<[Server, ...Server[]]> {
  const first = await bind(handle, port, DEFAULT_HOST)
  const { port: bound } = first.address() as AddressInfo
  try {
    return [first, await bind(handle, bound, LOOPBACK_6)]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return [first]
    await stop(first)
    if (port !== 0 || attempt === ATTEMPTS) throw error
    return bindLoopback(handle, port, attempt + 1)
  }
}

export function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
