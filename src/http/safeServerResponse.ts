import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { type ApiResponse, readAsText, releaseBuffer } from './reply.ts'

/** Reports an error, and returns the response to send in place of the other. */
export type ErrorHandler = (error: unknown, request: { method?: string; url?: string }) => ApiResponse

/**
 * Node rejects an invalid header only in `writeHead`, after every catch of the request. The client then gets the response of
 * `onError`, and the server continues. After the headers were sent, the error is thrown.
 */
export function withErrorResponse(Plain: typeof ServerResponse, onError: ErrorHandler): typeof ServerResponse {
  return class<R extends IncomingMessage = IncomingMessage> extends Plain<R> {
    #body: string | undefined

    override writeHead(...head: unknown[]): this {
      try {
        return super.writeHead(...(head as [number, OutgoingHttpHeaders]))
      } catch (error) {
        if (this.headersSent) throw error
        const { status, headers, text } = onError(error, this.req as { method?: string; url?: string })
        this.#body = readAsText(text ?? '')
        return super.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(this.#body) })
      }
    }

    override end(...chunk: unknown[]): this {
      const [body] = chunk
      if (body instanceof Buffer) this.once('finish', () => releaseBuffer(body))
      return this.#body === undefined ? super.end(...(chunk as [string])) : super.end(this.#body)
    }
  }
}
