import { startServer } from './child.js'
import { load, requestOf, requestOnce } from './load.js'
import { median } from './median.js'
import { GUESTS, LOCAL_GUESTS, MONDAY } from './world.js'

const ROUNDS = 5
const ROUND_MS = 600
/** Until the code is compiled. Before that, the interpreter is measured. */
const WARM_UP_MS = 3000
/** emulate rejects requests after the first 5,000 of a process. */
const MAX_REQUESTS = { emulate: { warmUp: 1500, round: 650 } }
const EVENTS = '/calendar/v3/calendars/primary/events'
const WEEK = { timeMin: new Date(MONDAY).toISOString(), timeMax: new Date(MONDAY + 7 * 86_400_000).toISOString() }
/** Each event makes a reply of 1.2 kB and has two guests. */
const WORLD = { count: 10_000, perWeek: 192, isLarge: true }
const HOUR = { start: { dateTime: '2026-03-02T09:00:00Z' }, end: { dateTime: '2026-03-02T10:00:00Z' } }
const PLANNING = { summary: 'Planning', ...HOUR }

/** Requests that all servers receive alike, and how many times our processor time each other server has to take. */
const WORKLOADS = [
  {
    name: 'get',
    what: 'events.get (1.2 kB)',
    path: `${EVENTS}/event000000`,
    targets: { hono: 0.65 },
    peers: ['node', 'hono'],
  },
  {
    name: 'insert',
    what: 'events.insert with a guest of another service',
    path: EVENTS,
    init: { method: 'POST', body: { ...PLANNING, attendees: GUESTS.slice(0, 1) } },
    targets: { hono: 0.25, emulate: 10 },
    peers: ['node', 'hono', 'emulate'],
  },
  {
    name: 'list',
    what: 'week list of 50 of 192 (10,000 events)',
    path: `${EVENTS}?${new URLSearchParams({ ...WEEK, maxResults: '50' })}`,
    targets: { emulate: 30 },
    peers: ['node', 'hono', 'emulate'],
  },
  {
    name: 'page',
    what: 'first page of 250 (300 kB)',
    path: `${EVENTS}?maxResults=250`,
    targets: { hono: 0.8, emulate: 9 },
    peers: ['node', 'hono', 'emulate'],
  },
  {
    name: 'freebusy',
    what: 'freeBusy of a week of 192',
    path: '/calendar/v3/freeBusy',
    init: { method: 'POST', body: { ...WEEK, items: [{ id: 'primary' }] } },
    targets: { emulate: 30 },
    peers: ['node', 'hono', 'emulate'],
  },
]

const SERVER_NAMES = { node: 'bare node:http', hono: 'bare Hono', emulate: 'emulate 0.11.2' }
const us = (value) => `${value.toFixed(value < 10 ? 1 : 0)} µs`

export const served = WORKLOADS.map((workload) => ({ name: workload.name, run: ({ peer }) => rowOf(workload, peer) }))

/** Measures in rounds in which each server has its turn, so that other work of the machine affects all of them. */
async function rowOf({ what, path, init, targets, peers }, peer) {
  const request = requestOf(path, init)
  const ours = await startServer('ours', WORLD)
  const { status, body } = await requestOnce(ours.port, request)
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
  const kinds = peers.filter((kind) => kind !== 'emulate' || peer)
  const others = []
  for (const kind of kinds) others.push(await startServer(kind, { ...WORLD, peer, body }))
  const [own, ...theirs] = await measureInTurn([ours, ...others], () => request)
  for (const server of [ours, ...others]) await server.stop()
  const compared = kinds.map((kind, at) => {
    const ratio = median(own.map((mine, round) => theirs[at][round] / mine))
    return { kind, cpu: median(theirs[at]), ratio, target: targets[kind] }
  })
  const judged = compared.filter(({ target }) => target !== undefined)
  return {
    what,
    ours: us(median(own)),
    beside: compared.map((one) => `${SERVER_NAMES[one.kind]} ${us(one.cpu)}`).join(', '),
    ratio: judged.map((one) => `${one.ratio.toFixed(2)} x ${SERVER_NAMES[one.kind]}`).join('; '),
    target: Object.entries(targets)
      .map(([kind, least]) => `>= ${least} x ${SERVER_NAMES[kind]}`)
      .join('; '),
    met: judged.every((one) => one.ratio >= one.target),
  }
}

