import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { FakeCalendar } from '../../src/index.ts'
import { type Client, openCalendar, PEOPLE } from './calendar.ts'

/** A request that the receiver got, with its message number and resource state. */
export type Received = {
  method: string
  url: string
  headers: IncomingHttpHeaders
  rawHeaders: string[]
  body: string
  number: number
  state: string
}
/** Returns the status of the response to a message, or undefined for no response. `nth` counts messages from 1. */
export type MessageHandler = (message: Received, nth: number) => number | undefined

/** Opens an HTTP server on a free loopback port that records the messages it receives. It is closed at the end of the test. */
export async function openReceiver(respond: MessageHandler = () => 200) {
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
      const code = respond(message, received.push(message))
      if (code !== undefined) response.writeHead(code).end()
    })
  })
  const port = await listen(server)
  onTestFinished(() => closeServer(server))
  return { address: `http://127.0.0.1:${port}/hook`, port, received, server, messages: () => received.map(summaryOf) }
}

/** Starts a server on a loopback port; 0 for a free one. Returns the port. */
export const listen = (server: Server, port = 0): Promise<number> =>
  new Promise((resolve) => {
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })

/** Closes a server and its connections. */
export const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })

type Numbered = { number: number; state: string; channelId?: string; headers?: IncomingHttpHeaders | object }
/** The fakes of the running test, whose channels have the message numbers. */
let fakes: FakeCalendar[] = []

/** Returns the position of a message in its channel, because numbers rise by steps of any size (behaviour 6.2.7). */
export function positionInChannel({ number, channelId, headers = {} }: Omit<Numbered, 'state'>): number {
  const id = channelId ?? new Headers(Object.entries(headers)).get('x-goog-channel-id') ?? ''
  const messages = fakes.flatMap((fake) => fake.notifications.list({ channelId: id }))
  return new Set(messages.map((one) => one.number).filter((one) => one < number)).size + 1
}

/** Returns `<position in the channel> <state>` of a message. */
export const summaryOf = (message: Numbered): string => `${positionInChannel(message)} ${message.state}`

/** Returns a loopback port that refuses connections. */
export async function deadPort(): Promise<number> {
  const server = createServer()
  const port = await listen(server)
  await closeServer(server)
  return port
}

/** Opens a fake that is closed at the end of the test, as `openCalendar` does. `recordMessages` starts to record messages. */
export function openPush(options: Parameters<typeof openCalendar>[0] = {}) {
  const { fake, as, anonymous } = openCalendar({ seed: PEOPLE, ...options })
  fakes.push(fake)
  onTestFinished(() => {
    fakes = fakes.filter((one) => one !== fake)
    return fake.close()
  })
  /** Records the messages of all channels as `<channel id> <position> <state>`, and returns the list that grows. */
  const summaries: string[] = []
  const recordMessages = () => {
    fake.onNotification((message) => {
      summaries.push(`${message.channelId} ${summaryOf(message)}`)
    })
    return summaries
  }
  return { fake, as, anonymous, recordMessages }
}

export const EVENTS = '/calendars/primary/events'
/** The address of a receiver that does not exist. */
export const ELSEWHERE = 'https://hooks.example.com/push'
/** Returns the body of a watch request. */
export const channel = (id: string, address: string = ELSEWHERE, more: object = {}) => ({
  id,
  type: 'web_hook',
  address,
  ...more,
})

let insertCount = 0
/** Inserts an all-day event into a calendar, by default the client's primary one. */
export const write = (client: Client, calendar = 'primary', more: object = {}) =>
  client.post(`/calendars/${calendar}/events`, {
    summary: `Written ${++insertCount}`,
    start: { date: '2026-03-02' },
    end: { date: '2026-03-03' },
    ...more,
  })
