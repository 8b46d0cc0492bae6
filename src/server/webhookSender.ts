import { Agent as HttpAgent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { Agent as HttpsAgent, request as secureRequest } from 'node:https'
import { rootCertificates } from 'node:tls'
import { isLoopback } from '../schema/values/loopback.ts'

export const DEFAULT_TIMEOUT_MS = 5000

export class WebhookSender {
  readonly #limitMs: number
  readonly #agents: { 'http:': HttpAgent; 'https:': HttpsAgent }

  /** `limitMs` limits each response in real time. `ca` is PEM certificates that are trusted in addition to Node's. */
  constructor(limitMs: number = DEFAULT_TIMEOUT_MS, ca?: string) {
    this.#limitMs = limitMs
    const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ca] }
    this.#agents = {
      'http:': new HttpAgent({ keepAlive: true }),
      'https:': new HttpsAgent({ keepAlive: true, ...trusted }),
    }
  }

  /** Sends no body. Rejects with an Error if the connection fails or the response is late. */
  post(address: string, headers: Record<string, string>): Promise<number> {
    const url = new URL(address)
    return this.#send(
      {
        method: 'POST',
        agent: this.#agents[url.protocol === 'https:' ? 'https:' : 'http:'],
        hostname: toConnectHost(url),
        port: url.port,
        path: url.pathname + url.search,
        headers: { Host: url.host, ...encodeHeaders(headers) },
      },
      url.protocol,
    )
  }

  #send(options: RequestOptions, protocol: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const outgoing = (protocol === 'https:' ? secureRequest : request)(options)
      const timeout = AbortSignal.timeout(this.#limitMs)
      timeout.onabort = () => outgoing.destroy(new Error(`no answer within ${this.#limitMs} ms`))
      outgoing.on('close', () => {
        timeout.onabort = null // so that the signal does not retain the request
      })
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        outgoing.reusedSocket && error.code === 'ECONNRESET'
          ? this.#send(options, protocol).then(resolve, reject)
          : reject(error),
      )
      outgoing.on('information', ({ statusCode }) => {
        if (statusCode === PROCESSING) resolve(PROCESSING)
      })
      outgoing.on('response', (response: IncomingMessage) => {
        response.on('error', () => {})
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      outgoing.end()
    })
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }
}

/** 102 is a success. The final response may never come (behaviour 6.2.5). */
const PROCESSING = 102

/** An IPv6 address has no brackets. `*.localhost` is always this machine, whatever a name server returns. */
const toConnectHost = (url: URL): string =>
  isLoopback(url.hostname) && url.hostname.includes('localhost') ? 'localhost' : url.hostname.replace(/^\[|\]$/g, '')

const TOKEN = 'X-Goog-Channel-Token'

/** Encodes the channel token in UTF-8, one character per byte, because headers are bytes. */
const encodeHeaders = ({ [TOKEN]: token, ...headers }: Record<string, string>): Record<string, string> => ({
  ...headers,
  ...(token && { [TOKEN]: Buffer.from(token, 'utf8').toString('latin1') }),
})
