import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * The first `after` bytes are sent. Then the connection closes, or with `pause` the rest follows when its promise
 * resolves. If it rejects, the connection closes.
 */
export type BodyFault = { readonly after: number; readonly pause?: (() => Promise<void>) | undefined }

export interface FaultySocketResponse {
  applyBodyFault(fault: BodyFault): void
}

/**
 * A response that, with a fault, holds the body back until `end`. The headers describe the whole body, so that
 * clients notice what is missing.
 */
export function withBodyFaults(Plain: typeof ServerResponse): typeof ServerResponse {
  return class<R extends IncomingMessage = IncomingMessage> extends Plain<R> implements FaultySocketResponse {
    #fault: BodyFault | undefined
    readonly #held: Buffer[] = []

    applyBodyFault(fault: BodyFault): void {
      this.#fault = fault
    }

    override write(...chunk: unknown[]): boolean {
      if (this.#fault === undefined) return super.write(...(chunk as [string]))
      this.#hold(chunk[0])
      return true
    }

    override end(...chunk: unknown[]): this {
      if (this.#fault === undefined) return super.end(...(chunk as [string]))
      this.#hold(chunk[0])
      this.#writeFaulty(this.#fault, Buffer.concat(this.#held))
      return this
    }

    #hold(chunk: unknown): void {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.#held.push(Buffer.from(chunk as string))
    }

    #writeFaulty({ after, pause }: BodyFault, body: Buffer): void {
      this.flushHeaders()
      if (after > 0) super.write(body.subarray(0, after))
      if (!pause) return void this.socket?.destroySoon()
      pause().then(
        () => super.end(body.subarray(after)),
        () => this.destroy(),
      )
    }
  }
}

/**
 * The body in process: a stream that fails with a TypeError (`terminated`) after `after` bytes, or sends the rest after the
 * pause. It fails with the reason of `signal` if that aborts, and with the error of `pause`.
 */
export function corruptBody(
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  text: string,
  { after, pause }: BodyFault,
  signal: AbortSignal,
): Response {
  const bytes = Buffer.from(text)
  const finishBody = async (stream: ReadableStreamDefaultController<Uint8Array>) => {
    if (!pause) return stream.error(new TypeError('terminated', { cause: createSocketClosedError() }))
    await pause()
    if (signal.aborted) return
    if (after < bytes.length) stream.enqueue(new Uint8Array(bytes.subarray(after)))
    stream.close()
  }
  let isStarted = false
  const body = new ReadableStream<Uint8Array>(
    {
      start(stream) {
        signal.addEventListener('abort', () => stream.error(signal.reason), { once: true })
      },
      async pull(stream) {
        if (isStarted || after === 0) return finishBody(stream).catch((error) => stream.error(error))
        isStarted = true
        stream.enqueue(new Uint8Array(bytes.subarray(0, after)))
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, headers: { ...headers, 'Content-Length': String(bytes.length) } })
}

const createSocketClosedError = (): Error => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })

/** Ends a request without a response: in process fetch rejects with it, on a socket the connection is reset. */
export class ConnectionLost extends TypeError {
  constructor() {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' })
    super('fetch failed', { cause })
  }
}
