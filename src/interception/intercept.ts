import type { Duplex } from 'node:stream'
import { currentWorld } from '../fake/current.ts'
import type { FakeWorld } from '../fake/world.ts'
import { nearest } from '../wire/nearest.ts'
import { leadFetch } from './fetch.ts'
import { kindOf, mayPass, Passing } from './hosts.ts'
import { bridge } from './inMemoryServer.ts'
import { tagRequests } from './requestTags.ts'
import { type Guide, leadSockets } from './sockets.ts'

export type InterceptOptions = {
  /** Hosts that are let through whatever else holds: names, or `*.example.com` for all below one. Never the service's own. */
  passthrough?: readonly string[]
  /** What becomes of requests for other hosts: they pass (`pass`), or fail with an error that names the host (`refuse`). */
  others?: 'pass' | 'refuse'
}

type Rule = { fake: FakeWorld; passing: Passing; others: 'pass' | 'refuse' }

/** What is in force, the latest last; all of one process. */
const rules: Rule[] = []
let undo: (() => void) | undefined

/**
 * Answers from here on, in this process and without a port, what anything sends to the service's hosts: global fetch,
 * node:http(s), undici, and what is built on them. Requests are for the fake given, or for the world in whose `run` they are
 * sent. Any other host of `*.googleapis.com` and `accounts.google.com` fails with an error that names it. Returns what ends it.
 *
 * Options that there are not, or of another type, throw a TypeError, a host that cannot be let through a RangeError.
 */
export function intercept(fake: FakeWorld, options: InterceptOptions = {}): () => void {
  checkFake(fake)
  const rule = { fake, ...checked(options) }
  rules.push(rule)
  undo ??= begin(fake)
  return () => {
    const at = rules.indexOf(rule)
    if (at >= 0) rules.splice(at, 1)
    if (rules.length > 0) return
    undo?.()
    undo = undefined
  }
}

function begin(first: FakeWorld): () => void {
  const opened = new WeakMap<Duplex, FakeWorld>()
  const answer = bridge(
    () => rules.at(-1)?.fake ?? first,
    (line) => opened.get(line),
  )
  const guide: Guide = (host) => {
    const error = refusal(host)
    if (error) return { refused: () => error }
    if (kindOf(host) !== 'service') return undefined
    const world = currentWorld()
    return {
      line: (end) => {
        if (world) opened.set(end, world)
        answer(end)
      },
    }
  }
  const ends = [leadSockets(guide), tagRequests(), leadFetch(({ hostname }) => refusal(hostname))]
  return () => {
    for (const end of ends) end()
  }
}

/** Why a host is not let through; nothing where it is. */
function refusal(host: string): Error | undefined {
  const { passing, others } = rules.at(-1) ?? { passing: new Passing([]), others: 'pass' }
  const kind = kindOf(host)
  if (kind === 'service' || passing.has(host)) return undefined
  const lets = `name it in passthrough to let it through`
  if (kind === 'google')
    return new Error(`fake-calendar: ${host} is no host of the calendar service, and is not called: ${lets}`)
  if (others === 'refuse') return new Error(`fake-calendar: ${host} is not called, as others: 'refuse' says: ${lets}`)
  return undefined
}

function checkFake(fake: FakeWorld): void {
  if (typeof fake !== 'object' || fake === null || typeof fake.fetch !== 'function')
    throw new TypeError('fake: not a fake (expected what createFakeCalendar() returns, or one of its worlds)')
}

const OPTIONS = ['passthrough', 'others']

function checked(options: InterceptOptions): Pick<Rule, 'passing' | 'others'> {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name))
  if (unknown !== undefined)
    throw new TypeError(
      `intercept has no option ${JSON.stringify(unknown)}; did you mean ${JSON.stringify(nearest(unknown, OPTIONS))}?`,
    )
  const { passthrough = [], others = 'pass' } = options
  if (!Array.isArray(passthrough) || passthrough.some((host) => typeof host !== 'string'))
    throw new TypeError('passthrough: expected a list of hosts')
  if (others !== 'pass' && others !== 'refuse') throw new TypeError("others: expected 'pass' or 'refuse'")
  const own = passthrough.find((host) => !mayPass(host))
  if (own !== undefined)
    throw new RangeError(
      `passthrough: ${JSON.stringify(own)} cannot be let through (the service’s own hosts never are)`,
    )
  return { passing: new Passing(passthrough), others }
}
