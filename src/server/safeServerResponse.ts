import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** Says by way of the class given what goes out in place of a reply that cannot be written. */
export type Instead = (error: unknown, request: IncomingMessage, Made: typeof Response) => void

/**
 * Replies that are always written. A head that cannot be, as where a header holds what none may, shows only when node is
 * handed it: after every catch of the request. What goes out then is a fault like any other, and the server goes on.
 */
export function writtenAnyway(Plain: typeof ServerResponse, instead: Instead): typeof ServerResponse {
  return class<R extends IncomingMessage = IncomingMessage> extends Plain<R> {
    #body: string | undefined

    override writeHead(...head: unknown[]): this {
      try {
        return super.writeHead(...(head as [number, OutgoingHttpHeaders]))
      } catch (error) {
        if (this.headersSent) throw error
        const { status, headers, body } = said((Made) => instead(error, this.req, Made))
        this.#body = body
        return super.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body) })
      }
    }

    override end(...said: unknown[]): this {
      return this.#body === undefined ? super.end(...(said as [string])) : super.end(this.#body)
    }
  }
}

type Said = { status: number; headers: Record<string, string>; body: string }

/** What a reply is made of, as it is made: a Response would have to be waited for. */
function said(make: (Made: typeof Response) => void): Said {
  let made: Said = { status: 500, headers: {}, body: '' }
  class Kept {
    constructor(body: string, { status, headers }: Omit<Said, 'body'>) {
      made = { status, headers, body }
    }
  }
  make(Kept as unknown as typeof Response)
  return made
}
