import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { releasePayload } from '../schema/texts.ts'

/** Constructs, with the given class, the response that replaces one that cannot be written. */
export type ErrorHandler = (error: unknown, request: IncomingMessage, ResponseOf: typeof Response) => void

/**
 * Returns a class of responses that are always written, and whose bodies are released when they are sent. Node rejects an invalid header only in `writeHead`, after every catch of
 * the request. The client then gets a 500, and the server continues.
 */
export function safeServerResponse(Plain: typeof ServerResponse, onError: ErrorHandler): typeof ServerResponse {
  return class<R extends IncomingMessage = IncomingMessage> extends Plain<R> {
    #body: string | undefined

    override writeHead(...head: unknown[]): this {
      try {
        return super.writeHead(...(head as [number, OutgoingHttpHeaders]))
      } catch (error) {
        if (this.headersSent) throw error
        const { status, headers, body } = capture((ResponseOf) => onError(error, this.req, ResponseOf))
        this.#body = body
        return super.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
      }
    }

    override end(...chunk: unknown[]): this {
      if (chunk[0] instanceof Uint8Array) this.once('finish', () => releasePayload(chunk[0]))
      return this.#body === undefined ? super.end(...(chunk as [string])) : super.end(this.#body)
    }
  }
}

type Captured = { status: number; headers: Record<string, string>; body: string }

/** Returns the data of a response without constructing a Response, whose body is only available asynchronously. */
function capture(construct: (ResponseOf: typeof Response) => void): Captured {
  let captured: Captured = { status: 500, headers: {}, body: '' }
  class Capturing {
    constructor(body: string, { status, headers }: Omit<Captured, 'body'>) {
      captured = { status, headers, body }
    }
  }
  construct(Capturing as unknown as typeof Response)
  return captured
}
