import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServer } from './child.js'
import { load, requestOf, requestOnce } from './load.js'
import { median } from './turns.js'

const NGINX = '/usr/sbin/nginx'
const CONFIGURATION = fileURLToPath(new URL('../../docs/guides/scaling/nginx.conf', import.meta.url))
const WORLDS = 32
const ROUNDS = 5
const MILLISECONDS = 1500
const WORLD = { count: 200, perWeek: 20 }
const what = 'week list of 20 in 32 worlds, 4 processes behind nginx'

/** The numbers of processors for which the gain is calculated. */
const PROCESSORS = [2, 4, 8]

/**
 * Compares the throughput of four processes behind nginx with one process without it. Each of many clients uses its
 * own world. Also counts the processor time of a request, and calculates the gain with more processors from it.
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

    const cpuOf = { nginx: () => cpuOfProcesses(nginx.pid), alone: alone.cpu, processes: () => sumOf(servers) }
    const { rates, cpu } = await inTurn([
      { port: alone.port, count: async () => [await cpuOf.alone()] },
      { port, count: async () => [await cpuOf.processes(), cpuOf.nginx()] },
    ])
    const [one, four] = rates
    const [[single], [ours, proxy]] = cpu
    nginx.kill()
    await once(nginx, 'exit')
    for (const server of [alone, ...servers]) await server.stop()
    rmSync(folder, { recursive: true })
    const gains = PROCESSORS.map((count) => `${count}: ${((count * single) / (ours + proxy)).toFixed(1)} x`)
    return [
      {
        what: `${what} (${cpus().length} processors for all)`,
        ours: `${median(four).toFixed(0)}/s`,
        beside: `one process without nginx ${median(one).toFixed(0)}/s`,
        ratio: `${median(four.map((rate, round) => rate / one[round])).toFixed(2)} x`,
      },
      {
        what: 'processor time of one of these requests in nginx and in a process; calculated gain by processors',
        ours: `${proxy.toFixed(0)} + ${ours.toFixed(0)} µs`,
        beside: `one process without nginx ${single.toFixed(0)} µs`,
        ratio: gains.join(', '),
      },
    ]
  },
}

/** Returns the microseconds of the processor that servers have taken together. */
const sumOf = async (servers) => (await Promise.all(servers.map(({ cpu }) => cpu()))).reduce((sum, cpu) => sum + cpu, 0)

/** The microseconds of one clock tick, in which Linux counts the time of a process. */
const TICK_US = 10_000

/** Returns the microseconds of the processor that a process and its children have taken. */
function cpuOfProcesses(pid) {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const ticks = [pid, ...children].map((one) => {
    const fields = readFileSync(`/proc/${one}/stat`, 'utf8').split(') ')[1].split(' ')
    return Number(fields[11]) + Number(fields[12])
  })
  return ticks.reduce((sum, count) => sum + count, 0) * TICK_US
}

const requests = Array.from({ length: WORLDS }, (_, at) =>
  requestOf(`/w/bench${at}/calendar/v3/calendars/primary/events?maxResults=20`),
)

/**
 * Measures targets in turn. Returns for each the requests per second of each round, and the microseconds of the processor per
 * request, by the counters of the target.
 */
async function inTurn(targets) {
  const rates = targets.map(() => [])
  const used = targets.map(() => [])
  const answered = targets.map(() => 0)
  for (const { port } of targets) for (const request of requests) await requestOnce(port, request)
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, { port, count }] of targets.entries()) {
      const before = await count()
      const each = requests.map((request) => load(port, request, { connections: 1, milliseconds: MILLISECONDS }))
      const replies = (await Promise.all(each)).reduce((sum, one) => sum + one, 0)
      const after = await count()
      rates[at].push((replies * 1000) / MILLISECONDS)
      answered[at] += replies
      used[at] = after.map((time, index) => (used[at][index] ?? 0) + time - before[index])
    }
  }
  return { rates, cpu: used.map((times, at) => times.map((time) => time / answered[at])) }
}

/** Returns a free port, because nginx does not accept port 0. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

/** Waits until nginx responds. It prints nothing when it listens, so requests are repeated. */
async function listening(port) {
  for (let tries = 0; ; tries += 1) {
    try {
      return await requestOnce(port, requests[0])
    } catch (error) {
      if (tries > 2000) throw error
    }
  }
}
