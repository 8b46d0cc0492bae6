import { Agent } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'
import { parseConnectArgs } from './connectTarget.ts'
import { InMemorySocket } from './inMemorySocket.ts'
import { type Callable, patchMethod } from './patchMethod.ts'

/**
 * A server in the process, an error for a refused connection, or its original target (undefined). `answer` is for a fetch that
 * opens no socket of Node.
 */
export type SocketRoute =
  | { serve: (socket: InMemorySocket) => void; answer?: (request: Request) => Promise<Response> }
  | { refused: (port: number) => Error | Promise<Error> }
  | undefined
export type Router = (host: string) => SocketRoute

/**
 * Patches the functions by which all clients in Node open connections: node:http(s), both fetches, undici, http2, and programs
 * that open sockets themselves. Returns a function that ends this; it breaks the connections that are open.
 */
export function interceptSockets(router: Router): () => void {
  const open = new Set<InMemorySocket>()
  const interceptConnect = (args: readonly unknown[], secure: boolean): InMemorySocket | undefined => {
    const target = parseConnectArgs(args, secure)
    const route = target.path === undefined ? router(target.host) : undefined
    if (!route) return undefined
    const { host, port, alpn, onConnect } = target
    const [near, far] = InMemorySocket.createPair({
      secure,
      host,
      alpn: alpn.includes('http/1.1') ? 'http/1.1' : false,
    })
    open.add(near)
    target.transport?.destroy()
    near.once('close', () => open.delete(near))
    if (onConnect) near.once(secure ? 'secureConnect' : 'connect', onConnect)
    const isHttp2Only = alpn.length > 0 && !alpn.includes('http/1.1')
    if ('serve' in route && isHttp2Only) process.nextTick(() => near.destroy(createHttp2Error(host)))
    else if ('refused' in route) void Promise.resolve(route.refused(port)).then((error) => near.destroy(error))
    else {
      route.serve(far)
      process.nextTick(() => near.establish())
    }
    return near
  }
  const wrapConnect = (original: unknown) =>
    function connect(this: unknown, ...args: unknown[]): unknown {
      return interceptConnect(args, false) ?? (original as Callable).apply(this, args)
    }
  const undo = [
    patchMethod(
      tls,
      'connect',
      (original) =>
        (...args: unknown[]) =>
          interceptConnect(args, true) ?? original.apply(tls, args),
    ),
    patchMethod(net, 'connect', wrapConnect),
    patchMethod(net, 'createConnection', wrapConnect),
    patchMethod(Agent.prototype, 'createConnection', wrapConnect),
    patchMethod(
      net.Socket.prototype,
      'connect',
      (original) =>
        function connect(this: net.Socket, ...args: unknown[]): unknown {
          const { host, port, path } = parseConnectArgs(args, false)
          const route = path === undefined ? router(host) : undefined
          if (!route) return original.apply(this, args)
          const reason = 'refused' in route ? route.refused(port) : createOwnSocketError(host)
          void Promise.resolve(reason).then((error) => this.destroy(error))
          return this
        },
    ),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const restore of undo) restore()
    syncBuiltinESMExports()
    // A client that is still connecting, if it got no error, would wait forever.
    for (const socket of open) socket.destroy(socket.connecting ? createStoppedError() : undefined)
  }
}

export const createStoppedError = (): Error => new Error('fake-calendar: interception was stopped before the reply')

const createHttp2Error = (host: string): Error =>
  new Error(
    `fake-calendar: ${host} was called by HTTP/2 only, which the fake does not support: use HTTP/1.1 (node:https or fetch; with googleapis leave out http2: true)`,
  )

const createOwnSocketError = (host: string): Error =>
  new Error(
    `fake-calendar: ${host} was called by a socket that the program made itself, which cannot be redirected: use net.connect or tls.connect`,
  )
