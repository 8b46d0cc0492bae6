import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { LineTransport } from '../../src/mcp/lineTransport.ts'

/** Opens a transport whose messages are answered with their ids. Returns a function that sends text and reads the replies. */
async function open(output = new PassThrough()) {
  const input = new PassThrough()
  const transport = new LineTransport(input, output)
  const received: unknown[] = []
  transport.onmessage = (message) => {
    received.push(message)
    if ('id' in message) void transport.send({ jsonrpc: '2.0', id: message.id as number, result: {} })
  }
  await transport.start()
  const exchange = async (text: string, count: number) => {
    input.write(text)
    let replies = ''
    while (replies.split('\n').length <= count) {
      const [chunk] = (await new Promise((resolve) => output.once('data', (data) => resolve([data])))) as [Buffer]
      replies += chunk.toString()
    }
    return replies
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  }
  return { input, output, transport, received, exchange }
}
const PING = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'ping' })

test.each([
  ['{', -32700, 'Parse error'],
  ['[]', -32600, 'The line is not one message of JSON-RPC 2.0.'],
  ['"x"', -32600, 'The line is not one message of JSON-RPC 2.0.'],
  ['{"id":1,"method":"ping"}', -32600, 'The line is not one message of JSON-RPC 2.0.'],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, 'The line is not one message of JSON-RPC 2.0.'],
  ['{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', -32600, 'The line is not one message of JSON-RPC 2.0.'],
  ['{"jsonrpc":"2.0","method":5}', -32600, 'The line is not one message of JSON-RPC 2.0.'],
])('17.1 the line %s is an error, and the next one is answered', async (line, code, message) => {
  const { exchange, received } = await open()

  expect(await exchange(`${line}\n\n${PING}\n`, 2)).toEqual([
    { jsonrpc: '2.0', id: null, error: { code, message } },
    { jsonrpc: '2.0', id: 7, result: {} },
  ])
  expect(received).toEqual([JSON.parse(PING)])
})

test('17.1 a line of more than 10 MB is an error, and the next one is answered', async () => {
  const { exchange } = await open()
  const replies = await exchange(`${'x'.repeat(11 * 1024 * 1024)}\n${PING}\n`, 2)

  expect(replies).toMatchObject([{ error: { code: -32600, message: 'A message is at most 10 MB long.' } }, { id: 7 }])
})

test('replies that nobody reads add no listeners', async () => {
  const output = new PassThrough({ highWaterMark: 1 })
  const { input, received, transport } = await open(output)
  input.write(`${PING}\n`.repeat(50))
  while (received.length < 50) await new Promise((resolve) => setImmediate(resolve))

  expect(output.listenerCount('drain')).toBe(1)
  expect(output.listenerCount('error')).toBe(1)
  await transport.close()
})

test('a transport that is closed hands on no message that waits', async () => {
  const { input, received, transport } = await open()
  transport.onmessage = (message) => {
    received.push(message)
    void transport.close()
  }
  input.write(`${PING}\n`.repeat(1000))
  while (received.length === 0) await new Promise((resolve) => setImmediate(resolve))
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))

  expect(received).toHaveLength(1)
})
