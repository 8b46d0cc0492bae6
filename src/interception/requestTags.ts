import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import { currentWorld } from '../control/currentWorld.ts'
import type { FakeWorld } from '../control/types/world.ts'
import { classifyHost } from './hosts.ts'
import { patchMethod } from './patchMethod.ts'

/**
 * Names the world in which a request was sent, because agents reuse connections across tests. It is removed before the fake reads
 * the request, and it never leaves the process.
 */
const HEADER = 'x-fake-calendar-sent-in'
const UNDICI = 'undici:request:create'

const worlds = new Map<string, FakeWorld | undefined>()
let count = 0

function createTag(): string {
  count += 1
  worlds.set(String(count), currentWorld())
  return String(count)
}

/** Undefined without a tag; `world` is undefined for a request outside of any world. */
export function takeTag({ headers, rawHeaders }: IncomingMessage): { world: FakeWorld | undefined } | undefined {
  const tag = headers[HEADER]
  if (typeof tag !== 'string' || !worlds.has(tag)) return undefined
  const world = worlds.get(tag)
  worlds.delete(tag)
  delete headers[HEADER]
  rawHeaders.splice(
    rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === HEADER),
    2,
  )
  return { world }
}

type AgentOptions = { host?: string | null; hostname?: string | null }

/** Tags requests of node:http(s) and of all copies of undici. Returns a function that ends this. */
export function tagRequests(): () => void {
  const onUndici = (message: unknown) => {
    const { request } = message as { request: { origin?: string | URL; addHeader(name: string, value: string): void } }
    const { origin = '' } = request
    if (isServiceOrigin(origin)) request.addHeader(HEADER, createTag())
  }
  const undo = patchMethod(
    Agent.prototype as Agent & { addRequest: unknown },
    'addRequest',
    (original) =>
      function addRequest(this: Agent, request: ClientRequest, options: AgentOptions, ...more: unknown[]): unknown {
        const host = typeof options === 'object' ? (options.host ?? options.hostname ?? '') : ''
        if (classifyHost(host) === 'service' && !request.headersSent) request.setHeader(HEADER, createTag())
        return original.call(this, request, options, ...more)
      },
  )
  subscribe(UNDICI, onUndici)
  return () => {
    undo()
    unsubscribe(UNDICI, onUndici)
  }
}

const isServiceOrigin = (origin: string | URL): boolean =>
  URL.canParse(String(origin)) && classifyHost(new URL(origin).hostname) === 'service'
