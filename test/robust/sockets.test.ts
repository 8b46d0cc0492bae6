import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

const { fake } = openCalendar()
let port = 0
beforeAll(async () => {
  port = (await fake.listen()).port
})
afterAll(() => fake.close())

const HEAD = `Host: 127.0.0.1\r\nAuthorization: Bearer ${ALICE}\r\n`
const COLORS = `GET /calendar/v3/colors HTTP/1.1\r\n${HEAD}\r\n`
const insert = (summary: string) => {
  const body = JSON.stringify({ summary, start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
  return `POST /calendar/v3/calendars/primary/events HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
}

/** Returns the bytes that a connection receives until it closes, or until they suffice. */
function converse(write: (socket: Socket) => void | Promise<void>, enough = /^HTTP/): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect(port, '127.0.0.1', () => void write(socket))
    socket.on('data', (data) => {
      text += data
      if (enough.test(text)) socket.end()
    })
    socket.on('close', () => resolve(text))
    // A server that has rejected a request may close the connection while the client is still sending.
    socket.on('error', (error: NodeJS.ErrnoException) =>
      ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') ? resolve(text) : reject(error),
    )
  })
}

/** Waits until written data has been read: a turn of both ends, without a delay. */
const turn = () => new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)))

const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

// Short enough for one read, because a server that answers earlier may reset the connection.
const GARBAGE = [
  'GET / HTTP/1.1\r\n\r\n',
  'GET  HTTP/1.1\r\nHost: x\r\n\r\n',
  'BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /calendar/v3/colors HTTP/1.1\r\nHost: [\r\n\r\n',
  'GET /calendar/v3/colors HTTP/1.1\r\nHost: a b\r\n\r\n',
  'GET http://[/calendar HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET //// HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'GET /%zz%E0 HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'GET http://evil.example/_control/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'GET /_control/state HTTP/1.1\r\nHost: evil.example\r\n\r\n',
  'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n',
  'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: -1\r\n\r\n',
  'POST /calendar/v3/calendars HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer x\r\nContent-Length: 99999999999\r\n\r\n{}',
  `GET /calendar/v3/colors HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  `GET /calendar/v3/colors HTTP/1.1\r\nHost: 127.0.0.1\r\n${'X: x\r\n'.repeat(4000)}\r\n`,
  `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`,
  'TRACE / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n',
  'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\nabc',
  'POST /token HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'GET / HTTP/9.9\r\nHost: 127.0.0.1\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001',
  '\u0000\u0000\u0000\u0000\r\n\r\n',
]

test.each(GARBAGE.map((bytes) => [bytes.slice(0, 60), bytes] as const))(
  'a socket that sends %j gets a 4xx response without details',
  async (_, bytes) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)

    const answer = await converse((socket) => void socket.write(bytes))

    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).not.toMatch(/\n\s+at |node:internal|\.ts:\d/)
    expect(logged.mock.calls).toEqual([])
  },
)

test.each([1, 7, 100])('a request that arrives in pieces of %i bytes is one request', async (size) => {
  const text = insert(`pieces of ${size}`)
  const answer = await converse(async (socket) => {
    socket.setNoDelay(true)
    for (let at = 0; at < text.length; at += size) {
      socket.write(text.slice(at, at + size))
      await turn()
    }
  }, /pieces of/)

  expect(statuses(answer)).toEqual([200])
})

test('pipelined requests on one connection are answered in order', async () => {
  const summaries = Array.from({ length: 20 }, (_, at) => `number ${at}`)
  const all = summaries.map(insert).join('') + COLORS.replace('GET', 'HEAD')

  const answer = await converse((socket) => void socket.write(all), /number 19[\s\S]*HTTP\/1\.1 /)

  expect(statuses(answer)).toEqual(summaries.map(() => 200).concat(200))
  expect([...answer.matchAll(/"summary": "(number \d+)"/g)].map(([, summary]) => summary)).toEqual(summaries)
})

test('a client that half-closes after its request gets the response', async () => {
  expect(statuses(await converse((socket) => void socket.end(COLORS)))).toEqual([200])
})

/** An incomplete request must have no effect, which a later read shows. */
test.each([
  ['in its head', insert('half').slice(0, 60)],
  ['in its body', insert('half').slice(0, -5)],
  [
    'in a chunk',
    `POST /calendar/v3/calendars/primary/events HTTP/1.1\r\n${HEAD}Transfer-Encoding: chunked\r\nContent-Type: application/json\r\n\r\n50\r\n{"summary":"half"`,
  ],
])('a client that disconnects %s leaves no state, and the next one is served', async (_, half) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const before = JSON.stringify(fake.state().calendars)
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', async () => {
      socket.write(half)
      await turn()
      socket.destroy()
    })
    socket.on('close', () => resolve())
  })

  expect(statuses(await converse((socket) => void socket.write(COLORS)))).toEqual([200])
  expect(JSON.stringify(fake.state().calendars)).toBe(before)
  expect(logged.mock.calls).toEqual([])
})

/** Endpoints that read a body, each in its own way. */
const READERS = ['/calendar/v3/calendars/primary/events', '/batch/calendar/v3', '/token', '/_control/seed', '/discovery/v1/apis'] // biome-ignore format: a list
const FRAMES = [
  'Content-Length: 100000',
  'Transfer-Encoding: chunked',
  'Content-Length: 100000\r\nContent-Encoding: gzip',
]

test.each(READERS.flatMap((path) => FRAMES.map((frame) => [path, frame] as const)))(
  'a client that disconnects while sending a body to %s (%j) causes no error',
  async (path, frame) => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    for (const end of ['destroy', 'resetAndDestroy'] as const)
      await new Promise<void>((resolve) => {
        const socket = connect(port, '127.0.0.1', async () => {
          socket.write(
            `POST ${path} HTTP/1.1\r\n${HEAD}Content-Type: application/json\r\n${frame}\r\n\r\n9\r\n{"summary`,
          )
          await turn()
          socket[end]()
        })
        socket.on('close', () => resolve())
      })

    expect(statuses(await converse((socket) => void socket.write(COLORS)))).toEqual([200])
    expect(logged.mock.calls).toEqual([])
  },
)

test.each(READERS)('an interrupted body in process is rejected without an internal error: %s', async (path) => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const body = () =>
    new ReadableStream({
      start: (stream) => stream.enqueue(new TextEncoder().encode('{"summary')),
      pull: (stream) => stream.error(new Error('aborted')),
    })
  const init = { method: 'POST', duplex: 'half', headers: { Authorization: `Bearer ${ALICE}` } } as const

  expect([400, 404]).toContain((await fake.request(path, { ...init, body: body() })).status)
  const going = new AbortController()
  const pending = fake.request(path, { ...init, body: body(), signal: going.signal })
  going.abort(new Error('gone'))
  await expect(pending).rejects.toThrow('gone')
  await turn()
  expect(logged.mock.calls).toEqual([])
})

test('slow bodies do not delay other requests', async () => {
  const slow = Array.from({ length: 50 }, (_, at) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(insert(`slow ${at}`).slice(0, -10))
    return socket
  })

  expect(statuses(await converse((socket) => void socket.write(COLORS)))).toEqual([200])
  for (const socket of slow) socket.destroy()
})
