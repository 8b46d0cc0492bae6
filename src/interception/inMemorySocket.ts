import { Duplex } from 'node:stream'

/** The properties that a socket shows to its user. */
export type SocketTraits = {
  /** True for TLS with a verified certificate. Nothing is encrypted. */
  secure: boolean
  /** The negotiated protocol, such as `http/1.1`; false without one. */
  alpn?: string | false
  /** The server name of TLS. */
  host?: string
}

/**
 * One end of a connection that stays in the process: bytes written to it are read at the other end. It has the properties and
 * methods of a socket that HTTP clients and servers use. Destroying one end destroys the peer.
 */
export class InMemorySocket extends Duplex {
  // Properties of a TLS socket that Node's agents, undici and http2 read.
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
  #peer: InMemorySocket | undefined
  #resumeWrite: (() => void) | undefined
  #timeout: NodeJS.Timeout | undefined

  constructor({ secure, alpn = false, host }: SocketTraits, side: 'client' | 'server') {
    super({ allowHalfOpen: side === 'server' })
    this.encrypted = secure
    this.authorized = secure
    this.alpnProtocol = alpn
    this.servername = host
    this.remotePort = secure ? 443 : 80
    // A client that disconnects before a server listens is not an error of the server.
    if (side === 'server') this.on('error', () => {})
  }

  /** Returns the client's end and the server's end. */
  static createPair(traits: SocketTraits): [InMemorySocket, InMemorySocket] {
    const [near, far] = [new InMemorySocket(traits, 'client'), new InMemorySocket(traits, 'server')]
    near.#peer = far
    far.#peer = near
    return [near, far]
  }

  /** Emits the events of an established connection. Does nothing on a destroyed socket. */
  establish(): void {
    if (this.destroyed) return
    this.connecting = false
    for (const event of ['connect', 'ready', 'secureConnect']) this.emit(event)
  }

  /** Completes the write of the peer that waited for this read. */
  override _read(): void {
    const resume = this.#resumeWrite
    this.#resumeWrite = undefined
    resume?.()
  }

  /** Passes bytes to the peer. Fails with ECONNRESET if the peer is destroyed. */
  override _write(chunk: Buffer, _: BufferEncoding, written: (error?: Error | null) => void): void {
    const peer = this.#peer
    this.#refreshTimeout()
    if (!peer || peer.destroyed) {
      written(createResetError())
      return
    }
    peer.#refreshTimeout()
    // The write completes now, or when the peer reads again.
    if (chunk.length === 0 || peer.push(chunk)) written()
    else peer.#resumeWrite = written
  }

  /** Ends the stream that the peer reads. */
  override _final(done: () => void): void {
    this.#peer?.push(null)
    done()
  }

  /** Destroys the peer as well, unless everything was written: then the peer may read the rest. */
  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timeout)
    const peer = this.#peer
    const resume = this.#resumeWrite
    this.#resumeWrite = undefined
    resume?.()
    done(error)
    if (!peer || peer.destroyed || (this.writableFinished && !error)) return
    process.nextTick(() => {
      // Without a listener, the error would end the process: agents of Deno remove theirs after the response.
      if (!peer.destroyed) peer.destroy(error ?? (peer.listenerCount('error') > 0 ? createResetError() : undefined))
    })
  }

  /** Destroys the socket when everything is written. */
  destroySoon(): void {
    if (this.writableFinished) this.destroy()
    else this.end(() => this.destroy())
  }

  /** Emits `timeout` after `limit` milliseconds without traffic, like a socket. 0 ends this and removes `onTimeout`. */
  setTimeout(limit: number, onTimeout?: () => void): this {
    clearTimeout(this.#timeout)
    this.#timeout = limit > 0 ? setTimeout(() => this.emit('timeout'), limit).unref() : undefined
    if (onTimeout) {
      if (limit > 0) this.once('timeout', onTimeout)
      else this.off('timeout', onTimeout)
    }
    return this
  }

  /** Begins the time without traffic anew. */
  #refreshTimeout(): void {
    this.#timeout?.refresh()
  }

  // Methods of sockets that have no effect here, or describe a connection that looks usual to clients.
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

/** Returns the error of a socket whose peer was destroyed, as Node has it. */
const createResetError = (): Error =>
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
