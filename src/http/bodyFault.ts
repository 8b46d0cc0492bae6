import type { IncomingMessage, ServerResponse } from 'node:http'

/** A fault of a body: after so many bytes the connection closes, or the rest follows after a pause. */
export type BodyFault = { readonly after: number; readonly pause?: (() => Promise<void>) | undefined }

/** The response of a socket, which can apply a body fault. */
export interface FaultySocketResponse {
  applyBodyFault(fault: BodyFault): void
}

/** Returns a class of responses that can apply a body fault. Their headers describe the whole body. */
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

/** Returns a response in process whose body is a stream that breaks off or pauses. */
export function corruptBody(
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  text: string,
  { after, pause }: BodyFault,
  signal: AbortSignal,
): Response {
  const bytes = Buffer.from(text)
  const rest = async (stream: ReadableStreamDefaultController<Uint8Array>) => {
    if (!pause) return stream.error(new TypeError('terminated', { cause: socketClosed() }))
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
        if (isStarted || after === 0) return rest(stream).catch((error) => stream.error(error))
        isStarted = true
        stream.enqueue(new Uint8Array(bytes.subarray(0, after)))
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, headers: { ...headers, 'Content-Length': String(bytes.length) } })
}

/** The cause with which fetch rejects if a connection closes in the middle of a body. */
const socketClosed = (): Error => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })

/** Thrown to end a request without a response: in process fetch rejects with it, on a socket the connection is reset. */
export class ConnectionLost extends TypeError {
  constructor() {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' })
    super('fetch failed', { cause })
  }
}
