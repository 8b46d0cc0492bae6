import type { Channel } from '../../model/channel.ts'

export type ResourceState = 'sync' | 'exists' | 'not_exists'

/**
 * The states of a message. `silenced`: its channel ended first. `dropped`: by a rule of a test. `failed`: after the
 * last attempt.
 */
// biome-ignore format: one list
export const PROGRESS = [
  'waiting', 'held', 'delayed', 'retrying', 'delivered', 'failed', 'dropped', 'withheld', 'silenced',
] as const
export type Progress = (typeof PROGRESS)[number]

/** An attempt to deliver a message: its instant by the world's clock, and the status code or the error. */
export type Attempt = { at: string; code?: number; error?: string }

export type Message = {
  readonly id: number
  readonly channel: Channel
  number: number
  state: ResourceState
  readonly resourceUri: string
  readonly made: number
  progress: Progress
  readonly attempts: Attempt[]
}

export type Notification = {
  id: number
  channelId: string
  number: number
  state: ResourceState
  address: string
  made: string
  progress: Progress
  attempts: Attempt[]
  headers: Record<string, string>
  note?: string
}

const WITHHELD = 'The address is not on this machine. The option webhooks: any (--webhooks any) would post it.'

export const showMessage = (message: Message): Notification => ({
  id: message.id,
  channelId: message.channel.id,
  number: message.number,
  state: message.state,
  address: message.channel.address,
  made: new Date(message.made).toISOString(),
  progress: message.progress,
  attempts: message.attempts.map((attempt) => ({ ...attempt })),
  headers: headersOf(message),
  ...(message.progress === 'withheld' && { note: WITHHELD }),
})

/** Returns the headers of a message, in the order and the case of behaviour 6.2.1. The body is empty. */
export const headersOf = ({ channel, number, state, resourceUri }: Message): Record<string, string> => ({
  'Content-Type': 'application/json; utf-8',
  'Content-Length': '0',
  'User-Agent': 'APIs-Google; (+https://developers.google.com/webmasters/APIs-Google.html)',
  Accept: '*/*',
  'Accept-Encoding': 'gzip, deflate, br',
  'X-Goog-Channel-ID': channel.id,
  ...(channel.token && { 'X-Goog-Channel-Token': channel.token }),
  'X-Goog-Channel-Expiration': new Date(channel.expiration).toUTCString(),
  'X-Goog-Resource-ID': channel.resourceId,
  'X-Goog-Resource-URI': resourceUri,
  'X-Goog-Resource-State': state,
  'X-Goog-Message-Number': String(number),
})

/** The latest messages of a world, in the order in which they were made. Older ones are dropped above `maxMessages`. */
export class MessageLog {
  readonly #maxMessages: number
  #messages: Message[] = []

  constructor(maxMessages = 10_000) {
    this.#maxMessages = maxMessages
  }

  add(message: Message): void {
    this.#messages.push(message)
    if (this.#messages.length >= 2 * this.#maxMessages) this.#messages = this.all()
  }

  all(): Message[] {
    return this.#messages.slice(-this.#maxMessages)
  }

  get(id: number): Message | undefined {
    return this.all().find((message) => message.id === id)
  }
}
