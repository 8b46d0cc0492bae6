import { connect } from 'node:net'

/** The bytes of one request over a connection that is kept. */
export const requestOf = (path, { method = 'GET', body } = {}) => {
  const text = body === undefined ? '' : JSON.stringify(body)
  const head = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Authorization: Bearer alice@example.com',
    ...(text ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(text)}`] : []),
  ]
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${text}`)
}

/**
 * Sends a request over several connections for some milliseconds, at most `most` times in all. On each connection, a
 * request
 * follows the reply to the one before. A function returns the bytes of each request. Returns the number of replies.
 */
export async function load(port, request, { connections = 10, milliseconds, most = Number.POSITIVE_INFINITY }) {
  const end = performance.now() + milliseconds
  let sent = connections
  const more = () => performance.now() < end && sent++ < most
  const counts = await Promise.all(Array.from({ length: connections }, () => oneByOne(port, request, more)))
  return counts.reduce((sum, count) => sum + count, 0)
}

/** Sends a request once. Returns the status and the body of the reply. */
export async function requestOnce(port, request) {
  const answers = []
  await oneByOne(
    port,
    request,
    () => false,
    (answer) => answers.push(answer),
  )
  const [head, ...rest] = answers[0].toString().split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), body: rest.join('\r\n\r\n') }
}

function oneByOne(port, request, more, seen) {
  const nextRequest = typeof request === 'function' ? request : () => request
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let answered = 0
    let chunks = []
    let missing
    socket.on('error', reject)
    socket.on('connect', () => socket.write(nextRequest()))
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      missing = missing === undefined ? missingOf(Buffer.concat(chunks)) : missing - chunk.length
      if (missing === undefined || missing > 0) return
      if (Number.isNaN(missing) && !Buffer.concat(chunks).subarray(-LAST.length).equals(LAST)) return
      if (seen) seen(Buffer.concat(chunks))
      else if (!OK.test(chunks[0].subarray(0, 12).toString()))
        reject(new Error(Buffer.concat(chunks).toString().slice(0, 600)))
      answered += 1
      chunks = []
      missing = undefined
      if (more()) socket.write(nextRequest())
      else socket.end(() => resolve(answered))
    })
  })
}

const OK = /^HTTP\/1\.1 2/
/** The end of a body of chunks. */
const LAST = Buffer.from('0\r\n\r\n')

/** Returns the number of bytes that are still to come: undefined before the head has arrived, NaN without a length. */
function missingOf(answer) {
  const head = answer.indexOf('\r\n\r\n')
  if (head < 0) return undefined
  const [, length] = /content-length: *(\d+)/i.exec(answer.subarray(0, head).toString()) ?? []
  return length === undefined ? Number.NaN : Number(length) - (answer.length - head - 4)
}
