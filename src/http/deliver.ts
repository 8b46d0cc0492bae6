import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { Agent as HttpsAgent, request as secureRequest } from 'node:https'
import { isLoopback } from '../world/webhook.ts'

/** How long a receiver may take to answer, in real time: it is a real socket. */
export const LIMIT = 5000

/** Posts messages to receivers: the only place that does. */
export class Deliverer {
  readonly #limit: number
  readonly #agents = { 'http:': new HttpAgent({ keepAlive: true }), 'https:': new HttpsAgent({ keepAlive: true }) }

  constructor(limit: number = LIMIT) {
    this.#limit = limit
  }

  /** The code that the receiver answers with. No connection, none that holds, or no answer in time is a rejection. */
  async post(address: string, headers: Record<string, string>): Promise<number> {
    const url = new URL(address)
    const limit = AbortSignal.timeout(this.#limit)
    const options: RequestOptions = {
      method: 'POST',
      agent: this.#agents[url.protocol === 'https:' ? 'https:' : 'http:'],
      // Whatever a name server says of it, `*.localhost` is this machine.
      hostname:
        isLoopback(url) && url.hostname.includes('localhost') ? 'localhost' : url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port,
      path: url.pathname + url.search,
      headers: { Host: url.host, ...inBytes(headers) },
      signal: limit,
    }
    try {
      return await this.#ask(options, url.protocol)
    } catch (error) {
      if (limit.aborted) throw new Error(`no answer within ${this.#limit} ms`)
      throw error
    }
  }

  #ask(options: RequestOptions, protocol: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const asked = (protocol === 'https:' ? secureRequest : request)(options)
      // A receiver may close a connection that was kept just as it is used again: that is no answer of its.
      asked.on('error', (error: NodeJS.ErrnoException) =>
        asked.reusedSocket && error.code === 'ECONNRESET'
          ? this.#ask(options, protocol).then(resolve, reject)
          : reject(error),
      )
      asked.on('information', ({ statusCode }) => {
        if (statusCode === PROCESSING) resolve(PROCESSING)
      })
      asked.on('response', (response: IncomingMessage) => {
        response.on('error', () => {})
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      asked.end()
    })
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

/** 102 is a success, and comes before an answer that may never come (behaviour 6.2). */
const PROCESSING = 102

/** Headers are bytes: text of any script goes as UTF-8. */
const inBytes = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Buffer.from(value, 'utf8').toString('latin1')]),
  )
