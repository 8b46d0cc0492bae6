import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { FaultEffect } from '../../../src/index.ts'
import { ALICE, openCalendar } from '../../support/calendar.ts'

const EVENTS = '/calendar/v3/calendars/primary/events'
const BODY = JSON.stringify({ start: { date: '2026-03-02' }, end: { date: '2026-03-03' } })
const HEAD = `HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ALICE}\r\n`

const post = (path: string, body: string) =>
  `POST ${path} ${HEAD}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

const callTool = (name: string, given: object) =>
  post('/mcp/v1', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }))

const REQUESTS = {
  list: `GET ${EVENTS} ${HEAD}\r\n`,
  insert: post(EVENTS, BODY),
  list_events: callTool('list_events', {}),
  create_event: callTool('create_event', {
    summary: 'Tea',
    startTime: '2026-03-02T09:00:00',
    endTime: '2026-03-02T10:00:00',
  }),
}
const CLIENTS = 50

const countTimers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

const connectTo = (port: number, bytes: string): Promise<Socket> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes, () => resolve(socket))).on('error', () => {})
  })

test.each<[keyof typeof REQUESTS, string, FaultEffect, number]>([
  ['list', 'events.list', { delay: '1h' }, 0],
  ['insert', 'events.insert', { delay: '1h' }, CLIENTS],
  ['insert', 'events.insert', { delay: '60d' }, CLIENTS],
  ['insert', 'events.insert', { delay: '1h', fail: 'backendError' }, 0],
  ['list', 'events.list', { stall: { after: 10, for: '1h' } }, 0],
  ['insert', 'events.insert', { stall: { after: 10, for: '1h' } }, CLIENTS],
  ['list', 'events.list', { delay: '1h', clock: 'world' }, 0],
  ['insert', 'events.insert', { hang: true }, 0],
  ['list_events', 'mcp.list_events', { delay: '1h' }, 0],
  ['list_events', 'events.list', { delay: '1h', clock: 'world' }, 0],
  ['create_event', 'events.insert', { delay: '1h' }, CLIENTS],
  ['create_event', 'events.insert', { delay: '1h', clock: 'world' }, 0],
])(
  'no timer is left of %s whose clients have gone during a fault of %s with %j, and %i events are inserted',
  async (name, on, effect, inserted) => {
    const { fake } = openCalendar()
    onTestFinished(() => fake.close())
    const { port } = await fake.listen()
    const before = countTimers()
    const fault = fake.faults.add({ on, times: 'always', do: effect })
    const sockets = await Promise.all(Array.from({ length: CLIENTS }, () => connectTo(port, REQUESTS[name])))
    await fault.until(CLIENTS)
    for (const socket of sockets) socket.destroy()

    await expect.poll(() => fake.calls(on)).toHaveLength(CLIENTS)
    await expect.poll(countTimers).toBeLessThanOrEqual(before)
    expect(fake.clock.advance('2h')).toEqual([])
    expect(fake.state().calendars?.flatMap(({ events = [] }) => events)).toHaveLength(inserted)
    const handled = fake.calls(on).filter(({ status }) => status === 200)
    expect(handled).toHaveLength('stall' in effect ? CLIENTS : inserted)
  },
)

test('in process no timer is left of 5,000 delayed writes whose signals are aborted', async () => {
  const { fake } = openCalendar()
  onTestFinished(() => fake.close())
  const before = countTimers()
  fake.faults.add({ on: 'events.insert', times: 'always', do: { delay: '1h' } })
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  const controllers = Array.from({ length: 5000 }, () => new AbortController())
  const settled = Promise.allSettled(
    controllers.map(({ signal }) => fake.request(EVENTS, { method: 'POST', headers, body: BODY, signal })),
  )
  await expect.poll(countTimers).toBeGreaterThanOrEqual(before + 5000)
  for (const controller of controllers) controller.abort()

  expect(new Set((await settled).map(({ status }) => status))).toEqual(new Set(['rejected']))
  await expect.poll(countTimers).toBeLessThanOrEqual(before)
  expect(fake.state().calendars?.flatMap(({ events = [] }) => events)).toHaveLength(5000)
})

test.each<[keyof typeof REQUESTS, string]>([
  ['insert', 'events.insert'],
  ['create_event', 'events.insert'],
  ['create_event', 'mcp.create_event'],
])('a detached delay of %s, on %s, outlives its client, and that of a list does not', async (name, on) => {
  const { fake } = openCalendar()
  onTestFinished(() => fake.close())
  const { port } = await fake.listen()
  const delay = { delay: '1h', clock: 'world', detached: true } as const
  const write = fake.faults.add({ on, do: delay })
  const read = fake.faults.add({ on: ['events.list', 'events.insert'], skip: 1, do: delay })
  const sockets = [await connectTo(port, REQUESTS[name])]
  await write.until()
  sockets.push(await connectTo(port, REQUESTS.list), await connectTo(port, REQUESTS.list))
  await read.until()
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => fake.calls('events.list')).toHaveLength(2)

  expect((await fake.advance('2h')).map(({ what }) => what)).toEqual([`a delayed ${on} continues`])
  await expect.poll(() => fake.calls('events.insert')).toMatchObject([{ status: 200 }])
  expect(fake.diff()).toMatchObject([{ change: 'added', kind: 'event' }])
})

test('a detached delay in real time ends with a reset of the faults', async () => {
  const { fake } = openCalendar()
  const fault = fake.faults.add({ on: 'events.insert', do: { delay: '1h', detached: true } })
  const headers = { Authorization: `Bearer ${ALICE}`, 'Content-Type': 'application/json' }
  const client = new AbortController()
  const lost = fake.request(EVENTS, { method: 'POST', headers, body: BODY, signal: client.signal })
  await fault.until()
  client.abort()
  await expect(lost).rejects.toThrow()
  const before = countTimers()
  fake.reset()

  await expect.poll(countTimers).toBeLessThan(before)
  expect(fake.diff()).toEqual([])
})
