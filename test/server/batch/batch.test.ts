import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { api } from '../../../src/api/index.ts'
import { ALICE, BOB, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendar/v3/calendars/primary/events'
const TYPE = 'multipart/mixed; boundary=b'
const BEARER = { Authorization: `Bearer ${ALICE}` }
const DAY = '{"start":{"date":"2026-03-02"},"end":{"date":"2026-03-03"}'

/** A part as most clients write it. */
const part = (call: string, id?: string, end = '\r\n') =>
  ['--b', 'Content-Type: application/http', ...(id === undefined ? [] : [`Content-ID: ${id}`]), '', call].join(end)
const batch = (parts: string[], end = '\r\n') => [...parts, '--b--', ''].join(end)

async function send(
  body: string | Uint8Array<ArrayBuffer>,
  { headers = {}, path = '/batch/calendar/v3', world = openCalendar() } = {},
) {
  const response = await world.fake.request(path, {
    method: 'POST',
    headers: { 'Content-Type': TYPE, ...BEARER, ...headers },
    body,
  })
  const text = Buffer.from(await response.arrayBuffer()).toString('latin1')
  const [, boundary] = /boundary=([A-Za-z0-9_-]+)$/.exec(response.headers.get('Content-Type') ?? '') ?? []
  const parts = boundary === undefined ? [] : text.split(`--${boundary}`).slice(1, -1)
  return {
    ...world,
    status: response.status,
    text,
    parts,
    statuses: parts.map((one) => Number(/HTTP\/1\.1 (\d+)/.exec(one)?.[1])),
  }
}

test.each([
  ['CRLF', '\r\n'],
  ['LF', '\n'],
])(
  '2.8, 11.1.1, 11.1.2, 11.1.3 the parts of a batch are executed in order and independently, with lines that end in %s',
  async (_, end) => {
    const body = batch(
      [
        part(`POST ${EVENTS}${end}Content-Type: application/json${end}${end}${DAY},"id":"first0"}`, '<one>', end),
        part(`GET ${EVENTS}/first0?fields=id${end}`, '<two>', end),
        part(`GET ${EVENTS}/nothing${end}`, '<three>', end),
        part(`DELETE ${EVENTS}/first0 HTTP/1.1${end}${end}`, '<four>', end),
      ],
      end,
    )
    const { status, statuses, parts } = await send(body)

    expect(status).toBe(200)
    expect(statuses).toEqual([200, 200, 404, 204])
    expect(parts.map((one) => /Content-ID: (.*)\r\n/.exec(one)?.[1])).toEqual(
      ['one', 'two', 'three', 'four'].map((id) => `<response-${id}>`),
    )
    expect(parts[1]?.endsWith('\r\n\r\n{\n "id": "first0"\n}\n\r\n')).toBe(true)
    expect(parts[3]).toMatch(
      /^\r\nContent-Type: application\/http\r\n.*HTTP\/1\.1 204 No Content\r\n.*Content-Length: 0\r\n\r\n\r\n$/s,
    )
  },
)

test.each([
  ['<b7a6cd9d-7e0b-4d4f-9d2c-90a6f1a0f2c1 + 12>', '<response-b7a6cd9d-7e0b-4d4f-9d2c-90a6f1a0f2c1 + 12>'],
  ['<x+0>', '<response-x+0>'],
  ['bare', 'response-bare'],
  ['<caf\u00c3\u00a9>', '<response-caf\u00c3\u00a9>'],
])('11.1.2, 11.1.3 the id %s is returned unchanged', async (id, answered) => {
  const { parts } = await send(Buffer.from(batch([part('GET /calendar/v3/colors', id)]), 'latin1'))

  expect(parts[0]).toContain(`\r\nContent-ID: ${answered}\r\n`)
})

test.each([
  '/calendar/v3/colors',
  '/calendar/v3/colors?',
  '/v3/colors',
  '/colors',
  'http://127.0.0.1:1234/calendar/v3/colors',
  'https://www.googleapis.com/calendar/v3/colors?',
  'calendar/v3/colors',
])('11.1.2, 11.2 a part can request %s, and end after its request line', async (target) => {
  expect((await send(batch([part(`GET ${target} HTTP/1.1`)]))).statuses).toEqual([200])
})

test('the bytes of a body are unchanged', async () => {
  const call = `POST ${EVENTS}\r\nContent-Type: application/json\r\n\r\n${DAY},"id":"umlaut0","summary":"Grün – 昼"}`
  const { fake } = await send(batch([part(call)]))

  expect(fake.state().calendars?.[0]?.events?.[0]?.summary).toBe('Grün – 昼')
})

test('11.1.1 parts inherit the headers of the batch, unless they set their own', async () => {
  const { parts } = await send(
    batch([
      part('GET /calendar/v3/calendars/primary'),
      part(`GET /calendar/v3/calendars/primary\r\nAuthorization: Bearer ${BOB}\r\nHost: elsewhere`),
      part('POST /calendar/v3/calendars/primary\r\nX-HTTP-Method-Override: PATCH\r\n\r\n{"summary":"Mine"}'),
    ]),
    { headers: { 'Accept-Encoding': 'gzip', 'User-Agent': 'plain' } },
  )

  expect(parts.map((one) => /"(?:id|summary)": "(.*?)"/.exec(one)?.[1])).toEqual([ALICE, BOB, ALICE])
  expect(parts[2]).toContain('"summary": "Mine"')
})

test('the parts of a batch stay in the world of the batch', async () => {
  const call = batch([part(`POST ${EVENTS}\r\n\r\n${DAY},"id":"there0"}`)])
  for (const options of [
    { path: '/w/blue/batch/calendar/v3' },
    { headers: { 'X-Fake-World': 'blue' } },
    { headers: { Authorization: `Bearer blue~${ALICE}` } },
  ]) {
    const { fake, statuses } = await send(call, options)
    expect(statuses).toEqual([200])
    expect(fake.world('blue').state().calendars?.[0]?.events).toHaveLength(1)
    expect(fake.state().calendars?.flatMap(({ events }) => events)).toEqual([])
  }
})

test.each([
  ['another batch', 'POST /batch/calendar/v3'],
  ['control', 'POST /_control/reset'],
  ['a control operation of a world', 'GET /w/blue/_control/state'],
  ['a token', 'POST /token'],
  ['an unknown path', 'GET /nothing'],
])('11.1.1 a part with the path %s is 404', async (_, call) => {
  expect((await send(batch([part(call), part('GET /calendar/v3/colors')]))).statuses).toEqual([404, 200])
})

test('11.1.4, 12.16, 14.13 a batch has at most 1,000 parts', async () => {
  const parts = (count: number) =>
    batch(Array.from({ length: count }, () => part('GET /calendar/v3/colors?fields=kind')))

  expect((await send(parts(1000), { path: '/batch' })).parts).toHaveLength(1000)
  expect((await send(parts(1001))).status).toBe(400)
})

test('11.1.2, 11.1.3 a boundary can be quoted, and the boundary of the response occurs in no body', async () => {
  const call = `POST ${EVENTS}\r\n\r\n${DAY},"summary":"batch_calendar_v3"}`
  const { parts } = await send(batch([part(call)]).replaceAll('--b', '--=? b'), {
    headers: { 'Content-Type': 'multipart/mixed; charset=x; boundary="=? b"' },
  })

  expect(parts).toHaveLength(1)
})

/** Replaces the return value of a method. */
function answering(id: string, handle: () => unknown) {
  const row = api.find((one) => one.id === id)
  if (!row) throw new Error(`no method ${id}`)
  return vi.spyOn(row, 'handle').mockImplementation(handle)
}

test('the boundary of a response follows from its parts, so that no part contains it', async () => {
  const answer = (kind: string) => {
    answering('calendar.colors.get', () => ({ kind }))
    return send(batch([part('GET /calendar/v3/colors'), part('GET /calendar/v3/colors')]))
  }
  const first = await answer('calendar#colors')
  const [, boundary = ''] = /^--(batch_[\w-]{27})\r\n/.exec(first.text) ?? []

  expect(first.text.split(`--${boundary}`)).toHaveLength(4)
  expect((await answer('calendar#colors')).text).toBe(first.text)
  expect((await answer(boundary)).text.startsWith(`--${boundary}`)).toBe(false)
})

test('other requests are answered between the parts of a batch', async () => {
  const { fake } = openCalendar()
  let parts = 0
  let answered: number | undefined
  answering('calendar.colors.get', () => {
    parts += 1
    // Work of the next turn, such as a request on another socket, runs before the next part.
    if (parts === 1)
      setImmediate(() => {
        answered = parts
      })
    return { kind: 'calendar#colors' }
  })
  let turns = 0
  let done = false
  const sent = send(batch(Array.from({ length: 50 }, () => part('GET /calendar/v3/colors'))), {
    world: { ...openCalendar(), fake },
  }).then(({ statuses }) => {
    done = true
    return statuses
  })
  while (!done) {
    await nextTurn()
    turns += 1
  }

  expect(new Set(await sent)).toEqual(new Set([200]))
  expect(answered).toBe(1)
  expect(turns).toBeGreaterThanOrEqual(50)
})

test('14.13 the response has a size limit: parts above it are not executed and are errors', async () => {
  const large = 'x'.repeat(10 * 1024 * 1024)
  const handled = answering('calendar.colors.get', () => ({ kind: 'calendar#colors', large }))
  const { status, statuses, text } = await send(
    batch(Array.from({ length: 100 }, (_, at) => part('GET /calendar/v3/colors', `<${at}>`))),
  )

  expect(status).toBe(200)
  expect(handled).toHaveBeenCalledTimes(4)
  expect(statuses).toEqual(Array.from({ length: 100 }, (_, at) => (at < 4 ? 200 : 403)))
  expect(text).toContain('"reason": "responseTooLarge"')
  expect(text).toContain('Content-ID: <response-99>')
})

test.each(['/cal', '/cal/', '/a/b', ''])(
  '11.1.2 behind a public address with the path %j parts are routed',
  async (base) => {
    const world = openCalendar({ publicUrl: `https://calendar.example.com${base}` })
    const path = base.replace(/\/$/, '')
    const { statuses } = await send(
      batch([
        part(`GET ${path}/calendar/v3/colors`),
        part(`GET https://calendar.example.com${path}/calendar/v3/colors`),
        part('GET /calendar/v3/colors'),
        part(`GET ${path}/w/blue/calendar/v3/colors`),
        part(`GET ${path}/calendar/v3/nothing`),
      ]),
      { world },
    )

    expect(statuses).toEqual([200, 200, 200, 200, 404])
  },
)

test.each([
  ['no boundary', batch([part('GET /calendar/v3/colors')]), 'multipart/mixed'],
  ['another type', '{}', 'application/json'],
  ['no parts', '--b--\r\n', TYPE],
  ['nothing', '', TYPE],
  ['no closing boundary', part('GET /calendar/v3/colors'), TYPE],
])('11.1.4 a batch with %s is rejected as a whole', async (_, body, type) => {
  const { status, text } = await send(body, { headers: { 'Content-Type': type } })

  expect(status).toBe(400)
  expect(JSON.parse(text).error).toMatchObject({
    code: 400,
    message: expect.stringMatching(/^Failed to parse batch request: /),
    status: 'INVALID_ARGUMENT',
  })
})

test.each([
  ['no request line', 'hello'],
  ['nothing', ''],
  ['an unsupported verb', 'TRACE /calendar/v3/colors'],
  ['an invalid target', 'GET http://[ HTTP/1.1'],
  ['headers over the maximum length', `GET /calendar/v3/colors\r\n${'X: y\r\n'.repeat(20_000)}`],
])('11.1.4 a part with %s fails alone', async (_, call) => {
  const { statuses, parts } = await send(batch([part(call), part('GET /calendar/v3/colors')]))

  expect(statuses).toEqual([400, 200])
  expect(parts[0]).toContain('Failed to parse batch request: ')
})

test('11.1.4 a body directly after the headers of a part is no body', async () => {
  const { statuses, parts } = await send(
    batch([part(`POST ${EVENTS}\r\nContent-Type: application/json\r\n${DAY}}`), part('GET /calendar/v3/colors')]),
  )

  expect(statuses).toEqual([400, 200])
  expect(parts[0]).toContain('"message": "Missing end time."')
})

test('11.1.2 parts without a Content-ID are answered, in order', async () => {
  const { statuses, parts } = await send(batch([part('GET /calendar/v3/colors'), part('GET /calendar/v3/nothing')]))

  expect(statuses).toEqual([200, 404])
  expect(parts.join('')).not.toContain('Content-ID')
})
