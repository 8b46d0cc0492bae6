import { expect, test } from 'vitest'
import { createEvent, hour, post, urlOf, useCalendar } from './calendar.ts'
import type { Answer } from './expect.ts'

/** A request in a batch. */
type Part = { id: string; verb: string; path: string; body?: unknown }

/** Sends parts as one batch of `multipart/mixed`, in their order. */
function sendBatch(parts: readonly Part[]) {
  const written = parts.map(({ id, verb, path, body }) =>
    [
      '--batch_conformance',
      'Content-Type: application/http',
      `Content-ID: <${id}>`,
      '',
      `${verb} ${new URL(urlOf(path)).pathname} HTTP/1.1`,
      ...(body === undefined ? [''] : ['Content-Type: application/json', '', JSON.stringify(body)]),
      '',
    ].join('\r\n'),
  )
  const headers = { 'Content-Type': 'multipart/mixed; boundary=batch_conformance' }
  return post('//batch/calendar/v3', `${written.join('')}--batch_conformance--\r\n`, { headers })
}

/** Splits the response to a batch into its parts. */
function parseBatchResponse({ headers, text, status, request }: Answer) {
  expect(status, request).toBe(200)
  const [, boundary] = /boundary="?([^";]+)"?/.exec(headers.get('Content-Type') ?? '') ?? []
  expect(boundary, request).toBeDefined()
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => ({
      id: /^Content-ID: <(.*)>/im.exec(part)?.[1],
      status: Number(/^HTTP\/1\.1 (\d{3})/m.exec(part)?.[1]),
      body: part.slice(Math.max(part.indexOf('{'), 0)),
    }))
}

useCalendar()

test('11.1.3, 11.1.1 each part of a batch has a reply, whose id begins with response-', async () => {
  const { id } = await createEvent({ summary: 'In a batch' })
  const parts = parseBatchResponse(
    await sendBatch([
      { id: 'one', verb: 'GET', path: `events/${id}` },
      { id: 'two', verb: 'POST', path: 'events', body: hour(11) },
    ]),
  )
  expect(parts.map((part) => `${part.id} ${part.status}`)).toEqual(['response-one 200', 'response-two 200'])
  expect(parts[0]?.body).toContain('In a batch')
})

test('11.1.3, 2.8 a part of a batch that fails does not affect the others', async () => {
  const { id } = await createEvent()
  const parts = parseBatchResponse(
    await sendBatch([
      { id: 'bad', verb: 'GET', path: 'events/nothing' },
      { id: 'good', verb: 'DELETE', path: `events/${id}` },
    ]),
  )
  expect(parts.map(({ status }) => status)).toEqual([404, 204])
})

test('12.16, 11.1.3 a batch may have 50 parts', async () => {
  const path = 'events/nothing'
  const parts = Array.from({ length: 50 }, (_, at) => ({ id: `${at}`, verb: 'GET', path }))
  const answered = parseBatchResponse(await sendBatch(parts))
  expect(answered.map(({ status }) => status)).toEqual(Array(50).fill(404))
})

test('11.1.2 a batch is read as clients write it: with LF, a quoted boundary and absolute targets', async () => {
  const { id } = await createEvent()
  const target = `${urlOf(`events/${id}`)}?`
  const body = `--b o\nContent-Type: application/http\nContent-Transfer-Encoding: binary\ncontent-id: <one + 1>\n\nGET ${target} HTTP/1.1\n\n--b o--\n`
  const answered = parseBatchResponse(
    await post('//batch/calendar/v3', body, { headers: { 'Content-Type': 'multipart/mixed; boundary="b o"' } }),
  )
  expect(answered.map(({ status }) => status)).toEqual([200])
})

test('11.1.4 a batch without a boundary is 400', async () => {
  const answer = await post('//batch/calendar/v3', 'nothing', { headers: { 'Content-Type': 'multipart/mixed' } })
  expect(answer.status).toBe(400)
})
