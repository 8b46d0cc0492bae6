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

test('17.1 a message of more than 10,000 values on a level is an error, and is not handed on', async () => {
  const { exchange, received } = await open()
  const params = { arguments: Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`k${at}`, 1])) }
  const line = JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params })

  expect(await exchange(`${line}\n`, 1)).toMatchObject([{ id: 3, error: { code: -32600 } }])
  expect(received).toEqual([])
})

test('17.1 a thousand broken lines in a row are answered and close the transport, and a message between them does not count', async () => {
  const { input, exchange, transport } = await open()
  const problems: string[] = []
  transport.onerror = ({ message }) => problems.push(message)
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve
  })
  await exchange(`${'{\n'.repeat(999)}${PING}\n${'{\n'.repeat(999)}`, 1999)
  expect(problems).toEqual([])
  input.write('{\n'.repeat(50_000))
  await closed

  expect(problems).toEqual(['closed, because 1000 lines in a row are no messages of MCP'])
})

test('messages before the end of the input are handed on, and blank lines take no turn', async () => {
  const { input, received } = await open()
  input.end(`${' \n\n\r\n'.repeat(10_000)}${`${PING}\n`.repeat(200)}`)
  let turns = 0
  for (; received.length < 200 && turns < 1000; turns++) await new Promise((resolve) => setImmediate(resolve))

  expect(received).toHaveLength(200)
  expect(turns).toBeLessThan(1000)
})

test('no more of the input is read while messages wait', async () => {
  const { input, received } = await open()
  for (let chunk = 0; chunk < 100; chunk++) input.write(`${PING}\n`.repeat(100))
  while (received.length < 50) await new Promise((resolve) => setImmediate(resolve))

  expect(input.readableLength + input.writableLength).toBeGreaterThan(90 * 100 * PING.length)
})
