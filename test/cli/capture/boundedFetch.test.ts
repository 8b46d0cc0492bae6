import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGzip } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { boundedFetch, LongBodyError } from '../../../src/cli/capture/boundedFetch.ts'

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

test.each([{}, { 'Content-Encoding': 'gzip' }])(
  'a body without an end, with the headers %j, is an error after 64 MB, and its connection closes',
  async (headers) => {
    const part = Buffer.alloc(2 ** 20, ' ')
    let close: (written: number) => void
    const closed = new Promise<number>((resolve) => {
      close = resolve
    })
    const server = createServer((_, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', ...headers })
      const target = 'Content-Encoding' in headers ? createGzip() : response
      if (target !== response) target.pipe(response)
      let written = 0
      const write = (): void => {
        while (!response.destroyed && target.write(part)) written += part.length
        if (!response.destroyed) target.once('drain', write)
      }
      response.once('close', () => close(written))
      write()
    })
    onTestFinished(() => void server.closeAllConnections())
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo

    await expect(boundedFetch(fetch)(`http://127.0.0.1:${port}/`)).rejects.toThrow(LongBodyError)
    expect(await closed).toBeLessThan(128 * 2 ** 20)
  },
)
