import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Reports an error, and constructs with the class `ResponseOf` the response to send in place of the other. */
export type ErrorHandler = (error: unknown, request: IncomingMessage, ResponseOf: typeof Response) => void

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
        const { status, headers, body } = captureResponse((ResponseOf) => onError(error, this.req, ResponseOf))
        this.#body = body
        return super.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
      }
    }

    override end(...chunk: unknown[]): this {
      return this.#body === undefined ? super.end(...(chunk as [string])) : super.end(this.#body)
    }
  }
}

type Captured = { status: number; headers: Record<string, string>; body: string }

/**
 * Keeps the arguments of the construction, because the body of a real Response is available only asynchronously. Without a
 * construction the status is 500 and the body empty.
 */
function captureResponse(construct: (ResponseOf: typeof Response) => void): Captured {
  let captured: Captured = { status: 500, headers: {}, body: '' }
  class Capturing {
    constructor(body: string, { status, headers }: Omit<Captured, 'body'>) {
      captured = { status, headers, body }
    }
  }
  construct(Capturing as unknown as typeof Response)
  return captured
}
