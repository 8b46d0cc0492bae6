import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'

const HOP_BY_HOP = ['connection', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade', 'te', 'trailer']

const removeHopByHopHeaders = (raw: readonly string[]): string[] =>
  raw.filter((_, at) => !HOP_BY_HOP.includes((raw[at - (at % 2)] ?? '').toLowerCase()))

/**
 * A body without a length is chunked anew: Node would send the body of a GET or DELETE unframed, and a server would read it as
 * the next request.
 */
export const toForwardedHeaders = ({ headers, rawHeaders }: IncomingMessage): string[] => [
  ...removeHopByHopHeaders(rawHeaders),
  ...(headers['transfer-encoding'] === undefined ? [] : ['Transfer-Encoding', 'chunked']),
]

/**
 * If one side is destroyed, so is the other. Calls `fail` with the reason if there is no response, or one that is not valid HTTP.
 */
export function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  upstream: ClientRequest,
  fail: (error: Error) => void,
): void {
  const failOnce = (error: Error) => {
    if (outgoing.headersSent) outgoing.destroy(error)
    else if (!outgoing.destroyed) fail(error)
  }
  upstream.once('response', (response) => {
    if (tryWriteHead(outgoing, response)) pipeline(response, outgoing, () => upstream.destroy())
    else {
      response.destroy()
      failOnce(new Error(`not an HTTP response: status ${response.statusCode}`))
    }
  })
  upstream.on('error', failOnce)
  upstream.once('close', () => outgoing.headersSent || failOnce(new Error('the connection ended without a response')))
  outgoing.once('close', () => upstream.destroy())
  if (hasBody(incoming)) pipeline(incoming, upstream, () => {})
  else upstream.end()
}

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

function tryWriteHead(
  outgoing: ServerResponse,
  { statusCode = 0, statusMessage, rawHeaders }: IncomingMessage,
): boolean {
  const reason = statusMessage && /^[\t\x20-\x7e\x80-\xff]*$/.test(statusMessage) ? statusMessage : undefined
  try {
    outgoing.writeHead(statusCode, reason, removeHopByHopHeaders(rawHeaders))
    return true
  } catch {
    return false
  }
}

/** Two pipelines and the HTTP requests before them add more listeners than the ten of which Node warns. */
const MAX_LISTENERS = 20

/** When one connection ends, the other ends; an error destroys both. */
export function joinConnections(one: Duplex, other: Duplex): void {
  for (const side of [one, other]) side.setMaxListeners(MAX_LISTENERS)
  const destroyOnError = (error: Error | null | undefined) => {
    if (!error) return
    one.destroy()
    other.destroy()
  }
  pipeline(one, other, destroyOnError)
  pipeline(other, one, destroyOnError)
}
