/** A connection that is gone before there was an answer: in process what fetch rejects with, over a socket a reset. */
export class ConnectionLost extends TypeError {
  constructor() {
    const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', errno: -104, syscall: 'read' })
    super('fetch failed', { cause })
  }
}
