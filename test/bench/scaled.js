import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from './child.js'
import { load, requestOf, requestOnce } from './load.js'
import { median } from './median.js'

const NGINX = '/usr/sbin/nginx'
const CONFIGURATION = fileURLToPath(new URL('../../docs/guides/scaling/nginx.conf', import.meta.url))
const WORLDS = 32
const ROUNDS = 5
const MILLISECONDS = 1500
const WORLD = { count: 200, perWeek: 20 }
const what = 'week list of 20 in 32 worlds, 4 processes behind nginx'

/**
 * Compares the throughput of four processes behind nginx with one process without it. Each of many clients uses its
 * own world.
 */
export const scaled = {
  name: 'nginx',
  async run() {
    if (!existsSync(NGINX)) return { what, ours: 'nginx is missing' }
    const text = readFileSync(CONFIGURATION, 'utf8')
    const named = [...text.matchAll(/^ *server 127\.0\.0\.1:(\d+) /gm)].map(([, port]) => port)
    const [alone, ...servers] = await Promise.all([undefined, ...named].map(() => startServer('ours', WORLD)))
    const port = await freePort()
    const ports = new Map(named.map((one, at) => [one, servers[at].port]))
    const folder = mkdtempSync(join(tmpdir(), 'fake-calendar-nginx-'))
    const file = join(folder, 'nginx.conf')
    writeFileSync(
      file,
      text.replace(/127\.0\.0\.1:(\d+)/g, (_, one) => `127.0.0.1:${ports.get(one) ?? port}`),
    )
    const nginx = spawn(NGINX, ['-e', 'stderr', '-p', folder, '-c', file], { stdio: ['ignore', 'ignore', 'inherit'] })
    await listening(port)

    const [one, four] = await inTurn([alone.port, port])
    nginx.kill()
    await once(nginx, 'exit')
    for (const server of [alone, ...servers]) await server.stop()
    rmSync(folder, { recursive: true })
    return {
      what: `${what} (${cpus().length} processors for all)`,
      ours: `${median(four).toFixed(0)}/s`,
      beside: `one process without nginx ${median(one).toFixed(0)}/s`,
      ratio: `${median(four.map((rate, round) => rate / one[round])).toFixed(2)} x`,
    }
  },
}

const requests = Array.from({ length: WORLDS }, (_, at) =>
  requestOf(`/w/bench${at}/calendar/v3/calendars/primary/events?maxResults=20`),
)

/** Requests that are answered in a second, of each port, round by round. */
async function inTurn(ports) {
  const rates = ports.map(() => [])
  for (const port of ports) for (const request of requests) await requestOnce(port, request)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, port] of ports.entries()) {
      const each = requests.map((request) => load(port, request, { connections: 1, milliseconds: MILLISECONDS }))
      const counts = await Promise.all(each)
      rates[at].push((counts.reduce((sum, count) => sum + count, 0) * 1000) / MILLISECONDS)
    }
  }
  return rates
}

/** nginx takes no port 0. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** It says nothing once it listens: it is asked until it does. */
async function listening(port) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await requestOnce(port, requests[0])
    } catch (error) {
      if (tries > 2000) throw error
    }
  }
}
