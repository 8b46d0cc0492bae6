import { createServer, type Server as HttpServer } from 'node:http'
import type { Duplex } from 'node:stream'
import { currentWorld } from '../control/currentWorld.ts'
import type { FakeWorld } from '../control/types/world.ts'
import { runForCaller } from '../schema/values/callerStack.ts'
import { findNearest } from '../schema/values/nearest.ts'
import { interceptFetch } from './fetch.ts'
import { createForwarder, forwardRequest } from './forward.ts'
import { canBeAllowed, classifyHost, findForwardProblem, HostList, normalizeHost } from './hosts.ts'
import { createInMemoryServer, emitConnection } from './inMemoryServer.ts'
import { tagRequests } from './requestTags.ts'
import { interceptSockets, type Router } from './sockets.ts'

export type InterceptOptions = {
  /** Hosts that are always let through: names, or `*.example.com` for all names below one. Never the service's own. */
  passthrough?: readonly string[]
  others?: 'pass' | 'refuse'
  /** URLs of other fakes, by the hosts whose requests they get: `{ 'gmail.googleapis.com': 'http://127.0.0.1:9000' }`. */
  forward?: Readonly<Record<string, string | URL>>
}

type InterceptRule = {
  fake: FakeWorld
  passthrough: HostList
  others: 'pass' | 'refuse'
  forwards: ReadonlyMap<string, { url: URL; server: HttpServer }>
}

const rules: InterceptRule[] = []
let restoreProcess: (() => void) | undefined

/**
 * Answers, in this process and without a port, all requests to the service's hosts: those of global fetch, node:http(s),
 * undici, and clients built on them. Requests go to the given fake, or to the world in whose `run` they are sent. Requests to
 * other hosts of `*.googleapis.com` and `accounts.google.com` fail with an error that names the host. Returns a function that
 * ends interception; requests that are in flight then are rejected.
 *
 * Throws a TypeError for an unknown option or a value of a wrong type, and a RangeError for a host that cannot be let through.
 */
export function intercept(fake: FakeWorld, options: InterceptOptions = {}): () => void {
  const rule = runForCaller(intercept, () => {
    requireFake(fake)
    return { fake, ...parseInterceptOptions(options) }
  })
  rules.push(rule)
  restoreProcess ??= patchProcess(fake)
  return () => {
    const at = rules.indexOf(rule)
    if (at >= 0) rules.splice(at, 1)
    if (rules.length > 0) return
    restoreProcess?.()
    restoreProcess = undefined
  }
}

/** Patched functions follow the last rule; `first` is the fake if no rule is left. Returns a function that restores them. */
function patchProcess(first: FakeWorld): () => void {
  const worldOfConnection = new WeakMap<Duplex, FakeWorld>()
  const fakeInForce = () => rules.at(-1)?.fake ?? first
  const serve = createInMemoryServer(fakeInForce, (connection) => worldOfConnection.get(connection))
  const router: Router = (host) => {
    const error = findRefusal(host)
    if (error) return { refused: () => error }
    const forward = findForward(host)
    if (forward)
      return {
        serve: (socket) => void emitConnection(forward.server, socket),
        answer: (request) => forwardRequest(forward.url, request),
      }
    if (classifyHost(host) !== 'service') return undefined
    const world = currentWorld()
    return {
      serve: (socket) => {
        if (world) worldOfConnection.set(socket, world)
        serve(socket)
      },
      answer: (request) => (world ?? fakeInForce()).fetch(request),
    }
  }
  const ends = [interceptFetch(router), interceptSockets(router), tagRequests()]
  return () => {
    for (const end of ends) end()
  }
}

const findForward = (host: string) => rules.at(-1)?.forwards.get(normalizeHost(host))

function findRefusal(host: string): Error | undefined {
  const { passthrough, others } = rules.at(-1) ?? { passthrough: new HostList([]), others: 'pass' }
  const kind = classifyHost(host)
  if (kind === 'service' || findForward(host) || passthrough.has(host)) return undefined
  const remedy = 'name it in passthrough to let it through'
  if (kind === 'google')
    return new Error(`fake-calendar: ${host} is no host of the calendar service, and is not called: ${remedy}`)
  if (others === 'refuse')
    return new Error(`fake-calendar: ${host} is not called, because of others: 'refuse': ${remedy}`)
  return undefined
}

function requireFake(fake: FakeWorld): void {
  if (typeof fake !== 'object' || fake === null || typeof fake.fetch !== 'function')
    throw new TypeError('fake: not a fake (expected what createFakeCalendar() returns, or one of its worlds)')
}

const OPTION_NAMES = ['passthrough', 'others', 'forward']

function parseInterceptOptions(options: InterceptOptions): Omit<InterceptRule, 'fake'> {
  const unknown = Object.keys(options).find((name) => !OPTION_NAMES.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `intercept has no option ${JSON.stringify(unknown)}; did you mean ${JSON.stringify(findNearest(unknown, OPTION_NAMES))}?`,
    )
  const { passthrough = [], others = 'pass', forward = {} } = options
  if (!Array.isArray(passthrough) || passthrough.some((host) => typeof host !== 'string'))
    throw new TypeError('passthrough: expected a list of hosts')
  if (others !== 'pass' && others !== 'refuse') throw new TypeError("others: expected 'pass' or 'refuse'")
  const own = passthrough.find((host) => !canBeAllowed(host))
  if (own !== undefined)
    throw new RangeError(
      `passthrough: ${JSON.stringify(own)} cannot be let through (the service’s own hosts never are)`,
    )
  if (typeof forward !== 'object' || forward === null) throw new TypeError('forward: expected the URL of each host')
  const forwards = new Map(Object.entries(forward).map(([host, url]) => [normalizeHost(host), openForward(host, url)]))
  const targets = [...forwards.values()].map(({ url }) => url.hostname)
  const again = targets.find((host) => forwards.has(normalizeHost(host)))
  if (again !== undefined)
    throw new RangeError(`forward: requests to ${again} are forwarded, so that it can be no fake`)
  return { passthrough: new HostList([...passthrough, ...targets]), others, forwards }
}

function openForward(host: string, text: string | URL): { url: URL; server: HttpServer } {
  const problem = findForwardProblem(host, String(text))
  if (problem !== undefined) throw new RangeError(`forward: ${problem}`)
  const url = new URL(text)
  return { url, server: createServer(createForwarder(url, `forward of ${host}`)) }
}