/** Returns the microseconds of the processor for one request, by server and round. `requestFor` may return a function. */
async function measureInTurn(servers, requestFor) {
  const cpuTimes = servers.map(() => [])
  const loadServer = (server, milliseconds, span) =>
    load(server.port, requestFor(server), { milliseconds, most: MAX_REQUESTS[server.kind]?.[span] })
  for (const server of servers) await loadServer(server, WARM_UP_MS, 'warmUp')
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, server] of servers.entries()) {
      const before = await server.cpu()
      const answered = await loadServer(server, ROUND_MS, 'round')
      cpuTimes[at].push(((await server.cpu()) - before) / answered)
    }
  }
  return cpuTimes
}

const SERIES = { id: 'series', ...PLANNING, recurrence: ['RRULE:FREQ=DAILY;COUNT=200'] }
for (const side of ['start', 'end']) SERIES[side] = { ...HOUR[side], timeZone: 'UTC' }
const instanceId = (day) =>
  `series_${new Date(MONDAY + day * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}T090000Z`
const patch = (id, body) => ({ path: `${EVENTS}/${id}`, init: { method: 'PATCH', body } })
const insert = (body) => ({ path: EVENTS, init: { method: 'POST', body } })

/** Writes beside an insert without guests. `body` receives a number that differs for each request, so that each changes something. */
const WRITES = [
  { what: 'events.insert without guests', requestOfNth: () => insert(PLANNING) },
  {
    what: 'events.insert with three guests who have calendars here',
    requestOfNth: () => insert({ ...PLANNING, attendees: LOCAL_GUESTS }),
    maxRatio: 2,
  },
  {
    what: 'PATCH of one instance',
    before: [insert(SERIES)],
    requestOfNth: (nth) => patch(instanceId(1), { summary: `Changed ${nth}` }),
    maxRatio: 2,
  },
  {
    what: 'PATCH of a series with 100 exceptions',
    before: [
      insert(SERIES),
      ...Array.from({ length: 100 }, (_, day) => patch(instanceId(day), { location: `Room ${day}` })),
    ],
    requestOfNth: (nth) => patch('series', { summary: `Changed ${nth}` }),
    maxUs: 5000,
  },
]

export const writes = {
  name: 'writes',
  async run() {
    const servers = []
    const requests = new Map()
    for (const { before = [], requestOfNth } of WRITES) {
      const server = await startServer('ours', WORLD)
      for (const { path, init } of before) {
        const { status, body } = await requestOnce(server.port, requestOf(path, init))
        if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
      }
      let nth = 0
      requests.set(server, () => {
        const { path, init } = requestOfNth(nth++)
        return requestOf(path, init)
      })
      servers.push(server)
    }
    const cpuTimes = await measureInTurn(servers, (server) => requests.get(server))
    for (const server of servers) await server.stop()
    return WRITES.map(({ what, maxRatio, maxUs }, at) => {
      const ratio = median(cpuTimes[at].map((cpu, round) => cpu / cpuTimes[0][round]))
      const cpu = median(cpuTimes[at])
      return {
        what,
        ours: us(cpu),
        ...(at > 0 && { beside: `without guests: ${us(median(cpuTimes[0]))}`, ratio: `${ratio.toFixed(2)} x` }),
        ...(maxRatio && { target: `<= ${maxRatio} x`, met: ratio <= maxRatio }),
        ...(maxUs && { target: `<= ${maxUs / 1000} ms`, met: cpu <= maxUs }),
      }
    })
  },
}

/** The same page of a week that holds 200 events, and of one that holds 56,000. */
export const crowded = {
  name: 'week',
  async run() {
    const counts = [56_000, 200]
    const servers = []
    for (const count of counts) servers.push(await startServer('ours', { count, perWeek: count }))
    const request = requestOf(`${EVENTS}?${new URLSearchParams({ ...WEEK, maxResults: '50' })}`)
    const [full, light] = await measureInTurn(servers, () => request)
    for (const server of servers) await server.stop()
    const ratio = median(full.map((one, round) => one / light[round]))
    return {
      what: 'week list of 50 with 56,000 events in that week',
      ours: us(median(full)),
      beside: `the same with 200: ${us(median(light))}`,
      ratio: `${ratio.toFixed(2)} x`,
      target: '<= 2 x',
      met: ratio <= 2,
    }
  },
}
