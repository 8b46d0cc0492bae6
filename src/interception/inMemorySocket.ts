import { Duplex } from 'node:stream'

export type SocketTraits = {
  secure: boolean
  alpn?: string | false
  host?: string
}

/**
 * Bytes written to one end are read at the other. It has the properties and methods of a socket that HTTP clients and servers
 * use. Destroying one end destroys the peer.
 */
export class InMemorySocket extends Duplex {
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

  static createPair(traits: SocketTraits): [InMemorySocket, InMemorySocket] {
    const [near, far] = [new InMemorySocket(traits, 'client'), new InMemorySocket(traits, 'server')]
    near.#peer = far
    far.#peer = near
    return [near, far]
  }

  establish(): void {
    if (this.destroyed) return
    this.connecting = false
    for (const event of ['connect', 'ready', 'secureConnect']) this.emit(event)
  }

  override _read(): void {
    const resume = this.#resumeWrite
    this.#resumeWrite = undefined
    resume?.()
  }

  override _write(chunk: Buffer, _: BufferEncoding, written: (error?: Error | null) => void): void {
    const peer = this.#peer
    this.#refreshTimeout()
    if (!peer || peer.destroyed) {
      written(createResetError())
      return
    }
    peer.#refreshTimeout()
    if (chunk.length === 0 || peer.push(chunk)) written()
    else peer.#resumeWrite = written
  }

  override _final(done: () => void): void {
    this.#peer?.push(null)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#timeout)
    const peer = this.#peer
    const resume = this.#resumeWrite
    this.#resumeWrite = undefined
    resume?.()
    done(error)
    if (!peer || peer.destroyed || (this.writableFinished && !error)) return
    process.nextTick(() => {
      if (!peer.destroyed) peer.destroy(error ?? (peer.listenerCount('error') > 0 ? createResetError() : undefined))
    })
  }

  destroySoon(): void {
    if (this.writableFinished) this.destroy()
    else this.end(() => this.destroy())
  }

  /** 0 ends the timeout and removes `onTimeout`. */
  setTimeout(limit: number, onTimeout?: () => void): this {
    clearTimeout(this.#timeout)
    this.#timeout = limit > 0 ? setTimeout(() => this.emit('timeout'), limit).unref() : undefined
    if (onTimeout) {
      if (limit > 0) this.once('timeout', onTimeout)
      else this.off('timeout', onTimeout)
    }
    return this
  }

  #refreshTimeout(): void {
    this.#timeout?.refresh()
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

/** The error that Node has after the peer was destroyed. */
const createResetError = (): Error =>
  Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })
