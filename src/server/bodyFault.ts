import type { IncomingMessage, ServerResponse } from 'node:http'

/** How a reply goes wrong on its way: after so many bytes of its body the connection is cut, or the rest comes after a pause. */
export type Spoiling = { readonly after: number; readonly pause?: (() => Promise<void>) | undefined }

/** Where a reply is written on a socket. */
export interface Wire {
  spoil(how: Spoiling): void
}

/** Replies that may be spoilt. What their headers say of them is said of the whole. */
export function spoilable(Plain: typeof ServerResponse): typeof ServerResponse {
  return class<R extends IncomingMessage = IncomingMessage> extends Plain<R> implements Wire {
    #spoiling: Spoiling | undefined
    readonly #held: Buffer[] = []

    spoil(how: Spoiling): void {
      this.#spoiling = how
    }

    override write(...said: unknown[]): boolean {
      if (this.#spoiling === undefined) return super.write(...(said as [string]))
      this.#hold(said[0])
      return true
    }

    override end(...said: unknown[]): this {
      if (this.#spoiling === undefined) return super.end(...(said as [string]))
      this.#hold(said[0])
      this.#spoilt(this.#spoiling, Buffer.concat(this.#held))
      return this
    }

    #hold(chunk: unknown): void {
      if (typeof chunk === 'string' || chunk instanceof Uint8Array) this.#held.push(Buffer.from(chunk as string))
    }

    #spoilt({ after, pause }: Spoiling, body: Buffer): void {
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

/** The same of a reply that is no socket's: its body is a stream that breaks off, or makes a pause. */
export function spoiltReply(
  { status, headers }: { status: number; headers: Readonly<Record<string, string>> },
  text: string,
  { after, pause }: Spoiling,
  gone: AbortSignal,
): Response {
  const bytes = Buffer.from(text)
  const rest = async (stream: ReadableStreamDefaultController<Uint8Array>) => {
    if (!pause) return stream.error(new TypeError('terminated', { cause: closed() }))
    await pause()
    if (gone.aborted) return
    if (after < bytes.length) stream.enqueue(new Uint8Array(bytes.subarray(after)))
    stream.close()
  }
  let begun = false
  const body = new ReadableStream<Uint8Array>(
    {
      start(stream) {
        gone.addEventListener('abort', () => stream.error(gone.reason), { once: true })
      },
      async pull(stream) {
        if (begun || after === 0) return rest(stream).catch((error) => stream.error(error))
        begun = true
        stream.enqueue(new Uint8Array(bytes.subarray(0, after)))
      },
    },
    { highWaterMark: 0 },
  )
  return new Response(body, { status, headers: { ...headers, 'Content-Length': String(bytes.length) } })
}

/** As fetch says it of a connection that ends in the middle of a body. */
const closed = (): Error => Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' })
