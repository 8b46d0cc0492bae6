import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, type ClientRequest, type IncomingMessage } from 'node:http'
import { currentWorld } from '../fake/current.ts'
import type { FakeWorld } from '../fake/world.ts'
import { kindOf } from './hosts.ts'
import { put } from './sockets.ts'

/**
 * The world that a request was sent in travels with it: connections are kept and used again, by whichever test comes next.
 * The header is taken off before anybody sees it, and it never leaves the process.
 */
const HEADER = 'x-fake-calendar-sent-in'
const UNDICI = 'undici:request:create'

const sent = new Map<string, FakeWorld | undefined>()
let count = 0

function newTag(): string {
  count += 1
  sent.set(String(count), currentWorld())
  return String(count)
}

/** The world that a request was sent in, if any; nothing where its client gave no occasion to say so. */
export function takeTag({ headers, rawHeaders }: IncomingMessage): { world: FakeWorld | undefined } | undefined {
  const tag = headers[HEADER]
  if (typeof tag !== 'string' || !sent.has(tag)) return undefined
  const world = sent.get(tag)
  sent.delete(tag)
  delete headers[HEADER]
  rawHeaders.splice(
    rawHeaders.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === HEADER),
    2,
  )
  return { world }
}

type Asked = { host?: string | null; hostname?: string | null }

/** Tags what node:http(s) and every undici send to the service's hosts; both tell of a request before it has a connection. */
export function tagRequests(): () => void {
  const onUndici = (message: unknown) => {
    const { request } = message as { request: { origin?: string | URL; addHeader(name: string, value: string): void } }
    const { origin = '' } = request
    if (isService(origin)) request.addHeader(HEADER, newTag())
  }
  const undo = put(
    Agent.prototype as Agent & { addRequest: unknown },
    'addRequest',
    (theirs) =>
      function addRequest(this: Agent, request: ClientRequest, asked: Asked, ...more: unknown[]): unknown {
        const host = typeof asked === 'object' ? (asked.host ?? asked.hostname ?? '') : ''
        // A head that is written already, as from a raw list, can take no more.
        if (kindOf(host) === 'service' && !request.headersSent) request.setHeader(HEADER, newTag())
        return theirs.call(this, request, asked, ...more)
      },
  )
  subscribe(UNDICI, onUndici)
  return () => {
    undo()
    unsubscribe(UNDICI, onUndici)
  }
}

const isService = (origin: string | URL): boolean =>
  URL.canParse(String(origin)) && kindOf(new URL(origin).hostname) === 'service'
