import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Database } from './database.ts'

/** The endpoint for push messages. A message contains no data, so it only triggers a sync. */
export class Webhook {
  readonly #server: Server
  readonly #database: Database

  constructor(database: Database, changed: (host: string) => void) {
    this.#database = database
    this.#server = createServer((request, response) => {
      request.resume()
      const channel = this.#channelOf(request)
      response.writeHead(channel ? 200 : 404).end()
      if (channel && request.headers['x-goog-resource-state'] === 'exists') changed(channel.host)
    })
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/calendar`
  }

  listen(port: number): Promise<string> {
    return new Promise((resolve) => {
      this.#server.listen(port, '127.0.0.1', () => resolve(this.url))
    })
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      this.#server.closeAllConnections()
    })
  }

  /** Returns the channel of a message if the message has its token. */
  #channelOf({ url, headers }: IncomingMessage) {
    const channel = this.#database.channels.get(String(headers['x-goog-channel-id']))
    return url === '/calendar' && channel?.token === headers['x-goog-channel-token'] ? channel : undefined
  }
}
