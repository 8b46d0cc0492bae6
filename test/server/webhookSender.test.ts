import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_TIMEOUT_MS, WebhookSender } from '../../src/server/webhookSender.ts'
import { ALICE } from '../support/calendar.ts'
import {
  channel,
  closeServer,
  deadPort,
  ELSEWHERE,
  EVENTS,
  listen,
  openPush,
  openReceiver,
  write,
} from '../support/push.ts'

const WATCH = `${EVENTS}/watch`

async function watched(answer?: Parameters<typeof openReceiver>[0]) {
  const { as, fake } = openPush()
  const receiver = await openReceiver(answer)
  await as(ALICE).post(WATCH, channel('mine', receiver.address))
  await fake.notifications.settled()
  const last = () => fake.notifications.list().at(-1)
  return { as, fake, receiver, last, alice: as(ALICE) }
}

test.each([200, 201, 202, 204])('6.2.5 the status %i is a success', async (code) => {
  const { last, receiver } = await watched(() => code)

  expect(last()).toMatchObject({ progress: 'delivered', attempts: [{ at: '2026-03-01T12:00:00.000Z', code }] })
  expect(receiver.messages()).toEqual(['1 sync'])
})

test.each([203, 206, 301, 307, 400, 401, 403, 404, 408, 410, 429, 501, 505])(
  '6.2.5 after the status %i the message is lost',
  async (code) => {
    const { fake, last, receiver } = await watched(() => code)

    await fake.advance('1h')

    expect(last()).toMatchObject({ progress: 'failed', attempts: [{ code }] })
    expect(receiver.messages()).toEqual(['1 sync'])
  },
)

test.each([500, 502, 503, 504])(
  '6.2.5 after the status %i the message is retried up to eight times, with doubled pauses',
  async (code) => {
    const { fake, last, receiver } = await watched(() => code)

    expect(last()).toMatchObject({ progress: 'retrying', attempts: [{ code }] })
    await fake.advance('1h')

    const seconds = last()?.attempts.map(({ at }) => (Date.parse(at) - Date.parse('2026-03-01T12:00:00Z')) / 1000)
    expect(seconds).toEqual([0, 1, 3, 7, 15, 31, 63, 127])
    expect(last()?.progress).toBe('failed')
    expect(new Set(receiver.messages())).toEqual(new Set(['1 sync']))
  },
)

test('a message that waits for a retry is delivered before later messages', async () => {
  const { alice, fake, receiver } = await watched((_, nth) => (nth === 2 || nth === 3 ? 503 : 200))

  await write(alice)
  await write(alice)
  await fake.notifications.settled()
  expect(receiver.messages()).toEqual(['1 sync', '2 exists'])

  await fake.advance('999ms')
  expect(receiver.messages()).toHaveLength(2)
  await fake.advance('1ms')
  expect(receiver.messages()).toHaveLength(3)
  await fake.advance('2s')
  expect(receiver.messages()).toEqual(['1 sync', '2 exists', '2 exists', '2 exists', '3 exists'])
})

test('6.2.5 102 is a success, even without a final response', async () => {
  const server = createServer((_, response) => response.writeProcessing())
  const port = await listen(server)
  const deliverer = new WebhookSender(1000)
  onTestFinished(async () => {
    deliverer.close()
    await closeServer(server)
  })

  expect(await deliverer.post(`http://127.0.0.1:${port}/`, {})).toBe(102)
})

test('if no receiver listens, the message is retried until one does', async () => {
  const { as, fake } = openPush()
  const port = await deadPort()
  await as(ALICE).post(WATCH, channel('mine', `http://127.0.0.1:${port}/hook`))
  await fake.notifications.settled()
  expect(fake.notifications.list()).toMatchObject([
    { progress: 'retrying', attempts: [{ error: expect.stringContaining('ECONNREFUSED') }] },
  ])

  const server = createServer((_, response) => response.end())
  await listen(server, port)
  onTestFinished(() => closeServer(server))
  await fake.advance('1s')

  expect(fake.notifications.list()).toMatchObject([{ progress: 'delivered', attempts: [{}, { code: 200 }] }])
})

test('a time-out of a receiver is a failed attempt', async () => {
  const receiver = await openReceiver(() => undefined)
  const deliverer = new WebhookSender(20)
  onTestFinished(() => deliverer.close())

  await expect(deliverer.post(receiver.address, {})).rejects.toThrow('no answer within 20 ms')
  expect(DEFAULT_TIMEOUT_MS).toBe(5000)
})

