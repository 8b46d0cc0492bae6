/** Thrown to end a request without a response: in process fetch rejects with it, on a socket the connection is reset. */
export class ConnectionLost extends TypeError {
  constructor() {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' })
    super('fetch failed', { cause })
  }
}
