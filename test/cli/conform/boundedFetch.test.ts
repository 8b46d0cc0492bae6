import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { boundedFetch, impatientFetch } from '../../../src/cli/conform/boundedFetch.ts'
import type { Fetch } from '../../../src/cli/conform/retryingFetch.ts'

/** A server that responds to the requests of these numbers, and its number of requests. */
function startServer(answered: readonly number[]) {
  const server = { requests: 0, isGivenUp: false }
  const answer: Fetch = () => {
    server.requests += 1
    return answered.includes(server.requests) ? Promise.resolve(Response.json({})) : new Promise<Response>(() => {})
  }
  /** Ends a request at once if it has no answer. */
  const timeout = () => (answered.includes(server.requests + 1) ? new AbortController().signal : AbortSignal.abort())
  const giveUp = () => {
    server.isGivenUp = true
  }
  return { server, fetch: impatientFetch(boundedFetch(answer, { timeout }), giveUp) }
}

const URL = 'http://127.0.0.1/'

test('after three late responses in a row no further request is sent', async () => {
  const { server, fetch } = startServer([1])
  expect((await fetch(URL)).status).toBe(200)
  for (let count = 0; count < 10; count++) await expect(fetch(URL)).rejects.toThrow('no answer within 30 s')

  expect(server).toEqual({ requests: 4, isGivenUp: true })
})

test('a response in between resets the count', async () => {
  const { server, fetch } = startServer([3, 6])
  for (let count = 0; count < 6; count++) await fetch(URL).catch(() => {})

  expect(server).toEqual({ requests: 6, isGivenUp: false })
})

test('a body that ends early is an error with the number of its bytes', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Length': '100' })
    response.write('x'.repeat(40), () => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const answer = boundedFetch(fetch)(`http://127.0.0.1:${port}/`)

  await expect(answer).rejects.toThrow('the body was cut off after 40 bytes')
  server.close()
})
