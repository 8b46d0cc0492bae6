import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { boundedFetch } from '../../../src/cli/capture/boundedFetch.ts'

test('a late response is an error', async () => {
  const late = boundedFetch(fetch, () => AbortSignal.abort())('http://127.0.0.1/')

  await expect(late).rejects.toThrow('no answer within 30 s')
})

test('a body that ends early is an error', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Length': '100' })
    response.write('x'.repeat(40), () => response.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const answer = boundedFetch(fetch)(`http://127.0.0.1:${port}/`)

  await expect(answer).rejects.toThrow('the body was cut off')
  server.close()
})
