import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { Agent as HttpsAgent, request as secureRequest } from 'node:https'
import { rootCertificates } from 'node:tls'
import { isLoopback } from '../../push/webhook.ts'

/** How long a receiver may take to answer, in real time: it is a real socket. */
export const DEFAULT_TIMEOUT_MS = 5000

/** Posts messages to receivers: the only place that does. */
export class WebhookSender {
  readonly #limit: number
  readonly #agents: { 'http:': HttpAgent; 'https:': HttpsAgent }

  /** `ca`: certificates, as PEM, of authorities that are trusted beside the machine's own. */
  constructor(limit: number = DEFAULT_TIMEOUT_MS, ca?: string) {
    this.#limit = limit
    const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
    this.#agents = {
      'http:': new HttpAgent({ keepAlive: true }),
      'https:': new HttpsAgent({ keepAlive: true, ...trusted }),
    }
  }

  /** The code that the receiver answers with. No connection, none that holds, or no answer in time is a rejection. */
  post(address: string, headers: Record<string, string>): Promise<number> {
    const url = new URL(address)
    return this.#ask(
      {
        method: 'POST',
        agent: this.#agents[url.protocol === 'https:' ? 'https:' : 'http:'],
        hostname: hostOf(url),
        port: url.port,
        path: url.pathname + url.search,
        headers: { Host: url.host, ...inBytes(headers) },
      },
      url.protocol,
    )
  }

  #ask(options: RequestOptions, protocol: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const asked = (protocol === 'https:' ? secureRequest : request)(options)
      const limit = AbortSignal.timeout(this.#limit)
      limit.onabort = () => asked.destroy(new Error(`no answer within ${this.#limit} ms`))
      asked.on('close', () => {
        limit.onabort = null // or the request would be kept for as long
      })
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

/** 102 is a success, and comes before an answer that may never come (behaviour 6.2.5). */
const PROCESSING = 102

/** Whatever a name server says of it, `*.localhost` is this machine. */
const hostOf = (url: URL): string =>
  isLoopback(url) && url.hostname.includes('localhost') ? 'localhost' : url.hostname.replace(/^\[|\]$/g, '')

const TOKEN = 'X-Goog-Channel-Token'

/** Headers are bytes: the one that holds text of any script goes as UTF-8. */
const inBytes = ({ [TOKEN]: token, ...headers }: Record<string, string>): Record<string, string> => ({
  ...headers,
  ...(token && { [TOKEN]: Buffer.from(token, 'utf8').toString('latin1') }),
})
