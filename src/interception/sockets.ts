import { Agent } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import tls from 'node:tls'
import { LineEnd } from './inMemorySocket.ts'

/** Where a connection is to lead: a line within the process, nowhere and why not, or where it would have led. */
export type Lead = { line: (end: LineEnd) => void } | { refused: (port: number) => Error | Promise<Error> } | undefined
export type Guide = (host: string, asked: { secure: boolean }) => Lead

type Goal = {
  host: string
  port: number
  alpn: readonly string[]
  path?: string | undefined
  /** A connection that is there already, as through a proxy, over which TLS was to go. */
  over?: net.Socket
  done?: () => void
}

/**
 * What all clients of node get their connections by, whatever they are themselves: node:http(s), both fetches, undici,
 * http2, and whoever opens sockets by hand. Each is called through its module, and so can be led from here.
 */
export function leadSockets(guide: Guide): () => void {
  const ends = new Set<LineEnd>()
  const led = (args: readonly unknown[], secure: boolean): LineEnd | undefined => {
    const goal = goalOf(args, secure)
    const lead = goal.path === undefined ? guide(goal.host, { secure }) : undefined
    if (!lead) return undefined
    const { host, port, alpn, done } = goal
    const [near, far] = LineEnd.pair({ secure, host, alpn: alpn.includes('http/1.1') ? 'http/1.1' : false })
    ends.add(near)
    goal.over?.destroy()
    near.once('close', () => ends.delete(near))
    if (done) near.once(secure ? 'secureConnect' : 'connect', done)
    const only2 = alpn.length > 0 && !alpn.includes('http/1.1')
    if ('line' in lead && only2) process.nextTick(() => near.destroy(unspoken(host)))
    else if ('refused' in lead) void Promise.resolve(lead.refused(port)).then((error) => near.destroy(error))
    else {
      lead.line(far)
      process.nextTick(() => near.stand())
    }
    return near
  }
  const plainly = (theirs: unknown) =>
    function connect(this: unknown, ...args: unknown[]): unknown {
      return led(args, false) ?? (theirs as Callable).apply(this, args)
    }
  const undo = [
    put(
      tls,
      'connect',
      (theirs) =>
        (...args: unknown[]) =>
          led(args, true) ?? theirs.apply(tls, args),
    ),
    put(net, 'connect', plainly),
    put(net, 'createConnection', plainly),
    put(Agent.prototype, 'createConnection', plainly),
    // Whatever made its socket itself, or had hold of one of the above before: it is not led, but held.
    put(
      net.Socket.prototype,
      'connect',
      (theirs) =>
        function connect(this: net.Socket, ...args: unknown[]): unknown {
          const { host, port, path } = goalOf(args, false)
          const lead = path === undefined ? guide(host, { secure: false }) : undefined
          if (!lead) return theirs.apply(this, args)
          const refused = 'refused' in lead ? lead.refused(port) : unreachable(host)
          void Promise.resolve(refused).then((error) => this.destroy(error))
          return this
        },
    ),
  ]
  syncBuiltinESMExports()
  return () => {
    for (const one of undo) one()
    syncBuiltinESMExports()
    for (const end of ends) end.destroy()
  }
}

const unspoken = (host: string): Error =>
  new Error(`fake-calendar: ${host} was called by HTTP/2 alone, which the fake does not speak`)

const unreachable = (host: string): Error =>
  new Error(`fake-calendar: ${host} was called by a socket of the program's own, which cannot be led to the fake`)

// biome-ignore lint/complexity/noBannedTypes: a function of a module, of whatever shape
type Callable = Function

/** Puts a function in the place of another; returns what takes it back, unless somebody has put a third there meanwhile. */
export function put<T extends object>(
  owner: T,
  name: keyof T & string,
  make: (theirs: Callable) => unknown,
): () => void {
  const descriptor = Object.getOwnPropertyDescriptor(owner, name)
  const theirs = owner[name] as Callable
  const ours = make(theirs)
  Object.defineProperty(owner, name, {
    configurable: true,
    writable: true,
    enumerable: true,
    ...descriptor,
    value: ours,
  })
  return () => {
    if (owner[name] === ours && descriptor) Object.defineProperty(owner, name, descriptor)
  }
}

/** What `connect` of node:net and node:tls is asked for, in each of the ways in which it may be asked. */
function goalOf(given: readonly unknown[], secure: boolean): Goal {
  // Node hands on what it has put in order already as one list.
  const args = Array.isArray(given[0]) ? (given[0] as unknown[]) : given
  const options = Object.assign({}, ...args.filter((one) => typeof one === 'object' && one !== null)) as {
    host?: string
    servername?: string
    port?: number | string
    path?: string | null
    ALPNProtocols?: unknown
    socket?: net.Socket
  }
  const [first, second] = args
  const asPort = typeof first === 'number' || (typeof first === 'string' && /^\d+$/.test(first))
  // Agents say null of it, since there a path is that of a pipe.
  const path = (typeof first === 'string' && !asPort ? first : options.path) ?? undefined
  const host = (asPort && typeof second === 'string' ? second : undefined) ?? options.host
  const done = args.findLast((one) => typeof one === 'function') as (() => void) | undefined
  const { ALPNProtocols: alpn } = options
  return {
    host: (secure && options.servername) || host || 'localhost',
    port: Number(asPort ? first : options.port) || (secure ? 443 : 80),
    alpn: Array.isArray(alpn) ? alpn.map(String) : [],
    ...(path !== undefined && { path }),
    ...(secure && options.socket && { over: options.socket }),
    ...(done && { done }),
  }
}
