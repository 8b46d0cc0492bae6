import { expect, onTestFinished, test, vi } from 'vitest'
import type { FaultEffect } from '../../../src/index.ts'
import { ALICE, allDay, openCalendar } from '../../support/calendar.ts'

const insert = (id: string) =>
  `--b\r\nContent-Type: application/http\r\n\r\nPOST /calendar/v3/calendars/primary/events?fields=id\r\nContent-Type: application/json\r\n\r\n${JSON.stringify({ id, ...allDay('2026-03-02', '2026-03-03') })}\r\n`

/** Sends a batch of two inserts with a fault for the first. Returns the response and a reader of the stored ids. */
async function batched(effect: FaultEffect, overSocket: boolean) {
  const { fake, as } = openCalendar()
  onTestFinished(() => fake.close())
  const fault = fake.faults.add({ on: 'events.insert', do: effect })
  const root = overSocket ? (await fake.listen()).url : 'http://fake-calendar.localhost'
  const abort = new AbortController()
  const send = overSocket ? fetch : fake.fetch
  const answer = send(`${root}/batch/calendar/v3`, {
    method: 'POST',
    signal: abort.signal,
    headers: { 'Content-Type': 'multipart/mixed; boundary=b', Authorization: `Bearer ${ALICE}` },
    body: `${insert('first0')}${insert('second')}--b--`,
  })
    .then((reply) => reply.text())
    .catch((error) => error)
  const ids = async () => {
    const { body } = await as(ALICE).get('/calendars/primary/events')
    return body.items.map(({ id }: { id: string }) => id)
  }
  return { fake, fault, answer, abort, ids }
}

test.each([true, false])('in a batch the response of one part is cut or empty (over a socket: %j)', async (socket) => {
  const cut = await batched({ truncate: 3 }, socket)
  expect(await cut.answer).toMatch(/Content-Length: 3\r\n\r\n\{\n \r\n--/)
  expect(await cut.ids()).toEqual(['first0', 'second'])
  const empty = await batched({ empty: true }, socket)
  expect(await empty.answer).toMatch(/HTTP\/1.1 200 OK[^{]*Content-Length: 0\r\n\r\n\r\n--/)
})

test.each([true, false])('a stall, a reset and a hang affect the whole batch (over a socket: %j)', async (socket) => {
  const stalled = await batched({ stall: { after: 10, for: '20ms' } }, socket)
  expect((await stalled.answer).match(/HTTP\/1.1 200/g)).toHaveLength(2)
  const reset = await batched({ reset: true }, socket)
  expect((await reset.answer).cause).toMatchObject({ code: 'ECONNRESET' })
  expect(await reset.ids()).toEqual([])
  const hanging = await batched({ hang: true }, socket)
  await vi.waitFor(() => expect(hanging.fault.fired).toBe(1))
  hanging.abort.abort()
  expect((await hanging.answer).name).toBe('AbortError')
  expect(await hanging.ids()).toEqual([])
})
