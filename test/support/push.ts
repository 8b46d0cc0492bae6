import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { FakeCalendar } from '../../src/index.ts'
import { type Client, openCalendar, PEOPLE } from './calendar.ts'

export type Received = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
  number: number
  state: string
}
/** Returns the status of the response to a message, or undefined for no response. */
export type MessageHandler = (message: Received, nth: number) => number | undefined

/** A real receiver on a loopback port of its own, which keeps what it is sent. It ends with its test. */
export async function openReceiver(answer: MessageHandler = () => 200) {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = request
      const number = Number(headers['x-goog-message-number'])
      const message = {
        method,
        url,
        headers,
        rawHeaders,
        body,
        number,
        state: String(headers['x-goog-resource-state']),
      }
      const code = answer(message, received.push(message))
      if (code !== undefined) response.writeHead(code).end()
    })
  })
  const port = await listening(server)
  onTestFinished(() => closed(server))
  return { address: `http://127.0.0.1:${port}/hook`, port, received, server, messages: () => received.map(summaryOf) }
}

export const listening = (server: Server, port = 0): Promise<number> =>
  new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

export const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

type Numbered = { number: number; state: string; channelId?: string; headers?: IncomingHttpHeaders | object }
/** The fakes of the test that runs: they know which numbers their channels have had. */
let fakes: FakeCalendar[] = []

/** Returns the position of a message in its channel, because numbers rise by steps of any size (behaviour 6.2.7). */
export function turnOf({ number, channelId, headers = {} }: Omit<Numbered, 'state'>): number {
  const id = channelId ?? new Headers(Object.entries(headers)).get('x-goog-channel-id') ?? ''
  const known = fakes.flatMap((fake) => fake.notifications.list({ channelId: id }))
  return new Set(known.map((one) => one.number).filter((one) => one < number)).size + 1
}

/** A message's turn and state, as short as they can be said. */
export const summaryOf = (message: Numbered): string => `${turnOf(message)} ${message.state}`

/** A port on which nobody listens. */
export async function deadPort(): Promise<number> {
  const server = createServer()
  const port = await listening(server)
  await closed(server)
  return port
}

/** Somebody on whose calendar nothing happens in these tests, and a world that ends with its test. */
export function openPush(options: Parameters<typeof openCalendar>[0] = {}) {
  const { fake, as, anybody } = openCalendar({ seed: PEOPLE, ...options })
  fakes.push(fake)
  onTestFinished(() => {
    fakes = fakes.filter((one) => one !== fake)
    return fake.close()
  })
  /** Receives in the process what every channel is sent, as `id turn state`. */
  const summaries: string[] = []
  const recordMessages = () => {
    fake.onNotification((message) => {
      summaries.push(`${message.channelId} ${summaryOf(message)}`)
    })
    return summaries
  }
  return { fake, as, anybody, recordMessages }
}

export const EVENTS = '/calendars/primary/events'
/** An address that is nobody's. */
export const ELSEWHERE = 'https://hooks.example.com/push'
export const channel = (id: string, address: string = ELSEWHERE, more: object = {}) => ({
  id,
  type: 'web_hook',
  address,
  ...more,
})

let made = 0
/** Puts an event on the client's own calendar, or on another. */
export const write = (client: Client, calendar = 'primary', more: object = {}) =>
  client.post(`/calendars/${calendar}/events`, {
    summary: `Written ${++made}`,
    start: { date: '2026-03-02' },
    end: { date: '2026-03-03' },
    ...more,
  })
