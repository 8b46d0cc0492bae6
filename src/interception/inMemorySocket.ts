import { Duplex } from 'node:stream'

/** How an end passes for a socket: by TLS that both sides are content with, or plain. */
export type Manner = { secure: boolean; alpn?: string | false; host?: string }

/**
 * One end of a connection that stays in the process: what is written to it is read at the other. It has what clients and
 * servers ask of a socket, and goes down with the other end, as one does.
 */
export class LineEnd extends Duplex {
  /** What node's own agents, undici and http2 look for in a socket by TLS. */
  readonly encrypted: boolean
  readonly authorized: boolean
  readonly authorizationError = null
  readonly alpnProtocol: string | false
  readonly servername: string | undefined
  connecting = true
  readonly remoteAddress = '127.0.0.1'
  readonly remoteFamily = 'IPv4'
  readonly remotePort: number
  readonly localAddress = '127.0.0.1'
  readonly localPort = 0
  #other: LineEnd | undefined
  #taken: (() => void) | undefined
  #idle: NodeJS.Timeout | undefined

  constructor({ secure, alpn = false, host }: Manner, side: 'client' | 'server') {
    super({ allowHalfOpen: side === 'server' })
    this.encrypted = secure
    this.authorized = secure
    this.alpnProtocol = alpn
    this.servername = host
    this.remotePort = secure ? 443 : 80
    // That its client has gone away is nothing that a server falls over, also where nobody has taken the line yet.
    if (side === 'server') this.on('error', () => {})
  }

  /** The client's end, and the server's. */
  static pair(manner: Manner): [LineEnd, LineEnd] {
    const [near, far] = [new LineEnd(manner, 'client'), new LineEnd(manner, 'server')]
    near.#other = far
    far.#other = near
    return [near, far]
  }

  /** Tells whoever waits for it that the connection stands. */
  stand(): void {
    if (this.destroyed) return
    this.connecting = false
    for (const event of ['connect', 'ready', 'secureConnect']) this.emit(event)
  }

  override _read(): void {
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
  }

  override _write(chunk: Buffer, _: BufferEncoding, written: (error?: Error | null) => void): void {
    const other = this.#other
    this.#stir()
    if (!other || other.destroyed) {
      written(broken())
      return
    }
    other.#stir()
    // The other end says when it wants more; nothing is waited for where it does already.
    if (chunk.length === 0 || other.push(chunk)) written()
    else other.#taken = written
  }

  override _final(done: () => void): void {
    this.#other?.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#idle)
    const other = this.#other
    const taken = this.#taken
    this.#taken = undefined
    taken?.()
    done(error)
    // Who has been told of the end in order reads on to it; else both go down together.
    if (!other || other.destroyed || (this.writableFinished && !error)) return
    process.nextTick(() => other.destroyed || other.destroy(error ?? broken()))
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy()
    else this.end(() => this.destroy())
  }

  /** As a socket's: `timeout` when so long nothing has gone either way. */
  setTimeout(limit: number, told?: () => void): this {
    clearTimeout(this.#idle)
    this.#idle = limit > 0 ? setTimeout(() => this.emit('timeout'), limit).unref() : undefined
    if (told) {
      if (limit > 0) this.once('timeout', told)
      else this.off('timeout', told)
    }
    return this
  }

  #stir(): void {
    this.#idle?.refresh()
  }

  setNoDelay = (): this => this
  setKeepAlive = (): this => this
  ref = (): this => this
  unref = (): this => this
  address = () => ({ address: this.localAddress, family: 'IPv4', port: this.localPort })
  getPeerCertificate = (): object => ({ subject: { CN: this.servername }, subjectaltname: `DNS:${this.servername}` })
  getCipher = (): object => ({ name: 'TLS_AES_256_GCM_SHA384', version: 'TLSv1.3' })
  getProtocol = (): string => 'TLSv1.3'
  getSession = (): undefined => undefined
  isSessionReused = (): boolean => false
}

const broken = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
