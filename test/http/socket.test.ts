import { once } from 'node:events'
import { Agent, type IncomingMessage, type RequestOptions, request } from 'node:http'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { ALICE, openCalendar } from '../support/calendar.ts'

/** Behaviour that only a socket shows: requests and replies byte for byte. */
const LIST = '/calendar/v3/users/me/calendarList'
const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }

async function listening<T>(act: (port: number) => Promise<T>): Promise<T> {
  const { fake } = openCalendar()
  try {
    return await act((await fake.listen()).port)
  } finally {
    await fake.close()
  }
}

/** One exchange; the chunks of a body are sent one by one, without a length. */
async function exchange(options: RequestOptions, chunks: readonly (string | Buffer)[] = []) {
  const outgoing = request({ host: '127.0.0.1', headers, ...options })
  outgoing.on('error', () => {})
  for (const chunk of chunks) outgoing.write(chunk)
  outgoing.end()
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const parts: Buffer[] = []
  for await (const part of response) parts.push(part)
  return {
    status: response.statusCode,
    raw: response.rawHeaders,
    headers: response.headers,
    text: Buffer.concat(parts).toString(),
  }
}

/** Returns the bytes of the response to a request. */
async function spoken(port: number, lines: readonly string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  socket.end([...lines, 'Connection: close', '', ''].join('\r\n'))
  let text = ''
  for await (const part of socket) text += part
  return text
}

test('a header with several values is sent with all of them, and Date once', async () => {
  const { raw, headers: answered } = await listening((port) => exchange({ port, path: LIST }))

  expect(answered.vary).toBe('Origin, X-Origin, Referer')
  expect(raw.filter((name) => name.toLowerCase() === 'date')).toHaveLength(1)
})

test('a reply has its length in bytes', async () => {
  const body = JSON.stringify({ summary: 'Café ☕', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
  const path = '/calendar/v3/calendars/primary/events'
  const { headers: answered, text } = await listening((port) => exchange({ port, path, method: 'POST' }, [body]))

  expect(Number(answered['content-length'])).toBe(Buffer.byteLength(text))
  expect(JSON.parse(text)).toMatchObject({ summary: 'Café ☕' })
})

test('a page has its length in bytes, with any characters', async () => {
  const { fake, as } = openCalendar()
  const alice = as(ALICE)
  await alice.patch('/calendars/primary', { summary: 'Größe ☕' })
  for (const day of ['02', '03'])
    await alice.post('/calendars/primary/events', {
      summary: `Café ${day} ☕`,
      start: { date: `2026-03-${day}` },
      end: { date: '2026-03-04' },
    })
  const { port } = await fake.listen()
  const { headers: answered, text } = await exchange({ port, path: '/calendar/v3/calendars/primary/events' })
  await fake.close()

  expect(Number(answered['content-length'])).toBe(Buffer.byteLength(text))
  const items = [{ summary: 'Café 02 ☕' }, { summary: 'Café 03 ☕' }]
  expect(JSON.parse(text)).toMatchObject({ summary: 'Größe ☕', items })
  expect(fake.calls().at(-1)?.response).toEqual(JSON.parse(text))
})

test('a body in chunks is joined, also within a character', async () => {
  const bytes = Buffer.from(JSON.stringify({ summary: 'Zürich' }))
  const cut = bytes.indexOf('ü') + 1
  const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)]
  const { text } = await listening((port) => exchange({ port, path: '/calendar/v3/calendars', method: 'POST' }, chunks))

  expect(JSON.parse(text)).toMatchObject({ summary: 'Zürich' })
})

test('a body over the limit gets a reply, and the server continues', async () => {
  const chunks = Array.from({ length: 11 }, () => Buffer.alloc(1024 * 1024, ' '))
  await listening(async (port) => {
    const refused = await exchange({ port, path: '/calendar/v3/calendars', method: 'POST' }, chunks)
    const next = await exchange({ port, path: LIST, agent: false })

    expect([refused.status, next.status]).toEqual([413, 200])
  })
})

test('HEAD returns the headers of GET without the body', async () => {
  const { status, text } = await listening((port) => exchange({ port, path: LIST, method: 'HEAD' }))

  expect([status, text]).toEqual([200, ''])
})

test('11.7 a deletion returns 204 with a Content-Length of 0', async () => {
  const created = { id: 'lunch', start: { date: '2026-03-02' }, end: { date: '2026-03-03' } }
  const path = '/calendar/v3/calendars/primary/events'
  await listening(async (port) => {
    await exchange({ port, path, method: 'POST' }, [JSON.stringify(created)])
    const { status, headers: answered, text } = await exchange({ port, path: `${path}/lunch`, method: 'DELETE' })

    expect([status, answered['content-length'], text]).toEqual([204, '0', ''])
  })
})

test('a target can contain the host, as clients of a proxy send it', async () => {
  const target = `http://calendar.example${LIST}`
  const lines = [`GET ${target} HTTP/1.1`, 'Host: calendar.example', `Authorization: ${headers.Authorization}`]

  expect(await listening((port) => spoken(port, lines))).toMatch(/^HTTP\/1\.1 200 /)
})

test('a target that begins with two slashes is a path', async () => {
  expect(await listening((port) => spoken(port, ['GET //calendar/v3 HTTP/1.1', 'Host: x']))).toMatch(/^HTTP\/1\.1 404 /)
})