test('an endless response of a receiver is accepted and its connection closed', async () => {
  const server = createServer((_, response) => response.writeHead(200).write('forever'))
  const port = await listen(server)
  const cut = new Promise<void>((resolve) => server.on('connection', (socket) => socket.on('close', () => resolve())))
  // The limit is real time, in which a busy machine must receive the response.
  const deliverer = new WebhookSender(2000)
  onTestFinished(async () => {
    deliverer.close()
    await closeServer(server)
  })

  expect(await deliverer.post(`http://127.0.0.1:${port}/`, {})).toBe(200)
  await cut
})

test('if a kept connection was closed, the message is sent over a new one', async () => {
  let connections = 0
  const server = createServer((request, response) => {
    if (connections === 1 && request.url === '/second') request.socket.resetAndDestroy()
    else response.end()
  })
  server.on('connection', () => {
    connections++
  })
  const port = await listen(server)
  const deliverer = new WebhookSender()
  onTestFinished(async () => {
    deliverer.close()
    await closeServer(server)
  })

  expect(await deliverer.post(`http://127.0.0.1:${port}/first`, {})).toBe(200)
  expect(await deliverer.post(`http://127.0.0.1:${port}/second`, {})).toBe(200)
  expect(connections).toBe(2)
})

test('a name below localhost resolves to loopback, and the Host header keeps it', async () => {
  const { as, fake } = openPush()
  const receiver = await openReceiver()
  await as(ALICE).post(WATCH, channel('mine', `http://hooks.localhost:${receiver.port}/hook?a=b`))
  await fake.notifications.settled()

  expect(receiver.received).toMatchObject([{ url: '/hook?a=b', headers: { host: `hooks.localhost:${receiver.port}` } }])
})

test('messages to other machines are withheld, with the option that would send them', async () => {
  const { as, fake } = openPush()
  await as(ALICE).post(WATCH, channel('mine'))
  await write(as(ALICE))
  await fake.advance('1d')

  expect(fake.notifications.list()).toMatchObject([
    { number: 1, state: 'sync', progress: 'withheld', attempts: [], note: expect.stringContaining('--webhooks any') },
    { state: 'exists', progress: 'withheld', attempts: [], address: ELSEWHERE },
  ])
})

test('with webhooks: any, they are posted', async () => {
  const { as, fake } = openPush({ webhooks: 'any' })
  await as(ALICE).post(WATCH, channel('mine', 'https://nowhere.invalid/hook'))
  await fake.notifications.settled()

  expect(fake.notifications.list()).toMatchObject([{ progress: 'retrying', attempts: [{ error: expect.any(String) }] }])
})

test('a slow receiver delays neither writes nor other channels', async () => {
  const { as, fake } = openPush()
  const silent = await openReceiver(() => undefined)
  const working = await openReceiver()
  await as(ALICE).post(WATCH, channel('silent', silent.address))
  await as(ALICE).post(WATCH, channel('dead', `http://127.0.0.1:${await deadPort()}/`))
  await as(ALICE).post(WATCH, channel('good', working.address))

  for (let nth = 0; nth < 3; nth++) expect((await write(as(ALICE))).status).toBe(200)
  await fake.notifications.until('good', 4)

  expect(working.messages()).toEqual(['1 sync', '2 exists', '3 exists', '4 exists'])
  expect((await as(ALICE).get(EVENTS)).body.items).toHaveLength(3)
})

test('a channel whose receiver is far behind ends with its last message', async () => {
  const { alice, fake, receiver } = await watched()
  fake.notifications.hold()
  for (let nth = 0; nth < 200; nth++) await write(alice)
  fake.notifications.release()
  await fake.notifications.settled()

  expect(fake.state().channels).toMatchObject([{ messages: 201, lastMessage: receiver.received.at(-1)?.number }])
  expect(receiver.received.length).toBeLessThanOrEqual(51)
  const numbers = receiver.received.map(({ number }) => number)
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
})

test('a closed fake posts nothing', async () => {
  const { alice, fake, receiver } = await watched()
  fake.notifications.hold()
  await write(alice)

  await fake.close()
  fake.notifications.release()
  await fake.notifications.settled()

  expect(receiver.messages()).toEqual(['1 sync'])
})
