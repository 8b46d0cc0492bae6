import { once } from 'node:events'
import { createServer } from 'node:http'
import { PERSON, seedOfEmulate } from './world.js'

/** A server to measure, in a process of its own: says its port, and on request the processor's time that it has taken. */
const [, , kind] = process.argv
const [{ count, perWeek, isLarge, peer, body }] = await once(process, 'message')

const KINDS = {
  async ours() {
    const { createFilled } = await import('./world.js')
    const { port } = await createFilled(count, { perWeek, isLarge }).listen()
    return port
  },
  /** `node:http` alone, which answers everything with the same bytes, or what it was sent. */
  node() {
    const server = createServer((request, response) => {
      const headers = { 'Content-Type': 'application/json; charset=UTF-8' }
      if (request.method === 'GET') return response.writeHead(200, headers).end(body)
      const chunks = []
      request.on('data', (chunk) => chunks.push(chunk))
      request.on('end', () => response.writeHead(200, headers).end(JSON.stringify(JSON.parse(Buffer.concat(chunks)))))
    })
    return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)))
  },
  /** Hono and its server for Node, which answer with the same record written out anew, or what they were sent. */
  async hono() {
    const { Hono } = await import('hono')
    const { serve } = await import('@hono/node-server')
    const app = new Hono()
    const record = body && JSON.parse(body)
    app.get('/calendar/v3/*', (c) => c.json(record))
    app.post('/calendar/v3/*', async (c) => c.json(await c.req.json()))
    return new Promise((resolve) =>
      serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => resolve(port)),
    )
  },
  async emulate() {
    const { createEmulator } = await import(peer)
    const port = await freePort()
    await createEmulator({
      service: 'google',
      port,
      seed: { google: seedOfEmulate(count, perWeek, isLarge), tokens: { [PERSON]: { login: PERSON, scopes: [] } } },
    })
    return port
  },
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const port = await KINDS[kind]()
process.on('message', () => {
  const { user, system } = process.cpuUsage()
  process.send({ cpu: user + system })
})
process.on('disconnect', () => process.exit())
process.send({ port })