test('an invalid host is a 400', async () => {
  expect(await listening((port) => spoken(port, [`GET ${LIST} HTTP/1.1`, 'Host: a b:c']))).toMatch(/^HTTP\/1\.1 400 /)
})

test('a connection with many pipelined and broken requests gets no warning of too many listeners', async () => {
  const warnings: Error[] = []
  const note = (warning: Error) => warnings.push(warning)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const { fake } = openCalendar()
  onTestFinished(() => fake.close())
  const { port } = await fake.listen()
  const fault = fake.faults.add({ on: 'calendarList.list', times: 'always', do: { delay: '1h', clock: 'world' } })
  const one = `GET ${LIST} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ALICE}\r\n\r\n`
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  socket.write(one.repeat(30))
  await fault.until(30)
  socket.end('GET / HTTP/9.9\r\nbroken\r\n\r\n')
  socket.destroy()

  await expect.poll(() => fake.calls('calendarList.list')).toHaveLength(30)
  expect(warnings).toEqual([])
})

test('pipelined requests are answered in order', async () => {
  const one = (path: string) => [`GET ${path} HTTP/1.1`, 'Host: x', `Authorization: ${headers.Authorization}`]
  const post = ['POST /calendar/v3/calendars HTTP/1.1', 'Host: x', `Authorization: ${headers.Authorization}`]
  const body = '{"summary":"Piped"}'
  const lines = [
    ...[...one(LIST), ''],
    ...[...post, `Content-Length: ${body.length}`, '', body + one('/calendar/v3/nothing').join('\r\n'), ''],
    ...one('/calendar/v3/colors'),
  ]
  const reply = await listening((port) => spoken(port, lines))

  expect([...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual(['200', '200', '404', '200'])
  expect(reply).toMatch(/calendar#calendarList.*"Piped".*Error 404.*calendar#colors/s)
})

test('HTTP/1.0 needs no Host header', async () => {
  expect(await listening((port) => spoken(port, ['GET / HTTP/1.0']))).toMatch(/^HTTP\/1\.1 200 /)
})

test('a matching If-None-Match returns 304 without a body', async () => {
  const path = '/calendar/v3/calendars/primary'
  await listening(async (port) => {
    const { headers: first } = await exchange({ port, path })
    const again = await exchange({ port, path, headers: { ...headers, 'If-None-Match': first.etag } })

    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', first.etag])
  })
})

test('a connection stays open for 65 seconds between requests, and the response states it', async () => {
  const { headers: sent } = await listening((port) =>
    exchange({ port, path: LIST, agent: new Agent({ keepAlive: true }) }),
  )

  expect(sent).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=65' })
})

// Pages of 0.8 MB are written to buffers that are used again, those of 4.8 MB are not.
test.each([100, 600])(
  'concurrent pages of %i events keep their bytes, for clients that read at once, late or never',
  async (length) => {
    const day = (nth: number) => new Date(Date.UTC(2026, 2, 1 + nth)).toISOString().slice(0, 10)
    const eventsOf = (character: string) =>
      Array.from({ length }, (_, nth) => ({
        description: character.repeat(8000),
        start: { date: day(nth) },
        end: { date: day(nth + 1) },
      }))
    const calendars = ['a', 'b', 'c'].map((character) => ({
      id: `${character}@group.calendar.google.com`,
      owner: ALICE,
      events: eventsOf(character),
    }))
    const { fake } = openCalendar({ seed: { accounts: [{ email: ALICE }], calendars } })
    const paths = calendars.map(({ id }) => `/calendar/v3/calendars/${encodeURIComponent(id)}/events?maxResults=600`)
    const expected = await Promise.all(paths.map(async (path) => (await fake.request(path, { headers })).text()))
    const { port } = await fake.listen()
    const agent = new Agent({ keepAlive: true })
    const open = async (path: string) => {
      const sent = request({ host: '127.0.0.1', port, path, headers, agent }).end()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      return response
    }
    const read = async (response: IncomingMessage) => Buffer.concat(await response.toArray()).toString()
    const pipelined = connect(port, '127.0.0.1')
    const many = Array.from({ length: 1000 / length }, () => paths).flat() // more than the kernel takes from a writer without a reader
    try {
      const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ALICE}\r\n`
      pipelined.write(many.map((path) => `${head(path)}\r\n`).join(''))
      pipelined.write(`${head('/calendar/v3/colors')}Connection: close\r\n\r\n`)
      const late = await Promise.all([...paths, ...paths].map(open))
      const left = await Promise.all(paths.map(open))
      for (const response of left) response.destroy()
      for (let round = 0; round < 2; round++)
        expect(await Promise.all(paths.map(async (path) => read(await open(path))))).toEqual(expected)
      expect(await Promise.all(late.map(read))).toEqual([...expected, ...expected])
      const [, ...answers] = Buffer.concat(await pipelined.toArray())
        .toString()
        .split('HTTP/1.1 200 OK')
      const bodies = answers.slice(0, -1).map((answer) => answer.slice(answer.indexOf('\r\n\r\n') + 4))
      expect(bodies).toEqual(many.map((path) => expected[paths.indexOf(path)]))
    } finally {
      agent.destroy()
      pipelined.destroy()
      await fake.close()
    }
  },
)
